/** The dialog of a list entry. Its changes go into the draft; unsaved input is confirmed before it is discarded. */
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type FieldErrors, useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import type { Form as FormOf } from '../ui/form/useForm.ts'
import classes from './config.module.css'

export type EntryForm<E> = Omit<FormOf<E>, 'submit'>

type EntryProps<E> = {
  entry: E
  /** Whether it is in the list already. */
  listed: boolean
  errorsOf: (entry: E) => FieldErrors
  /** Converts an entry to its input: an entry with the same input is unchanged. */
  inputOf: (entry: E) => object
  onApply: (entry: E) => void
  children: (form: EntryForm<E>) => ReactNode
}

export function EntryDialog<E extends object>({
  title,
  onClose,
  onApply,
  ...props
}: EntryProps<E> & { title: string; onClose: () => void }) {
  const { t } = useTranslation('config')
  const [opener] = useState(() => document.activeElement)

  /** Closes it and restores the focus. */
  function close(how: () => void) {
    how()
    requestAnimationFrame(() => opener instanceof HTMLElement && opener.focus())
  }
  return (
    <FormDialog
      opened
      onClose={() => close(onClose)}
      title={title}
      size="52rem"
      long
      lost={t('dropText')}
      question={{ title: t('dropQuestion'), confirm: t('drop'), keep: t('goOn') }}
    >
      {dialog => <Entry {...props} dialog={dialog} onApply={entry => close(() => onApply(entry))} />}
    </FormDialog>
  )
}

function Entry<E extends object>({
  entry,
  listed,
  errorsOf,
  inputOf,
  dialog,
  onApply,
  children,
}: EntryProps<E> & { dialog: DialogControls }) {
  const { t } = useTranslation('config')
  const form = useContractForm({
    initial: entry,
    problems: errorsOf,
    input: inputOf,
    text: useFieldErrorText(),
    dialog,
  })
  return (
    <Form form={form} onSubmit={() => onApply(form.values)} className={classes.entry}>
      {children(form)}
      <FormActions form={form} dialog={dialog} submit={listed ? t('apply') : t('add')} />
    </Form>
  )
}
