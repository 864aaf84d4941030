/** An account for an administrator of a site; offered at once for a site without one. */
import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { hotelconfig as calls } from '#contract/config.ts'
import { maxUsernameLength, usernameFor } from '#domain/people/username.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { useSendsMail } from '../shared/session.ts'
import { Form } from '../ui/form/form.tsx'
import { NewPasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'
import classes from './config.module.css'

type NewAdministratorProps = {
  site: number
  first: boolean
  /** The address of the site's administrator. */
  siteEmail: string
  onMade: (made: { username: string; password: string | null }) => void
  onCancel?: (() => void) | undefined
}

export function NewAdministrator({ site, first, siteEmail, onMade, onCancel }: NewAdministratorProps) {
  const { t } = useTranslation(['sites', 'common', 'config', 'customers', 'failures', 'login'])
  const weak = useWeakPassword()
  const sendsMail = useSendsMail()
  const invites = ({ email, password }: { email: string; password: string }) =>
    sendsMail && email.trim() !== '' && password === ''
  const make = useCall(calls.newadmin, { doing: 'sites:makingAdministrator', done: 'sites:administratorMade' })
  const form = useContractForm({
    initial: {
      username: '',
      fullname: '',
      email: '',
      password: '',
      ...(first && sendsMail && { username: usernameFor(siteEmail), email: siteEmail }),
    },
    schema: calls.newadmin.input,
    input: ({ username, fullname, email, password }) => ({
      id: site,
      username,
      ...(fullname.trim() !== '' && { fullname }),
      ...(email.trim() !== '' && { email }),
      // with an address and without a password, its owner chooses one
      ...(invites({ email, password }) && { invite: true }),
      ...(password !== '' && { password }),
    }),
    text: useFieldErrorText(),
    rules: ({ username, fullname, password }) => ({ password: weak(password, [username, fullname]) }),
    errorsOnBlur: path => path === 'password',
    refusals: {
      'account.name_taken': 'username',
      'account.name_deceptive': 'username',
      'account.password_weak': 'password',
      'account.password_guessable': 'password',
    },
  })
  const begin = useRef<HTMLInputElement>(null)
  // it replaces the button that was pressed
  useEffect(() => {
    if (!first) begin.current?.focus()
  }, [first])
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const { username, password } = await make.mutateAsync(wish)
        onMade({ username, password })
      }}
      className={classes.entry}
    >
      {first && <Text size="sm">{t('sites:firstAdministrator')}</Text>}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
        <TextInput
          {...form.text('username')}
          ref={begin}
          label={t('sites:username')}
          description={t('sites:usernameHint')}
          maxLength={maxUsernameLength}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextInput
          {...form.text('fullname')}
          label={t('sites:fullname')}
          description={t('sites:fullnameHint')}
          maxLength={100}
        />
        <TextInput
          {...form.text('email')}
          type="email"
          label={t('customers:email')}
          description={t(sendsMail ? 'customers:emailHint' : 'customers:noMail')}
          maxLength={100}
          autoCapitalize="none"
          spellCheck={false}
        />
        <NewPasswordField
          {...form.text('password')}
          label={t('sites:password')}
          description={t(invites(form.values) ? 'sites:passwordInvites' : 'sites:passwordHint')}
          known={[form.values.username, form.values.fullname]}
        />
      </SimpleGrid>
      <Group justify="flex-end" gap="xs">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        )}
        <Button type="submit" loading={form.busy} leftSection={<IconUserPlus size={18} aria-hidden />}>
          {first ? t('sites:makeFirstAdministrator') : t('sites:makeAdministrator')}
        </Button>
      </Group>
    </Form>
  )
}
