/** The entries of a page; on a phone each is a card. */
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { AuditEntry } from '#contract/audit.ts'
import { describeFacts, describeSubject, type FactLine, isAuditAction } from '#domain/audit.ts'
import { labelled } from '../i18n.ts'
import { useWho } from '../shared/session.ts'
import { formatMoment } from '../shared/format.ts'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Unbroken } from '../ui/unbroken.tsx'
import classes from './audit.module.css'
import { useZone } from './zone.ts'

type Say = (key: string, params?: Record<string, string | number>) => string

export function Entries({ entries, waiting }: { entries: readonly AuditEntry[]; waiting: boolean }) {
  const { t, i18n } = useTranslation([
    'audit',
    'common',
    'config',
    'counts',
    'invoices',
    'locations',
    'nav',
    'tariff',
    'vehicle',
  ])
  const superuser = useWho().type === 'superuser'
  const zone = useZone()
  // The keys come with the entry.
  const say = t as unknown as Say
  return (
    <DataTable
      columns={[
        {
          id: 'at',
          header: t('audit:column.at'),
          render: ({ at }) => (
            <>
              <time dateTime={at}>{formatMoment(at, zone)}</time>
              {superuser && <span className={classes.under}>UTC</span>}
            </>
          ),
        },
        {
          id: 'who',
          header: t('audit:column.who'),
          render: ({ who, token }) => (
            <>
              {who ? who.fullname || who.username || t('nav:roles.superuser') : t('audit:commandLine')}
              {who?.fullname && <span className={classes.under}>{who.username}</span>}
              {token !== null && <span className={classes.under}>{t('audit:byToken', { name: token })}</span>}
            </>
          ),
        },
        {
          id: 'action',
          header: t('audit:column.action'),
          render: ({ action, subject, called, flt_id, facts }) => (
            <>
              <strong>{isAuditAction(action) ? say(`audit:action.${action}`) : action}</strong>
              <span className={classes.subject}>
                {flt_id !== null && called ? (
                  <VehiclePlate plate={called} id={flt_id} size="sm" />
                ) : (
                  <Unbroken>{called ?? describeSubject({ subject, facts }, say)}</Unbroken>
                )}
              </span>
            </>
          ),
        },
        {
          id: 'place',
          header: t(superuser ? 'audit:column.site' : 'audit:column.customer'),
          render: ({ customer, site }) => (superuser ? site?.name : customer?.name),
        },
        {
          id: 'facts',
          header: t('audit:column.facts'),
          render: entry => <Facts facts={factsOf(entry, say, i18n.language)} />,
        },
      ]}
      rows={entries}
      keyOf={({ _id }) => _id}
      rowAttributes={({ _id }) => ({ 'data-entry': _id })}
      phone={{ columns: 'minmax(0, 1fr)' }}
      busy={waiting}
      className={classes.table}
      frame
    />
  )
}

/** The facts of an entry; its plate is already shown beside the action. */
function factsOf({ action, facts, flt_id }: AuditEntry, say: Say, language: string): readonly FactLine[] {
  const { plate, ...rest } = facts
  return describeFacts(action, plate === undefined || flt_id === null ? facts : rest, say, language)
}

/** Characters shown at first; the facts of a configuration can fill a page. */
const linesAtFirst = 3
const lettersAtFirst = 160

function Facts({ facts }: { facts: readonly FactLine[] }) {
  const { t } = useTranslation('audit')
  const [whole, setWhole] = useState(false)
  const long = facts.length > linesAtFirst || facts.some(({ value }) => value.length > lettersAtFirst)
  const shown = whole ? facts : facts.slice(0, linesAtFirst)
  if (facts.length === 0) return null
  return (
    <>
      <dl className={classes.facts}>
        {shown.map(({ name, value }, nth) => (
          // the same list has several rows of one name
          // oxlint-disable-next-line react/no-array-index-key
          <div key={nth}>
            <dt>{labelled(name)}</dt>
            <dd>
              <Unbroken>
                {whole || value.length <= lettersAtFirst ? value : `${value.slice(0, lettersAtFirst)}…`}
              </Unbroken>
            </dd>
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
