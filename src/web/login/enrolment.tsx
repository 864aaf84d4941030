/** Enrolment of a second factor during sign-in, where the site or the operator requires one. */
// Beside the styles of the login screen, which contains this one.
import '@mantine/core/styles/Code.layer.css'
import '@mantine/core/styles/Group.layer.css'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import type { Offered } from '#contract/factors.ts'
import { users } from '#contract/session.ts'
import { ask, Refused } from '../shared/api.ts'
import { AppSetup } from '../account/factors/appSetup.tsx'
import { hasPasskeys, makePasskey } from '../account/factors/passkeys.ts'
import { RecoveryCodes } from '../account/factors/recoveryCodes.tsx'
import { completeSignIn } from '../shared/session.ts'
import { Form } from '../ui/form/form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import type { StepProps } from './nextStep.ts'
import { Wrong } from './wrong.tsx'

type Enrolled = Answer<typeof users.enrolapp>

export default function Enrolment({ step, onStep, onExpired }: StepProps) {
  const { t } = useTranslation('factors')
  const [app, setApp] = useState<Offered['app']>(null)
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const expires = (error: unknown): boolean => {
    const expired = error instanceof Refused && error.code === 'login.expired'
    if (expired) onExpired(error)
    return expired
  }
  const form = useForm({
    initial: { name: '' },
    onFailure(error) {
      if (!expires(error)) setFailure(error)
      return true
    },
  })
  const offer = () => ask(users.offer, { step: step.step })
  async function goOnWith(answer: Enrolled) {
    if (answer.codes.length > 0) setEnrolled(answer)
    else onStep(await completeSignIn(answer.next))
  }
  async function addPasskey() {
    setFailure(null)
    const response = await makePasskey((await offer()).passkey)
    const name = form.values.name.trim() || t('passkeyNameless')
    await goOnWith(await ask(users.enrolpasskey, { step: step.step, name, response }))
  }
  async function chooseApp() {
    setFailure(null)
    await offer().then(
      offered => setApp(offered.app),
      error => void (expires(error) || setFailure(error)),
    )
  }
  if (enrolled)
    return (
      <RecoveryCodes
        username={step.username}
        codes={enrolled.codes}
        done={t('codesKept')}
        onKept={() => void completeSignIn(enrolled.next).then(onStep)}
      />
    )
  if (app)
    return (
      <AppSetup
        app={app}
        submit={t('add')}
        add={async code => goOnWith(await ask(users.enrolapp, { step: step.step, sealed: app.sealed, code }))}
        onFailure={expires}
      />
    )
  return (
    <Stack gap="md">
      {failure !== null && <Wrong error={failure} />}
      <Text size="sm">{t('enrolText')}</Text>
      {hasPasskeys() ? (
        <Form form={form} onSubmit={addPasskey}>
          <Stack gap="sm">
            <TextInput
              {...form.text('name')}
              label={t('passkeyName')}
              placeholder={t('passkeyNameExample')}
              maxLength={100}
              size="md"
            />
            <Button
              type="submit"
              size="md"
              fullWidth
              loading={form.busy}
              leftSection={<IconFingerprint size={20} aria-hidden />}
            >
              {t('addPasskey')}
            </Button>
          </Stack>
        </Form>
      ) : (
        <Text size="sm" c="dimmed">
          {t('noPasskeysHere')}
        </Text>
      )}
      {step.methods.includes('app') && (
        <Button
          size="md"
          fullWidth
          variant="default"
          leftSection={<IconDeviceMobile size={20} aria-hidden />}
          onClick={() => void chooseApp()}
        >
          {t('addApp')}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={() => onExpired(null)}>
        {t('backToSignIn')}
      </Button>
    </Stack>
  )
}
