/** Signs the same account in again where it is: what it has on its screen stays (docs/product/accounts.md "Sessions"). */
import { Alert, Button, Stack } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { say } from '../i18n.ts'
import { Form } from '../ui/form/form.tsx'
import { PasswordField } from '../ui/form/passwordField.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { useWhenGone } from '../ui/hooks.ts'
import { useTranslation } from '../ui/texts.ts'
import { messageOf } from './api.ts'
import { expireSession, signIn, useWho } from './session.ts'

/** The open dialog: requests that come meanwhile share its answer. */
let open: Promise<boolean> | null = null

/** Opens the dialog and returns whether the account is signed in again. */
export function signInAgain(): Promise<boolean> {
  open ??= askPassword().finally(() => (open = null))
  return open
}

async function askPassword(): Promise<boolean> {
  return new Promise<boolean>(resolve => {
    let isSignedIn = false
    const answer = () => resolve(isSignedIn)
    const id = modals.open({
      title: say('common:signIn.again'),
      size: 'sm',
      children: (
        <Password
          onDone={() => {
            isSignedIn = true
            modals.close(id)
          }}
          onGone={answer}
        />
      ),
      onClose: answer,
    })
  })
}

function Password({ onDone, onGone }: { onDone: () => void; onGone: () => void }) {
  useWhenGone(onGone)
  const { t } = useTranslation()
  const { username } = useWho()
  const [wrong, setWrong] = useState<string | null>(null)
  const form = useForm({
    initial: { password: '' },
    secret: true,
    onFailure(error) {
      setWrong(messageOf(error))
      return true
    },
  })
  const { password } = form.values
  async function send() {
    setWrong(null)
    // further steps are on the login screen; what was typed and scanned stays on this device
    if (await signIn(username, password)) expireSession()
    else onDone()
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        {wrong && (
          <Alert color="red" role="alert">
            {wrong}
          </Alert>
        )}
        <PasswordField
          {...form.text('password')}
          label={t('signIn.passwordOf', { username })}
          autoComplete="current-password"
          data-autofocus
        />
        <Button type="submit" loading={form.busy} disabled={password === ''}>
          {t('signIn.button')}
        </Button>
      </Stack>
    </Form>
  )
}
