/** An account, new or known. */
import { Checkbox, Stack, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { usernameFor } from '#domain/people/username.ts'
import { type Account, accountForm, accountLimits, customers as calls } from '#contract/customers.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { languageNames } from '../shared/languages.ts'
import { useSendsMail } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { changesOf } from '../ui/form/changes.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { NewPasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'

type AccountFormProps = {
  /** The customer; `null` for an administrator. */
  customer: number | null
  account: Account | null
  /** The known details of a new account's owner. */
  person?: Person | undefined
  dialog: DialogControls
  onSaved: (saved: { username: string; password: string | null }) => void
}

/** In the field an account without a language of its own has this one. */
const ofSite = 'site'
type Spoken = Language | typeof ofSite
const languageIn = (field: Spoken): Language | null => (field === ofSite ? null : field)

type Fields = {
  username: string
  fullname: string
  email: string
  invite: boolean
  lang: Spoken
  password: string
  warehouse: boolean
}

export type Person = Pick<Fields, 'fullname' | 'email'>

/** The initial names of a new account. */
const namesOf = ({ fullname, email }: Person = { fullname: '', email: '' }): Pick<Fields, 'username'> & Person => ({
  username: usernameFor(email),
  fullname,
  email,
})

/** Whether a new account's owner chooses the password, by a link: it needs an address. */
const invites = ({ email, invite }: Pick<Fields, 'email' | 'invite'>): boolean => invite && email.trim() !== ''

export function AccountForm({ customer, account, person, dialog, onSaved }: AccountFormProps) {
  const { t } = useTranslation(['customers', 'config', 'failures', 'login'])
  const weak = useWeakPassword()
  const sendsMail = useSendsMail()
  const save = useCall(
    calls.saveaccount,
    account
      ? { doing: 'customers:updatingAccount', done: 'customers:accountUpdated' }
      : { doing: 'customers:creatingAccount', done: 'customers:accountCreated' },
  )
  const form = useContractForm({
    initial: {
      ...(account ? { username: account.username, fullname: account.fullname, email: account.email } : namesOf(person)),
      invite: sendsMail,
      warehouse: account?.warehouse ?? false,
      lang: account?.lang ?? ofSite,
      password: '',
    } as Fields,
    schema: accountForm,
    input(values, initial) {
      const {
        lang,
        password,
        invite: _,
        warehouse,
        ...names
      } = account ? { password: '', ...changesOf(initial, values) } : values
      const invited = !account && invites(values)
      return {
        ...names,
        ...(customer === null && warehouse !== undefined && { warehouse }),
        ...(invited && { invite: true }),
        ...(lang && { lang: languageIn(lang) }),
        ...(account && { _id: account._id }),
        ...(!account && (customer === null ? { type: 'admin' as const } : { type: 'user' as const, seq_id: customer })),
        ...(password !== '' && !invited && { password }),
      }
    },
    text: useFieldErrorText(),
    rules: ({ username, fullname, password }) => ({ password: weak(password, [username, fullname]) }),
    errorsOnBlur: path => path === 'password',
    refusals: {
      'account.last_admin': 'warehouse',
      'account.own': 'warehouse',
      'account.name_taken': 'username',
      'account.name_deceptive': 'username',
      'account.password_guessable': 'password',
    },
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
        <TextInput
          {...form.text('email')}
          type="email"
          label={t('email')}
          description={sendsMail ? t('emailHint') : t('noMail')}
          maxLength={accountLimits.email}
          autoCapitalize="none"
          spellCheck={false}
        />
        <Choice
          {...form.choice('lang')}
          label={t('language')}
          data={[
            { value: ofSite, label: t('siteLanguage') },
            ...languageCodes.map(code => ({ value: code, label: languageNames[code].name })),
          ]}
        />
        {customer === null && (
          <Checkbox {...form.flag('warehouse')} label={t('ofWarehouse')} description={t('ofWarehouseHint')} />
        )}
        {!account && sendsMail && form.values.email.trim() !== '' && (
          <Checkbox {...form.flag('invite')} label={t('invite')} description={t('inviteHint')} />
        )}
        {!account && !invites(form.values) && (
          <NewPasswordField
            {...form.text('password')}
            label={t('password')}
            description={t('passwordHint')}
            known={[form.values.username, form.values.fullname]}
          />
        )}
        <FormActions form={form} dialog={dialog} submit={t(account ? 'save' : 'create')} />
      </Stack>
    </Form>
  )
}
