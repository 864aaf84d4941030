/**
 * The audit and the security log, as administrators read those of their site, and superusers those of all. Every entry is written with the change
 * that it records. They are two tables, since others read them (docs/promises.md "Append-only history").
 */
import { languages, type Language } from '#domain/people/account.ts'
import {
  auditActions,
  auditSubjects,
  describeFacts,
  describeSubject,
  type FactLine,
  isAuditAction,
} from '#domain/people/audit.ts'
import { csvFile } from '#domain/texts/cell.ts'
import { formatMoment } from '#domain/texts/date.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { describeSecurityFacts, isSecurityKind } from '#domain/people/security.ts'
import type { Input } from '#contract/call.ts'
import {
  audit as auditCalls,
  type AuditEntry,
  entriesInFile,
  entriesPerPage,
  security as securityCalls,
  type SecurityEvent,
} from '#contract/logs.ts'
import type { Json } from '../../db/database.ts'
import { searchWords } from '../../db/search.ts'
import { textsFor } from '../../texts/texts.ts'
import { type Context, type Handlers, timeZoneOf } from '../handler.ts'
import { requireFresh } from '../security/fresh.ts'
import { recordSecurityEvent } from '../security/record.ts'
import * as sql from './logs.sql.ts'

type Reader<I = unknown> = Context<I, readonly ['admin', 'superuser']>
type AuditInput = Input<(typeof auditCalls)['list']>
type SecurityInput = Input<(typeof securityCalls)['list']>

/** Reads an administrator's own site, or for a superuser `site`, and all sites without one. */
async function readForRole(
  caller: Reader,
  site: number | undefined,
  read: { ofSite(site: number): Promise<Json>; ofSites(site: number | null): Promise<Json> },
): Promise<Json> {
  // a superuser's address may be that of no site
  if (caller.who.type !== 'superuser') return read.ofSite(caller.site.id)
  await caller.tx.asSystem()
  return read.ofSites(site ?? null)
}

/** The parameters of a page of at most `most` entries. */
const pageOf = (caller: Reader, { account, startDate, endDate, last }: AuditInput | SecurityInput, most: number) => ({
  account: account ?? null,
  from: startDate ?? null,
  until: endDate ?? null,
  timeZone: timeZoneOf(caller),
  lastAt: last?.at ?? null,
  last: last?._id ?? null,
  most,
})

/** The texts that a reader sees for the actions and subjects stored in the audit. */
function shownTexts(lang: Language): Record<string, string> {
  const textOf = textsFor(lang)
  return Object.fromEntries([
    ...Object.entries(auditActions).flatMap(([group, verbs]) =>
      verbs.map(verb => [`${group}.${verb}`, textOf(`audit:action.${group}.${verb}`)] as const),
    ),
    ...auditSubjects.map(subject => [subject, textOf(`audit:subject.${subject}`)] as const),
  ])
}

function readAudit(caller: Reader, filter: AuditInput, most: number): Promise<Json> {
  const { tx } = caller
  const search = filter.search ?? ''
  const parameters = {
    ...pageOf(caller, filter, most),
    words: searchWords(search),
    shown: JSON.stringify(search === '' ? {} : shownTexts(caller.lang)),
    plate: normalizePlate(search),
    group: filter.group ?? null,
    customer: filter.seq_id ?? null,
  }
  return readForRole(caller, filter.site, {
    ofSite: site => tx.json(sql.auditOfSite, { site, ...parameters }),
    ofSites: site => tx.json(sql.auditOfSites, { site, ...parameters }),
  })
}

function readSecurity(caller: Reader, filter: SecurityInput, most: number): Promise<Json> {
  const { tx } = caller
  const parameters = { ...pageOf(caller, filter, most), kind: filter.kind ?? null }
  return readForRole(caller, filter.site, {
    ofSite: site => tx.json(sql.eventsOfSite, { site, ...parameters }),
    ofSites: site => tx.json(sql.eventsOfSites, { site, ...parameters }),
  })
}

type Columns<Entry> = Readonly<Record<string, (entry: Entry) => string | null | undefined>>

type Log<I, Entry> = {
  readonly name: 'audit' | 'security'
  readonly read: (caller: Reader, filter: I, most: number) => Promise<Json>
  readonly entriesIn: (page: unknown) => { readonly entries: readonly Entry[]; readonly more: boolean }
  readonly people: { readonly ofSite: typeof sql.auditPeopleOfSite; readonly ofSites: typeof sql.auditPeopleOfSites }
  /** The columns of a file between the moment and the facts, by the keys of their texts. */
  readonly columns: (caller: Reader) => Columns<Entry>
  readonly factsOf: (entry: Entry, lang: Language) => readonly FactLine[]
}

/** The handlers of a log. */
function handlersOf<I extends { site?: number | undefined }, Entry extends { at: string }>(log: Log<I, Entry>) {
  /** The entries as a CSV file in the caller's language, a line each. */
  const csvOf = (caller: Reader, entries: readonly Entry[]): string => {
    const textOf = textsFor(caller.lang)
    const columns: Columns<Entry> = {
      at: ({ at }) => formatMoment(at, timeZoneOf(caller)),
      ...log.columns(caller),
      facts: entry =>
        log
          .factsOf(entry, caller.lang)
          .map(({ name, value }) => textOf('common:labelled', { label: name, value }))
          .join('; '),
    }
    const heads = Object.keys(columns).map(column => textOf(`${log.name}:column.${column}`))
    return csvFile([heads, ...entries.map(entry => Object.values(columns).map(cellOf => cellOf(entry)))])
  }
  return {
    list: (caller: Reader<I>) => log.read(caller, caller.input, entriesPerPage),

    people: (caller: Reader<{ site?: number | undefined }>) =>
      readForRole(caller, caller.input.site, {
        ofSite: site => caller.tx.json(log.people.ofSite, { site }),
        ofSites: site => caller.tx.json(log.people.ofSites, { site }),
      }),

    async export(caller: Reader<I>) {
      requireFresh(caller)
      const { entries, more } = log.entriesIn(JSON.parse((await log.read(caller, caller.input, entriesInFile)).text))
      await recordSecurityEvent(caller, { kind: 'exported', facts: { what: log.name } })
      return { csv: csvOf(caller, entries), more }
    },
  }
}

export const audit: Handlers['audit'] = handlersOf<AuditInput, AuditEntry>({
  name: 'audit',
  read: readAudit,
  entriesIn: page => auditCalls.list.output.parse(page),
  people: { ofSite: sql.auditPeopleOfSite, ofSites: sql.auditPeopleOfSites },
  columns({ lang }) {
    const textOf = textsFor(lang)
    return {
      who: ({ who }) => (who ? (who.username ?? textOf('nav:roles.superuser')) : textOf('audit:commandLine')),
      fullname: ({ who }) => who?.fullname,
      token: ({ token }) => token,
      site: ({ site }) => site?.name,
      customer: ({ customer }) => customer?.name,
      action: ({ action }) => (isAuditAction(action) ? textOf(`audit:action.${action}`) : action),
      subject: entry => describeSubject(entry, textOf),
      called: ({ called }) => called,
    }
  },
  factsOf: ({ action, facts }, lang) => describeFacts(action, facts, textsFor(lang), languages[lang]),
})

export const security: Handlers['security'] = handlersOf<SecurityInput, SecurityEvent>({
  name: 'security',
  read: readSecurity,
  entriesIn(page) {
    const { events, more } = securityCalls.list.output.parse(page)
    return { entries: events, more }
  },
  people: { ofSite: sql.eventPeopleOfSite, ofSites: sql.eventPeopleOfSites },
  columns({ lang, who }) {
    const textOf = textsFor(lang)
    // a superuser has no name at a site, and a customer's account has none for superusers
    const nameless = who.type === 'superuser' ? null : textOf('nav:roles.superuser')
    const nameOf = (account: SecurityEvent['account']) => account && (account.username ?? nameless ?? `#${account._id}`)
    return {
      kind: ({ kind }) => (isSecurityKind(kind) ? textOf(`security:kind.${kind}`) : kind),
      account: ({ account }) => nameOf(account),
      by: ({ by }) => nameOf(by),
      site: ({ site }) => site?.name,
      customer: ({ customer }) => customer?.name,
      address: ({ address }) => address,
      device: ({ device }) => device,
    }
  },
  factsOf: ({ facts }, lang) => describeSecurityFacts(facts, textsFor(lang)),
})
