/** The security events of a page; on a phone each is a card. */
import { Badge, type MantineColor } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { SecurityEvent } from '#contract/security.ts'
import { deviceName } from '#domain/device.ts'
import { describeSecurityFacts, isSecurityKind, type SecurityKind } from '#domain/security.ts'
import { labelled } from '../i18n.ts'
import { formatMoment } from '../shared/format.ts'
import { useWho } from '../shared/session.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import classes from './audit.module.css'
import { useZone } from './zone.ts'

/** Green is expected, yellow needs attention, red was refused. */
const colours = {
  signInRight: 'green',
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

export function SecurityEvents({ events, waiting }: { events: readonly SecurityEvent[]; waiting: boolean }) {
  const { t } = useTranslation(['security', 'audit', 'common', 'nav'])
  const superuser = useWho().type === 'superuser'
  const zone = useZone()
  // the keys come with the event
  const say = t as unknown as (key: string) => string
  return (
    <DataTable
      columns={[
        {
          id: 'at',
          area: 'at',
          header: t('security:column.at'),
          render: ({ at }) => (
            <>
              <time dateTime={at}>{formatMoment(at, zone)}</time>
              {superuser && <span className={classes.under}>UTC</span>}
            </>
          ),
          nowrap: true,
        },
        {
          id: 'kind',
          area: 'kind',
          header: t('security:column.kind'),
          render: ({ kind }) => (
            <Badge className={classes.kind} color={isSecurityKind(kind) ? colours[kind] : 'gray'}>
              {isSecurityKind(kind) ? t(`security:kind.${kind}`) : kind}
            </Badge>
          ),
        },
        {
          id: 'account',
          area: 'account',
          header: t('security:column.account'),
          render: event => <Account {...event} />,
        },
        {
          id: 'place',
          area: 'place',
          header: t(superuser ? 'security:column.site' : 'security:column.customer'),
          render: ({ customer, site }) => (superuser ? site?.name : customer?.name),
        },
        {
          id: 'origin',
          area: 'origin',
          header: t('security:origin'),
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
          header: t('security:column.facts'),
          render: ({ facts }) => (
            <dl className={classes.facts}>
              {describeSecurityFacts(facts, say).map(({ name, value }) => (
                <div key={name}>
                  <dt>{labelled(name)}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          ),
        },
      ]}
      rows={events}
      keyOf={({ _id }) => _id}
      rowAttributes={({ _id }) => ({ 'data-event': _id })}
      phone={{
        areas: ['at at', 'kind kind', 'account origin', 'place place', 'facts facts'],
        columns: 'minmax(0, 1fr) minmax(0, max-content)',
      }}
      busy={waiting}
      className={classes.table}
      frame
    />
  )
}

/** The account, and the actor where it is another one. */
function Account({ account, by }: Pick<SecurityEvent, 'account' | 'by'>) {
  const { t } = useTranslation(['security', 'nav'])
  const superuser = useWho().type === 'superuser'
  // a superuser has no name at a site, and a customer's account has none for superusers
  const nameOf = (account: NonNullable<SecurityEvent['account']>) =>
    account.fullname || account.username || (superuser ? `#${account._id}` : t('nav:roles.superuser'))
  if (!account) return <span className={classes.under}>{t('nobody')}</span>
  return (
    <>
      {nameOf(account)}
      {account.fullname && account.username && <span className={classes.under}>{account.username}</span>}
      {by && <span className={classes.under}>{t('by', { name: nameOf(by) })}</span>}
    </>
  )
}
