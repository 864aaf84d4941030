/** Sets a password by the link of a message, whoever is signed in here. */
import { Button, Loader, Stack, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minPasswordLength } from '#domain/account.ts'
import { users } from '#contract/session.ts'
import type { Answer } from '#contract/call.ts'
import { ask } from '../shared/api.ts'
import { useBranding } from '../shared/session.ts'
import { Form } from '../ui/form/form.tsx'
import { NewPasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'
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
  if (link) return <PasswordForm token={token} link={link} onSet={onSet} />
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

type PasswordFormProps = Pick<ChoosePasswordProps, 'token' | 'onSet'> & { link: Answer<typeof users.link> }

function PasswordForm({ token, link: { username, fullname }, onSet }: PasswordFormProps) {
  const { t } = useTranslation(['login', 'failures'])
  const site = useBranding()
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
  const known = [username, fullname, site.name]
  const tooWeak = password === '' || weak(password, known) !== undefined
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
        <NewPasswordField
          {...form.text('password')}
          name="password"
          label={t('newPassword')}
          description={t('atLeast', { count: minPasswordLength })}
          error={password.length >= minPasswordLength && weak(password, known)}
          known={known}
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
