/** The form of a new access token. */
import { Checkbox, Input, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import {
  defaultLifetime,
  type TokenLifetime,
  tokenLifetimes,
  type TokenScope,
  tokenScopes,
} from '#domain/people/token.ts'
import { tokens as calls, type WantedToken } from '#contract/tokens.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { Choice } from '../ui/select.tsx'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'

type NewTokenProps = {
  owner: 'account' | 'site'
  scopes: readonly TokenScope[]
  dialog: DialogControls
  onMade: (token: string) => void
}

const lifetimes: Record<string, TokenLifetime> = Object.fromEntries(
  tokenLifetimes.map(days => [String(days ?? 'none'), days]),
)

export function NewToken({ owner, scopes, dialog, onMade }: NewTokenProps) {
  const { t } = useTranslation(['tokens', 'common'])
  const make = useCall(owner === 'account' ? calls.make : calls.makesite)
  const form = useContractForm({
    initial: {
      name: '',
      days: String(defaultLifetime),
      read: true,
      operations: false,
      warehouse: false,
      invoicing: false,
    },
    schema: calls.make.input,
    input: ({ name, days, ...may }): WantedToken => ({
      name,
      scopes: tokenScopes.filter(scope => may[scope]),
      days: lifetimes[days] ?? null,
    }),
    text: useFieldErrorText(),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wanted => {
        const { token } = await make.mutateAsync(wanted)
        dialog.close()
        onMade(token)
      }}
    >
      <Stack gap="md">
        <TextInput
          {...form.text('name')}
          label={t('tokens:name')}
          description={t('tokens:nameHint')}
          placeholder={t('tokens:nameExample')}
          maxLength={100}
          required
          data-autofocus
        />
        <Input.Wrapper label={t('tokens:scopes')} error={form.error('scopes')} labelElement="div">
          <Stack gap="xs" mt="xs" role="group" aria-label={t('tokens:scopes')}>
            {scopes.map(scope => (
              <Checkbox key={scope} {...form.flag(scope)} label={t(`tokens:scope.${scope}`)} />
            ))}
          </Stack>
        </Input.Wrapper>
        <Text size="sm" c="dimmed">
          {t('tokens:never')}
        </Text>
        <Choice
          {...form.choice('days')}
          label={t('tokens:days')}
          data={Object.keys(lifetimes).map(value => ({ value, label: t(`tokens:lifetime.${value as '30'}`) }))}
        />
        <FormActions form={form} dialog={dialog} submit={t('tokens:make')} />
      </Stack>
    </Form>
  )
}
