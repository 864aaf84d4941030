/** What was done, written with the deed and read by administrators (DESIGN §6 "audit"). */
import { csvFile } from '#domain/cell.ts'
import { formatMoment } from '#domain/date.ts'
import { isAuditAction, toldFacts } from '#domain/audit.ts'
import { audit as auditCalls, type AuditEntry, entriesInFile, entriesPerPage } from '#contract/audit.ts'
import type { Input } from '#contract/call.ts'
import * as sql from './audit.sql.ts'
import type { Json } from '../../db/database.ts'
import type { Context, Handlers, Who } from '../handler.ts'
import { wordsOf } from '../../db/search.ts'
import { translate } from '../../texts/texts.ts'

// Writing ---------------------------------------------------------------------------------------------------------------

/**
 * The account under which a change of a customer's rows is audited: an administrator's, who acts for that customer. `null` for
 * a customer's own doings, which stand in the operation and in the events of its tyres.
 */
export const actorOf = (who: Who): number | null => (who.type === 'admin' ? who.account : null)

/** `from` holds the changed rows; `actor` is the parameter with `actorOf`, `at` the one with the moment. */
type Audit = { from: string; actor: string; at: string }

/**
 * `audited as (…)`, a part of a statement: what was done to the vehicles in `from` as `action`, with the pairs `facts` of
 * `jsonb_build_object`. Nothing is written where the actor is null.
 */
export const auditOfVehicle = (action: string, { from, actor, at, facts }: Audit & { facts?: string }): string => `
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select site_id, customer_id, ${actor}::int, ${at}::timestamptz, '${action}', 'vehicle ' || id,
       jsonb_build_object(${["'plate', license_plate", ...(facts ? [facts] : [])].join(', ')})
     from (select * from ${from}) changed where ${actor}::int is not null)`

/** The same of tyres (id, customer_id, vehicle_id): a row for each vehicle; `set` is the parameter with their set. */
export const auditOfTyres = (action: string, { from, actor, at, set = 'null' }: Audit & { set?: string }): string => `
   audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select $1, customer_id, ${actor}::int, ${at}::timestamptz, '${action}', 'vehicle ' || vehicle_id,
       jsonb_strip_nulls(jsonb_build_object('tyres', jsonb_agg(id order by id), 'set', ${set}::text))
     from ${from} where ${actor}::int is not null group by customer_id, vehicle_id)`

// Reading ---------------------------------------------------------------------------------------------------------------

type Asked = Context<unknown, readonly ['admin', 'superuser']>
type Filter = Input<(typeof auditCalls)['list']>

/** On whose clock days begin: the site's; a superuser belongs to none. */
const zoneOf = (asked: Asked): string => (asked.who.type === 'superuser' ? 'UTC' : asked.site.timeZone)

async function read(asked: Asked, filter: Filter, most: number): Promise<Json> {
  const { tx, who } = asked
  const all = who.type === 'superuser'
  if (all) await tx.asSystem()
  const search = filter.search ?? ''
  return tx.json(all ? sql.entriesOfSites : sql.entriesOfSite, [
    all ? (filter.site ?? null) : asked.site.id,
    wordsOf(search),
    search.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''),
    filter.group ?? null,
    filter.account ?? null,
    filter.seq_id ?? null,
    filter.startDate ?? null,
    filter.endDate ?? null,
    zoneOf(asked),
    filter.last?.at ?? null,
    filter.last?._id ?? null,
    most,
  ])
}

/** The entries in words, a line each. */
function inWords(asked: Asked, entries: readonly AuditEntry[]): string {
  const tell = (key: string, params: Record<string, unknown> = {}): string => {
    const [ns = '', name = ''] = key.split(':')
    return translate(asked.lang, ns, name, params)
  }
  const rows = entries.map(({ at, action, subject, called, facts, who, customer, site }) => [
    formatMoment(at, zoneOf(asked)),
    who ? (who.username ?? tell('nav:roles.superuser')) : tell('audit:commandLine'),
    who?.fullname,
    site?.name,
    customer?.name,
    isAuditAction(action) ? tell(`audit:action.${action}`) : action,
    subject,
    called,
    toldFacts(action, facts, tell)
      .map(({ name, value }) => `${name}: ${value}`)
      .join('; '),
  ])
  const columns = ['at', 'who', 'fullname', 'site', 'customer', 'action', 'subject', 'called', 'facts']
  return csvFile([columns.map(column => tell(`audit:column.${column}`)), ...rows])
}

const page = auditCalls.list.output

export const audit: Handlers['audit'] = {
  list: asked => read(asked, asked.input, entriesPerPage),

  async people(asked) {
    const { input, tx, who } = asked
    if (who.type !== 'superuser') return tx.json(sql.peopleOfSite, [asked.site.id])
    await tx.asSystem()
    return tx.json(sql.peopleOfSites, [input.site ?? null])
  },

  async export(asked) {
    const { entries, more } = page.parse(JSON.parse((await read(asked, asked.input, entriesInFile)).text))
    return { csv: inWords(asked, entries), more }
  },
}
