/** The form of a webhook endpoint. */
import { Checkbox, Input, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { type WebhookKind, webhookKinds } from '#domain/people/webhook.ts'
import { type WantedEndpoint, webhooks as calls, type WebhookEndpoint } from '#contract/webhooks.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'

type WebhookFormProps = {
  /** None: a new one. */
  endpoint: WebhookEndpoint | null
  dialog: DialogControls
  onMade: (secret: string) => void
}

const groups = ['operation', 'tyre', 'document', 'invoice', 'vehicle', 'odometer', 'customer'] as const

/** A path of the form has no dots in its names. */
const fieldOf = (kind: WebhookKind): string => kind.replace('.', '_')

export function WebhookForm({ endpoint, dialog, onMade }: WebhookFormProps) {
  const { t } = useTranslation(['webhooks', 'common'])
  const save = useCall(calls.save, { done: 'webhooks:saved' })
  const chosen = endpoint?.kinds ?? webhookKinds
  const kinds: Record<string, boolean> = Object.fromEntries(
    webhookKinds.map(kind => [fieldOf(kind), chosen.includes(kind)]),
  )
  const form = useContractForm({
    initial: { url: endpoint?.url ?? '', enabled: endpoint?.enabled ?? true, kinds },
    schema: calls.save.input,
    input: ({ url, enabled, kinds: chosenKinds }): WantedEndpoint => ({
      ...(endpoint && { _id: endpoint._id }),
      url,
      enabled,
      kinds: webhookKinds.filter(kind => chosenKinds[fieldOf(kind)]),
    }),
    text: useFieldErrorText(),
    refusals: { 'webhook.address': 'url' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wanted => {
        const { secret } = await save.mutateAsync(wanted)
        dialog.close()
        if (secret !== null) onMade(secret)
      }}
    >
      <Stack gap="md">
        <TextInput
          {...form.text('url')}
          type="url"
          label={t('webhooks:url')}
          description={t('webhooks:urlHint')}
          placeholder="https://"
          maxLength={500}
          autoCapitalize="none"
          spellCheck={false}
          required
          data-autofocus
        />
        <Input.Wrapper label={t('webhooks:kinds')} error={form.error('kinds')} labelElement="div">
          <Stack gap="sm" mt="xs">
            {groups.map(group => (
              <div key={group} role="group" aria-label={t(`webhooks:group.${group}`)}>
                <Text size="sm" c="dimmed" mb={4}>
                  {t(`webhooks:group.${group}`)}
                </Text>
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" verticalSpacing={6}>
                  {webhookKinds
                    .filter(kind => kind.startsWith(`${group}.`))
                    .map(kind => (
                      <Checkbox
                        key={kind}
                        {...form.flag(`kinds.${fieldOf(kind)}`)}
                        label={t(`webhooks:kind.${kind}`)}
                      />
                    ))}
                </SimpleGrid>
              </div>
            ))}
          </Stack>
        </Input.Wrapper>
        <Checkbox {...form.flag('enabled')} label={t('webhooks:enabled')} description={t('webhooks:enabledHint')} />
        <FormActions form={form} dialog={dialog} submit={t('webhooks:save')} />
      </Stack>
    </Form>
  )
}
