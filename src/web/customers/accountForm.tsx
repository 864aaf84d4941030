/** An account, new or known. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, languageCodes } from '#domain/account.ts'
import { type Account, accountForm, accountLimits, customers as calls } from '#contract/customers.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { Choice } from '../ui/choice.tsx'
import { type FormInDialog, useEntered } from '../ui/formDialog.tsx'
import { languageNames } from '../shared/languages.ts'
import { complaintsBy, useComplaintText } from '../shared/site/complaint.ts'
import { isWeak, PasswordField } from '../ui/passwordField.tsx'
import { toFirstComplaint } from '../ui/complaint.ts'

type AccountFormProps = {
  /** The customer; `null` for an administrator. */
  of: number | null
  account: Account | null
  dialog: FormInDialog
  onSaved: (saved: { username: string; password: string | null }) => void
}

type Form = { username: string; fullname: string; lang: Language | null }

/** In the field an account without a language of its own has this one. */
const ofSite = 'site'

export function AccountForm({ of, account, dialog, onSaved }: AccountFormProps) {
  const { t } = useTranslation(['customers', 'common', 'config', 'failures'])
  const complaintText = useComplaintText()
  const save = useCall(
    calls.saveaccount,
    account
      ? { doing: 'customers:updatingAccount', done: 'customers:accountUpdated' }
      : { doing: 'customers:creatingAccount', done: 'customers:accountCreated' },
  )
  const before: Form = account ?? { username: '', fullname: '', lang: null }
  const [form, setForm] = useState<Form>({ username: before.username, fullname: before.fullname, lang: before.lang })
  const [password, setPassword] = useState('')
  const [tried, setTried] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const fields = (Object.keys(form) as (keyof Form)[]).filter(field => form[field] !== before[field])
  useEntered(fields.length > 0 || password !== '', dialog.entered)
  const wish = account
    ? { _id: account._id, ...Object.fromEntries(fields.map(field => [field, form[field]])) }
    : {
        ...form,
        ...(of === null ? { type: 'admin' as const } : { type: 'user' as const, seq_id: of }),
        ...(password !== '' && { password }),
      }
  const complaints = complaintsBy(accountForm, wish)
  const taken =
    save.error instanceof Refused &&
    save.error.code === 'account.name_taken' &&
    save.variables?.username === form.username
      ? messageOf(save.error)
      : undefined

  async function send(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    setTried(true)
    if (Object.keys(complaints).length > 0 || isWeak(password)) return toFirstComplaint(element)
    if (account && fields.length === 0) return dialog.done()
    try {
      const saved = await save.mutateAsync(wish)
      dialog.done()
      if (!account) onSaved(saved)
    } catch {
      // Told in a toast, and at its field.
      toFirstComplaint(element)
    }
  }
  return (
    <form ref={element} onSubmit={event => void send(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('customers:username')}
          description={t('customers:usernameHint')}
          value={form.username}
          onChange={event => setForm({ ...form, username: event.currentTarget.value })}
          error={taken ?? (tried && complaints.username ? complaintText(complaints.username) : undefined)}
          maxLength={accountLimits.username}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          required
          data-autofocus
        />
        <TextInput
          label={t('customers:fullname')}
          value={form.fullname}
          onChange={event => setForm({ ...form, fullname: event.currentTarget.value })}
          maxLength={accountLimits.fullname}
          autoComplete="off"
        />
        <Choice
          label={t('customers:language')}
          data={[
            { value: ofSite, label: t('customers:siteLanguage') },
            ...languageCodes.map(code => ({ value: code, label: languageNames[code].name })),
          ]}
          value={form.lang ?? ofSite}
          onChange={value => setForm({ ...form, lang: languageCodes.find(code => code === value) ?? null })}
        />
        {!account && (
          <PasswordField
            label={t('customers:password')}
            description={t('customers:passwordHint')}
            value={password}
            onChange={setPassword}
            tried={tried}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.leave}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(account ? 'customers:save' : 'customers:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
