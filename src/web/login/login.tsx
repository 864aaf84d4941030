/** The only screen without a session. */
// In the order of Mantine's own sheet: later rules win.
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/Loader.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Text.layer.css'
import '@mantine/core/styles/Button.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import '@mantine/core/styles/Stack.layer.css'
import '@mantine/core/styles/Progress.layer.css'
import '@mantine/core/styles/Title.layer.css'
import { Alert, Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconCheck, IconFingerprint, IconWorld } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { demoPassword, languageCodes } from '#domain/people/account.ts'
import { setLanguage } from '../i18n.ts'
import { type Step, users } from '#contract/session.ts'
import { completeSignIn, signIn, signInAtOnce, useBranding, useSendsMail } from '../shared/session.ts'
import { ask } from '../shared/api.ts'
import { hasPasskeys, showPasskey } from '../account/factors/passkeys.ts'
import { Insecure } from '../shared/insecure.tsx'
import { languageNames } from '../shared/languages.ts'
import { Form } from '../ui/form/form.tsx'
import { PasswordField } from '../ui/form/passwordField.tsx'
import { useForm } from '../ui/form/useForm.ts'
import mark from '../ui/mark.svg'
import { usePageTitle } from '../shared/screen.tsx'
import { ChoosePassword } from './choosePassword.tsx'
import { Forgotten } from './forgotten.tsx'
import classes from './login.module.css'
import type { StepProps } from './nextStep.ts'
import { OwnPassword } from './ownPassword.tsx'
import { Returning, SignOnButton } from './signOn.tsx'
import { Unsubscribe } from './unsubscribe.tsx'
import { Wrong } from './wrong.tsx'

/** Loaded on demand: most users sign in with a password alone. */
const SecondStep = lazy(() => import('./secondStep.tsx'))
const Enrolment = lazy(() => import('./enrolment.tsx'))

type LoginProps = {
  /** The token of the password link that opened this page. */
  token: string | null
  /** The link was used, or is left alone. */
  onTokenDone: () => void
  /** The key of the unsubscribe link that opened this page. */
  ending: string | null
  onEnded: () => void
  /** The answer of the single sign-on provider. */
  answer: string | null
  /** `error`: why the sign-on failed. */
  onAnswerDone: (error?: unknown) => void
}

/** The title of each step after the password. */
const titles = { factor: 'secondStep', password: 'ownPassword', enrolment: 'addSecondStep' } as const

export default function Login({ token, onTokenDone, ending, onEnded, answer, onAnswerDone }: LoginProps) {
  const { t } = useTranslation(['login', 'notices'])
  const site = useBranding()
  const [forgotten, setForgotten] = useState(false)
  const [username, setUsername] = useState('')
  const [passwordSet, setPasswordSet] = useState(false)
  const [step, setStep] = useState<Step | null>(null)
  const [expired, setExpired] = useState<unknown>(null)
  const title =
    ending !== null
      ? t('notices:unsubscribe.title')
      : token !== null
        ? t('choosePassword')
        : step
          ? t(titles[step.awaits])
          : forgotten
            ? t('forgottenTitle')
            : null
  usePageTitle(title ?? t('title'))
  return (
    <div className={classes.page}>
      <main className={classes.middle}>
        <Paper className={classes.card} shadow="sm" radius="md">
          <img className={classes.logo} src={site.landinglogoPath ?? mark} alt="" />
          <Title order={1} size="h2" ta="center" mb="lg">
            {title ?? t('heading', { site: site.name })}
          </Title>
          <Insecure />
          {ending !== null ? (
            <Unsubscribe link={ending} onDone={onEnded} />
          ) : token !== null ? (
            <ChoosePassword
              token={token}
              onSet={async (whose, password) => {
                setUsername(whose)
                // the link has proved who owns the account: the password need not be typed again
                const awaited = await signInAtOnce(whose, password)
                if (awaited === undefined) setPasswordSet(true)
                else setStep(awaited)
                onTokenDone()
              }}
              onAskAgain={() => {
                setForgotten(true)
                onTokenDone()
              }}
            />
          ) : answer !== null ? (
            <Returning
              answer={answer}
              onStep={awaited => {
                setStep(awaited)
                onAnswerDone()
              }}
              onFailure={error => {
                setExpired(error)
                onAnswerDone(error)
              }}
            />
          ) : step ? (
            <NextStep
              // a step that follows another one of its kind is another one
              key={step.step}
              step={step}
              onStep={setStep}
              onExpired={error => {
                setExpired(error)
                setStep(null)
              }}
            />
          ) : forgotten ? (
            <Forgotten username={username} onBack={() => setForgotten(false)} />
          ) : (
            <SignIn
              username={username}
              passwordSet={passwordSet}
              expired={expired}
              onStep={awaited => {
                setExpired(null)
                setStep(awaited)
              }}
              onForgotten={typed => {
                setUsername(typed)
                setForgotten(true)
              }}
            />
          )}
        </Paper>
      </main>
      <footer className={classes.footer}>
        <LanguageChoice />
        <Text size="xs" c="dimmed">
          {t('credit')} <span translate="no">Wheelhouse</span>
        </Text>
      </footer>
    </div>
  )
}

/** The sign-in steps after the password. */
function NextStep(props: StepProps) {
  const { awaits } = props.step
  if (awaits === 'password') return <OwnPassword {...props} />
  return (
    <Suspense fallback={null}>{awaits === 'factor' ? <SecondStep {...props} /> : <Enrolment {...props} />}</Suspense>
  )
}

type SignInProps = SignInFormProps & { username: string; passwordSet: boolean }

function SignIn({ username, passwordSet, ...form }: Omit<SignInProps, 'known'>) {
  const { t } = useTranslation('login')
  const site = useBranding()
  const demoLogins = ('demoLogins' in site && site.demoLogins) || []
  return (
    <>
      {passwordSet && (
        <Alert color="green" icon={<IconCheck aria-hidden />} role="status" mb="md">
          {t('passwordSaved')}
        </Alert>
      )}
      <SignInForm known={username} {...form} />
      {demoLogins.length > 0 && <DemoLogins usernames={demoLogins} />}
    </>
  )
}

type SignInFormProps = {
  known: string
  /** Why a sign-in that was begun before did not come to its end. */
  expired: unknown
  onStep: (step: Step | null) => void
  onForgotten: (username: string) => void
}

function SignInForm({ known: givenName, expired, onStep, onForgotten }: SignInFormProps) {
  const { t } = useTranslation('login')
  const sendsMail = useSendsMail()
  const { signOn } = useBranding()
  const [failure, setFailure] = useState<unknown>(expired)
  const passwordField = useRef<HTMLInputElement>(null)
  const form = useForm({
    initial: { username: givenName, password: '' },
    onFailure(error) {
      setFailure(error)
      passwordField.current?.select()
      return true
    },
  })
  const { username, password } = form.values
  const complete = username.trim() !== '' && password !== ''
  async function send() {
    if (!complete) return
    setFailure(null)
    onStep(await signIn(username.trim(), password))
  }
  return (
    <Form form={form} onSubmit={send}>
      <Stack gap="md">
        {failure !== null && <Wrong error={failure} />}
        <TextInput
          {...form.text('username')}
          name="username"
          label={t('username')}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoFocus={givenName === ''}
          size="md"
          maxLength={200}
        />
        <PasswordField
          {...form.text('password')}
          ref={passwordField}
          autoFocus={givenName !== ''}
          name="password"
          label={t('password')}
          autoComplete="current-password"
          size="md"
        />
        <Button type="submit" size="md" mt="xs" fullWidth disabled={!complete} loading={form.busy}>
          {t('signIn')}
        </Button>
        {signOn && <SignOnButton name={signOn} onFailure={setFailure} />}
        {hasPasskeys() && <PasskeySignIn onStep={onStep} onFailure={setFailure} />}
        {sendsMail && (
          <Button variant="subtle" onClick={() => onForgotten(username.trim())}>
            {t('forgotten')}
          </Button>
        )}
      </Stack>
    </Form>
  )
}

/** A passkey suffices: its owner types nothing. */
function PasskeySignIn({
  onStep,
  onFailure,
}: Pick<SignInFormProps, 'onStep'> & { onFailure: (error: unknown) => void }) {
  const { t } = useTranslation('login')
  const [busy, setBusy] = useState(false)
  async function enter() {
    setBusy(true)
    onFailure(null)
    try {
      const response = await showPasskey(await ask(users.askpasskey, {}))
      onStep(await completeSignIn(await ask(users.passkey, { response })))
    } catch (error) {
      onFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="subtle"
      loading={busy}
      leftSection={<IconFingerprint size={18} aria-hidden />}
      onClick={() => void enter()}
    >
      {t('signInWithPasskey')}
    </Button>
  )
}

/** The accounts of the demo, each a button. Their password is no secret. */
function DemoLogins({ usernames }: { usernames: readonly string[] }) {
  const { t } = useTranslation('login')
  const [failure, setFailure] = useState<unknown>(null)
  const [entering, setEntering] = useState<string | null>(null)
  async function enter(username: string) {
    setEntering(username)
    setFailure(null)
    await signIn(username, demoPassword).catch(error => {
      setFailure(error)
      setEntering(null)
    })
  }
  return (
    <section className={classes.demo} aria-labelledby="demo-logins">
      <Text id="demo-logins" size="sm" c="dimmed">
        {t('demo')}
      </Text>
      {failure !== null && <Wrong error={failure} />}
      <div className={classes.demoLogins}>
        {usernames.map(username => (
          <Button
            key={username}
            variant="default"
            size="md"
            translate="no"
            loading={entering === username}
            onClick={() => void enter(username)}
          >
            {username}
          </Button>
        ))}
      </div>
    </section>
  )
}

/** Before the sign-in the language is a choice of this device; afterwards it is the account's. */
function LanguageChoice() {
  const { t, i18n } = useTranslation('login')
  return (
    <fieldset className={classes.languages}>
      <legend className="wh-hidden">{t('language')}</legend>
      <IconWorld size={18} stroke={1.6} aria-hidden />
      {languageCodes.map(code => {
        const { iso, name } = languageNames[code]
        return (
          <button
            key={code}
            type="button"
            lang={iso}
            className={classes.language}
            aria-pressed={i18n.language === iso}
            onClick={() => void setLanguage(code)}
          >
            {name}
          </button>
        )
      })}
    </fieldset>
  )
}
