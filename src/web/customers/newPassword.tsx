/** Sets a new password for an account. */
import { Button, Stack, Text } from '@mantine/core'
import { IconMail, IconShieldOff, IconUnlink } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { type Account, customers as calls } from '#contract/customers.ts'
import { signOn } from '#contract/signOn.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { useSendsMail } from '../shared/session.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { NewPasswordField, useWeakPassword } from '../ui/form/passwordField.tsx'

type NewPasswordProps = {
  account: Account
  dialog: DialogControls
  onSet: (set: { username: string; password: string | null }) => void
}

export function NewPassword({ account, dialog, onSet }: NewPasswordProps) {
  const { t } = useTranslation(['customers', 'config', 'failures', 'login'])
  const weak = useWeakPassword()
  const names = [account.username, account.fullname]
  const reset = useCall(calls.resetpassword, { doing: 'customers:settingPassword', done: 'customers:passwordSet' })
  const sendsMail = useSendsMail()
  const link = useCall(calls.sendlink, { doing: 'customers:sendingLink', done: 'customers:linkOnItsWay' })
  const removal = useCall(calls.resetfactors, {
    done: ({ username }) => t('secondStepRemoved', { username }),
  })
  const unlinking = useCall(signOn.unlink, { done: () => t('unlinked', { username: account.username }) })
  const form = useContractForm({
    initial: { password: '' },
    schema: calls.resetpassword.input,
    input: ({ password }) => ({ _id: account._id, ...(password !== '' && { password }) }),
    text: useFieldErrorText(),
    rules: ({ password }) => ({ password: weak(password, names) }),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        const set = await reset.mutateAsync(wish)
        dialog.close()
        onSet(set)
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('newPasswordText')}</Text>
        <NewPasswordField
          {...form.text('password')}
          label={t('password')}
          description={t('passwordHint')}
          known={names}
          data-autofocus
        />
        {sendsMail && account.email !== '' && !account.disabled && (
          <Button
            variant="default"
            leftSection={<IconMail size={18} aria-hidden />}
            loading={link.isPending}
            onClick={() => link.mutate({ _id: account._id }, { onSuccess: () => dialog.close() })}
          >
            {t('sendLinkTo', { username: account.username })}
          </Button>
        )}
        {account.second_step && (
          <Stack gap="xs">
            <Text size="sm">{t('secondStep')}</Text>
            <Button
              variant="default"
              leftSection={<IconShieldOff size={18} aria-hidden />}
              loading={removal.isPending}
              onClick={() => removal.mutate({ _id: account._id }, { onSuccess: () => dialog.close() })}
            >
              {t('removeSecondStep')}
            </Button>
          </Stack>
        )}
        {account.linked && (
          <Stack gap="xs">
            <Text size="sm">{t('linked')}</Text>
            <Button
              variant="default"
              leftSection={<IconUnlink size={18} aria-hidden />}
              loading={unlinking.isPending}
              onClick={() => unlinking.mutate({ _id: account._id }, { onSuccess: () => dialog.close() })}
            >
              {t('unlink')}
            </Button>
          </Stack>
        )}
        <FormActions form={form} dialog={dialog} submit={t('setPassword')} />
      </Stack>
    </Form>
  )
}
