/** The audit as administrators and superusers read it. Every entry is written with the change that it records. */
import { type Language, languages } from '#domain/account.ts'
import { auditActions, auditSubjects, describeFacts, describeSubject, isAuditAction } from '#domain/audit.ts'
import { csvFile } from '#domain/cell.ts'
import { formatMoment } from '#domain/date.ts'
import { normalizePlate } from '#domain/plate.ts'
import { audit as auditCalls, type AuditEntry, entriesInFile, entriesPerPage } from '#contract/audit.ts'
import type { Input } from '#contract/call.ts'
import type { Json } from '../../db/database.ts'
import { searchWords } from '../../db/search.ts'
import { textsFor } from '../../texts/texts.ts'
import { type LogReader, pageParameters, readForRole } from '../eventLog.ts'
import { timeZoneOf, type Handlers } from '../handler.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { requireFresh } from '../security/fresh.ts'
import * as sql from './audit.sql.ts'

type Filter = Input<(typeof auditCalls)['list']>

/** What a reader sees of actions and subjects, by what the audit holds of them. */
function shownTexts(lang: Language): Record<string, string> {
  const textOf = textsFor(lang)
  return Object.fromEntries([
    ...Object.entries(auditActions).flatMap(([group, verbs]) =>
      verbs.map(verb => [`${group}.${verb}`, textOf(`audit:action.${group}.${verb}`)] as const),
    ),
    ...auditSubjects.map(subject => [subject, textOf(`audit:subject.${subject}`)] as const),
  ])
}

function readEntries(caller: LogReader, filter: Filter, most: number): Promise<Json> {
  const { tx } = caller
  const search = filter.search ?? ''
  const parameters = {
    ...pageParameters(caller, filter, most),
    words: searchWords(search),
    shown: JSON.stringify(search === '' ? {} : shownTexts(caller.lang)),
    plate: normalizePlate(search),
    group: filter.group ?? null,
    customer: filter.seq_id ?? null,
  }
  return readForRole(caller, filter.site, {
    ofSite: site => tx.json(sql.entriesOfSite, { site, ...parameters }),
    ofSites: site => tx.json(sql.entriesOfSites, { site, ...parameters }),
  })
}

/** The entries as a CSV file in the caller's language, a line each. */
function csvOf(caller: LogReader, entries: readonly AuditEntry[]): string {
  const textOf = textsFor(caller.lang)
  const rows = entries.map(({ at, action, subject, called, facts, who, customer, site, token }) => [
    formatMoment(at, timeZoneOf(caller)),
    who ? (who.username ?? textOf('nav:roles.superuser')) : textOf('audit:commandLine'),
    who?.fullname,
    token,
    site?.name,
    customer?.name,
    isAuditAction(action) ? textOf(`audit:action.${action}`) : action,
    describeSubject({ subject, facts }, textOf),
    called,
    describeFacts(action, facts, textOf, languages[caller.lang])
      .map(({ name, value }) => textOf('common:labelled', { label: name, value }))
      .join('; '),
  ])
  const columns = ['at', 'who', 'fullname', 'token', 'site', 'customer', 'action', 'subject', 'called', 'facts']
  return csvFile([columns.map(column => textOf(`audit:column.${column}`)), ...rows])
}

const page = auditCalls.list.output

export const audit: Handlers['audit'] = {
  list: caller => readEntries(caller, caller.input, entriesPerPage),

  people: caller =>
    readForRole(caller, caller.input.site, {
      ofSite: site => caller.tx.json(sql.peopleOfSite, { site }),
      ofSites: site => caller.tx.json(sql.peopleOfSites, { site }),
    }),

  async export(caller) {
    requireFresh(caller)
    const { entries, more } = page.parse(JSON.parse((await readEntries(caller, caller.input, entriesInFile)).text))
    await recordSecurityEvent(caller, { kind: 'exported', facts: { what: 'audit' } })
    return { csv: csvOf(caller, entries), more }
  },
}
