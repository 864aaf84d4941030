/** Somebody signs delivery notes on the screen. */
import { useTranslation } from 'react-i18next'
import { type DeliveryNote, gate as calls } from '#contract/gate.ts'
import { useCall } from '../shared/api.ts'
import { SignForm } from '../shared/form/signForm.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'

export function SignNotes({ notes, dialog }: { notes: readonly DeliveryNote[]; dialog: DialogControls }) {
  const { t } = useTranslation('gate')
  const sign = useCall(calls.sign, { done: 'common:performed' })
  return (
    <SignForm
      text={t('signText', {
        count: notes.length,
        numbers: notes.map(({ document_number_text: number }) => number).join(', '),
      })}
      send={signed => sign.mutateAsync({ documents: notes.map(({ db_id }) => db_id), ...signed })}
      dialog={dialog}
    />
  )
}
