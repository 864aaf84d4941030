/** The last step of the first sign-in with a password that somebody else has set: another one takes its place. */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minPasswordLength } from '#domain/account.ts'
import { users } from '#contract/session.ts'
import { ask, Refused } from '../shared/api.ts'
import { completeSignIn, useBranding } from '../shared/session.ts'
import { Form } from '../ui/form/form.tsx'
import { NewPasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'
import { useForm } from '../ui/form/useForm.ts'
import type { StepProps } from './nextStep.ts'
import { Wrong } from './wrong.tsx'

export function OwnPassword({ step, onStep, onExpired }: StepProps) {
  const { t } = useTranslation(['login', 'failures'])
  const site = useBranding()
  const weak = useWeakPassword()
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm({
    initial: { password: '' },
    onFailure(error) {
      if (error instanceof Refused && error.code === 'login.expired') onExpired(error)
      else setFailure(error)
      return true
    },
  })
  const { password } = form.values
  const known = [step.username, ...step.known, site.name]
  const tooWeak = password === '' || weak(password, known) !== undefined
  async function save() {
    if (tooWeak) return
    setFailure(null)
    onStep(await completeSignIn(await ask(users.newpassword, { step: step.step, password })))
  }
  return (
    <Form form={form} onSubmit={save}>
      <Stack gap="md">
        {failure !== null && <Wrong error={failure} />}
        <Text size="sm">{t('ownPasswordText', { username: step.username })}</Text>
        {/* Whose password it is, for whoever keeps passwords in the browser. */}
        <input type="text" name="username" autoComplete="username" value={step.username} readOnly hidden />
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
          {t('saveAndSignIn')}
        </Button>
      </Stack>
    </Form>
  )
}
