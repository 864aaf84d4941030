/** The events of a vehicle's tyres, and its documents. */
import { Badge, Stack, Text, Title } from '@mantine/core'
import { Fragment, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import { maxEventsShown, type TyreEvent, tyres } from '#contract/tyres.ts'
import type { Vehicle } from '#contract/wire.ts'
import { comparePositions } from '#domain/vehicles/axle.ts'
import { damageCodes, isDamageEvent } from '#domain/warehouse/damage.ts'
import { isIsoDate } from '#domain/texts/date.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { tyreEventKinds } from '#domain/tyres/tyre.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { formatDate, formatDepth, formatMoment } from '../shared/format.ts'
import { useRemembered } from '../shared/hooks.ts'
import { Dotted, Rack } from '../shared/trade.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { CopyButton } from '../ui/copyButton.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { paging } from '../ui/dataTable/paging.tsx'
import { PdfButton } from '../shared/pdf.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { TextLink } from '../ui/link.tsx'
import { OdometerLog } from './mounts/odometerLog.tsx'
import { eventGroups, textsOf } from './eventGroups.ts'
import { useMounts } from './mounts/useMounts.ts'
import classes from './vehicleView.module.css'

export function VehicleHistory({ vehicle }: { vehicle: Vehicle }) {
  const { t } = useTranslation('fleet')
  const { allowTachometer } = useSite()
  const documents = useAnswer(calls.history, { flt_id: vehicle.flt_id })
  const events = useAnswer(tyres.events, { flt_id: vehicle.flt_id })
  const { data: mounted } = useMounts(vehicle)
  // how many documents there are says where the events begin: they would jump if they came first
  if (documents.isPending || events.isPending) return <Placeholders rows={8} />
  return (
    <Stack gap="lg">
      <section aria-labelledby="documents">
        <Title order={2} id="documents" mb="xs">
          {t('documents')}
        </Title>
        <Documents vehicle={vehicle} />
      </section>
      {allowTachometer && (
        <section aria-labelledby="odometer">
          <Title order={2} id="odometer" mb="xs">
            {t('odometer')}
          </Title>
          <OdometerLog vehicle={vehicle} mounted={mounted} />
        </section>
      )}
      <section aria-labelledby="events">
        <Title order={2} id="events" mb="xs">
          {t('events')}
        </Title>
        <Events vehicle={vehicle} />
      </section>
    </Stack>
  )
}

function Documents({ vehicle }: { vehicle: Vehicle }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const answer = useAnswer(calls.history, { flt_id: vehicle.flt_id })
  const money = moneyIn(i18n.language)
  return (
    <DataTable
      columns={[
        {
          id: 'number',
          header: t('document.number'),
          render: document => (
            <>
              {document.document_number_text} <CopyButton text={document.document_number_text} />
              <BelowCell>{formatDate(document.date)}</BelowCell>
            </>
          ),
          nowrap: true,
        },
        {
          id: 'type',
          header: t('document.type'),
          render: document => t(`common:documentType.${document.document_type}`),
          from: 'sm',
        },
        {
          id: 'date',
          header: t('document.date'),
          render: document => formatDate(document.date),
          nowrap: true,
          from: 'sm',
        },
        {
          id: 'amount',
          header: t('document.amount'),
          render: document => money.format(document.amount_excl),
          align: 'end',
        },
        {
          id: 'open',
          header: t('document.open'),
          headerHidden: true,
          render: document => (
            <PdfButton
              size="compact-sm"
              name={document.document_number_text}
              aria-label={t('document.openWhich', { number: document.document_number_text })}
              pdf={() => ask(calls.historydocument, { db_id: document.db_id, doctype: document.document_type })}
            >
              PDF
            </PdfButton>
          ),
          align: 'end',
          width: '1%',
        },
      ]}
      rows={answer.data}
      keyOf={document => document.db_id}
      failure={answer.isError && <Failed error={answer.error} retry={answer.refetch} />}
      placeholders={2}
      empty={
        <Text size="sm" c="dimmed">
          {t('noDocuments')}
        </Text>
      }
      phone={{ heads: 'shown' }}
      frame
    />
  )
}

function Events({ vehicle }: { vehicle: Vehicle }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth, time_zone: zone } = useSite()
  const answer = useAnswer(tyres.events, { flt_id: vehicle.flt_id })
  const [size, setSize] = useRemembered<number>('eventsPerPage', 50)
  const [page, setPage] = useState(1)
  const [tyre, setTyre] = useState<number | null>(null)
  if (!answer.data) {
    return answer.isError ? <Failed error={answer.error} retry={answer.refetch} /> : <Placeholders rows={6} />
  }
  if (answer.data.length === 0) return <Empty text={t('fleet:noEvents')} />

  const newest = answer.data.slice(0, maxEventsShown)
  const latest = new Map(newest.map(event => [event.tyre, event]))
  const choices = [...latest.values()]
    .toSorted((a, b) => comparePositions(a.position, b.position) || a.tyre - b.tyre)
    .map(event => ({ value: String(event.tyre), label: `${event.position} · ${event.description} (${event.tyre})` }))
  const events = tyre === null ? newest : newest.filter(event => event.tyre === tyre)
  const what = (event: TyreEvent) => {
    const kind = tyreEventKinds.find(candidate => candidate === event.kind)
    if (kind === 'invoiced' && event.note === '-') return t('fleet:event.uninvoiced')
    return kind ? t(`fleet:event.${kind}`) : t('common:unknown')
  }
  /** Of damage the note is its code. */
  const damageOf = (event: TyreEvent): string | null => {
    const code = isDamageEvent(event.kind) && damageCodes.find(candidate => candidate === event.note)
    return code ? t(`common:damage.${code}`) : null
  }
  const more = (event: TyreEvent) =>
    [
      allowProfileDepth && event.depth !== null && t('common:mm', { depth: formatDepth(event.depth, i18n.language) }),
      event.odometer !== null && t('common:km', { distance: formatNumber(event.odometer, i18n.language) }),
      // of an invoice the note is its date, or that it was removed; of a change of customer the day
      event.kind === 'invoiced' || event.kind === 'transferred'
        ? isIsoDate(event.note) && formatDate(event.note)
        : (damageOf(event) ?? event.note),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <>
      <Choice
        aria-label={t('fleet:eventsOf')}
        placeholder={t('fleet:allTyres')}
        data={choices}
        value={tyre === null ? null : String(tyre)}
        onChange={id => {
          setTyre(id === null ? null : Number(id))
          setPage(1)
        }}
        clearable
        searchable
        mb="xs"
        className={classes.eventsOf}
      />
      {answer.data.length > newest.length && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('fleet:eventsCut', {
            count: maxEventsShown,
            shown: formatNumber(maxEventsShown, i18n.language),
          })}
        </Text>
      )}
      <DataTable
        columns={[
          {
            id: 'when',
            header: t('fleet:when'),
            render: ({ group: [event] }) => formatMoment(event.at, zone),
            className: classes.moment,
          },
          {
            id: 'what',
            header: t('fleet:what'),
            render: ({ group }) => {
              const [event] = group
              const facts = textsOf(group, more)
              return (
                <>
                  {what(event)}{' '}
                  {group.map(({ tyre: id, position }) => (
                    <Fragment key={id}>
                      <Badge variant="default">{position}</Badge>{' '}
                    </Fragment>
                  ))}
                  {facts && (
                    <Text size="xs" c="dimmed">
                      {facts}
                    </Text>
                  )}
                  <BelowCell>
                    <Dotted>
                      {textsOf(group, descriptionOf)}
                      {textsOf(group, rackOf)}
                      {event.operation && <OperationOf event={event} />}
                      {event.by}
                    </Dotted>
                  </BelowCell>
                </>
              )
            },
          },
          { id: 'tyre', header: t('fleet:tyre'), render: ({ group }) => textsOf(group, descriptionOf), from: 'sm' },
          {
            id: 'rack',
            header: t('common:tyre.rack'),
            render: ({ group }) => <Rack name={textsOf(group, rackOf)} />,
            from: 'sm',
          },
          {
            id: 'operation',
            header: t('fleet:operation'),
            render: ({ group: [event] }) => <OperationOf event={event} />,
            from: 'sm',
          },
          { id: 'who', header: t('fleet:who'), render: ({ group: [event] }) => event.by, from: 'sm' },
        ]}
        rows={eventGroups(events).map((group, nth) => ({ group, nth }))}
        keyOf={({ nth }) => nth}
        paging={paging({
          label: t('fleet:eventsPerPage'),
          page,
          size,
          onPage: setPage,
          onSize: next => {
            setSize(next)
            setPage(1)
          },
        })}
        phone={{ heads: 'shown' }}
        frame
      />
    </>
  )
}

const descriptionOf = ({ description }: TyreEvent) => description
const rackOf = ({ rack }: TyreEvent) => rack ?? ''

/** The number of an operation; that of a storage opens its receipt. */
function OperationOf({ event: { operation, kind } }: { event: TyreEvent }) {
  const { t } = useTranslation('papers')
  if (operation === null) return null
  if (kind !== 'received') return `#${operation}`
  return (
    <TextLink to="/receipt" search={{ operation }} size="sm" aria-label={t('receiptWhich', { number: operation })}>
      #{operation}
    </TextLink>
  )
}
