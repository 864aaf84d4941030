/** The own password is changed with the present one; the other sessions of the account end. */
import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { users } from '#contract/session.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { useWho } from '../shared/session.ts'
import { type FormInDialog, useEntered } from '../ui/formDialog.tsx'
import { isWeak, PasswordField } from '../ui/passwordField.tsx'
import { toFirstComplaint } from '../ui/complaint.ts'

export default function ChangePassword({ dialog }: { dialog: FormInDialog }) {
  const { t } = useTranslation(['nav', 'common', 'login', 'failures'])
  const who = useWho()
  const change = useCall(users.password, { doing: 'nav:password.changing', done: 'nav:password.changed' })
  const [password, setPassword] = useState('')
  const [wanted, setWanted] = useState('')
  const [shown, setShown] = useState(false)
  const [tried, setTried] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  useEntered(password !== '' || wanted !== '', dialog.entered)
  // The dialog had nothing to go to yet when it opened.
  useEffect(() => element.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [])
  const missing = (value: string) => (tried && value === '' ? t('nav:password.required') : undefined)
  const wrong =
    change.error instanceof Refused &&
    change.error.code === 'account.password_wrong' &&
    change.variables?.password === password
      ? messageOf(change.error)
      : undefined

  async function send(event: FormEvent) {
    event.preventDefault()
    if (change.isPending) return
    setTried(true)
    if (password === '' || wanted === '' || isWeak(wanted)) return toFirstComplaint(element)
    try {
      await change.mutateAsync({ password, wanted })
      dialog.done()
    } catch {
      // Told in a toast, and at its field.
      toFirstComplaint(element)
    }
  }
  return (
    <form ref={element} onSubmit={event => void send(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t('nav:password.text')}</Text>
        {/* Whose password it is, for whoever keeps passwords in the browser. */}
        <input type="text" name="username" autoComplete="username" value={who.username} readOnly hidden />
        <PasswordInput
          label={t('nav:password.present')}
          autoComplete="current-password"
          maxLength={1000}
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
          error={wrong ?? missing(password)}
          aria-invalid={(wrong ?? missing(password)) ? true : undefined}
          visible={shown}
          onVisibilityChange={setShown}
          visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': t(shown ? 'login:hide' : 'login:show') }}
          required
          data-autofocus
        />
        <PasswordField
          label={t('nav:password.wanted')}
          value={wanted}
          onChange={setWanted}
          tried={tried}
          error={missing(wanted)}
          required
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.leave}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('nav:password.change')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
