/** Signs delivery notes on the screen. */
import { useTranslation } from '../ui/texts.ts'
import { type DeliveryNote, gate as calls } from '#contract/gate.ts'
import { useCall } from '../shared/api.ts'
import { SignForm } from '../shared/form/signForm.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import classes from './gate.module.css'
import { NoteText } from './noteText.tsx'

/** The form in which somebody signs these notes together. Stays open when the server refuses. */
export function SignNotes({ notes, dialog }: { notes: readonly DeliveryNote[]; dialog: DialogControls }) {
  const { t } = useTranslation('gate')
  const sign = useCall(calls.sign, { done: 'common:performed' })
  return (
    <SignForm
      text={
        <>
          {t('signText')}
          <ul className={classes.signed}>
            {notes.map(note => (
              <li key={note.db_id}>
                <NoteText note={note} />
              </li>
            ))}
          </ul>
        </>
      }
      send={signed => sign.mutateAsync({ documents: notes.map(({ db_id }) => db_id), ...signed })}
      dialog={dialog}
    />
  )
}
