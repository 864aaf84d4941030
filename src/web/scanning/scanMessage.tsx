/** The message of a scan: its look, sound and words, and the same for screen readers. */
import { IconBan, type TablerIcon } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import look from './appearance.module.css'
import { appearances, type Tint } from './appearance.ts'
import classes from './scanMessage.module.css'
import type { Sound } from './sounds.ts'

export type ScanMessage = { readonly id: string; readonly sound: Sound; readonly words: string }

function appearanceOf(sound: Sound): { tint: Tint; icon: TablerIcon } {
  if (sound === 'refused') return appearances.missing
  if (sound === 'complete') return appearances.found
  if (sound === 'elsewhere') return appearances.duplicate
  if (sound === 'not_now') return { tint: 'bad', icon: IconBan }
  return appearances[sound]
}

/** Announces the message to screen readers. */
export function Announcer({ message }: { message: ScanMessage | null }) {
  const wrong = message !== null && appearanceOf(message.sound).tint === 'bad'
  return (
    <>
      <div className="wh-hidden" role="status" aria-live="polite" aria-atomic data-takes-scans>
        {message && !wrong && <span key={message.id}>{message.words}</span>}
      </div>
      <div className="wh-hidden" role="alert" aria-atomic>
        {message && wrong && <span key={message.id}>{message.words}</span>}
      </div>
    </>
  )
}

/** The line that a scan ends in. `waits`: how many scans are still to be sent. */
export function Verdict({ message, waits = 0 }: { message: ScanMessage; waits?: number }) {
  const { t } = useTranslation('intake')
  const { tint, icon: Icon } = appearanceOf(message.sound)
  return (
    <div className={`${look.card} ${classes.said}`} data-tint={tint}>
      <header className={look.verdict}>
        <Icon size={26} aria-hidden />
        <span className={look.words}>{message.words}</span>
        {waits > 0 && <span>{t('waits', { count: waits })}</span>}
      </header>
    </div>
  )
}
