/** Neither the portal nor an intruder can rewrite history (docs/promises.md "Append-only history"). */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadDemo } from '../../../db/demo/load.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'

/** Tables that the application can only add to. */
const appendOnly = ['audit', 'security_event', 'tyre_event', 'scan', 'location_scan']
/** The privileges on the other tables, where the application lacks some. */
const narrower: Record<string, string[]> = {
  site: ['SELECT', 'INSERT', 'UPDATE'],
  // an entry can be released, in three columns
  storage_ledger: ['SELECT', 'INSERT'],
  invoice_mark: ['SELECT', 'INSERT'],
  // a rule ends, in columns of its own, and goes as long as nothing was charged by it; an entry can be released
  tariff_rule: ['SELECT', 'INSERT', 'DELETE'],
  no_show: ['SELECT', 'INSERT'],
  charge: ['SELECT', 'INSERT'],
  charge_ledger: ['SELECT', 'INSERT'],
  billing_run: ['SELECT', 'INSERT', 'UPDATE'],
  billing_details: ['SELECT', 'INSERT', 'UPDATE'],
  customer_billing: ['SELECT', 'INSERT', 'UPDATE'],
  // an invoice stays as it is; that its documents are free again can be noted, in a column
  invoice: ['SELECT', 'INSERT'],
  invoice_line: ['SELECT', 'INSERT'],
  invoice_document: ['SELECT', 'INSERT'],
  // a payment is undone in columns of its own; a bank file that was taken back goes with its lines
  payment_settings: ['SELECT', 'INSERT', 'UPDATE'],
  payment: ['SELECT', 'INSERT'],
  payment_part: ['SELECT', 'INSERT'],
  invoice_balance: ['SELECT', 'INSERT', 'UPDATE'],
  bank_file: ['SELECT', 'INSERT', 'DELETE'],
  bank_line: ['SELECT', 'INSERT', 'DELETE'],
  // a letter stays as it was sent; a stop ends
  reminder_settings: ['SELECT', 'INSERT', 'UPDATE'],
  reminder_stop: ['SELECT', 'INSERT', 'UPDATE'],
  reminder_run: ['SELECT', 'INSERT', 'UPDATE'],
  reminder_run_customer: ['SELECT', 'INSERT', 'UPDATE'],
  reminder: ['SELECT', 'INSERT'],
  reminder_invoice: ['SELECT', 'INSERT'],
  // one on its way is sent or refused
  invoice_sending: ['SELECT', 'INSERT', 'UPDATE'],
  invoice_counter: ['SELECT', 'INSERT', 'UPDATE'],
  bookkeeping_mapping: ['SELECT', 'INSERT', 'UPDATE'],
  outbox: ['SELECT', 'INSERT', 'UPDATE'],
  wheel: ['SELECT', 'INSERT', 'UPDATE'],
  orphan: ['SELECT', 'INSERT', 'UPDATE'],
  settled_job: ['SELECT', 'INSERT'],
  dictionary: ['SELECT', 'UPDATE'],
  request_key: ['SELECT', 'INSERT', 'DELETE'],
  tyre_words: ['SELECT', 'INSERT'],
  security_event_origin: ['SELECT', 'INSERT', 'DELETE'],
  // its withdrawal can be noted, in three columns
  document: ['SELECT', 'INSERT'],
  document_line: ['SELECT', 'INSERT'],
  document_counter: ['SELECT', 'INSERT', 'UPDATE'],
  // a wave ends, and what left stays known
  wave: ['SELECT', 'INSERT', 'UPDATE'],
  wave_line: ['SELECT', 'INSERT', 'UPDATE'],
  wave_tyre: ['SELECT', 'INSERT', 'UPDATE'],
  loading: ['SELECT', 'INSERT', 'UPDATE'],
  loading_tyre: ['SELECT', 'INSERT', 'UPDATE'],
  delivery_note: ['SELECT', 'INSERT', 'UPDATE'],
  // a signed hand-over stays
  handed_wheel: ['SELECT', 'INSERT'],
  storage_receipt: ['SELECT', 'INSERT'],
  site_paper: ['SELECT', 'INSERT', 'UPDATE'],
  // a count ends and a difference is solved, in columns of their own; the counted wheels stay
  stock_count: ['SELECT', 'INSERT'],
  counted_place: ['SELECT', 'INSERT'],
  count_finding: ['SELECT', 'INSERT'],
  // a report ends, in columns of its own
  damage_report: ['SELECT', 'INSERT'],
  photo: ['SELECT', 'INSERT'],
  // a period on a vehicle is closed or withdrawn, and a reading of an odometer taken back, in columns of their own
  mount: ['SELECT', 'INSERT'],
  odometer: ['SELECT', 'INSERT'],
  record_gone: ['SELECT', 'INSERT'],
  label_print: ['SELECT', 'INSERT', 'UPDATE'],
  // due rows are taken, and never changed
  forecast_due: ['SELECT', 'INSERT', 'DELETE'],
  // a form is put right and a pick-up withdrawn, in columns of their own
  scrap_pickup: ['SELECT', 'INSERT'],
  scrap_pickup_tyre: ['SELECT', 'INSERT'],
}

let fresh: TestDatabase
let owner: pg.Client
let application: pg.Client
beforeAll(async () => {
  fresh = await testDatabase()
  owner = new pg.Client({ connectionString: fresh.adminUrl })
  application = new pg.Client({ connectionString: fresh.appUrl })
  await Promise.all([owner.connect(), application.connect()])
  await loadDemo({ client: owner, now: new Date('2026-11-18T10:00:00Z') })
  await owner.query(
    `insert into scan (site_id, id, customer_id, operation_id, tyre_id, scanned_at) values (1, gen_random_uuid(), 1, 1, 1, now());
     insert into location_scan (site_id, id, location_id, scanned_at) values (1, gen_random_uuid(), 1, now());
     insert into audit (site_id, action) values (1, 'config.edit');
     insert into security_event (at, kind, site_id) values (now(), 'exported', 1)`,
  )
})
afterAll(async () => {
  await Promise.all([owner.end(), application.end()])
  await fresh.drop()
})

test('the application’s role can do with each table what is said here, and no more', async () => {
  const { rows } = await owner.query<{ name: string; rights: string[] }>(`
    select c.relname as name, array(
      select r from unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) r
      where has_table_privilege('wheelhouse_app', c.oid, r)) as rights
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`)
  const expected = (name: string) =>
    appendOnly.includes(name) ? ['SELECT', 'INSERT'] : (narrower[name] ?? ['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
  expect(rows.length).toBeGreaterThan(25)
  expect(rows).toEqual(rows.map(({ name }) => ({ name, rights: expected(name) })))
})

test('it owns nothing, bypasses nothing, becomes nobody else, and makes no tables', async () => {
  const { rows } = await application.query<Record<string, unknown>>(`
    select current_user as me, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolreplication,
      (select count(*)::int from pg_class where relowner = r.oid) as owns,
      (select count(*)::int from pg_auth_members where member = r.oid) as member,
      has_schema_privilege(r.oid, 'public', 'CREATE') as makes
    from pg_roles r where r.rolname = current_user`)
  expect(rows[0]).toEqual({
    me: 'wheelhouse_app',
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    owns: 0,
    member: 0,
    makes: false,
  })
})

const attempt = async (sql: string): Promise<string> => {
  await application.query('begin')
  await application.query(`select set_config('app.site', '1', true), set_config('app.scope', 'system', true)`)
  try {
    const { rowCount } = await application.query(sql)
    return `${rowCount} rows`
  } catch (error) {
    return String((error as { code?: string }).code)
  } finally {
    await application.query('rollback')
  }
}

test.each(appendOnly)('a row of %s can be read and added, and neither changed nor taken away', async table => {
  expect(await attempt(`select from ${table} limit 1`)).toBe('1 rows')
  const denied = '42501'
  expect(await attempt(`update ${table} set site_id = site_id`)).toBe(denied)
  expect(await attempt(`delete from ${table}`)).toBe(denied)
  expect(await attempt(`truncate ${table}`)).toBe(denied)
  expect(await attempt(`alter table ${table} disable trigger user`)).toBe(denied)
  expect(await attempt(`alter table ${table} disable row level security`)).toBe(denied)
  expect(await attempt(`drop table ${table}`)).toBe(denied)
  // nor by way of what it hangs on
  expect(await attempt('delete from tyre where site_id = 1')).toMatch(/^(23503|42501)$/)
})

/** Invoiced rows never change: the columns of a document and its lines, and an attempt to change each. */
const paper = ['document', 'document_line', 'storage_ledger', 'invoice_mark', 'charge', 'charge_ledger']
const changeable: Record<string, string[]> = {
  // the vehicle and the tyre, when they go to another customer, and there to their copy only
  document: ['vehicle_id', 'withdrawn_at', 'withdrawn_by', 'withdrawn_reason'],
  document_line: ['tyre_id'],
  storage_ledger: ['tyre_id', 'released_at', 'released_by', 'released_reason'],
  invoice_mark: ['tyre_id', 'undone_at'],
  charge_ledger: ['released_at', 'released_by', 'released_reason'],
}
test.each(paper)('of a row of %s nothing can be changed that was invoiced, and it can’t be taken away', async table => {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  expect(rows.length).toBeGreaterThan(5)
  const changed: string[] = []
  for (const { name } of rows)
    if ((await attempt(`update ${table} set ${name} = ${name} where false`)) === '0 rows') changed.push(name)
  expect(changed.toSorted()).toEqual((changeable[table] ?? []).toSorted())
  expect(await attempt(`delete from ${table}`)).toBe('42501')
  expect(await attempt(`truncate ${table}`)).toBe('42501')
  // nor by way of what it hangs on
  expect(await attempt('delete from document')).toBe('42501')
  expect(await attempt('delete from customer where site_id = 1')).toMatch(/^(23503|42501)$/)
})

test('the control: where the right is given, the row is gone', async () => {
  await owner.query('grant delete on audit to wheelhouse_app')
  expect(await attempt('delete from audit')).not.toBe('42501')
  await owner.query('revoke delete on audit from wheelhouse_app')
})
