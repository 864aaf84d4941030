/** A dialog that asks for the reason of something that stays on record. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useContractForm } from './useContractForm.ts'
import { Form } from '../../ui/form/form.tsx'

type ReasonDialogProps = {
  title: ReactNode
  text: string
  /** What the button says. */
  confirm: string
  danger?: boolean
  /** Sends the reason; the dialog closes when that succeeds. */
  send: (reason: string) => Promise<unknown>
  onClose: () => void
}

export function ReasonDialog({ title, text, confirm, danger = false, send, onClose }: ReasonDialogProps) {
  const { t } = useTranslation('common')
  const form = useContractForm({
    initial: { reason: '' },
    input: ({ reason }) => reason.trim(),
    rules: ({ reason }) => ({ reason: reason.trim() === '' ? t('reason.missing') : undefined }),
  })
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false}>
      <Form
        form={form}
        onSubmit={async reason => {
          await send(reason)
          onClose()
        }}
      >
        <Stack gap="md">
          <Text size="sm">{text}</Text>
          <TextInput {...form.text('reason')} label={t('reason.label')} maxLength={500} data-autofocus />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" {...(danger && { color: 'red' })} loading={form.busy}>
              {confirm}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  )
}
