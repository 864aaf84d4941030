/** The audit as administrators and superusers read it. Every entry is written with the change that it records. */
import { isAuditAction, describeFacts } from '#domain/audit.ts'
import { csvFile } from '#domain/cell.ts'
import { formatMoment } from '#domain/date.ts'
import { audit as auditCalls, type AuditEntry, entriesInFile, entriesPerPage } from '#contract/audit.ts'
import type { Input } from '#contract/call.ts'
import type { Json } from '../../db/database.ts'
import { searchWords } from '../../db/search.ts'
import { textsFor } from '../../texts/texts.ts'
import { timeZoneOf, type Context, type Handlers } from '../handler.ts'
import { recordSecurityEvent } from '../security/record.ts'
import * as sql from './audit.sql.ts'

type Caller = Context<unknown, readonly ['admin', 'superuser']>
type Filter = Input<(typeof auditCalls)['list']>

async function readEntries(caller: Caller, filter: Filter, most: number): Promise<Json> {
  const { tx, who } = caller
  const search = filter.search ?? ''
  const asked = {
    words: searchWords(search),
    plate: search.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''),
    group: filter.group ?? null,
    account: filter.account ?? null,
    customer: filter.seq_id ?? null,
    from: filter.startDate ?? null,
    until: filter.endDate ?? null,
    timeZone: timeZoneOf(caller),
    lastAt: filter.last?.at ?? null,
    last: filter.last?._id ?? null,
    most,
  }
  if (who.type !== 'superuser') return tx.json(sql.entriesOfSite, { site: caller.site.id, ...asked })
  await tx.asSystem()
  return tx.json(sql.entriesOfSites, { site: filter.site ?? null, ...asked })
}

/** The entries as a CSV file in the caller's language, a line each. */
function csvOf(caller: Caller, entries: readonly AuditEntry[]): string {
  const textOf = textsFor(caller.lang)
  const rows = entries.map(({ at, action, subject, called, facts, who, customer, site }) => [
    formatMoment(at, timeZoneOf(caller)),
    who ? (who.username ?? textOf('nav:roles.superuser')) : textOf('audit:commandLine'),
    who?.fullname,
    site?.name,
    customer?.name,
    isAuditAction(action) ? textOf(`audit:action.${action}`) : action,
    subject,
    called,
    describeFacts(action, facts, textOf)
      .map(({ name, value }) => `${name}: ${value}`)
      .join('; '),
  ])
  const columns = ['at', 'who', 'fullname', 'site', 'customer', 'action', 'subject', 'called', 'facts']
  return csvFile([columns.map(column => textOf(`audit:column.${column}`)), ...rows])
}

const page = auditCalls.list.output

export const audit: Handlers['audit'] = {
  list: caller => readEntries(caller, caller.input, entriesPerPage),

  async people(caller) {
    const { input, tx, who } = caller
    // a superuser's address may be that of no site
    if (who.type !== 'superuser') return tx.json(sql.peopleOfSite, { site: caller.site.id })
    await tx.asSystem()
    return tx.json(sql.peopleOfSites, { site: input.site ?? null })
  },

  async export(caller) {
    const { entries, more } = page.parse(JSON.parse((await readEntries(caller, caller.input, entriesInFile)).text))
    await recordSecurityEvent(caller, { kind: 'exported', facts: { what: 'audit' } })
    return { csv: csvOf(caller, entries), more }
  },
}
