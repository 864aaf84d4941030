/** An account, new or known. */
import { Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Language, languageCodes } from '#domain/account.ts'
import { type Account, accountForm, accountLimits, customers as calls } from '#contract/customers.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { languageNames } from '../shared/languages.ts'
import { Choice } from '../ui/choice.tsx'
import { changesOf } from '../ui/form/changes.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { PasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'

type AccountFormProps = {
  /** The customer; `null` for an administrator. */
  of: number | null
  account: Account | null
  dialog: DialogControls
  onSaved: (saved: { username: string; password: string | null }) => void
}

/** In the field an account without a language of its own has this one. */
const ofSite = 'site'
type Spoken = Language | typeof ofSite
const languageIn = (field: Spoken): Language | null => (field === ofSite ? null : field)

type Fields = { username: string; fullname: string; lang: Spoken; password: string }

export function AccountForm({ of, account, dialog, onSaved }: AccountFormProps) {
  const { t } = useTranslation(['customers', 'config', 'failures', 'login'])
  const weak = useWeakPassword()
  const save = useCall(
    calls.saveaccount,
    account
      ? { doing: 'customers:updatingAccount', done: 'customers:accountUpdated' }
      : { doing: 'customers:creatingAccount', done: 'customers:accountCreated' },
  )
  const form = useContractForm({
    initial: {
      username: account?.username ?? '',
      fullname: account?.fullname ?? '',
      lang: account?.lang ?? ofSite,
      password: '',
    } as Fields,
    schema: accountForm,
    input(values, initial) {
      const { lang, password, ...names } = account ? { password: '', ...changesOf(initial, values) } : values
      return {
        ...names,
        ...(lang && { lang: languageIn(lang) }),
        ...(account && { _id: account._id }),
        ...(!account && (of === null ? { type: 'admin' as const } : { type: 'user' as const, seq_id: of })),
        ...(password !== '' && { password }),
      }
    },
    text: useFieldErrorText(),
    rules: ({ password }) => ({ password: weak(password) }),
    errorsOnBlur: path => path === 'password',
    refusals: { 'account.name_taken': 'username' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        if (account && !form.dirty) return dialog.close()
        const saved = await save.mutateAsync(wish)
        dialog.close()
        if (!account) onSaved(saved)
      }}
    >
      <Stack gap="md">
        <TextInput
          {...form.text('username')}
          label={t('username')}
          description={t('usernameHint')}
          maxLength={accountLimits.username}
          autoCapitalize="none"
          spellCheck={false}
          required
          data-autofocus
        />
        <TextInput {...form.text('fullname')} label={t('fullname')} maxLength={accountLimits.fullname} />
        <Choice
          {...form.choice('lang')}
          label={t('language')}
          data={[
            { value: ofSite, label: t('siteLanguage') },
            ...languageCodes.map(code => ({ value: code, label: languageNames[code].name })),
          ]}
        />
        {!account && (
          <PasswordField
            {...form.text('password')}
            label={t('password')}
            description={t('passwordHint')}
            autoComplete="new-password"
          />
        )}
        <FormActions form={form} dialog={dialog} submit={t(account ? 'save' : 'create')} />
      </Stack>
    </Form>
  )
}
