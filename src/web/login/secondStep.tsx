/** The second step of a sign-in: a passkey, a code of the authenticator app, or a recovery code. */
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type Method, users } from '#contract/session.ts'
import { ask, Refused } from '../shared/api.ts'
import { hasPasskeys, showPasskey } from '../account/factors/passkeys.ts'
import { completeSignIn } from '../shared/session.ts'
import { Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import type { StepProps } from './nextStep.ts'
import { Wrong } from './wrong.tsx'

export default function SecondStep({ step, onStep, onExpired }: StepProps) {
  const { t } = useTranslation('factors')
  const ways = step.methods.filter(method => method !== 'passkey' || hasPasskeys())
  const [way, setWay] = useState<Method | undefined>(ways[0])
  return (
    <Stack gap="md">
      {way === undefined && <Text size="sm">{t('noWayHere')}</Text>}
      {way === 'passkey' && <WithPasskey step={step} onStep={onStep} onExpired={onExpired} />}
      {/* Another key is another field: what was typed for one is not for the other. */}
      {(way === 'app' || way === 'code') && (
        <WithCode key={way} way={way} step={step} onStep={onStep} onExpired={onExpired} />
      )}
      {ways
        .filter(other => other !== way)
        .map(other => (
          <Button key={other} variant="subtle" onClick={() => setWay(other)}>
            {t(`use.${other}`)}
          </Button>
        ))}
      <Button variant="subtle" color="gray" onClick={() => onExpired(null)}>
        {t('backToSignIn')}
      </Button>
    </Stack>
  )
}

/** Handles a failure: an expired sign-in restarts. */
const useFailure = (onExpired: StepProps['onExpired']) => {
  const [failure, setFailure] = useState<unknown>(null)
  const take = (error: unknown): boolean => {
    if (error instanceof Refused && error.code === 'login.expired') onExpired(error)
    else setFailure(error)
    return true
  }
  return { failure, take, clear: () => setFailure(null) }
}

function WithPasskey({ step, onStep, onExpired }: StepProps) {
  const { t } = useTranslation('factors')
  const { failure, take, clear } = useFailure(onExpired)
  const form = useForm({ initial: {}, onFailure: take })
  async function show() {
    clear()
    const response = await showPasskey(await ask(users.askpasskey, { step: step.step }))
    onStep(await completeSignIn(await ask(users.passkey, { step: step.step, response })))
  }
  return (
    <Form form={form} onSubmit={show}>
      <Stack gap="md">
        {failure !== null && <Wrong error={failure} />}
        <Text size="sm">{t('passkeyText')}</Text>
        <Button
          type="submit"
          size="md"
          fullWidth
          autoFocus
          loading={form.busy}
          leftSection={<IconFingerprint size={20} aria-hidden />}
        >
          {t('showPasskey')}
        </Button>
      </Stack>
    </Form>
  )
}

function WithCode({ way, step, onStep, onExpired }: StepProps & { way: 'app' | 'code' }) {
  const { t } = useTranslation('factors')
  const { failure, take, clear } = useFailure(onExpired)
  const form = useForm({
    initial: { code: '' },
    onFailure(error) {
      form.ref.current?.querySelector('input')?.select()
      return take(error)
    },
  })
  const code = form.values.code.trim()
  async function send() {
    if (code === '') return
    clear()
    onStep(await completeSignIn(await ask(users.factor, { step: step.step, code })))
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        {failure !== null && <Wrong error={failure} />}
        <TextInput
          {...form.text('code')}
          name="code"
          label={t(`label.${way}`)}
          description={t(`hint.${way}`)}
          autoComplete={way === 'app' ? 'one-time-code' : 'off'}
          inputMode={way === 'app' ? 'numeric' : 'text'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
          size="md"
          maxLength={40}
        />
        <Button type="submit" size="md" fullWidth disabled={code === ''} loading={form.busy}>
          {t('signIn')}
        </Button>
      </Stack>
    </Form>
  )
}
