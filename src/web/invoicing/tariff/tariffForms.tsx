/** The forms of the tariff: a new rule, another price, and the end of one (docs/product/money.md "Tariff"). */
import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { tariff as calls, ruleForm, type TariffRule } from '#contract/tariff.ts'
import type { SiteConfig } from '#contract/wire.ts'
import { addDays } from '#domain/texts/date.ts'
import {
  isSized,
  sizeClasses,
  storageModes,
  tariffKinds,
  unitsOf,
  usualGraceDays,
  type TariffKind,
  type TariffUnit,
} from '#domain/money/tariff.ts'
import { labelled } from '../../i18n.ts'
import type { ActedFor } from '../../shared/acting.ts'
import { useCall } from '../../shared/api.ts'
import { CustomerSearch } from '../../customers/customerSearch.tsx'
import { useFieldErrorText } from '../../shared/form/fieldErrors.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { useToday } from '../../shared/hooks.ts'
import { DateField } from '../../ui/dateField.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import type { DialogControls } from '../../ui/form/formDialog.tsx'
import { NumberField } from '../../ui/form/numberField.tsx'
import { Choice } from '../../ui/select.tsx'
import { amountIn, type Numeral } from '../../config/numerals.ts'
import { Money } from '../../config/fields.tsx'
import { useRuleText } from './ruleText.ts'

const columns = { cols: { base: 1, xs: 2 }, spacing: 'md', verticalSpacing: 'sm' } as const

const priceOf = (field: Numeral): number => amountIn(field) ?? Number.NaN
/** A number, `null` where the field is empty. */
const numberOf = (field: Numeral): number | null => (field === '' ? null : Number(field))

/** Price errors of a rule: a price is missing while its field is empty, and 0 only when typed. */
function usePriceChecks() {
  const text = useFieldErrorText()
  const rules = ({ price_excl }: { price_excl: Numeral }) => ({
    price_excl: price_excl === '' ? text({ why: 'required' }) : undefined,
  })
  return { text, rules }
}

/** Only a season has a price per vehicle. */
const unitsFor = (kind: TariffKind, mode: string): TariffUnit[] =>
  unitsOf[kind].filter(unit => unit !== 'vehicle' || mode === 'per_season')

/** How a site charges storage where no rule says otherwise. */
export type Storage = Pick<SiteConfig, 'invoicing_quantity' | 'invoicing_mode' | 'invoicing_period'>
type NewRuleFormProps = {
  site: Storage
  services: readonly { _id: number; name: string }[]
  dialog: DialogControls
}

export function NewRuleForm({ site, services, dialog }: NewRuleFormProps) {
  const { t } = useTranslation('tariff')
  const today = useToday()
  const [customer, setCustomer] = useState<ActedFor | null>(null)
  const [searching, setSearching] = useState(false)
  const add = useCall(calls.add, { done: 'tariff:added' })
  const form = useContractForm({
    initial: {
      kind: 'storage' as TariffKind,
      // a price that replaces the site's own, with the same terms at first
      per: (site.invoicing_quantity === 'per_set' ? 'set' : 'tyre') as string,
      mode: site.invoicing_mode as string,
      period: site.invoicing_period as Numeral,
      grace_days: usualGraceDays as Numeral,
      size_class: 'all' as string,
      after_days: '' as Numeral,
      service: null as string | null,
      since: today as string | null,
      until: null as string | null,
      price_excl: '' as Numeral,
      vat_rate: '' as Numeral,
      article_number: '',
      description: '',
    },
    schema: ruleForm,
    input: values => {
      const isStorage = values.kind === 'storage'
      const units: readonly string[] = unitsFor(values.kind, values.mode)
      return {
        kind: values.kind,
        per: (units.includes(values.per) ? values.per : (units[0] ?? '')) as TariffRule['per'],
        mode: isStorage ? (values.mode as (typeof storageModes)[number]) : null,
        period: isStorage && values.mode === 'per_period' ? numberOf(values.period) : null,
        grace_days: isStorage && values.mode === 'per_season' ? (numberOf(values.grace_days) ?? Number.NaN) : 0,
        size_class: sizeClasses.find(candidate => isSized(values.kind) && candidate === values.size_class) ?? null,
        after_days: values.kind === 'overstay' ? numberOf(values.after_days) : null,
        service: values.kind === 'service' && values.service !== null ? Number(values.service) : null,
        seq_id: customer?.seq_id ?? null,
        since: values.since ?? '',
        until: values.until,
        price_excl: priceOf(values.price_excl),
        vat_rate: numberOf(values.vat_rate),
        article_number: values.article_number,
        description: values.description,
      }
    },
    ...usePriceChecks(),
    refusals: { 'tariff.overlaps': 'since' },
    dialog,
  })
  const { kind, mode } = form.values
  const describe = useRuleText()
  const { per } = form.input
  const isSeason = kind === 'storage' && mode === 'per_season'
  if (searching)
    return (
      <Stack gap="sm">
        <CustomerSearch
          choose={chosen => {
            setCustomer(chosen)
            setSearching(false)
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setSearching(false)}>
            {t('everybody')}
          </Button>
        </Group>
      </Stack>
    )
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await add.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="sm">
        <SimpleGrid {...columns}>
          <Choice
            {...form.choice('kind')}
            label={t('field.kind')}
            data={tariffKinds.map(value => ({ value, label: t(`kind.${value}`) }))}
            required
            data-autofocus
          />
          <Choice
            {...form.choice('per')}
            value={per}
            label={t('field.per')}
            data={unitsFor(kind, mode).map(value => ({ value, label: t(`per.${value}`) }))}
            required
          />
          {kind === 'storage' && (
            <Choice
              {...form.choice('mode')}
              label={t('field.mode')}
              data={storageModes.map(value => ({ value, label: t(`mode.${value}`) }))}
              required
            />
          )}
          {kind === 'storage' && mode === 'per_period' && (
            <NumberField {...form.number('period')} label={t('field.period')} required />
          )}
          {isSeason && (
            <NumberField
              {...form.number('grace_days')}
              label={t('field.grace')}
              description={t('field.graceHint')}
              required
            />
          )}
          {kind === 'overstay' && <NumberField {...form.number('after_days')} label={t('field.after')} required />}
          {kind === 'service' && (
            <Choice
              {...form.choice('service')}
              label={t('field.service')}
              data={services.map(({ _id, name }) => ({ value: String(_id), label: name }))}
              required
            />
          )}
          {isSized(kind) && (
            <Choice
              {...form.choice('size_class')}
              label={t('field.size')}
              data={['all' as const, ...sizeClasses].map(value => ({ value, label: t(`size.${value}`) }))}
              required
            />
          )}
        </SimpleGrid>
        <Group gap="xs">
          <Text size="sm">
            {labelled(t('field.customer'))}
            <strong>{customer?.name ?? t('everybody')}</strong>
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => (customer ? setCustomer(null) : setSearching(true))}
          >
            {customer ? t('everybody') : t('choose')}
          </Button>
        </Group>
        <SimpleGrid {...columns}>
          <DateField {...form.date('since')} label={t('field.since')} required />
          <DateField {...form.date('until')} label={t('field.until')} required={isSeason} clearable />
          <Money {...form.number('price_excl')} label={t('field.price')} required />
          <NumberField
            {...form.number('vat_rate')}
            label={t('field.vat')}
            description={t('field.vatHint')}
            decimals={2}
            suffix=" %"
          />
          <TextInput {...form.text('article_number')} label={t('field.article')} inputMode="numeric" maxLength={20} />
          <TextInput
            {...form.text('description')}
            label={t('field.description')}
            description={t('field.descriptionHint')}
            maxLength={200}
          />
        </SimpleGrid>
        {Number.isFinite(form.input.price_excl) && (
          <Text size="sm" role="status">
            {`${describe.price(form.input)} · ${customer?.name ?? t('everybody')}`}
          </Text>
        )}
        {isSeason && <SeasonExample rule={form.input} />}
        <FormActions form={form} dialog={dialog} submit={t('save')} />
      </Stack>
    </Form>
  )
}

/** The price of a season, as soon as it can be calculated. */
function SeasonExample({ rule }: { rule: Pick<TariffRule, 'per' | 'since' | 'grace_days' | 'price_excl'> }) {
  const describe = useRuleText()
  const isKnown = rule.since !== '' && Number.isFinite(rule.grace_days) && Number.isFinite(rule.price_excl)
  return isKnown && <Text size="sm">{describe.season(rule)}</Text>
}

type RuleFormProps = { rule: TariffRule; dialog: DialogControls }

/** Another price from a day on. */
export function SuccessorForm({ rule, dialog }: RuleFormProps) {
  const { t } = useTranslation('tariff')
  const today = useToday()
  const succeed = useCall(calls.succeed, { done: 'tariff:succeeded' })
  const form = useContractForm({
    initial: {
      since: (rule.since >= today ? addDays(rule.since, 1) : today) as string | null,
      until: null as string | null,
      price_excl: rule.price_excl as Numeral,
      vat_rate: (rule.vat_rate ?? '') as Numeral,
    },
    schema: calls.succeed.input,
    input: values => ({
      _id: rule._id,
      since: values.since ?? '',
      until: values.until,
      price_excl: priceOf(values.price_excl),
      vat_rate: numberOf(values.vat_rate),
    }),
    ...usePriceChecks(),
    refusals: { 'tariff.dates': 'since', 'tariff.overlaps': 'since' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await succeed.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('succeedText')}</Text>
        <SimpleGrid {...columns}>
          <DateField {...form.date('since')} label={t('field.since')} required data-autofocus />
          <DateField {...form.date('until')} label={t('field.until')} clearable />
          <Money {...form.number('price_excl')} label={t('field.price')} required />
          <NumberField
            {...form.number('vat_rate')}
            label={t('field.vat')}
            description={t('field.vatHint')}
            decimals={2}
            suffix=" %"
          />
        </SimpleGrid>
        <FormActions form={form} dialog={dialog} submit={t('succeed')} />
      </Stack>
    </Form>
  )
}

/** The last day of a rule. */
export function EndForm({ rule, dialog }: RuleFormProps) {
  const { t } = useTranslation('tariff')
  const today = useToday()
  const end = useCall(calls.end, { done: 'tariff:ended' })
  const form = useContractForm({
    initial: { until: (rule.until ?? (rule.since > today ? rule.since : today)) as string | null },
    schema: calls.end.input,
    input: ({ until }) => ({ _id: rule._id, until: until ?? '' }),
    text: useFieldErrorText(),
    refusals: { 'tariff.dates': 'until' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await end.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('endText')}</Text>
        <DateField {...form.date('until')} label={t('field.until')} required data-autofocus />
        <FormActions form={form} dialog={dialog} submit={t('end')} />
      </Stack>
    </Form>
  )
}
