import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { minPasswordLength } from '#domain/account.ts'

/** Says of a password that somebody chooses that it is too short. An empty one is none. */
export function useWeakPassword(): (password: string) => string | undefined {
  const { t } = useTranslation('failures')
  return password =>
    password !== '' && password.length < minPasswordLength
      ? t('account.password_weak', { length: minPasswordLength })
      : undefined
}

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
