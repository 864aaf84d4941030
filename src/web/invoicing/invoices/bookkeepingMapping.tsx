/** How the CSV file for bookkeeping is made, kept by the site (docs/bookkeeping.md "CSV"). */
import { ActionIcon, Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import type { ChangeEvent } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { invoices as calls, mappingForm } from '#contract/invoices.ts'
import {
  bookkeepingFields,
  bookkeepingRows,
  dateForms,
  decimalSigns,
  mappingLimits,
  separators,
} from '#domain/money/bookkeeping.ts'
import { vatCategories } from '#domain/money/invoice.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useFieldErrorText } from '../../shared/form/fieldErrors.ts'
import { type ContractForm, useContractForm } from '../../shared/form/useContractForm.ts'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { Form, FormActions } from '../../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../../ui/form/formDialog.tsx'
import { NumberField } from '../../ui/form/numberField.tsx'
import { Choice } from '../../ui/select.tsx'
import classes from '../invoicing.module.css'

type Mapping = Answer<typeof calls.mapping>
type Draft = Omit<Mapping, 'accounts'> & {
  accounts: (Omit<Mapping['accounts'][number], 'rate'> & { rate: number | string })[]
}
type MappingForm = ContractForm<Draft, unknown>

export function MappingDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('invoices')
  return (
    <FormDialog opened={opened} onClose={onClose} title={t('mapping.title')} size="52rem" long lost={t('mapping.lost')}>
      {dialog => <Loaded dialog={dialog} />}
    </FormDialog>
  )
}

function Loaded({ dialog }: { dialog: DialogControls }) {
  const mapping = useAnswer(calls.mapping, {})
  if (mapping.data) return <MappingFields saved={mapping.data} dialog={dialog} />
  if (mapping.isError) return <Failed error={mapping.error} retry={mapping.refetch} />
  return <Placeholders rows={6} />
}

const options = <T extends string>(values: readonly T[], label: (value: T) => string) =>
  values.map(value => ({ value, label: label(value) }))

/** A list with two entries exchanged. */
const swapped = <T,>(list: readonly T[], at: number, other: number): T[] =>
  list.map((entry, nth) => (nth === at ? (list[other] as T) : nth === other ? (list[at] as T) : entry))

function MappingFields({ saved, dialog }: { saved: Mapping; dialog: DialogControls }) {
  const { t } = useTranslation('invoices')
  const save = useCall(calls.savemapping, { doing: 'invoices:mapping.saving', done: 'invoices:mapping.saved' })
  const form = useContractForm({
    initial: saved as Draft,
    schema: mappingForm,
    input: draft => ({
      ...draft,
      accounts: draft.accounts.map(entry => ({ ...entry, rate: entry.rate === '' ? undefined : Number(entry.rate) })),
    }),
    text: useFieldErrorText(),
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async () => {
        await save.mutateAsync(mappingForm.parse(form.input))
        dialog.close()
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t('mapping.text')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} spacing="md">
          <Choice
            {...form.choice('rows')}
            label={t('mapping.rows')}
            data-autofocus
            data={options(bookkeepingRows, value => t(`mapping.rowsOf.${value}`))}
          />
          <Choice
            {...form.choice('separator')}
            label={t('mapping.separator')}
            data={options(Object.keys(separators) as (keyof typeof separators)[], value => t(`mapping.sign.${value}`))}
          />
          <Choice
            {...form.choice('decimal')}
            label={t('mapping.decimal')}
            data={options(Object.keys(decimalSigns) as (keyof typeof decimalSigns)[], value =>
              t(`mapping.sign.${value}`),
            )}
          />
          <Choice {...form.choice('date')} label={t('mapping.date')} data={[...dateForms]} />
        </SimpleGrid>
        <Group gap="lg">
          <Checkbox {...form.flag('headings')} label={t('mapping.headings')} />
          <Checkbox {...form.flag('negative')} label={t('mapping.negative')} />
        </Group>
        <TextInput
          {...form.text('customer_account')}
          label={t('mapping.field.customer_account')}
          maxLength={mappingLimits.account}
        />
        <Columns form={form} />
        <Accounts form={form} />
        <FormActions form={form} dialog={dialog} submit={t('mapping.save')} />
      </Stack>
    </Form>
  )
}

function Columns({ form }: { form: MappingForm }) {
  const { t } = useTranslation('invoices')
  const { columns } = form.values
  const set = (next: Draft['columns']) => form.set({ columns: next })
  const change = (at: number, part: Partial<Draft['columns'][number]>) =>
    set(columns.map((entry, nth) => (nth === at ? { ...entry, ...part } : entry)))
  const text = (nth: number, field: 'heading' | 'text') => ({
    value: columns[nth]?.[field] ?? '',
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      change(nth, field === 'heading' ? { heading: value } : { text: value }),
    onBlur: () => form.leave(`columns.${nth}.${field}`),
    error: form.error(`columns.${nth}.${field}`),
    autoComplete: 'off',
  })
  return (
    <Fieldset legend={t('mapping.columns')}>
      <Stack gap="xs" component="ol" className={classes.mapping}>
        {columns.map((column, nth) => (
          <li key={nth} className={classes.mappingRow}>
            <Choice
              value={column.field}
              onChange={value => {
                const field = bookkeepingFields.find(candidate => candidate === value)
                if (field) change(nth, { field })
              }}
              aria-label={t('mapping.fieldOf', { count: nth + 1 })}
              data={bookkeepingFields.map(field => ({ value: field, label: t(`mapping.field.${field}`) }))}
            />
            <TextInput
              {...text(nth, 'heading')}
              aria-label={t('mapping.headingOf', { count: nth + 1 })}
              placeholder={t('mapping.heading')}
              maxLength={mappingLimits.heading}
            />
            <TextInput
              {...text(nth, 'text')}
              aria-label={t('mapping.textOf', { count: nth + 1 })}
              placeholder={t('mapping.field.text')}
              maxLength={mappingLimits.text}
              disabled={column.field !== 'text'}
            />
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="subtle"
                aria-label={t('mapping.up', { count: nth + 1 })}
                disabled={nth === 0}
                onClick={() => set(swapped(columns, nth, nth - 1))}
              >
                <IconArrowUp size={18} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                aria-label={t('mapping.down', { count: nth + 1 })}
                disabled={nth === columns.length - 1}
                onClick={() => set(swapped(columns, nth, nth + 1))}
              >
                <IconArrowDown size={18} aria-hidden />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t('mapping.remove', { count: nth + 1 })}
                disabled={columns.length === 1}
                onClick={() => set(columns.filter((_, other) => other !== nth))}
              >
                <IconTrash size={18} aria-hidden />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </Stack>
      <Button
        mt="sm"
        size="xs"
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={columns.length >= mappingLimits.columns}
        onClick={() => set([...columns, { heading: '', field: 'text', text: '' }])}
      >
        {t('mapping.addColumn')}
      </Button>
    </Fieldset>
  )
}

function Accounts({ form }: { form: MappingForm }) {
  const { t } = useTranslation('invoices')
  const { accounts } = form.values
  const set = (next: Draft['accounts']) => form.set({ accounts: next })
  const change = (at: number, part: Partial<Draft['accounts'][number]>) =>
    set(accounts.map((entry, nth) => (nth === at ? { ...entry, ...part } : entry)))
  const text = (nth: number, field: 'account' | 'vat_code') => ({
    value: accounts[nth]?.[field] ?? '',
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
      change(nth, field === 'account' ? { account: value } : { vat_code: value }),
    onBlur: () => form.leave(`accounts.${nth}.${field}`),
    error: form.error(`accounts.${nth}.${field}`),
    autoComplete: 'off',
  })
  return (
    <Fieldset legend={t('mapping.accounts')}>
      <Stack gap="xs" component="ul" className={classes.mapping}>
        {accounts.map((account, nth) => (
          <li key={nth} className={classes.mappingRow}>
            <Choice
              value={account.category}
              onChange={value => {
                const category = vatCategories.find(candidate => candidate === value)
                if (category) change(nth, { category })
              }}
              aria-label={t('mapping.categoryOf', { count: nth + 1 })}
              data={vatCategories.map(category => ({ value: category, label: t(`mapping.category.${category}`) }))}
            />
            <NumberField
              value={account.rate}
              onChange={rate => change(nth, { rate })}
              onBlur={() => form.leave(`accounts.${nth}.rate`)}
              error={form.error(`accounts.${nth}.rate`)}
              aria-label={t('mapping.rateOf', { count: nth + 1 })}
              decimals={2}
              suffix=" %"
              hideControls
            />
            <TextInput
              {...text(nth, 'account')}
              aria-label={t('mapping.accountOf', { count: nth + 1 })}
              placeholder={t('mapping.field.account')}
              maxLength={mappingLimits.account}
            />
            <TextInput
              {...text(nth, 'vat_code')}
              aria-label={t('mapping.codeOf', { count: nth + 1 })}
              placeholder={t('mapping.field.vat_code')}
              maxLength={mappingLimits.vat_code}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t('mapping.removeAccount', { count: nth + 1 })}
              onClick={() => set(accounts.filter((_, other) => other !== nth))}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </Stack>
      <Button
        mt="sm"
        size="xs"
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={accounts.length >= mappingLimits.accounts}
        onClick={() => set([...accounts, { category: 'S', rate: '', account: '', vat_code: '' }])}
      >
        {t('mapping.addAccount')}
      </Button>
    </Fieldset>
  )
}
