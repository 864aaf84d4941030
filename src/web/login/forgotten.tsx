/** Requests a password reset link. The answer does not reveal whether the account exists. */
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { users } from '#contract/session.ts'
import { ask } from '../shared/api.ts'
import { Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { Wrong } from './wrong.tsx'

type ForgottenProps = { username: string; onBack: () => void }

export function Forgotten({ username, onBack }: ForgottenProps) {
  const { t } = useTranslation('login')
  const [sent, setSent] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const form = useForm({
    initial: { username },
    onFailure(error) {
      setFailure(error)
      return true
    },
  })
  const who = form.values.username.trim()
  async function send() {
    if (who === '') return
    setFailure(null)
    await ask(users.forgotten, { username: who })
    setSent(true)
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        {failure !== null && <Wrong error={failure} />}
        {sent ? (
          <Alert icon={<IconMail aria-hidden />} role="status">
            {t('linkSent')}
          </Alert>
        ) : (
          <>
            <Text size="sm">{t('forgottenText')}</Text>
            <TextInput
              {...form.text('username')}
              name="username"
              label={t('usernameOrEmail')}
              autoComplete="username"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              autoFocus
              size="md"
              maxLength={200}
            />
            <Button type="submit" size="md" mt="xs" fullWidth disabled={who === ''} loading={form.busy}>
              {t('sendLink')}
            </Button>
          </>
        )}
        <Button variant="subtle" onClick={onBack} autoFocus={sent}>
          {t('backToSignIn')}
        </Button>
      </Stack>
    </Form>
  )
}
