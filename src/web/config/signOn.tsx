/** The sign-on provider of the site, saved separately (docs/product/accounts.md "Single sign-on"). */
import { ActionIcon, Alert, Button, Group, SimpleGrid, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconCopy, IconInfoCircle, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { signOn as calls, signOnLimits, type SignOnProvider } from '#contract/signOn.ts'
import { usualClaim } from '#domain/people/signOn.ts'
import { labelled } from '../i18n.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { CustomerChoice } from '../customers/customerChoice.tsx'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { copyText } from '../ui/copy.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { PasswordField } from '../ui/form/passwordField.tsx'
import classes from './config.module.css'

type Settings = Answer<typeof calls.settings>

export function SingleSignOn() {
  const { t } = useTranslation(['config', 'failures'])
  const settings = useAnswer(calls.settings, {})
  const [open, setOpen] = useState(false)
  if (!settings.data) {
    if (settings.isError) return <Failed error={settings.error} retry={settings.refetch} />
    return <Placeholders rows={2} height={56} />
  }
  const { provider, available } = settings.data
  if (!available)
    return (
      <Alert icon={<IconInfoCircle aria-hidden />} color="gray">
        {t('failures:signOn.key')}
      </Alert>
    )
  return (
    <Stack gap="md">
      {provider ? <Shown provider={provider} edit={() => setOpen(true)} /> : <None setUp={() => setOpen(true)} />}
      <Addresses {...settings.data} />
      <FormDialog
        opened={open}
        onClose={() => setOpen(false)}
        title={provider ? t('signOn.editTitle', { name: provider.name }) : t('signOn.newTitle')}
        size="38rem"
        long
        lost={t('signOn.lost')}
      >
        {dialog => <ProviderForm provider={provider} dialog={dialog} />}
      </FormDialog>
    </Stack>
  )
}

function None({ setUp }: { setUp: () => void }) {
  const { t } = useTranslation('config')
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" c="dimmed">
        {t('signOn.none')}
      </Text>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={setUp}>
        {t('signOn.add')}
      </Button>
    </Group>
  )
}

function Shown({ provider, edit }: { provider: SignOnProvider; edit: () => void }) {
  const { t } = useTranslation('config')
  const { name, issuer, client_id, claim, customer } = provider
  const remove = useCall(calls.remove, { doing: 'config:signOn.removing', done: 'config:signOn.removed' })
  async function askAndRemove() {
    const sure = await confirmFirst({
      title: t('signOn.removeQuestion'),
      text: t('signOn.removeText', { name }),
      confirm: t('remove'),
      danger: true,
    })
    if (sure) remove.mutate({})
  }
  const facts = [
    [t('signOn.name'), name],
    [t('signOn.issuer'), issuer],
    [t('signOn.clientId'), client_id],
    [t('signOn.claim'), claim],
    [t('signOn.accounts'), customer === null ? t('signOn.accountsNone') : t('signOn.accountsFor', { customer })],
  ] as const
  return (
    <>
      <dl className={classes.provider}>
        {facts.map(([what, value]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Group gap="xs">
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
          {t('edit')}
        </Button>
        <Button
          variant="default"
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          loading={remove.isPending}
          onClick={() => void askAndRemove()}
        >
          {t('remove')}
        </Button>
      </Group>
    </>
  )
}

/** The addresses that an administrator enters at the provider. */
function Addresses({ redirect, afterSignOut }: Pick<Settings, 'redirect' | 'afterSignOut'>) {
  const { t } = useTranslation('config')
  return (
    <Stack gap="xs">
      <Text size="sm">{t('signOn.register')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Address label={t('signOn.redirect')} value={redirect} />
        <Address label={t('signOn.afterSignOut')} value={afterSignOut} />
      </SimpleGrid>
    </Stack>
  )
}

function Address({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation('config')
  return (
    <TextInput
      label={label}
      value={value}
      readOnly
      rightSection={
        <Tooltip label={t('signOn.copy')}>
          <ActionIcon
            variant="subtle"
            aria-label={labelled(t('signOn.copy'), label)}
            onClick={() => void copyText(value)}
          >
            <IconCopy size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    />
  )
}

function ProviderForm({ provider, dialog }: { provider: SignOnProvider | null; dialog: DialogControls }) {
  const { t } = useTranslation('config')
  const save = useCall(calls.save, {
    doing: 'config:signOn.saving',
    done: 'config:signOn.saved',
    shown: ['signOn.address', 'signOn.unreachable', 'signOn.unusable'],
  })
  const hasSecret = provider?.has_secret === true
  const form = useContractForm({
    initial: {
      name: provider?.name ?? '',
      issuer: provider?.issuer ?? '',
      client_id: provider?.client_id ?? '',
      client_secret: '',
      claim: provider?.claim ?? usualClaim,
      seq_id: provider?.seq_id ?? null,
    },
    schema: calls.save.input,
    input: ({ client_secret, seq_id, ...rest }) => ({
      ...rest,
      ...((client_secret !== '' || !hasSecret) && { client_secret }),
      ...(seq_id !== null && { seq_id }),
    }),
    text: useFieldErrorText(),
    refusals: { 'signOn.address': 'issuer', 'signOn.unreachable': 'issuer', 'signOn.unusable': 'issuer' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await save.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <TextInput
          {...form.text('name')}
          label={t('signOn.name')}
          description={t('signOn.nameHint')}
          maxLength={signOnLimits.name}
          required
          data-autofocus
        />
        <TextInput
          {...form.text('issuer')}
          label={t('signOn.issuer')}
          description={t('signOn.issuerHint')}
          placeholder="https://login.example.com"
          maxLength={signOnLimits.issuer}
          inputMode="url"
          required
        />
        <TextInput
          {...form.text('client_id')}
          label={t('signOn.clientId')}
          maxLength={signOnLimits.clientId}
          required
        />
        <PasswordField
          {...form.text('client_secret')}
          label={t('signOn.clientSecret')}
          description={t(hasSecret ? 'signOn.secretKept' : 'signOn.secretHint')}
          autoComplete="off"
          maxLength={signOnLimits.clientSecret}
        />
        <TextInput
          {...form.text('claim')}
          label={t('signOn.claim')}
          description={t('signOn.claimHint')}
          maxLength={signOnLimits.claim}
          required
        />
        <CustomerChoice
          label={t('signOn.accounts')}
          description={t('signOn.accountsHint')}
          placeholder={t('signOn.accountsNone')}
          value={form.values.seq_id ?? undefined}
          name={provider?.customer ?? ''}
          onChange={customer => form.set({ seq_id: customer ?? null })}
        />
        <FormActions form={form} dialog={dialog} submit={t('save')} />
      </Stack>
    </Form>
  )
}
