import { Button, Group, type GroupProps } from '@mantine/core'
import type { ComponentProps, FormEvent, ReactNode, RefObject } from 'react'
import { useTranslation } from '../texts.ts'
import classes from './form.module.css'
import type { DialogControls } from './formDialog.tsx'

type FormProps<S> = Omit<ComponentProps<'form'>, 'ref' | 'onSubmit' | 'noValidate'> & {
  form: { readonly ref: RefObject<HTMLFormElement | null>; submit(send: S, event: FormEvent): void }
  /** Submits the input. A refusal stays in the form: no input is lost. */
  onSubmit: S
}

/** The element of a form of `useForm`. */
export function Form<S>({ form: { ref, submit }, onSubmit, ...element }: FormProps<S>) {
  return <form {...element} ref={ref} onSubmit={event => submit(onSubmit, event)} noValidate />
}

type FormActionsProps = {
  form: { readonly busy: boolean }
  dialog: Pick<DialogControls, 'cancel'>
  /** The text of the button that sends it. */
  submit: string
  icon?: ReactNode
  disabled?: boolean
  className?: string | undefined
}

/** A row of buttons below a form; in a dialog it is always in sight. */
export const FormButtons = ({ className = '', ...props }: GroupProps & { children: ReactNode }) => (
  <Group justify="flex-end" gap="xs" {...props} className={`${classes.actions} ${className}`} />
)

/** The buttons below the form of a dialog: Cancel, and the one that sends it. */
export function FormActions({ form, dialog, submit, icon, disabled = false, className = '' }: FormActionsProps) {
  const { t } = useTranslation()
  return (
    <FormButtons className={className}>
      <Button variant="default" onClick={dialog.cancel}>
        {t('cancel')}
      </Button>
      <Button type="submit" loading={form.busy} disabled={disabled} leftSection={icon}>
        {submit}
      </Button>
    </FormButtons>
  )
}
