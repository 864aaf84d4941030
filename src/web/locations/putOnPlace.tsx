/** Puts wheels on a location that is chosen by name. */
import { useTranslation } from '../ui/texts.ts'
import { locations as calls } from '#contract/locations.ts'
import { locationChoices } from '../shared/format.ts'
import { useAnswer } from '../shared/api.ts'
import { useMove } from './move.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { Choice } from '../ui/select.tsx'

type PutOnPlaceProps = { dialog: DialogControls; tyres: readonly number[]; booked: number | null }

export function PutOnPlace({ dialog, tyres, booked }: PutOnPlaceProps) {
  const { t } = useTranslation('locations')
  const { data = [] } = useAnswer(calls.all, {})
  const move = useMove()
  const form = useContractForm({
    initial: { location: booked === null ? null : String(booked) } as { location: string | null },
    input: ({ location }) => ({ tyres: [...tyres], location: Number(location) }),
    rules: ({ location }) => ({ location: location === null ? t('clearUp.placeMissing') : undefined }),
    dialog,
  })
  const places = data.filter(({ capacity }) => capacity > 0)
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await move.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Choice
        {...form.choice('location')}
        label={t('clearUp.place')}
        data={locationChoices(places)}
        searchable
        limit={30}
        nothingFoundMessage={t('noneFound')}
        data-autofocus
      />
      <FormActions form={form} dialog={dialog} submit={t('clearUp.action.place')} disabled={!form.valid} />
    </Form>
  )
}
