/** Registers a wheel that stands in the hall and has no known owner. */
import { Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locations } from '#contract/locations.ts'
import { wheels as calls } from '#contract/wheels.ts'
import { depth } from '#domain/tyres/tyre.ts'
import { locationChoices } from '../shared/format.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Choice } from '../ui/select.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { NumberField } from '../ui/form/numberField.tsx'
import classes from './locations.module.css'

type Fields = {
  size: string
  brand: string
  pattern: string
  dot: string
  depth: number | string
  note: string
  location: string | null
}
const nothing: Fields = { size: '', brand: '', pattern: '', dot: '', depth: '', note: '', location: null }
const words = ['size', 'brand', 'pattern', 'dot', 'note'] as const
const longest = { size: 40, brand: 60, pattern: 60, dot: 20, note: 500 } as const

type RegisterProps = {
  dialog: DialogControls
  /** Where a count found the wheel, and the call that follows its registration. */
  origin?: { location: number | null; registered: () => Promise<unknown> }
}

export function RegisterOrphan({ dialog, origin }: RegisterProps) {
  const { t } = useTranslation('locations')
  const { data = [] } = useAnswer(locations.all, {})
  const register = useCall(calls.orphan, { done: 'common:performed' })
  const isRegistered = useRef(false)
  const form = useContractForm({
    initial: { ...nothing, location: origin?.location == null ? null : String(origin.location) },
    input: ({ depth: mm, location, ...texts }) => ({
      ...texts,
      depth: typeof mm === 'number' ? mm : null,
      location: location === null ? null : Number(location),
    }),
    rules: ({ size, brand, note }) => ({
      size: (size + brand + note).trim() === '' ? t('clearUp.orphan.nothing') : undefined,
    }),
    errorsOnBlur: () => false,
    dialog,
  })
  return (
    <Form
      form={form}
      className={classes.form}
      onSubmit={async wish => {
        if (!isRegistered.current) await register.mutateAsync(wish)
        // repeated after a failed follow-up, it is still one wheel
        isRegistered.current = true
        await origin?.registered()
        dialog.close()
      }}
    >
      <Text size="sm">{t('clearUp.orphan.needed')}</Text>
      {words.map(field => (
        <TextInput
          key={field}
          {...form.text(field)}
          label={t(`clearUp.orphan.${field}`)}
          maxLength={longest[field]}
          {...(field === 'size' && { placeholder: '205/55 R16', 'data-autofocus': true })}
        />
      ))}
      <NumberField
        {...form.number('depth')}
        label={t('clearUp.orphan.depth')}
        min={depth.min}
        max={depth.max}
        step={depth.step}
      />
      <Choice
        {...form.choice('location')}
        label={t('clearUp.place')}
        data={locationChoices(data.filter(({ capacity }) => capacity > 0))}
        searchable
        clearable
        limit={30}
        nothingFoundMessage={t('noneFound')}
      />
      <FormActions form={form} dialog={dialog} submit={t('clearUp.orphan.register')} />
    </Form>
  )
}
