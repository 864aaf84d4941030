import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageCodes } from '#domain/people/account.ts'
import { modes } from '#domain/site.ts'
import { customers, customersPerPage, maxRefusedLines } from '#contract/customers.ts'
import { fleet } from '#contract/fleet.ts'
import { users } from '#contract/session.ts'
import { password, world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world()
})
afterAll(() => at.close())

let nth = 0
/** A name that no other test uses. */
const fresh = (word = 'name'): string => `${word}-${++nth}`

const lastAudit = async (): Promise<unknown> => {
  const [row] = await at.query(
    `select site_id, customer_id, account_id, action, subject, facts from audit order by id desc limit 1`,
  )
  return row
}
const audits = async (): Promise<number> =>
  (await at.query<{ count: number }>('select count(*)::int from audit'))[0]?.count ?? -1

describe('customers', () => {
  test('are listed in the order of their displayed names, with the counts of each', async () => {
    const vehicle = await at.addVehicle({ customer: at.customers.a })
    const gone = await at.addVehicle({ customer: at.customers.a })
    await at.query('update vehicle set removed_at = now() where id = $1', [gone])
    await at.addSet({ vehicle, set: 'home' })
    await at.addTyre({ vehicle, set: null, status: 'in_stock' })
    await at.addTyre({ vehicle, set: null, status: 'waste' })
    const removed = await at.addTyre({ vehicle, set: null })
    await at.query('update tyre set removed_at = now() where id = $1', [removed])
    const { answer: disabled } = await at.ask(customers.saveaccount, at.who.admin, {
      username: fresh('account'),
      type: 'user',
      seq_id: at.customers.a,
    })
    await at.ask(customers.setdisabled, at.who.admin, { _id: disabled._id, disabled: true })
    const { answer } = await at.ask(customers.list, at.who.admin, {})
    expect(answer.total).toBe(2)
    expect(answer.customers.map(customer => customer.seq_id)).toEqual([at.customers.a, at.customers.b])
    expect(answer.customers[0]).toEqual({
      seq_id: at.customers.a,
      code: '',
      min_tread_summer: null,
      min_tread_winter: null,
      presume_mounts: null,
      name: 'Garage Alfa',
      companyname: 'Garage Alfa NV',
      street: '',
      zipcode: '',
      city: 'Gent',
      email: '',
      vehicles: 1,
      tyre_count: 5,
      in_stock: 1,
      accounts: 1,
    })
    const single = await at.ask(customers.customer, at.who.admin, { seq_id: at.customers.a })
    expect(single.answer).toEqual(answer.customers[0])
  })

  test('are found by every word, ignoring case and accents, and by their accounts', async () => {
    const { answer: record } = await at.ask(customers.save, at.who.admin, {
      code: 'K-77',
      name: 'Hélène Dubois',
      companyname: 'Café de la Gare',
      zipcode: '5000',
      city: 'Namur',
      email: 'helene@example.org',
    })
    await at.ask(customers.saveaccount, at.who.admin, {
      username: 'h.dubois',
      fullname: 'Élodie',
      type: 'user',
      seq_id: record.seq_id,
      password,
    })
    const idsMatching = async (search: string): Promise<number[]> =>
      (await at.ask(customers.list, at.who.admin, { search })).answer.customers.map(customer => customer.seq_id)
    for (const search of ['helene', 'CAFÉ namur', 'k-77', '5000 dubois', 'example.org', 'h.dubois', 'elodie gare', ' '])
      expect(await idsMatching(search), search).toContain(record.seq_id)
    for (const search of ['helene gent', '%', '_', 'h.duboix']) expect(await idsMatching(search), search).toEqual([])
  })

  test('stand as their names are spelt: Ä with A, Ł with L, small letters with capitals, 2 before 10', async () => {
    const mark = fresh('Order')
    const names = [
      'Aachen',
      'Ägypten',
      'azur',
      'Číp',
      'Depot 2',
      'Depot 10',
      'école',
      'Falk',
      'Łódź',
      'Lyon',
      'Müller',
      'Zoo',
    ]
    for (const name of names.toReversed()) await at.ask(customers.save, at.who.admin, { name, city: mark })
    const { answer } = await at.ask(customers.list, at.who.admin, { search: mark })
    expect(answer.customers.map(({ name }) => name)).toEqual(names)
    const matches = await at.ask(fleet.findcustomerbyname, at.who.admin, { string: mark })
    expect(matches.answer.map(({ name }) => name)).toEqual(names)
  })

  test('come a page at a time, each once, also while their names are alike', async () => {
    await at.query(
      `insert into customer (site_id, name) select $1, case when n % 3 = 0 then 'Twin page' else 'Page ' || n end from generate_series(1, 230) n`,
      [at.sites.home],
    )
    const seen: number[] = []
    let last: number | undefined
    for (;;) {
      const { answer } = await at.ask(customers.list, at.who.admin, {
        search: 'page',
        ...(last !== undefined && { last_customer: last }),
      })
      expect(answer.total).toBe(230)
      expect(answer.customers.length).toBeLessThanOrEqual(customersPerPage)
      seen.push(...answer.customers.map(customer => customer.seq_id))
      last = answer.customers.at(-1)?.seq_id
      if (answer.customers.length < customersPerPage) break
    }
    expect(seen).toHaveLength(230)
    expect(new Set(seen).size).toBe(230)
    await at.query(`delete from customer where name ilike '%page%'`)
  })

  test('are created from what was typed, each field as one line, and the audit records it', async () => {
    const { answer } = await at.ask(customers.save, at.who.admin, {
      code: ` ${fresh('C')} `,
      name: 'Van\tden  Broeck\n',
      email: '',
    })
    expect(answer).toMatchObject({ name: 'Van den Broeck', code: `C-${nth}`, vehicles: 0, accounts: 0 })
    expect(await lastAudit()).toEqual({
      site_id: at.sites.home,
      customer_id: answer.seq_id,
      account_id: at.who.admin.account,
      action: 'customer.create',
      subject: `customer ${answer.seq_id}`,
      facts: {},
    })
  })

  test('change in the given fields, and the audit names the fields, not their values', async () => {
    const { answer: record } = await at.ask(customers.save, at.who.admin, {
      name: 'Before',
      city: 'Gent',
      street: 'Kaai 1',
    })
    const { answer } = await at.ask(customers.save, at.who.admin, {
      seq_id: record.seq_id,
      name: 'After',
      city: 'Gent',
    })
    expect(answer).toEqual({ ...record, name: 'After' })
    expect(await lastAudit()).toMatchObject({
      customer_id: record.seq_id,
      account_id: at.who.admin.account,
      action: 'customer.edit',
      facts: { fields: ['name'] },
    })
    const before = await audits()
    await at.ask(customers.save, at.who.admin, { seq_id: record.seq_id, name: 'After' })
    expect(await audits()).toBe(before)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ name: ' \t' }, 'name'],
    [{}, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'A', code: 'x'.repeat(41) }, 'code'],
    [{ name: 'A', zipcode: 'x'.repeat(21) }, 'zipcode'],
    [{ name: 'A', email: 'nobody' }, 'email'],
    [{ seq_id: 1, name: '' }, 'name'],
  ])('typed as %j are refused', async (form, field) => {
    const reply = await at.send('/customers/save', at.who.admin, form)
    expect([reply.status, reply.refusal.code, reply.refusal.params.fields]).toEqual([400, 'request.invalid', [field]])
  })

  test('have a code that is unique at their site, ignoring case; many may have none', async () => {
    const code = fresh('code')
    const { answer: first } = await at.ask(customers.save, at.who.admin, { name: 'First', code })
    const second = await at.ask(customers.save, at.who.admin, { name: 'Second', code: code.toUpperCase() })
    expect([second.status, second.refusal.code]).toEqual([409, 'customer.code_taken'])
    const { answer: third } = await at.ask(customers.save, at.who.admin, { name: 'Third' })
    const taken = await at.ask(customers.save, at.who.admin, { seq_id: third.seq_id, code })
    expect([taken.status, taken.refusal.code]).toEqual([409, 'customer.code_taken'])
    expect((await at.ask(customers.save, at.who.admin, { seq_id: first.seq_id, code })).status).toBe(200)
    expect((await at.ask(customers.save, at.who.otherAdmin, { name: 'Elsewhere', code })).status).toBe(200)
    expect((await at.ask(customers.save, at.who.admin, { name: 'No code' })).status).toBe(200)
  })

  test.each([
    ['a full-width sign', 'K 7-%', 'Ｋ 7-%'],
    ['two blanks', 'K 7-%', 'K  7-%'],
    ['a blank of another width', 'K 7-%', 'K\u20037-%'],
    ['a composed and a separate accent', 'K\u00c9 7-%', 'ke\u0301 7-%'],
  ])('have no code that looks like another one, by form as by import: %s', async (_, pattern, alike) => {
    const own = fresh('code')
    const [code, lookAlike] = [pattern.replace('%', own), alike.replace('%', own)]
    await at.ask(customers.save, at.who.admin, { name: own, code })
    const added = await at.ask(customers.save, at.who.admin, { name: fresh('Second'), code: lookAlike })
    expect([added.status, added.refusal.code]).toEqual([409, 'customer.code_taken'])
    const { answer: third } = await at.ask(customers.save, at.who.admin, { name: fresh('Third') })
    const changed = await at.ask(customers.save, at.who.admin, { seq_id: third.seq_id, code: lookAlike })
    expect([changed.status, changed.refusal.code]).toEqual([409, 'customer.code_taken'])
    // the import finds the first customer by it
    const { answer } = await at.ask(customers.import, at.who.admin, { csv: `code;name\r\n${lookAlike};${own}\r\n` })
    expect([answer.added, answer.refused]).toEqual([0, 0])
  })

  test('get one of two codes that look equal, saved at the same moment', async () => {
    const own = fresh('code')
    const replies = await Promise.all(
      [`R 1-${own}`, `Ｒ 1-${own}`, `r  1-${own}`].map(code =>
        at.ask(customers.save, at.who.admin, { name: fresh('Racing'), code }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })

  test('of another site are missing, as those that do not exist', async () => {
    for (const seq_id of [at.customers.other, 2_000_000_000]) {
      const replies = await Promise.all([
        at.send('/customers/customer', at.who.admin, { seq_id }),
        at.send('/customers/save', at.who.admin, { seq_id, name: 'Mine' }),
        at.send('/customers/accounts', at.who.admin, { seq_id }),
        at.send('/customers/saveaccount', at.who.admin, { username: fresh(), type: 'user', seq_id }),
      ])
      expect(replies.map(reply => [reply.status, reply.refusal.code])).toEqual(
        replies.map(() => [404, 'record.missing']),
      )
    }
    const listed = await at.ask(customers.list, at.who.otherAdmin, { last_customer: at.customers.a })
    expect(listed.answer.customers).toEqual([])
    expect(await at.query('select name from customer where id = $1', [at.customers.other])).toEqual([
      { name: 'Transport Gamma' },
    ])
  })

  test('are managed by administrators only, in every mode', async () => {
    for (const mode of modes) {
      await at.setSite(at.sites.home, { mode })
      expect((await at.ask(customers.list, at.who.admin, {})).status).toBe(200)
      for (const who of [at.who.a, at.who.superuser])
        expect((await at.ask(customers.list, who, {})).refusal.code).toBe('session.forbidden')
      expect((await at.ask(customers.list, at.who.anonymous, {})).status).toBe(401)
    }
    await at.setSite(at.sites.home, { mode: 'both' })
  })

  test('created twice under one idempotency key are created once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const name = fresh('Once')
    const replies = [
      await at.send('/customers/save', at.who.admin, { name }, headers),
      await at.send('/customers/save', at.who.admin, { name }, headers),
    ]
    expect(replies[1]?.text).toBe(replies[0]?.text)
    expect((await at.ask(customers.list, at.who.admin, { search: name })).answer.total).toBe(1)
  })
})

describe('an exchange by file', () => {
  const exported = async (who = at.who.admin): Promise<string> => (await at.ask(customers.export, who, {})).answer.csv
  const take = (csv: string, more: { dryRun?: boolean; name?: string } = {}, who = at.who.admin) =>
    at.ask(customers.import, who, { csv, ...more })
  const everything = () =>
    at.query('select site_id, id, code, name, company, street, zipcode, city, email from customer order by id')

  test('exports the customers of the site, and importing that changes nothing', async () => {
    const csv = await exported()
    expect(csv).toMatch(/^sep=;\r\ncode;name;company;street;zipcode;city;email\r\n/)
    expect(csv).toContain('Garage Alfa NV')
    expect(csv).not.toContain('Gamma')
    const rows = csv.trim().split('\r\n').length - 2
    const before = await everything()
    const { answer } = await take(csv, { name: 'customers.csv' })
    expect(answer).toEqual({ row_count: rows, added: 0, changed: 0, unchanged: rows, refused: 0, lines: [], notes: [] })
    expect(await everything()).toEqual(before)
    expect(await lastAudit()).toEqual({
      site_id: at.sites.home,
      customer_id: null,
      account_id: at.who.admin.account,
      action: 'import.customers',
      subject: 'customers',
      facts: { file: 'customers.csv', rows, added: 0, changed: 0, unchanged: rows, refused: 0 },
    })
  })

  test(
    'keeps 1,000 hostile texts as they are, there and back, and no cell is a formula',
    { tags: 'whole' },
    async () => {
      const hostile = fc
        .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ';', ',', '\t', ' ', 's', '1', 'é', '＝', '-H'), {
          minLength: 1,
          maxLength: 12,
        })
        .map(letters => `${letters.join('')}x`)
      const names = fc.sample(hostile, 1000)
      for (const [index, name] of names.entries())
        await at.query(`insert into customer (site_id, code, name, city) values ($1, $2, $3, $3)`, [
          at.sites.other,
          `=H${index}`,
          name.replaceAll(/\s+/g, ' ').trim(),
        ])
      const csv = await exported(at.who.otherAdmin)
      const cells = (parse(csv, { delimiter: ';', from_line: 2 }) as string[][]).slice(1).flat()
      for (const cell of cells) expect(cell).not.toMatch(/^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/)
      const before = await everything()
      const { answer } = await take(csv, {}, at.who.otherAdmin)
      expect([answer.added, answer.changed, answer.refused]).toEqual([0, 0, 0])
      expect(answer.unchanged).toBeGreaterThanOrEqual(1000)
      expect(await everything()).toEqual(before)
      // and into an empty site: the same customers
      await at.query(`delete from customer where site_id = $1 and code like '=H%'`, [at.sites.other])
      await take(csv, {}, at.who.otherAdmin)
      const texts = (rows: Record<string, unknown>[]) => rows.map(row => [row.code, row.name, row.city]).sort()
      expect(texts(await everything())).toEqual(texts(before))
      await at.query(`delete from customer where site_id = $1 and code like '=H%'`, [at.sites.other])
    },
  )

  test('reports in a dry run what would happen, line by line, and stores nothing', async () => {
    const csv = 'code;name;email;colour\nD1;Dry;d@example.org;red\nD2;;;\nD3;Wet;wet;\nD1;Twice;;\n'
    const before = [await everything(), await audits()]
    const { answer } = await take(csv, { dryRun: true })
    expect(answer).toEqual({
      row_count: 4,
      added: 1,
      changed: 0,
      unchanged: 0,
      refused: 3,
      lines: [
        { line: 3, reason: 'name is blank' },
        { line: 4, reason: 'email ‘wet’ is not an e-mail address' },
        { line: 5, reason: 'is the same customer as line 2' },
      ],
      notes: ['Columns that are not used: colour.'],
    })
    expect([await everything(), await audits()]).toEqual(before)
    const taken = await take(csv)
    expect(taken.answer).toEqual(answer)
    expect((await at.ask(customers.list, at.who.admin, { search: 'd@example.org' })).answer.total).toBe(1)
  })

  test('reports in the language of the caller', async () => {
    const texts = new Set<string>()
    for (const lang of languageCodes) {
      await at.ask(users.language, at.who.admin, { lang })
      const { answer } = await take('name;colour\n;red\n', { dryRun: true })
      texts.add(answer.lines[0]?.reason ?? '').add(answer.notes[0] ?? '')
      const { refusal } = await take('colour\n')
      texts.add(refusal.message)
    }
    expect(texts.size).toBe(12)
    await at.ask(users.language, at.who.admin, { lang: 'eng' })
  })

  test.each([
    ['', /The file is empty\./],
    ['colour\nred\n', /has no column name/],
    ['name,name\n', /occurs twice/],
    ['name\n"open\n', /quotation mark/],
  ])('of %j is refused as a whole', async (csv, reason) => {
    const before = [await everything(), await audits()]
    const { status, refusal } = await take(csv)
    expect([status, refusal.code]).toEqual([400, 'import.unusable'])
    expect(refusal.message).toMatch(reason)
    expect([await everything(), await audits()]).toEqual(before)
  })

  test('that is too long is refused before it is parsed', async () => {
    const reply = await take(`name\n${'x'.repeat(900_001)}`)
    expect([reply.status, reply.refusal.code]).toEqual([422, 'request.too_much'])
  })

  test('with thousands of refused lines lists the first ones and counts all', async () => {
    const { answer } = await take(`code;name\n${'x;\n'.repeat(3000)}`, { dryRun: true })
    expect([answer.refused, answer.lines.length]).toEqual([3000, maxRefusedLines])
  })

  test('never touches a customer of another site', async () => {
    const [before] = await at.query('select * from customer where id = $1', [at.customers.other])
    await take('name;company;city\nTransport Gamma;Stolen;Elsewhere\n')
    expect((await at.query('select * from customer where id = $1', [at.customers.other]))[0]).toEqual(before)
  })
})
