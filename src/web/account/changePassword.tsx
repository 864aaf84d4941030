/** The own password is changed with the present one; the other sessions of the account end. */
import { Stack, Text } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { users } from '#contract/session.ts'
import { useCall } from '../shared/api.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { useBranding, useWho } from '../shared/session.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { NewPasswordField, PasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'

export default function ChangePassword({ dialog }: { dialog: DialogControls }) {
  const { t } = useTranslation(['nav', 'failures', 'login'])
  const who = useWho()
  const weak = useWeakPassword()
  const names = [who.username, who.fullname, useBranding().name]
  const change = useCall(users.password, { doing: 'nav:password.changing', done: 'nav:password.changed' })
  const form = useContractForm({
    initial: { password: '', wanted: '' },
    secret: true,
    schema: users.password.input,
    input: values => values,
    text: () => t('password.required'),
    rules: ({ wanted }) => ({ wanted: wanted === '' ? t('password.required') : weak(wanted, names) }),
    // Before submission, only a password that is too short is reported.
    errorsOnBlur: (path, { wanted }) => path === 'wanted' && wanted !== '',
    refusals: { 'account.password_wrong': 'password' },
    dialog,
  })
  // The dialog had nothing to go to yet when it opened.
  useEffect(() => form.ref.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [form.ref])
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await change.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('password.text')}</Text>
        {/* Names the account to the password manager. */}
        <input type="text" name="username" autoComplete="username" value={who.username} readOnly hidden />
        <PasswordField
          {...form.text('password')}
          label={t('password.present')}
          autoComplete="current-password"
          required
          data-autofocus
        />
        <NewPasswordField {...form.text('wanted')} label={t('password.wanted')} known={names} required />
        <FormActions form={form} dialog={dialog} submit={t('password.change')} />
      </Stack>
    </Form>
  )
}
