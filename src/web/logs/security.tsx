/** The security log: sign-ins, account changes and exports (docs/product/calls.md "Security events"). */
import { Badge, type MantineColor } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Answer } from '#contract/call.ts'
import { security as calls, type SecurityEvent, type SecurityFilter } from '#contract/logs.ts'
import { deviceName } from '#domain/people/device.ts'
import { describeSecurityFacts, isSecurityKind, type SecurityKind, securityKinds } from '#domain/people/security.ts'
import type { securitySearch } from '../searchParams.ts'
import { useWho } from '../shared/session.ts'
import { Choice } from '../ui/select.tsx'
import { useTranslation } from '../ui/texts.ts'
import { Facts, useLogColumns } from './columns.tsx'
import { updating } from './filters.tsx'
import { LogScreen } from './logScreen.tsx'
import classes from './logs.module.css'

type SecuritySearch = ReturnType<typeof securitySearch>

/** Green is expected, yellow needs attention, red was refused. */
const colours = {
  signInRight: 'gray',
  signInWrong: 'yellow',
  signInLocked: 'red',
  signOut: 'gray',
  factorAdded: 'blue',
  factorRemoved: 'yellow',
  passwordChanged: 'blue',
  rolesChanged: 'blue',
  signOnChanged: 'yellow',
  signOnLinked: 'yellow',
  emailChanged: 'blue',
  exported: 'yellow',
  printedMany: 'yellow',
  foreignId: 'red',
  tokenMade: 'yellow',
  tokenRevoked: 'gray',
  tokenRefused: 'red',
} as const satisfies Record<SecurityKind, MantineColor>

export function Security() {
  const { t } = useTranslation(['security', 'audit', 'common', 'nav'])
  // the keys come with the event
  const say = t as unknown as (key: string) => string
  const search = useSearch({ from: '/admin/security' })
  const navigate = useNavigate()
  const change = (next: SecuritySearch) =>
    void navigate({ to: '/admin/security', search: next, replace: true, resetScroll: false })
  const update = updating(search, change)
  const { at, place } = useLogColumns<SecurityEvent>('security')
  return (
    <LogScreen
      name="security"
      calls={calls}
      search={search}
      filter={filterOf(search)}
      change={change}
      what={
        <Choice
          label={t('audit:what')}
          placeholder={t('audit:everything')}
          data={securityKinds.map(value => ({ value, label: t(`kind.${value}`) }))}
          value={search.kind ?? null}
          onChange={kind => update({ kind: kind ?? undefined })}
          clearable
        />
      }
      chips={[
        search.kind !== undefined && {
          key: 'kind',
          label: t(`kind.${search.kind}`),
          clear: () => update({ kind: undefined }),
        },
      ]}
      entriesOf={({ events }: Answer<typeof calls.list>) => events}
      rowAttributes={({ _id }) => ({ 'data-event': _id })}
      phone={{
        areas: ['at at', 'kind kind', 'account origin', 'place place', 'facts facts'],
        columns: 'minmax(0, 1fr) minmax(0, max-content)',
      }}
      columns={[
        { ...at, area: 'at', nowrap: true },
        {
          id: 'kind',
          area: 'kind',
          header: t('column.kind'),
          render: ({ kind }) => (
            <Badge className={classes.kind} color={isSecurityKind(kind) ? colours[kind] : 'gray'}>
              {isSecurityKind(kind) ? t(`kind.${kind}`) : kind}
            </Badge>
          ),
        },
        { id: 'account', area: 'account', header: t('column.account'), render: event => <Account {...event} /> },
        { ...place, area: 'place' },
        {
          id: 'origin',
          area: 'origin',
          header: t('origin'),
          render: ({ address, device }) => (
            <>
              <span translate="no">{address}</span>
              {device && (
                <span className={classes.under} title={device} translate="no">
                  {deviceName(device)}
                </span>
              )}
            </>
          ),
        },
        {
          id: 'facts',
          area: 'facts',
          header: t('column.facts'),
          render: ({ facts }) => <Facts lines={describeSecurityFacts(facts, say)} />,
        },
      ]}
    />
  )
}

/** The filter of the address, as the calls' input. */
const filterOf = ({ from, to, ...search }: SecuritySearch): SecurityFilter => ({
  ...search,
  ...(from && { startDate: from }),
  ...(to && { endDate: to }),
})

/** The account, and the actor where it is another one. */
function Account({ account, by }: Pick<SecurityEvent, 'account' | 'by'>) {
  const { t } = useTranslation(['security', 'nav'])
  const superuser = useWho().type === 'superuser'
  // a superuser has no name at a site, and a customer's account has none for superusers
  const nameOf = (person: NonNullable<SecurityEvent['account']>) =>
    person.fullname || person.username || (superuser ? `#${person._id}` : t('nav:roles.superuser'))
  if (!account) return <span className={classes.under}>{t('nobody')}</span>
  return (
    <>
      {nameOf(account)}
      {account.fullname && account.username && <span className={classes.under}>{account.username}</span>}
      {by && <span className={classes.under}>{t('by', { name: nameOf(by) })}</span>}
    </>
  )
}
