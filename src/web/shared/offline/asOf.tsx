/** The time of an answer, where the server can't be reached for a newer one. */
import { Text } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { useLost } from '../connection.ts'
import { formatMoment } from '../format.ts'
import { useSite } from '../session.ts'
import classes from './asOf.module.css'
import { ago } from './rules.ts'

const minuteMs = 60_000

/** `at`: when the answer came, in ms; 0 for none. Nothing while there is a connection. */
export function AsOf({ at }: { at: number }) {
  const { t, i18n } = useTranslation()
  const { time_zone: zone } = useSite()
  const lost = useLost()
  const [now, setNow] = useState(() => Date.now())
  const isShown = lost && at > 0
  useEffect(() => {
    if (!isShown) return undefined
    const look = () => setNow(Date.now())
    look()
    const timer = setInterval(look, minuteMs)
    return () => clearInterval(timer)
  }, [isShown])
  if (!isShown) return null
  const { value, unit } = ago(at, now)
  const time = formatMoment(new Date(at).toISOString(), zone).slice(11, 16)
  const words = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'always' }).format(-value, unit)
  return (
    <Text size="sm" className={classes.age}>
      <IconClock size={16} aria-hidden />
      {value === 0 ? t('asOf', { time }) : t('asOfAgo', { time, ago: words })}
    </Text>
  )
}
