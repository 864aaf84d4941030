/** Asks for the sign-in credentials again before a sensitive change, so that a session left open can't make it (docs/product/accounts.md "My account"). */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { account } from '#contract/session.ts'
import { i18n, say } from '../i18n.ts'
import { ask, messageOf, Refused, useAnswer } from '../shared/api.ts'
import { hasPasskeys, showPasskey } from './factors/passkeys.ts'
import { useBranding, useWho } from '../shared/session.ts'
import { leaveForProvider } from './signOn.ts'
import { Form } from '../ui/form/form.tsx'
import { PasswordField } from '../ui/form/passwordField.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { useWhenGone } from '../ui/hooks.ts'

/** The open question: calls that are refused at the same time share its answer. */
let open: Promise<boolean> | null = null

/** Opens the question and returns whether the user was confirmed. */
export function confirmIdentity(): Promise<boolean> {
  open ??= askAgain().finally(() => (open = null))
  return open
}

async function askAgain(): Promise<boolean> {
  // any screen may ask, and most have not loaded the texts
  await i18n.loadNamespaces(['account', 'factors'])
  return new Promise<boolean>(resolve => {
    let confirmed = false
    const answer = () => resolve(confirmed)
    const id = modals.open({
      title: say('account:confirm.title'),
      size: '26rem',
      children: (
        <Confirm
          onDone={yes => {
            confirmed = yes
            modals.close(id)
          }}
          onGone={answer}
        />
      ),
      onClose: answer,
    })
  })
}

function Confirm({ onDone, onGone }: { onDone: (confirmed: boolean) => void; onGone: () => void }) {
  // Taken away with its screen, as by an expired session, it is a no, or it would stay the open question for ever.
  useWhenGone(onGone)
  const { t } = useTranslation(['account', 'common', 'factors'])
  const { username, type } = useWho()
  const { signOn } = useBranding()
  const factors = useAnswer(account.factors, {})
  const { passkeys = [], app = null } = factors.data ?? {}
  const needsCode = passkeys.length > 0 || app !== null
  const [wrong, setWrong] = useState<{ code?: string; password?: string }>({})
  const refuse = (error: unknown): true => {
    const ofFactor = error instanceof Refused && error.code.startsWith('factor.')
    setWrong({ [ofFactor && needsCode ? 'code' : 'password']: messageOf(error) })
    return true
  }
  const form = useForm({ initial: { password: '', code: '' }, secret: true, onFailure: refuse })
  const { password } = form.values
  const code = form.values.code.trim()
  const incomplete = factors.isPending || password === '' || (needsCode && code === '')
  async function send() {
    if (incomplete) return
    setWrong({})
    await ask(account.confirm, { password, ...(code !== '' && { code }) }, { muted: true })
    onDone(true)
  }
  const [showing, setShowing] = useState(false)
  const [leaving, setLeaving] = useState(false)
  async function leave() {
    setLeaving(true)
    setWrong({})
    await leaveForProvider({ fresh: true }).catch(refuse)
    setLeaving(false)
  }
  async function show() {
    setShowing(true)
    setWrong({})
    try {
      const alone = password === ''
      const passkey = await showPasskey(await ask(account.askpasskey, { alone }))
      await ask(account.confirm, { passkey, ...(!alone && { password }) }, { muted: true })
      onDone(true)
    } catch (error) {
      refuse(error)
      setShowing(false)
    }
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        <Text size="sm">{t('confirm.text')}</Text>
        {/* Names the account to the password manager. */}
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          {...form.text('password')}
          label={t('password')}
          error={wrong.password}
          autoComplete="current-password"
          data-autofocus
        />
        {needsCode && (
          <TextInput
            {...form.text('code')}
            name="code"
            label={t(app ? 'confirm.code' : 'factors:label.code')}
            error={wrong.code}
            autoComplete="one-time-code"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={40}
          />
        )}
        {hasPasskeys() && passkeys.length > 0 && (
          <Button
            variant="subtle"
            loading={showing}
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => void show()}
          >
            {t('confirm.passkey')}
          </Button>
        )}
        {signOn && type !== 'superuser' && (
          <Button
            variant="subtle"
            loading={leaving}
            leftSection={<IconLogin2 size={18} aria-hidden />}
            onClick={() => void leave()}
          >
            {t('confirm.signOn', { name: signOn })}
          </Button>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => onDone(false)}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={form.busy} disabled={incomplete}>
            {t('confirm.button')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
