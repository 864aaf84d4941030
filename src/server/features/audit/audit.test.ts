import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { languageIsoCodes } from '#domain/people/account.ts'
import {
  auditActions,
  auditGroups,
  auditSubjects,
  describeFacts,
  describeSubject,
  factTextKey,
  isAuditAction,
} from '#domain/people/audit.ts'
import { differences, allSolutions } from '#domain/warehouse/count.ts'
import { damageCodes } from '#domain/warehouse/damage.ts'
import { failureCodes } from '#domain/failure.ts'
import { audit, type AuditEntry, type AuditFilter, entriesPerPage } from '#contract/logs.ts'
import { customers } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { hotelconfig } from '#contract/config.ts'
import { locale } from '#contract/translations.ts'
import { users } from '#contract/session.ts'
import { hasText } from '../../texts/texts.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())

const listed = async (
  filter: AuditFilter & { last?: { at: string; _id: number } } = {},
  who: Principal = at.who.admin,
) => (await at.ask(audit.list, who, filter)).answer
const actions = (entries: readonly AuditEntry[]) => entries.map(({ action }) => action)

const write = (
  site: number | null,
  action: string,
  entry: { subject?: string; facts?: object; at?: string; customer?: number; account?: number } = {},
) =>
  at.query(
    `insert into audit (site_id, action, subject, facts, at, customer_id, account_id) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      site,
      action,
      entry.subject ?? '',
      entry.facts ?? {},
      entry.at ?? at.clock.now,
      entry.customer ?? null,
      entry.account ?? null,
    ],
  )

test('an administrator reads who did what for whom, newest first, by current names', async () => {
  const vehicle = await at.addVehicle({ plate: '1AUD111' })
  await at.ask(fleet.update, at.who.admin, { vehicle: { flt_id: vehicle, brand: 'Saab', driver: { name: 'Jan' } } })
  await at.ask(customers.save, at.who.admin, { seq_id: at.customers.b, city: 'Brugge' })
  const { entries, more } = await listed()
  expect(more).toBe(false)
  expect(entries.slice(0, 2)).toMatchObject([
    {
      action: 'customer.edit',
      subject: `customer ${at.customers.b}`,
      called: 'Lease Beta NV',
      customer: { seq_id: at.customers.b, name: 'Lease Beta NV' },
      who: { _id: at.who.admin.account, username: 'admin', fullname: 'Full admin' },
      site: { _id: at.sites.home },
    },
    { action: 'vehicle.update', called: '1AUD111', flt_id: vehicle, facts: { fields: ['brand', 'driver_name'] } },
  ])
  expect(JSON.stringify(entries)).not.toContain('Jan')
})

test('is searched by what it shows, in the language of the reader', async () => {
  await at.query('delete from audit')
  await write(at.sites.home, 'count.solve', { subject: 'count 1' })
  await write(at.sites.home, 'article.merge', { subject: 'article 1' })
  onTestFinished(async () => void (await at.ask(users.language, at.who.admin, { lang: 'eng' })))
  await at.ask(users.language, at.who.admin, { lang: 'ger' })
  const actionsMatching = async (search: string) => actions((await listed({ search })).entries)
  expect(await actionsMatching('Inventur 1')).toEqual(['count.solve'])
  expect(await actionsMatching('artikel zusammen')).toEqual(['article.merge'])
  expect(await actionsMatching('count.solve')).toEqual(['count.solve'])
})

test('is searched by words, plates and names, and narrowed by who, what, customer and days', async () => {
  const vehicle = await at.addVehicle({ plate: '1SRC222' })
  await at.query('delete from audit')
  const [operation] = await at.query<{ id: number }>(
    `insert into operation (site_id, customer_id, vehicle_id, type, tyre_count) values ($1, $2, $3, 'to_stock', 4) returning id`,
    [at.sites.home, at.customers.a, vehicle],
  )
  const by = { account: at.who.admin.account, customer: at.customers.a }
  await write(at.sites.home, 'operation.confirm', {
    ...by,
    subject: `operation ${operation?.id}`,
    at: '2026-11-17T22:59:59Z',
  })
  await write(at.sites.home, 'config.edit', {
    account: at.who.superuser.account,
    facts: { name: ['Oud', 'Élan'] },
    at: '2026-11-17T23:00:00Z',
  })
  await write(at.sites.home, 'customer.edit', { customer: at.customers.b, subject: 'customer 999999' })
  await write(at.sites.home, 'import.vehicles', { subject: 'vehicle list.csv' })
  const actionsMatching = async (filter: AuditFilter) => actions((await listed(filter)).entries)
  expect(await actionsMatching({})).toEqual(['import.vehicles', 'customer.edit', 'config.edit', 'operation.confirm'])
  expect(await actionsMatching({ search: '1-src-222' })).toEqual(['operation.confirm'])
  expect(await actionsMatching({ search: 'elan OUD' })).toEqual(['config.edit'])
  expect(await actionsMatching({ search: 'elan nothing' })).toEqual([])
  expect(await actionsMatching({ search: 'lease beta' })).toEqual(['customer.edit'])
  expect(await actionsMatching({ search: 'full admin' })).toEqual(['operation.confirm'])
  expect(await actionsMatching({ group: 'customer' })).toEqual(['customer.edit'])
  expect(await actionsMatching({ account: at.who.admin.account })).toEqual(['operation.confirm'])
  expect(await actionsMatching({ seq_id: at.customers.b })).toEqual(['customer.edit'])
  // days on the clock of the site, which is an hour ahead
  expect(await actionsMatching({ startDate: '2026-11-18' })).not.toContain('operation.confirm')
  expect(await actionsMatching({ endDate: '2026-11-17' })).toEqual(['operation.confirm'])
  // an account that belongs to no site has no name there
  expect((await listed({ group: 'config' })).entries[0]?.who).toEqual({
    _id: at.who.superuser.account,
    username: null,
    fullname: null,
  })
  expect((await at.ask(audit.people, at.who.admin, {})).answer.map(({ username }) => username)).toEqual(['admin'])
})

test('has pages without a gap, also where many entries have the same time', async () => {
  await at.query('delete from audit')
  for (let nth = 0; nth < entriesPerPage * 2 + 3; nth++)
    await write(at.sites.home, 'vehicle.update', {
      facts: { nth },
      at: nth < 70 ? '2026-11-01T10:00:00.123456Z' : '2026-11-02T10:00:00Z',
    })
  const seen: number[] = []
  let last: { at: string; _id: number } | undefined
  for (let pages = 0; pages < 5; pages++) {
    const { entries, more } = await listed(last ? { last } : {})
    seen.push(...entries.map(({ facts }) => Number(facts['nth'])))
    last = entries.at(-1)
    if (!more) break
  }
  expect(seen).toEqual(Array.from({ length: entriesPerPage * 2 + 3 }, (_, nth) => entriesPerPage * 2 + 2 - nth))
})

test('a superuser reads of sites and the dictionary, and nothing of a customer', async () => {
  await at.query('delete from audit')
  await write(at.sites.home, 'operation.confirm', { customer: at.customers.a })
  await write(at.sites.home, 'account.create', { customer: at.customers.a })
  await write(at.sites.home, 'location.make')
  await write(at.sites.home, 'account.create', { account: at.who.superuser.account })
  await write(at.sites.other, 'config.edit')
  await at.ask(locale.new, at.who.superuser, {
    language: 'ger',
    namespace: 'common',
    key: 'cancel',
    value: 'Abbrechen',
  })
  const { entries } = await listed({}, at.who.superuser)
  expect(entries.map(({ action, site }) => [action, site?._id ?? null])).toEqual([
    ['translation.create', null],
    ['config.edit', at.sites.other],
    ['account.create', at.sites.home],
  ])
  expect(actions((await listed({ site: at.sites.other }, at.who.superuser)).entries)).toEqual(['config.edit'])
  expect((await at.ask(audit.people, at.who.superuser, {})).answer.map(({ username }) => username)).toEqual([
    'superuser',
  ])
  // also at an address of no site
  const nowhere = { ...at.who.superuser, host: 'nowhere.test' }
  expect((await listed({}, nowhere)).entries).toEqual(entries)
  expect((await at.ask(audit.people, nowhere, {})).answer).toHaveLength(1)
  // an administrator reads the entries of the own site only, even when asking for another
  expect(actions((await listed({ site: at.sites.other })).entries)).not.toContain('config.edit')
})

test('is exported in the caller’s language, in cells that no spreadsheet executes', async () => {
  await at.query('delete from audit')
  await write(at.sites.home, 'config.edit', {
    account: at.who.admin.account,
    facts: {
      name: ['=1+1', 'Nieuw'],
      allowTachometer: [true, false],
      transportMethods: {
        added: [{ name: 'Van', _id: 1 }],
        changed: [{ _id: 2, name: 'Truck', tyresPerDay: [0, 40] }],
        removed: [],
      },
    },
  })
  await write(at.sites.home, 'made.up', { subject: '=cmd()', facts: { odd: null } })
  const { csv, more } = (await at.ask(audit.export, at.who.admin, {})).answer
  expect(more).toBe(false)
  const [separator, head, odd, edit] = csv.split('\r\n')
  expect(separator).toBe('sep=;')
  expect(head).toBe('When;Who;Full name;Access token;Site;Customer;What;Record;Name;Details')
  expect(odd).toContain(";'=cmd();")
  expect(odd).toContain('made.up')
  expect(odd).toContain('odd: nothing')
  expect(edit).toBe(
    '18/11/2026 11:00:00;admin;Full admin;;Tyre hotel home;;Configuration changed;;;' +
      '"Name: =1+1 → Nieuw; Ask for the odometer reading: Yes → No; Transport methods: Added: Van; ' +
      'Transport methods: Changed: Truck (Tyres per day: 0 → 40)"',
  )
})

/** A field that a refusal names, a call, and what programs are told when it is found out, which nobody does. */
const noAction = ['vehicle.type', 'vehicle.worn', 'customer.long_stored', 'account.removepasskey', 'operation.picked']

test('every action that the server writes has a name, and every name a text in four languages', () => {
  const written = new Set<string>()
  const server = path.join(import.meta.dirname, '..', '..')
  for (const file of fs
    .readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.includes('.test.') && !name.startsWith('testing'))) {
    const text = fs.readFileSync(path.join(server, file), 'utf8')
    const names = [...text.matchAll(/(?:statement\(\s*|name: )'([\w.]+)'/g)].map(([, name]) => name)
    for (const [, action = ''] of text.matchAll(/'([a-zA-Z]+\.[a-z]+)'/g))
      if (
        auditGroups.includes(action.split('.')[0] as never) &&
        !names.includes(action) &&
        !failureCodes.includes(action as never)
      )
        written.add(action)
  }
  expect(written.size).toBeGreaterThan(25)
  expect([...written].filter(action => !isAuditAction(action) && !noAction.includes(action))).toEqual([])
  expect(isAuditAction('operation.explode')).toBe(false)
  const keys = auditGroups.flatMap(group => [
    `group.${group}`,
    ...auditActions[group].map(verb => `action.${group}.${verb}`),
  ])
  for (const lng of languageIsoCodes) expect(keys.filter(key => !hasText(lng, 'audit', key))).toEqual([])
})

test('a confirmation tells how many tyres nobody scanned, when there were any, in words', () => {
  const words = (facts: Record<string, unknown>) => describeFacts('operation.confirm', facts, key => key, 'en')
  expect(words({ missing: [], unscanned: 0 })).toEqual([])
  expect(words({ missing: [7], unscanned: 2, automatic: true, document: false })).toEqual([
    { name: 'audit:fact.missing', value: '7' },
    { name: 'audit:fact.unscanned', value: '2' },
    { name: 'audit:fact.automatic', value: 'common:yes' },
    { name: 'audit:fact.document', value: 'common:no' },
  ])
})

/** The arguments of a call whose brackets open before `start`, split at the commas that are not inside of others. */
function argumentsAt(text: string, start: number): string[] {
  const parts = ['']
  for (let at = start, depth = 0; at < text.length && depth >= 0; at++) {
    const letter = text[at] ?? ''
    depth += '([{'.includes(letter) ? 1 : ')]}'.includes(letter) ? -1 : 0
    if (letter === ',' && depth === 0) parts.push('')
    else if (depth >= 0) parts[parts.length - 1] += letter
  }
  return parts.map(part => part.trim())
}

/** The actions, subject nouns and facts that a file of statements writes into the audit. */
function writtenBy(text: string) {
  const inserts = [...text.matchAll(/insert into audit \([^)]*\)/g)].map(({ index }) => {
    const end = text.slice(index).search(/`,?\n/)
    return text.slice(index, end < 0 ? undefined : index + end)
  })
  return {
    actions: inserts.flatMap(insert =>
      [...insert.matchAll(/'([a-zA-Z]+\.[a-z_]+)'/g)].map(([, action = '']) => action),
    ),
    nouns: inserts.flatMap(insert => [...insert.matchAll(/'([a-z ]+) ' \|\|/g)].map(([, noun = '']) => noun)),
    facts: inserts.flatMap(insert =>
      [...insert.matchAll(/jsonb_build_object\(/g)].flatMap(({ index, 0: { length } }) =>
        argumentsAt(insert, index + length).flatMap((part, nth) =>
          nth % 2 === 0 ? (/^'(\w+)'$/.exec(part)?.[1] ?? []) : [],
        ),
      ),
    ),
  }
}

/** The names of the facts that a file of handlers gives to `recordAudit` as an object. */
const factsGiven = (text: string): string[] =>
  [...text.matchAll(/(?<!function )recordAudit\(/g)].flatMap(({ index, 0: { length } }) => {
    const [, , , facts = ''] = argumentsAt(text, index + length)
    return facts.startsWith('{') ? argumentsAt(facts, 1).flatMap(part => /^(\w+)(?=$|:)/.exec(part)?.[1] ?? []) : []
  })

test('every fact that a handler records has a name in words', () => {
  const server = path.join(import.meta.dirname, '..')
  const given = fs
    .readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter(name => /(?<!\.test|\.sql)\.ts$/.test(name))
    .flatMap(file => factsGiven(fs.readFileSync(path.join(server, file), 'utf8')))
  expect(given.length).toBeGreaterThan(5)
  expect(given.filter(fact => factTextKey(fact) === null)).toEqual([])
  expect(factsGiven("await recordAudit({ tx, now }, 'a.b', plate, { file: name, rows, ...more }, customer)")).toEqual([
    'file',
    'rows',
  ])
})

test('every action, subject and fact that a statement writes has a name in words', () => {
  const server = path.join(import.meta.dirname, '..')
  const written = fs
    .readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.sql.ts'))
    .map(file => writtenBy(fs.readFileSync(path.join(server, file), 'utf8')))
  const unnamed = (writing: ReturnType<typeof writtenBy>) => [
    ...writing.actions.filter(action => !isAuditAction(action)),
    ...writing.nouns.filter(noun => !auditSubjects.some(subject => subject === noun)),
    ...writing.facts.filter(fact => factTextKey(fact) === null),
  ]
  expect(written.flatMap(({ facts }) => facts).length).toBeGreaterThan(50)
  expect(written.flatMap(unnamed)).toEqual([])
  for (const lng of languageIsoCodes)
    expect(auditSubjects.filter(noun => !hasText(lng, 'audit', `subject.${noun}`))).toEqual([])
  // a statement that says something new is noticed
  const insert =
    "insert into audit (action) select 'count.burn', 'pile ' || id, jsonb_build_object('smoke', id, 'tyres', f(1, 2)) from x`\n"
  expect(unnamed(writtenBy(insert))).toEqual(['count.burn', 'pile', 'smoke'])
})

test('facts and subjects are told in words of the trade, amounts as the language writes them', () => {
  const valuesOf = (action: string, facts: Record<string, unknown>) =>
    describeFacts(action, facts, key => key, 'de').map(({ value }) => value.replaceAll('\u00A0', ' '))
  expect(valuesOf('damage.report', { damage: 'bulge' })).toEqual(['common:damage.bulge'])
  expect(valuesOf('tariff.add', { kind: 'overstay', price: 33.28 })).toEqual(['tariff:kind.overstay', '33,28 €'])
  expect(valuesOf('wheel.settle', { kind: 'three' })).toEqual(['locations:clearUp.kind.three'])
  expect(valuesOf('count.solve', { outcome: 'twice', how: 'here' })).toEqual([
    'counts:outcome.twice',
    'counts:solved.here',
  ])
  // the tyres merged into an article are counted
  expect(valuesOf('article.merge', { amount: 12 })).toEqual(['12'])
  const subject = (text: string, facts = {}) => describeSubject({ subject: text, facts }, key => key)
  expect(subject('billing run 7')).toBe('audit:subject.billing run 7')
  expect(subject('invoice 3', { number: 'F-2026-00003' })).toBe('audit:subject.invoice F-2026-00003')
  expect(subject('tyres')).toBe('audit:subject.tyres')
  expect(subject('HOME')).toBe('HOME')
  for (const lng of languageIsoCodes) {
    const keys = [
      ...differences.map(difference => `outcome.${difference}`),
      ...allSolutions.map(solution => `solved.${solution}`),
    ]
    expect(keys.filter(key => !hasText(lng, 'counts', key))).toEqual([])
    expect(damageCodes.filter(code => !hasText(lng, 'common', `damage.${code}`))).toEqual([])
  }
})

test('every fact that has a name has its text', () => {
  const source = fs.readFileSync(
    path.join(import.meta.dirname, '..', '..', '..', 'domain', 'people', 'audit.ts'),
    'utf8',
  )
  const facts = [...new Set(source.slice(0, source.indexOf('operationTypes')).match(/[A-Za-z_]+/g))]
  const named = facts.flatMap(fact => factTextKey(fact) ?? [])
  expect(named.length).toBeGreaterThan(90)
  const missing = named.filter(key => {
    const [ns = '', name = ''] = key.split(':')
    return !hasText('en', ns, name)
  })
  expect(missing).toEqual([])
})

test('a change of the site’s configuration is recorded field by field', async () => {
  await at.query('delete from audit')
  const { answer: kept } = await at.ask(hotelconfig.adminconfig, at.who.admin, { id: at.sites.home })
  await at.ask(hotelconfig.edit, at.who.admin, { ...kept, name: 'Another name' })
  expect((await listed()).entries[0]?.facts).toEqual({ name: ['Tyre hotel home', 'Another name'] })
})
