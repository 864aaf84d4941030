/** Security events as administrators read those of their site, and superusers those of all. */
import { csvFile } from '#domain/cell.ts'
import { formatMoment } from '#domain/date.ts'
import { describeSecurityFacts, isSecurityKind } from '#domain/security.ts'
import { entriesInFile, entriesPerPage } from '#contract/audit.ts'
import type { Input } from '#contract/call.ts'
import { security as calls, type SecurityEvent } from '#contract/security.ts'
import type { Json } from '../../db/database.ts'
import { textsFor } from '../../texts/texts.ts'
import { timeZoneOf, type Context, type Handlers } from '../handler.ts'
import { recordSecurityEvent } from './record.ts'
import * as sql from './security.sql.ts'

type Caller = Context<unknown, readonly ['admin', 'superuser']>
type Filter = Input<(typeof calls)['list']>

async function readEvents(caller: Caller, filter: Filter, most: number): Promise<Json> {
  const { tx, who } = caller
  const asked = {
    kind: filter.kind ?? null,
    account: filter.account ?? null,
    from: filter.startDate ?? null,
    until: filter.endDate ?? null,
    timeZone: timeZoneOf(caller),
    lastAt: filter.last?.at ?? null,
    last: filter.last?._id ?? null,
    most,
  }
  if (who.type !== 'superuser') return tx.json(sql.eventsOfSite, { site: caller.site.id, ...asked })
  await tx.asSystem()
  return tx.json(sql.eventsOfSites, { site: filter.site ?? null, ...asked })
}

/** The events as a CSV file in the caller's language, a line each. */
function csvOf(caller: Caller, events: readonly SecurityEvent[]): string {
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

  async people(caller) {
    const { input, tx, who } = caller
    // a superuser's address may be that of no site
    if (who.type !== 'superuser') return tx.json(sql.peopleOfSite, { site: caller.site.id })
    await tx.asSystem()
    return tx.json(sql.peopleOfSites, { site: input.site ?? null })
  },

  async export(caller) {
    const { events, more } = page.parse(JSON.parse((await readEvents(caller, caller.input, entriesInFile)).text))
    await recordSecurityEvent(caller, { kind: 'exported', facts: { what: 'security' } })
    return { csv: csvOf(caller, events), more }
  },
}
