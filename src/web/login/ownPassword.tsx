/** The last step of a first sign-in: a password that replaces the administrator's. */
import { useTranslation } from '../ui/texts.ts'
import { users } from '#contract/session.ts'
import { ask, Refused } from '../shared/api.ts'
import { completeSignIn } from '../shared/session.ts'
import { NewPasswordForm } from './newPasswordForm.tsx'
import type { StepProps } from './nextStep.ts'

export function OwnPassword({ step: { step, username, known: guessable }, onStep, onExpired }: StepProps) {
  const { t } = useTranslation('login')
  return (
    <NewPasswordForm
      username={username}
      known={guessable}
      text={t('ownPasswordText', { username })}
      submit={t('saveAndSignIn')}
      save={async password => onStep(await completeSignIn(await ask(users.newpassword, { step, password })))}
      onFailure={error => {
        const expired = error instanceof Refused && error.code === 'login.expired'
        if (expired) onExpired(error)
        return expired
      }}
    />
  )
}
