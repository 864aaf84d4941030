/** Security events as administrators read those of their site, and superusers those of all. */
import { csvFile } from '#domain/cell.ts'
import { formatMoment } from '#domain/date.ts'
import { describeSecurityFacts, isSecurityKind } from '#domain/security.ts'
import { entriesInFile, entriesPerPage } from '#contract/audit.ts'
import type { Input } from '#contract/call.ts'
import { security as calls, type SecurityEvent } from '#contract/security.ts'
import type { Json } from '../../db/database.ts'
import { textsFor } from '../../texts/texts.ts'
import { type LogReader, pageParameters, readForRole } from '../eventLog.ts'
import { timeZoneOf, type Handlers } from '../handler.ts'
import { recordSecurityEvent } from './record.ts'
import { requireFresh } from './fresh.ts'
import * as sql from './security.sql.ts'

type Filter = Input<(typeof calls)['list']>

function readEvents(caller: LogReader, filter: Filter, most: number): Promise<Json> {
  const { tx } = caller
  const parameters = { ...pageParameters(caller, filter, most), kind: filter.kind ?? null }
  return readForRole(caller, filter.site, {
    ofSite: site => tx.json(sql.eventsOfSite, { site, ...parameters }),
    ofSites: site => tx.json(sql.eventsOfSites, { site, ...parameters }),
  })
}

/** The events as a CSV file in the caller's language, a line each. */
function csvOf(caller: LogReader, events: readonly SecurityEvent[]): string {
  const textOf = textsFor(caller.lang)
  // a superuser has no name at a site, and a customer's account has none for superusers
  const nameless = caller.who.type === 'superuser' ? null : textOf('nav:roles.superuser')
  const nameOf = (account: SecurityEvent['account']) => account && (account.username ?? nameless ?? `#${account._id}`)
  const rows = events.map(({ at, kind, account, by, customer, site, address, device, facts }) => [
    formatMoment(at, timeZoneOf(caller)),
    isSecurityKind(kind) ? textOf(`security:kind.${kind}`) : kind,
    nameOf(account),
    nameOf(by),
    site?.name,
    customer?.name,
    address,
    device,
    describeSecurityFacts(facts, textOf)
      .map(({ name, value }) => `${name}: ${value}`)
      .join('; '),
  ])
  const columns = ['at', 'kind', 'account', 'by', 'site', 'customer', 'address', 'device', 'facts']
  return csvFile([columns.map(column => textOf(`security:column.${column}`)), ...rows])
}

const page = calls.list.output

export const security: Handlers['security'] = {
  list: caller => readEvents(caller, caller.input, entriesPerPage),

  people: caller =>
    readForRole(caller, caller.input.site, {
      ofSite: site => caller.tx.json(sql.peopleOfSite, { site }),
      ofSites: site => caller.tx.json(sql.peopleOfSites, { site }),
    }),

  async export(caller) {
    requireFresh(caller)
    const { events, more } = page.parse(JSON.parse((await readEvents(caller, caller.input, entriesInFile)).text))
    await recordSecurityEvent(caller, { kind: 'exported', facts: { what: 'security' } })
    return { csv: csvOf(caller, events), more }
  },
}
