/** The entries of a page; on a phone each is a card. */
import { Table, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '#contract/audit.ts'
import { isAuditAction, type FactLine, describeFacts } from '#domain/audit.ts'
import { useWho } from '../shared/session.ts'
import { formatMoment } from '../shared/format.ts'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import classes from './audit.module.css'
import { useZone } from './zone.ts'

export function Entries({ entries, waiting }: { entries: readonly AuditEntry[]; waiting: boolean }) {
  const { t } = useTranslation('audit')
  const superuser = useWho().type === 'superuser'
  return (
    <div className={classes.frame} aria-busy={waiting}>
      <Table className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('column.at')}</Table.Th>
            <Table.Th>{t('column.who')}</Table.Th>
            <Table.Th>{t('column.action')}</Table.Th>
            <Table.Th>{t(superuser ? 'column.site' : 'column.customer')}</Table.Th>
            <Table.Th>{t('column.facts')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(entry => (
            <Row key={entry._id} entry={entry} superuser={superuser} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function Row({ entry, superuser }: { entry: AuditEntry; superuser: boolean }) {
  const { t } = useTranslation(['audit', 'common', 'config', 'nav', 'vehicle'])
  const { at, action, subject, called, flt_id, facts, who, customer, site } = entry
  const zone = useZone()
  // the keys come with the entry
  const say = t as unknown as (key: string, params?: Record<string, string | number>) => string
  const { plate, ...rest } = facts
  // said beside the deed already
  const told = describeFacts(action, plate === undefined || flt_id === null ? facts : rest, say)
  const place = superuser ? site?.name : customer?.name
  return (
    <Table.Tr data-entry={entry._id}>
      <Table.Td className={classes.at}>
        <time dateTime={at}>{formatMoment(at, zone)}</time>
        {superuser && <span className={classes.under}>UTC</span>}
      </Table.Td>
      <Table.Td>
        {who ? who.fullname || who.username || t('nav:roles.superuser') : t('audit:commandLine')}
        {who?.fullname && <span className={classes.under}>{who.username}</span>}
      </Table.Td>
      <Table.Td>
        <strong>{isAuditAction(action) ? say(`audit:action.${action}`) : action}</strong>
        <span className={classes.subject}>
          {flt_id !== null && called ? <VehiclePlate plate={called} id={flt_id} size="sm" /> : (called ?? subject)}
        </span>
      </Table.Td>
      <Table.Td data-none={!place || undefined}>{place}</Table.Td>
      <Table.Td data-none={told.length === 0 || undefined}>
        <Facts told={told} />
      </Table.Td>
    </Table.Tr>
  )
}

/** So much is shown at first; a configuration can say a page at once. */
const linesAtFirst = 3
const lettersAtFirst = 160

function Facts({ told }: { told: readonly FactLine[] }) {
  const { t } = useTranslation('audit')
  const [whole, setWhole] = useState(false)
  const long = told.length > linesAtFirst || told.some(({ value }) => value.length > lettersAtFirst)
  const shown = whole ? told : told.slice(0, linesAtFirst)
  return (
    <>
      <dl className={classes.facts}>
        {shown.map(({ name, value }, nth) => (
          // the same list has several rows of one name
          // oxlint-disable-next-line react/no-array-index-key
          <div key={nth}>
            <dt>{name}</dt>{' '}
            <dd>{whole || value.length <= lettersAtFirst ? value : `${value.slice(0, lettersAtFirst)}…`}</dd>
          </div>
        ))}
      </dl>
      {long && (
        <UnstyledButton className={classes.toggle} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {t(whole ? 'less' : 'more')}
        </UnstyledButton>
      )}
    </>
  )
}
