/** The transport methods of a site (docs/product/operations.md "Transport methods"). */
import { Badge, SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { transports as calls } from '#contract/transports.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { labelled } from '../i18n.ts'
import { useCall } from '../shared/api.ts'
import { weekdayName, weekdaysText, weekOrder } from '../shared/weekdays.ts'
import { NumberField } from '../ui/form/numberField.tsx'
import { Descriptions } from './descriptions.tsx'
import { type EditedSite, showConfig } from './editing.ts'
import { type Entry, type EntryForm, EntryList } from './entries.tsx'
import { Boxes } from './fields.tsx'
import { tidyTime } from './time.ts'
import {
  cutoffOf,
  newTransport,
  transportErrors,
  transportInput,
  transportValues,
  type TransportValues,
} from './transportForm.ts'
import { askRemoval } from './transportRemoval.tsx'

type Transport = Entry<'transportMethods'>

export function Transports({ site }: { site: EditedSite }) {
  const { t, i18n } = useTranslation('config')
  const remove = useCall(calls.remove, {
    doing: 'config:removing.transportMethods',
    done: 'config:removed.transportMethods',
  })
  const { _id: id, version, transportMethods: methods } = site.saved
  const limit = (most: number) => (most ? formatNumber(most, i18n.language) : t('noLimit'))
  const days = ({ operationDays }: Transport) => weekdaysText(operationDays, i18n.language) || t('noDays')
  return (
    <EntryList
      list="transportMethods"
      site={site}
      editor={{
        titleOf: method => (method ? t('editTransport', { name: method.name }) : t('newTransport')),
        newValues: () => newTransport(methods.length === 0),
        valuesOf: transportValues,
        errorsOf: transportErrors,
        inputOf: transportInput,
        Fields: TransportFields,
      }}
      header={t('transport.name')}
      renderName={method => (
        <>
          <strong>{method.name}</strong>
          <code>{method.code}</code>
          {method.default && <Badge size="sm">{t('transport.default')}</Badge>}
        </>
      )}
      columns={[
        {
          id: 'days',
          header: t('transport.operationDays'),
          render: method => (
            <>
              {days(method)}
              <Text size="xs" c="dimmed">
                {labelled(t('transport.cutoffHour'), cutoffOf(method) || t('allDay'))}
              </Text>
            </>
          ),
          from: 'xl',
        },
        { id: 'advance', header: t('transport.advanceDays'), render: method => method.advanceDays, from: 'xl' },
        {
          id: 'operations',
          header: t('transport.operationsPerDay'),
          render: method => limit(method.operationsPerDay),
          align: 'end',
          from: 'xl',
        },
        {
          id: 'tyres',
          header: t('transport.tyresPerDay'),
          render: method => limit(method.tyresPerDay),
          align: 'end',
          from: 'xl',
        },
      ]}
      summary={method => [
        days(method),
        cutoffOf(method) !== '' && t('cutoffAt', { time: cutoffOf(method) }),
        t('daysAhead', { count: method.advanceDays }),
        t('operationsADay', { limit: limit(method.operationsPerDay) }),
        t('tyresADay', { limit: limit(method.tyresPerDay) }),
      ]}
      remove={async (method, { leave, add }) => {
        const answer = await askRemoval(method, { id, methods })
        if (!answer.remove) return answer.add ? add() : undefined
        leave()
        const { config } = await remove.mutateAsync({ id, transport: method._id, by: answer.by, version })
        showConfig(site, config)
      }}
    />
  )
}

function TransportFields({ form }: { form: EntryForm<TransportValues> }) {
  const { t, i18n } = useTranslation('config')
  const { cutoffHour, operationDays } = form.values
  const count = (field: 'advanceDays' | 'operationsPerDay' | 'tyresPerDay') => ({
    ...form.number(field),
    label: t(`transport.${field}`),
    description: t(`transportHint.${field}`),
    required: true,
  })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        <TextInput {...form.text('name')} label={t('transport.name')} maxLength={60} required data-autofocus />
        <TextInput {...form.text('code')} label={t('transport.code')} maxLength={20} spellCheck={false} required />
      </SimpleGrid>
      <Boxes
        label={t('transport.operationDays')}
        error={form.error('operationDays') && t('transportHint.noDays')}
        options={weekOrder.map(day => ({ value: day, label: weekdayName(day, i18n.language) }))}
        chosen={operationDays}
        required
        onChange={days => form.set({ operationDays: days.toSorted() })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 4 }} spacing="md" verticalSpacing="sm">
        <TextInput
          {...form.text('cutoffHour')}
          label={t('transport.cutoffHour')}
          description={t('transportHint.cutoffHour')}
          onBlur={() => {
            form.set({ cutoffHour: tidyTime(cutoffHour) })
            form.leave('cutoffHour')
          }}
          placeholder="16:00"
          maxLength={8}
        />
        <NumberField {...count('advanceDays')} max={180} />
        <NumberField {...count('operationsPerDay')} />
        <NumberField {...count('tyresPerDay')} />
      </SimpleGrid>
      <Switch {...form.flag('default')} label={t('transport.isDefault')} description={t('transportHint.default')} />
      <Descriptions form={form} />
    </>
  )
}
