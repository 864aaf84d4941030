/** What a scan says: how it looks and sounds, its words, and the same for those who can't see it. */
import { IconBan, type TablerIcon } from '@tabler/icons-react'
import { useTranslation } from '../../ui/texts.ts'
import look from './appearance.module.css'
import { appearances, type Tint } from './appearance.ts'
import classes from './said.module.css'
import type { Sound } from './sounds.ts'

export type Said = { readonly id: string; readonly sound: Sound; readonly words: string }

function appearanceOf(sound: Sound): { tint: Tint; icon: TablerIcon } {
  if (sound === 'refused') return appearances.missing
  if (sound === 'complete') return appearances.found
  if (sound === 'elsewhere') return appearances.duplicate
  if (sound === 'not_now') return { tint: 'bad', icon: IconBan }
  return appearances[sound]
}

/** Reads what was said to those who can't see it. */
export function Announcer({ said }: { said: Said | null }) {
  const wrong = said !== null && appearanceOf(said.sound).tint === 'bad'
  return (
    <>
      <div className="wh-hidden" role="status" aria-live="polite" aria-atomic data-takes-scans>
        {said && !wrong && <span key={said.id}>{said.words}</span>}
      </div>
      <div className="wh-hidden" role="alert" aria-atomic>
        {said && wrong && <span key={said.id}>{said.words}</span>}
      </div>
    </>
  )
}

/** The line that a scan ends in. `waits`: how many scans are still to be sent. */
export function Verdict({ said, waits = 0 }: { said: Said; waits?: number }) {
  const { t } = useTranslation('intake')
  const { tint, icon: Icon } = appearanceOf(said.sound)
  return (
    <div className={`${look.card} ${classes.said}`} data-tint={tint}>
      <header className={look.verdict}>
        <Icon size={26} aria-hidden />
        <span className={look.words}>{said.words}</span>
        {waits > 0 && <span>{t('waits', { count: waits })}</span>}
      </header>
    </div>
  )
}
