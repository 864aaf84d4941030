/** Another password for somebody who lost theirs. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, customers as calls } from '#contract/customers.ts'
import { useCall } from '../shared/api.ts'
import { type FormInDialog, useEntered } from '../ui/formDialog.tsx'
import { isWeak, PasswordField } from '../ui/passwordField.tsx'
import { toFirstComplaint } from '../ui/complaint.ts'

type NewPasswordProps = {
  account: Account
  dialog: FormInDialog
  onSet: (set: { username: string; password: string | null }) => void
}

export function NewPassword({ account, dialog, onSet }: NewPasswordProps) {
  const { t } = useTranslation(['customers', 'common', 'failures'])
  const reset = useCall(calls.resetpassword, { doing: 'customers:settingPassword', done: 'customers:passwordSet' })
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  useEntered(password !== '', dialog.entered)

  async function send(event: FormEvent) {
    event.preventDefault()
    if (reset.isPending) return
    setTried(true)
    if (isWeak(password)) return toFirstComplaint(element)
    try {
      const set = await reset.mutateAsync({ _id: account._id, ...(password !== '' && { password }) })
      dialog.done()
      onSet(set)
    } catch {
      // Told in a toast; what was typed stays.
    }
  }
  return (
    <form ref={element} onSubmit={event => void send(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t('customers:newPasswordText')}</Text>
        <PasswordField
          label={t('customers:password')}
          description={t('customers:passwordHint')}
          value={password}
          onChange={setPassword}
          tried={tried}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.leave}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={reset.isPending}>
            {t('customers:setPassword')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
