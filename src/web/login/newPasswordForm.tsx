/** The form of a new password, by a link or as a step of a sign-in. */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { minPasswordLength } from '#domain/people/account.ts'
import { useBranding } from '../shared/session.ts'
import { Form } from '../ui/form/form.tsx'
import { NewPasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { Wrong } from './wrong.tsx'

type NewPasswordFormProps = {
  username: string
  /** Other words that the password may not be, beside the name of the site. */
  known: readonly string[]
  text: string
  submit: string
  save: (password: string) => Promise<void>
  /** Handles a failure that the form does not show. */
  onFailure?: (error: unknown) => boolean
}

export function NewPasswordForm({ username, known: others, text, submit, save, onFailure }: NewPasswordFormProps) {
  const { t } = useTranslation(['login', 'failures'])
  const site = useBranding()
  const weak = useWeakPassword()
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm({
    initial: { password: '' },
    onFailure(error) {
      if (!onFailure?.(error)) setFailure(error)
      return true
    },
  })
  const { password } = form.values
  const names = [username, ...others, site.name]
  const tooWeak = password === '' || weak(password, names) !== undefined
  async function send() {
    if (tooWeak) return
    setFailure(null)
    await save(password)
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        {failure !== null && <Wrong error={failure} />}
        <Text size="sm">{text}</Text>
        {/* The account, for password managers. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <NewPasswordField
          {...form.text('password')}
          name="password"
          label={t('newPassword')}
          description={t('atLeast', { count: minPasswordLength })}
          error={password.length >= minPasswordLength && weak(password, names)}
          known={names}
          autoFocus
          size="md"
        />
        <Button type="submit" size="md" mt="xs" fullWidth disabled={tooWeak} loading={form.busy}>
          {submit}
        </Button>
      </Stack>
    </Form>
  )
}
