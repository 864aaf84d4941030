import { useTranslation } from 'react-i18next'
import type { Tyre } from '#contract/wire.ts'
import { treadOf } from '#domain/tread.ts'
import { formatDepth } from '../format.ts'
import classes from './tread.module.css'

type TreadDepthProps = { tyre: Pick<Tyre, 'profile_depth' | 'season'>; said?: boolean }

/** A tyre's depth with the colour of what it is good for in its season; the words say it too. `said`: they are to be seen. */
export function TreadDepth({ tyre: { profile_depth: depth, season }, said = false }: TreadDepthProps) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const tread = treadOf(depth, season)
  if (tread === null) return <>–</>
  const meaning = t(`fleet:tread.${tread}`)
  return (
    <span className={classes.depth} title={meaning}>
      <span className={classes.badge} data-tread={tread}>
        {t('common:mm', { depth: formatDepth(depth, i18n.language) })}
      </span>
      <span className={said ? classes.meaning : 'wh-hidden'}> {meaning}</span>
    </span>
  )
}
