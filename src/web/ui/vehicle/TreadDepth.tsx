import { useTranslation } from 'react-i18next'
import { treadOf } from '#domain/tread.ts'
import { formatDepth } from '../format.ts'
import classes from './tread.module.css'

/** A depth with the colour of what it is good for; the words say it too. `said`: the words are to be seen. */
export function TreadDepth({ depth, said = false }: { depth: number | null; said?: boolean }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const tread = treadOf(depth)
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
