import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passwordAtLeast } from '#domain/account.ts'

/** Whether something was typed that is too short to be a password. */
export const isWeak = (password: string): boolean => password !== '' && password.length < passwordAtLeast

type PasswordFieldProps = Omit<PasswordInputProps, 'onChange' | 'value'> & {
  value: string
  onChange: (password: string) => void
  /** It complains when it was left, and once somebody tried to send it. */
  tried: boolean
}

/** A password that is chosen, not the present one. */
export function PasswordField({ value, onChange, tried, error, ...field }: PasswordFieldProps) {
  const { t } = useTranslation(['common', 'login', 'failures'])
  const [left, setLeft] = useState(false)
  const [shown, setShown] = useState(false)
  const complaint =
    error ??
    (isWeak(value) && (tried || left) ? t('failures:account.password_weak', { length: passwordAtLeast }) : undefined)
  return (
    <PasswordInput
      autoComplete="new-password"
      maxLength={1000}
      {...field}
      value={value}
      onChange={event => onChange(event.currentTarget.value)}
      onBlur={() => setLeft(true)}
      error={complaint}
      aria-invalid={complaint ? true : undefined}
      visible={shown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': t(shown ? 'login:hide' : 'login:show') }}
    />
  )
}
