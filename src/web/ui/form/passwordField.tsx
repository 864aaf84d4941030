import { PasswordInput, type PasswordInputProps, Progress, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from '../texts.ts'
import { minPasswordLength } from '#domain/people/account.ts'
import type * as PasswordRule from '#domain/people/password.ts'
import { labelled } from '../../i18n.ts'
import classes from './passwordField.module.css'

/** A field for a password that can be shown. */
export function PasswordField({ error, ...field }: PasswordInputProps) {
  const { t } = useTranslation('login')
  const [shown, setShown] = useState(false)
  return (
    <PasswordInput
      maxLength={1000}
      {...field}
      error={error}
      aria-invalid={error ? true : undefined}
      visible={shown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': t(shown ? 'hide' : 'show') }}
    />
  )
}

/** The rule with its list of common passwords, which is fetched when a password is about to be chosen. `null` until it is here. */
function usePasswordRule(): typeof PasswordRule | null {
  const [rule, setRule] = useState<typeof PasswordRule | null>(null)
  useEffect(() => {
    let gone = false
    import('#domain/people/password.ts').then(
      fetched => gone || setRule(fetched),
      // without it, the server reports the error
      () => {},
    )
    return () => void (gone = true)
  }, [])
  return rule
}

/** Returns the error of a new password, given the `known` names of its owner. An empty one has none. */
export function useWeakPassword(): (password: string, known?: readonly string[]) => string | undefined {
  const { t } = useTranslation('failures')
  const rule = usePasswordRule()
  return (password, names = []) => {
    if (password === '') return undefined
    if (password.length < minPasswordLength) return t('account.password_weak', { length: minPasswordLength })
    return rule?.passwordProblem(password, names) === 'guessable' ? t('account.password_guessable') : undefined
  }
}

type NewPasswordFieldProps = PasswordInputProps & { value: string; known?: readonly string[] }

/** A field for a new password. It shows how long a guesser would need for it. */
export function NewPasswordField({ known: names = [], ...field }: NewPasswordFieldProps) {
  return (
    <div>
      <PasswordField autoComplete="new-password" {...field} />
      <Strength password={field.value} known={names} />
    </div>
  )
}

const colours = ['red', 'red', 'yellow', 'green', 'green'] as const

function Strength({ password, known: names }: { password: string; known: readonly string[] }) {
  const { t } = useTranslation('login')
  const rule = usePasswordRule()
  const judged = password.length >= minPasswordLength ? (rule?.passwordStrength(password, names) ?? null) : null
  return (
    <div className={classes.strength} data-judged={judged !== null || undefined}>
      <Progress
        value={judged === null ? 0 : (judged + 1) * 20}
        color={judged === null ? 'gray' : colours[judged]}
        size="sm"
        aria-hidden
      />
      <Text size="xs" c="dimmed" role="status">
        {judged === null ? '' : labelled(t('strength.label'), t(`strength.${judged}`))}
      </Text>
    </div>
  )
}
