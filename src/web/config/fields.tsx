/** The fields of the configuration form, each bound to its field of the draft. */
import { Checkbox, Switch, TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { Choice } from '../ui/select.tsx'
import { NumberField, type NumberFieldProps } from '../ui/form/numberField.tsx'
import classes from './config.module.css'
import { useEditing } from './editing.ts'
import { amountIn, type Numeral } from './numerals.ts'
import type { Field, NumericField, SiteForm } from './siteForm.ts'

type FieldsOf<T> = { [F in Field]: SiteForm[F] extends T ? (T extends SiteForm[F] ? F : never) : never }[Field]
type TextField = Extract<FieldsOf<string>, string>
export type FlagField = FieldsOf<boolean>
type ChoiceField =
  | 'lang'
  | 'mode'
  | 'invoicing_quantity'
  | 'invoicing_mode'
  | 'invoicing_document_type'
  | 'docInsertType'

type TextProps = { field: TextField; max: number; hint?: string } & Pick<
  TextInputProps,
  'type' | 'inputMode' | 'className'
>

export function TextEntry({ field, max, hint, ...props }: TextProps) {
  const { t } = useTranslation('config')
  const { form } = useEditing()
  return (
    <TextInput
      id={`field-${field}`}
      {...form.text(field)}
      label={t(`field.${field}`)}
      description={hint}
      maxLength={max}
      required
      {...props}
    />
  )
}

type NumberProps = { field: NumericField } & Omit<NumberFieldProps, 'value' | 'onChange'>

export function NumberEntry({ field, ...props }: NumberProps) {
  const { t } = useTranslation('config')
  const { form } = useEditing()
  return (
    <NumberField
      id={`field-${field}`}
      {...form.number(field)}
      label={t(`field.${field}`)}
      hideControls
      autoComplete="off"
      {...props}
    />
  )
}

type MoneyProps = Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> & {
  value: Numeral
  onChange: (amount: Numeral) => void
  onBlur: () => void
}

/** An amount in EUR. It is written as the language does once it was left; empty it is 0, unless it is required. */
export function Money({ value, onChange, onBlur, required = false, ...props }: MoneyProps) {
  const { i18n } = useTranslation()
  const written = new Intl.NumberFormat(i18n.language, { minimumFractionDigits: 2, useGrouping: false })
  return (
    <TextInput
      leftSection="€"
      leftSectionPointerEvents="none"
      inputMode="decimal"
      maxLength={16}
      autoComplete="off"
      required={required}
      value={typeof value === 'number' ? written.format(value) : value}
      onChange={event => onChange(event.currentTarget.value)}
      onBlur={() => {
        onChange(value === '' && !required ? 0 : (amountIn(value) ?? value))
        onBlur()
      }}
      {...props}
    />
  )
}

/** A switch of the site, with its effect. */
export function Flag({ field, children }: { field: FlagField; children?: ReactNode }) {
  const { t } = useTranslation('config')
  const { form } = useEditing()
  return (
    <div>
      <Switch
        id={`field-${field}`}
        {...form.flag(field)}
        label={t(`field.${field}`)}
        description={t(`hint.${field}`)}
      />
      {children}
    </div>
  )
}

type Of = { value: string; label: string }
type OptionProps<F extends ChoiceField> = {
  field: F
  options: readonly { value: SiteForm[F]; label: string }[]
  hint?: string
}

export function Option<F extends ChoiceField>(props: OptionProps<F>) {
  const { field, options, hint }: { field: ChoiceField; options: readonly Of[]; hint?: string } = props
  const { t } = useTranslation('config')
  const { form } = useEditing()
  return (
    <Choice
      id={`field-${field}`}
      {...form.choice(field)}
      label={t(`field.${field}`)}
      description={hint}
      data={[...options]}
      required
    />
  )
}

type BoxesProps<T extends string | number> = {
  label: string
  description?: string | undefined
  error?: string | false | undefined
  required?: boolean
  options: readonly { value: T; label: string }[]
  chosen: readonly T[]
  onChange: (chosen: T[]) => void
}

/** Any of a few, each with its box; the chosen ones stay in the order of the options. */
export function Boxes<T extends string | number>({ options, chosen, onChange, ...input }: BoxesProps<T>) {
  return (
    <Checkbox.Group
      {...input}
      value={chosen.map(String)}
      onChange={values =>
        onChange(options.filter(({ value }) => values.includes(String(value))).map(({ value }) => value))
      }
    >
      <div className={classes.boxes}>
        {options.map(option => (
          <Checkbox key={option.value} value={String(option.value)} label={option.label} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
