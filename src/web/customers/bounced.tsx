/** A note on an address that bounces mail: since when, how to resolve it, and the last error. */
import { Text } from '@mantine/core'
import { IconMailX } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { Bounced } from '#contract/mail.ts'
import classes from './bounced.module.css'
import { formatMinute } from '../shared/format.ts'

type BouncedAddressProps = {
  bounced: Bounced
  timeZone: string
  /** How the reader can resolve it. */
  advice: string
}

export function BouncedAddress({ bounced: { since, problem }, timeZone, advice }: BouncedAddressProps) {
  const { t } = useTranslation()
  return (
    <span className={classes.bounced}>
      <IconMailX size={16} aria-hidden className={classes.icon} />
      <span>
        <Text component="span" size="xs" c="red" display="block">
          {t('bounced', { since: formatMinute(since, timeZone) })} <strong>{advice}</strong>
        </Text>
        <Text component="span" size="xs" c="dimmed" display="block" translate="no">
          {problem}
        </Text>
      </span>
    </span>
  )
}
