/** A dialog that asks for the reason of something that stays on record. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { messageOf } from '../api.ts'
import { useContractForm } from './useContractForm.ts'
import { Form } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'

type ReasonDialogProps = {
  title: ReactNode
  /** The subject, where the title doesn't name it. */
  about?: ReactNode
  text: string
  /** The label of the button. */
  confirm: string
  danger?: boolean
  /** Nothing in sight says why it failed: the dialog does. */
  tellsWhy?: boolean
  /** Sends the reason; the dialog closes when that succeeds. */
  send: (reason: string) => Promise<unknown>
  onClose: () => void
}

export function ReasonDialog({ title, onClose, ...question }: ReasonDialogProps) {
  const { t } = useTranslation('common')
  return (
    <FormDialog opened onClose={onClose} title={title} lost={t('reason.lost')}>
      {dialog => <ReasonForm {...question} dialog={dialog} />}
    </FormDialog>
  )
}

type ReasonFormProps = Omit<ReasonDialogProps, 'title' | 'onClose'> & { dialog: DialogControls }

function ReasonForm({ about, text, confirm, danger = false, tellsWhy = false, send, dialog }: ReasonFormProps) {
  const { t } = useTranslation('common')
  const form = useContractForm({
    initial: { reason: '' },
    input: ({ reason }) => reason.trim(),
    rules: ({ reason }) => ({ reason: reason.trim() === '' ? t('reason.missing') : undefined }),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async reason => {
        await send(reason)
        dialog.close()
      }}
    >
      <Stack gap="md">
        {about}
        <Text size="sm">{text}</Text>
        <TextInput {...form.text('reason')} label={t('reason.label')} maxLength={500} data-autofocus />
        {tellsWhy && form.refused && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {messageOf(form.refused)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.cancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" {...(danger && { color: 'red' })} loading={form.busy}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
