/** What happened to the tyres of a vehicle, and its documents (SPEC §2 "Vehicle detail", history tab). */
import { Badge, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet as calls } from '#contract/fleet.ts'
import { eventsShown, type TyreEvent, tyres } from '#contract/tyres.ts'
import type { Vehicle } from '#contract/wire.ts'
import { comparePositions } from '#domain/axle.ts'
import { isIsoDate } from '#domain/date.ts'
import { ask, useAnswer } from '../api.ts'
import { useSite } from '../session.ts'
import { Choice } from '../../ui/choice.tsx'
import { formatDate, formatDepth, formatMoment } from '../format.ts'
import { useRemembered } from '../hooks.ts'
import { pageWithin, Paging } from '../../ui/paging.tsx'
import { PdfButton } from '../pdf.tsx'
import { Empty, Failed, Placeholders } from '../screen.tsx'
import classes from './vehicleView.module.css'

export function VehicleHistory({ vehicle }: { vehicle: Vehicle }) {
  const { t } = useTranslation('fleet')
  const documents = useAnswer(calls.history, { flt_id: vehicle.flt_id })
  const events = useAnswer(tyres.events, { flt_id: vehicle.flt_id })
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
  if (!answer.data) {
    return answer.isError ? <Failed error={answer.error} retry={answer.refetch} /> : <Placeholders rows={2} />
  }
  if (answer.data.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noDocuments')}
      </Text>
    )
  }
  const money = new Intl.NumberFormat(i18n.language, { style: 'currency', currency: 'EUR' })
  return (
    <Paper className={classes.frame}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('document.number')}</Table.Th>
            <Table.Th className={classes.wide}>{t('document.type')}</Table.Th>
            <Table.Th className={classes.wide}>{t('document.date')}</Table.Th>
            <Table.Th className={classes.number}>{t('document.amount')}</Table.Th>
            <Table.Th className={classes.button}>
              <span className="wh-hidden">{t('document.open')}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {answer.data.map(document => (
            <Table.Tr key={document.db_id}>
              <Table.Td className={classes.whole}>
                {document.document_number_text}
                <span className={classes.underneath}>{formatDate(document.date)}</span>
              </Table.Td>
              <Table.Td className={classes.wide}>{t(`common:documentType.${document.document_type}`)}</Table.Td>
              <Table.Td className={`${classes.wide} ${classes.whole}`}>{formatDate(document.date)}</Table.Td>
              <Table.Td className={`${classes.number} ${classes.whole}`}>{money.format(document.amount_excl)}</Table.Td>
              <Table.Td className={classes.button}>
                <PdfButton
                  size="compact-sm"
                  name={document.document_number_text}
                  aria-label={t('document.openWhich', { number: document.document_number_text })}
                  pdf={() => ask(calls.historydocument, { db_id: document.db_id, doctype: document.document_type })}
                >
                  PDF
                </PdfButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  )
}

const kinds = [
  'added',
  'received',
  'moved',
  'measured',
  'scanned',
  'mounted',
  'invoiced',
  'scrapped',
  'delivered',
  'spared',
  'changed',
  'removed',
] as const

function Events({ vehicle }: { vehicle: Vehicle }) {
  const { t, i18n } = useTranslation(['fleet', 'common'])
  const { allowProfileDepth, time_zone: zone } = useSite()
  const answer = useAnswer(tyres.events, { flt_id: vehicle.flt_id })
  const [size, setSize] = useRemembered<number>('eventsPerPage', 50)
  const [wanted, setWanted] = useState(1)
  const [tyre, setTyre] = useState<number | null>(null)
  if (!answer.data) {
    return answer.isError ? <Failed error={answer.error} retry={answer.refetch} /> : <Placeholders rows={6} />
  }
  if (answer.data.length === 0) return <Empty text={t('fleet:noEvents')} />

  const newest = answer.data.slice(0, eventsShown)
  const known = new Map(newest.map(event => [event.tyre, event]))
  const choices = [...known.values()]
    .toSorted((a, b) => comparePositions(a.position, b.position) || a.tyre - b.tyre)
    .map(event => ({ value: String(event.tyre), label: `${event.position} · ${event.description} (${event.tyre})` }))
  const events = tyre === null ? newest : newest.filter(event => event.tyre === tyre)
  const page = pageWithin(wanted, { total: events.length, size })
  const what = (event: TyreEvent) => {
    const kind = kinds.find(one => one === event.kind)
    if (kind === 'invoiced' && event.note === '-') return t('fleet:event.uninvoiced')
    return kind ? t(`fleet:event.${kind}`) : t('common:unknown')
  }
  const more = (event: TyreEvent) =>
    [
      allowProfileDepth && event.depth !== null && t('common:mm', { depth: formatDepth(event.depth, i18n.language) }),
      event.odometer !== null &&
        t('common:km', { distance: new Intl.NumberFormat(i18n.language).format(event.odometer) }),
      // of an invoice the note is its date, or that it was removed
      event.kind === 'invoiced' ? isIsoDate(event.note) && formatDate(event.note) : event.note,
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
          setWanted(1)
        }}
        clearable
        searchable
        mb="xs"
        className={classes.eventsOf}
      />
      {answer.data.length > newest.length && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('fleet:eventsCut', {
            count: eventsShown,
            shown: new Intl.NumberFormat(i18n.language).format(eventsShown),
          })}
        </Text>
      )}
      <Paper className={classes.frame}>
        <Table className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('fleet:when')}</Table.Th>
              <Table.Th>{t('fleet:what')}</Table.Th>
              <Table.Th className={classes.wide}>{t('fleet:tyre')}</Table.Th>
              <Table.Th className={classes.wide}>{t('common:tyre.rack')}</Table.Th>
              <Table.Th className={classes.wide}>{t('fleet:operation')}</Table.Th>
              <Table.Th className={classes.wide}>{t('fleet:who')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {events.slice((page - 1) * size, page * size).map((event, at) => (
              <Table.Tr key={`${event.tyre} ${event.at} ${event.kind} ${at}`}>
                <Table.Td className={classes.moment}>{formatMoment(event.at, zone)}</Table.Td>
                <Table.Td>
                  {what(event)} <Badge variant="default">{event.position}</Badge>
                  {more(event) && (
                    <Text size="xs" c="dimmed">
                      {more(event)}
                    </Text>
                  )}
                  <span className={classes.underneath}>
                    {[event.description, event.rack, event.operation && `#${event.operation}`, event.by]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </Table.Td>
                <Table.Td className={classes.wide}>{event.description}</Table.Td>
                <Table.Td className={classes.wide}>{event.rack}</Table.Td>
                <Table.Td className={classes.wide}>{event.operation && `#${event.operation}`}</Table.Td>
                <Table.Td className={classes.wide}>{event.by}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Paging
        label={t('fleet:eventsPerPage')}
        total={events.length}
        page={page}
        size={size}
        onPage={setWanted}
        onSize={next => {
          setSize(next)
          setWanted(1)
        }}
      />
    </>
  )
}
