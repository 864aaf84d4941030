/** Sets a password by the link of a message, whoever is signed in here. */
import { Button, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minPasswordLength } from '#domain/account.ts'
import { users } from '#contract/session.ts'
import type { Answer } from '#contract/call.ts'
import { ask } from '../shared/api.ts'
import { Form } from '../ui/form/form.tsx'
import { PasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { Wrong } from './wrong.tsx'

type ChoosePasswordProps = {
  token: string
  onSet: (username: string) => void
  /** For a link that no longer works. */
  onAskAgain: () => void
}

export function ChoosePassword({ token, onSet, onAskAgain }: ChoosePasswordProps) {
  const { t } = useTranslation(['login', 'failures'])
  const [link, setLink] = useState<Answer<typeof users.link> | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    ask(users.link, { token }, { muted: true }).then(
      answer => gone || setLink(answer),
      error => gone || setFailure(error),
    )
    return () => void (gone = true)
  }, [token])
  if (link) return <PasswordForm token={token} username={link.username} onSet={onSet} />
  return (
    <Stack gap="md" align="stretch">
      {failure === null ? (
        <Loader mx="auto" />
      ) : (
        <>
          <Wrong error={failure} />
          <Button size="md" onClick={onAskAgain}>
            {t('askAgain')}
          </Button>
        </>
      )}
    </Stack>
  )
}

function PasswordForm({ token, username, onSet }: Pick<ChoosePasswordProps, 'token' | 'onSet'> & { username: string }) {
  const { t } = useTranslation(['login', 'failures'])
  const weak = useWeakPassword()
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm({
    initial: { password: '' },
    onFailure(error) {
      setFailure(error)
      return true
    },
  })
  const { password } = form.values
  const tooWeak = password === '' || weak(password) !== undefined
  async function save() {
    if (tooWeak) return
    setFailure(null)
    await ask(users.setpassword, { token, password })
    onSet(username)
  }
  return (
    <Form form={form} onSubmit={save}>
      <Stack gap="md">
        {failure !== null && <Wrong error={failure} />}
        <Text size="sm">{t('choosePasswordFor', { username })}</Text>
        {/* Whose password it is, for whoever keeps passwords in the browser. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          {...form.text('password')}
          name="password"
          label={t('newPassword')}
          description={t('atLeast', { count: minPasswordLength })}
          autoComplete="new-password"
          autoFocus
          size="md"
        />
        <Button type="submit" size="md" mt="xs" fullWidth disabled={tooWeak} loading={form.busy}>
          {t('savePassword')}
        </Button>
      </Stack>
    </Form>
  )
}
