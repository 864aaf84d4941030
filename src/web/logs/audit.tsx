/** The audit: changes of an administrator's site, or of a superuser's sites and dictionary (docs/product/calls.md "Audit"). */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Answer } from '#contract/call.ts'
import { audit as calls, type AuditEntry, type AuditFilter } from '#contract/logs.ts'
import {
  auditGroups,
  describeFacts,
  describeSubject,
  type FactLine,
  isAuditAction,
  superuserGroups,
} from '#domain/people/audit.ts'
import { auditSearch } from '../searchParams.ts'
import { CustomerChoice } from '../customers/customerChoice.tsx'
import { useWho } from '../shared/session.ts'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { ViewMenu } from '../views/viewMenu.tsx'
import { Choice } from '../ui/select.tsx'
import { useTranslation } from '../ui/texts.ts'
import { Unbroken } from '../ui/unbroken.tsx'
import { Facts, useLogColumns } from './columns.tsx'
import { updating } from './filters.tsx'
import { LogScreen } from './logScreen.tsx'
import classes from './logs.module.css'

type AuditSearch = ReturnType<typeof auditSearch>
type Say = (key: string, params?: Record<string, string | number>) => string

export function Audit() {
  const { t, i18n } = useTranslation([
    'audit',
    'common',
    'config',
    'counts',
    'invoices',
    'locations',
    'nav',
    'tariff',
    'vehicles',
  ])
  // the keys come with the entry
  const say = t as unknown as Say
  const search = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate()
  const change = (next: AuditSearch) =>
    void navigate({ to: '/admin/audit', search: next, replace: true, resetScroll: false })
  const update = updating(search, change)
  const superuser = useWho().type === 'superuser'
  const { at, place } = useLogColumns<AuditEntry>('audit')
  return (
    <LogScreen
      name="audit"
      calls={calls}
      search={search}
      filter={filterOf(search)}
      change={change}
      views={
        !superuser && (
          <ViewMenu
            list="audit"
            filter={search}
            open={view => void navigate({ to: '/admin/audit', search: auditSearch(view) })}
          />
        )
      }
      hasWords
      what={
        <Choice
          label={t('what')}
          placeholder={t('everything')}
          data={(superuser ? superuserGroups : auditGroups).map(value => ({ value, label: t(`group.${value}`) }))}
          value={search.group ?? null}
          onChange={group => update({ group: group ?? undefined })}
          clearable
        />
      }
      chips={[
        search.group !== undefined && {
          key: 'group',
          label: t(`group.${search.group}`),
          clear: () => update({ group: undefined }),
        },
        search.customer !== undefined && {
          key: 'customer',
          label: t('customer'),
          clear: () => update({ customer: undefined }),
        },
      ]}
      customer={
        <CustomerChoice
          label={t('customer')}
          placeholder={t('allCustomers')}
          value={search.customer}
          onChange={customer => update({ customer })}
        />
      }
      entriesOf={({ entries }: Answer<typeof calls.list>) => entries}
      rowAttributes={({ _id }) => ({ 'data-entry': _id })}
      phone={{ columns: 'minmax(0, 1fr)' }}
      columns={[
        at,
        {
          id: 'who',
          header: t('column.who'),
          render: ({ who, token }) => (
            <>
              {who ? who.fullname || who.username || t('nav:roles.superuser') : t('commandLine')}
              {who?.fullname && <span className={classes.under}>{who.username}</span>}
              {token !== null && <span className={classes.under}>{t('byToken', { name: token })}</span>}
            </>
          ),
        },
        {
          id: 'action',
          header: t('column.action'),
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
        place,
        {
          id: 'facts',
          header: t('column.facts'),
          render: entry => <Facts lines={factsOf(entry, say, i18n.language)} folds />,
        },
      ]}
    />
  )
}

/** The filter of the address, as the calls' input. */
const filterOf = ({ search, group, account, customer, site, from, to }: AuditSearch): AuditFilter => ({
  ...(search && { search }),
  ...(group && { group }),
  ...(account !== undefined && { account }),
  ...(customer !== undefined && { seq_id: customer }),
  ...(site !== undefined && { site }),
  ...(from && { startDate: from }),
  ...(to && { endDate: to }),
})

/** The facts of an entry; its plate is already shown beside the action. */
function factsOf({ action, facts, flt_id }: AuditEntry, say: Say, language: string): readonly FactLine[] {
  const { plate, ...rest } = facts
  return describeFacts(action, plate === undefined || flt_id === null ? facts : rest, say, language)
}
