/** Asks for the password again before a change that a session left open must not make (docs/product.md "My account"). */
import { Button, Group, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { account } from '#contract/session.ts'
import { say } from '../i18n.ts'
import { ask, messageOf } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { Form } from '../ui/form/form.tsx'
import { PasswordField } from '../ui/form/passwordField.tsx'
import { useForm } from '../ui/form/useForm.ts'

/** The question that stands open: calls that are refused at the same time wait for the same answer. */
let open: Promise<boolean> | null = null

/** Opens the question, and answers whether the password was given. */
export function confirmIdentity(): Promise<boolean> {
  open ??= new Promise<boolean>(resolve => {
    let confirmed = false
    const id = modals.open({
      title: say('account:confirm.title'),
      size: '26rem',
      children: (
        <Confirm
          onDone={yes => {
            confirmed = yes
            modals.close(id)
          }}
        />
      ),
      onClose: () => {
        open = null
        resolve(confirmed)
      },
    })
  })
  return open
}

function Confirm({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const { t } = useTranslation(['account', 'common'])
  const { username } = useWho()
  const [wrong, setWrong] = useState<string | undefined>()
  const form = useForm({
    initial: { password: '' },
    onFailure(error) {
      setWrong(messageOf(error))
      return true
    },
  })
  const { password } = form.values
  async function send() {
    if (password === '') return
    setWrong(undefined)
    await ask(account.confirm, { password }, { muted: true })
    onDone(true)
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        <Text size="sm">{t('confirm.text')}</Text>
        {/* Whose password it is, for whoever keeps passwords in the browser. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          {...form.text('password')}
          label={t('password')}
          error={wrong}
          autoComplete="current-password"
          data-autofocus
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => onDone(false)}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={form.busy} disabled={password === ''}>
            {t('confirm.button')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
