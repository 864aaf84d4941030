import { Alert, Button, Group, type GroupProps, Text } from '@mantine/core'
import type { ComponentProps, FormEvent, ReactNode, RefObject } from 'react'
import { useTranslation } from '../texts.ts'
import classes from './form.module.css'
import type { DialogControls } from './formDialog.tsx'
import { useOfferInSight } from './keptOffer.ts'
import type { KeptInput } from './useForm.ts'

type FormProps<S> = Omit<ComponentProps<'form'>, 'ref' | 'onSubmit' | 'noValidate'> & {
  form: {
    readonly ref: RefObject<HTMLFormElement | null>
    readonly kept: KeptInput | null
    submit(send: S, event: FormEvent): void
  }
  /** Submits the input. A refusal stays in the form: no input is lost. */
  onSubmit: S
}

/** The element of a form of `useForm`. */
export function Form<S>({ form: { ref, kept, submit }, onSubmit, children, ...element }: FormProps<S>) {
  return (
    <form {...element} ref={ref} onSubmit={event => submit(onSubmit, event)} noValidate>
      {kept && <KeptInputOffer kept={kept} />}
      {children}
    </form>
  )
}

const textsShown = 3

/** Offers what was typed when the session ended. */
function KeptInputOffer({ kept }: { kept: KeptInput }) {
  const { t } = useTranslation()
  useOfferInSight()
  const texts = kept.texts.slice(0, textsShown).map(text => t('kept.quoted', { text: text.slice(0, 60) }))
  return (
    <Alert color="yellow" title={t('kept.title')} mb="md" role="status" style={{ gridColumn: '1 / -1' }}>
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {texts.join(', ')}
        {kept.texts.length > textsShown && ' …'}
      </Text>
      <Group gap="xs">
        <Button size="compact-sm" onClick={kept.use}>
          {t('kept.use')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={kept.discard}>
          {t('kept.discard')}
        </Button>
      </Group>
    </Alert>
  )
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
