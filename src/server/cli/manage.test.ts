import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configurationTemplates } from '#domain/vehicles/axle.ts'
import { verifyPassword } from '../features/session/password.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Runs the command with this standard input. */
async function manage(args: readonly string[], input = ''): Promise<{ code: number; output: string }> {
  const command = spawn(process.execPath, ['src/server/cli/manage.ts', ...args], {
    env: {
      ...process.env,
      DATABASE_URL: database.adminUrl,
      DATABASE_APP_URL: database.appUrl,
      ALLOW_UNSAFE_DATABASE: '1',
    },
  })
  command.stdin.end(input)
  const [out, err, [code]] = await Promise.all([text(command.stdout), text(command.stderr), once(command, 'exit')])
  return { code: Number(code), output: out + err }
}

test('a site, its administrator and a customer’s account are created from the command line', async () => {
  const site = ['site', 'gent', '--name', 'Gent', '--email', 'desk@example.org', '--address', 'Gent.Example.org']
  expect(await manage(site)).toEqual({ code: 0, output: 'Site gent was created.\n' })
  expect(await manage(site)).toMatchObject({ code: 1, output: expect.stringContaining('exists already') })
  const { rows: hosts } = await client.query(`select host from site_address`)
  expect(hosts).toEqual([{ host: 'gent.example.org' }])
  const { rows: defaults } = await client.query(
    `select (select count(*)::int from label_report) as labels, (select count(*)::int from vehicle_config) as configs`,
  )
  expect(defaults).toEqual([{ labels: 3, configs: configurationTemplates.length }])

  const created = await manage(['account', 'desk', '--type', 'admin', '--site', 'gent'])
  const password = /^Its password: (\S+)$/m.exec(created.output)?.[1] ?? ''
  const passwordOf = async (name: string): Promise<string> =>
    (await client.query<{ password: string }>(`select password from account where username = $1`, [name])).rows[0]
      ?.password ?? ''
  expect(await verifyPassword(password, await passwordOf('desk'))).toBe(true)

  const { rows } = await client.query<{ id: number }>(
    `insert into customer (site_id, name) select id, 'Garage' from site returning id`,
  )
  const user = ['account', 'jo', '--type', 'user', '--site', 'gent', '--customer', String(rows[0]?.id)]
  expect((await manage(user, 'a long enough one\n')).output).toBe('Account jo was created.\n')
  expect(await verifyPassword('a long enough one', await passwordOf('jo'))).toBe(true)

  await client.query(
    `insert into session (token_hash, account_id, site_id) select 'x', id, site_id from account where username = 'jo'`,
  )
  expect((await manage(user, 'another long one\n')).output).toBe('Account jo has a new password.\n')
  expect((await client.query('select from session')).rowCount).toBe(0)
  // the user at the command line is not the account's owner
  const { rows: given } = await client.query('select must_change_password from account order by id')
  expect(given).toEqual([{ must_change_password: true }, { must_change_password: true }])
  const { rows: audit } = await client.query(
    `select action, coalesce((select username from account a where subject = 'account ' || a.id), subject) as subject from audit order by id`,
  )
  expect(audit).toEqual([
    { action: 'site.create', subject: 'gent' },
    { action: 'account.create', subject: 'desk' },
    { action: 'account.create', subject: 'jo' },
    { action: 'account.password', subject: 'jo' },
  ])
})

test(
  'the second step of somebody who has lost it is removed, and what lets in besides, and both are recorded',
  { tags: 'whole' },
  async () => {
    const boss = ['account', 'boss', '--type', 'superuser']
    await manage(boss, 'a long enough one\n')
    const lost = `from account where username = 'boss'`
    await client.query(`select set_config('app.scope', 'system', false)`)
    await client.query(`insert into totp (account_id, seed, last_step, created_at) select id, 'seed', 0, now() ${lost}`)
    await client.query(`insert into known_device (hash, account_id, seen_at) select 'device', id, now() ${lost}`)
    await client.query(
      `with sent as (insert into mail (account_id, kind, created_at, due_at) select id, 'reset', now(), now() ${lost} returning id, account_id)
     insert into account_link (hash, mail_id, account_id, kind, expires_at) select 'link', id, account_id, 'reset', now() + interval '1 day' from sent`,
    )
    expect((await manage([...boss, '--remove-second-step'], 'another long one\n')).code).toBe(0)
    for (const table of ['totp', 'known_device', 'account_link'])
      expect((await client.query(`select from ${table}`)).rowCount, table).toBe(0)
    const { rows: events } = await client.query(
      `select kind, facts->>'factor' as factor from security_event where account_id = (select id ${lost}) order by id`,
    )
    expect(events).toEqual([
      { kind: 'rolesChanged', factor: null },
      { kind: 'passwordChanged', factor: null },
      { kind: 'factorRemoved', factor: 'totp' },
    ])
    const { rows: audit } = await client.query(`select action from audit order by id desc limit 1`)
    expect(audit).toEqual([{ action: 'account.factors' }])
  },
)

test.each([
  [['account', 'x', '--type', 'boss'], '--type is one of user, admin, superuser.'],
  [['account', 'x', '--type', 'admin', '--site', 'nowhere'], 'There is no site nowhere.'],
  [['account', 'x', '--type', 'user', '--site', 'gent', '--customer', '999'], 'This site has no customer 999.'],
  [['site', 'No Good', '--name', 'x', '--email', 'y'], 'A site code is made of small letters, digits and dashes.'],
  [['account', 'x', '--type', 'superuser', '--wrong'], "Unknown option '--wrong'"],
  [[], 'npm run manage -- site CODE'],
])('wrong arguments are explained: %j', async (args, output) => {
  const refused = await manage(args)
  expect(refused.code).toBe(1)
  expect(refused.output).toContain(output)
  expect(refused.output).not.toContain('    at ')
})

test('a superuser and an account of a site never have the same username', async () => {
  const output = "A superuser and an account of a site can't both be called DESK.\n"
  expect(await manage(['account', 'DESK', '--type', 'superuser'], 'long enough it is\n')).toEqual({ code: 1, output })
})

test('a short password is refused and nothing is created', async () => {
  expect(await manage(['account', 'short', '--type', 'superuser'], 'short\n')).toEqual({
    code: 1,
    output: 'A password has at least 10 characters.\n',
  })
  expect((await client.query(`select from account where username = 'short'`)).rowCount).toBe(0)
})

test('customers of a site are listed with their ids', async () => {
  await client.query(
    `insert into site (code, name, admin_email) values ('listed', 'Listed', 'a@b.test');
     insert into customer (site_id, name, company, city, code) select id, n, n || ' NV', 'Gent', c from site, (values ('Alfa', 'A-1'), ('Beta', 'B-2')) as v (n, c) where site.code = 'listed'`,
  )
  const { rows } = await client.query<{ id: number; name: string }>(
    `select c.id, c.name from customer c join site s on s.id = c.site_id where s.code = 'listed' order by name`,
  )
  const [alfa, beta] = rows
  expect(await manage(['customers', '--site', 'listed'])).toEqual({
    code: 0,
    output: `${alfa?.id}\tAlfa\tAlfa NV\tGent\n${beta?.id}\tBeta\tBeta NV\tGent\n`,
  })
  expect((await manage(['customers', 'b-2', '--site', 'listed'])).output).toBe(`${beta?.id}\tBeta\tBeta NV\tGent\n`)
  expect(await manage(['customers', '--site', 'nowhere'])).toEqual({ code: 1, output: 'There is no site nowhere.\n' })
})

test('SQL of the owner reads every site, and changes nothing unless it is asked to write', async () => {
  const sql = (...words: string[]) => manage(['sql', ...words])
  expect(
    (await sql(`select code, null as nothing, '{"a":1}'::jsonb as facts from site where code = 'listed'`)).output,
  ).toBe('code\tnothing\tfacts\nlisted\t\t{"a":1}\nSELECT 1\n')
  const change = `update site set name = 'Changed' where code = 'listed'`
  expect(await sql(change)).toEqual({ code: 1, output: 'cannot execute UPDATE in a read-only transaction\n' })
  expect((await sql(`commit; ${change}`)).output).toContain('read-only transaction')
  expect((await client.query(`select name from site where code = 'listed'`)).rows).toEqual([{ name: 'Listed' }])
  expect(await sql('--write', change)).toEqual({ code: 0, output: 'UPDATE 1\n' })
  expect((await client.query(`select name from site where code = 'listed'`)).rows).toEqual([{ name: 'Changed' }])
  expect((await manage(['sql'], 'select 7 as seven\n')).output).toContain('seven\n7\n')
  expect(await sql('selec')).toEqual({ code: 1, output: 'syntax error at or near "selec" (at character 1)\n' })
})

test('the doctor speaks to people and to programs, and its exit code says whether something is at fault', async () => {
  const { code, output } = await manage(['doctor'])
  // the settings of this test: a database that may lose what it has acknowledged
  expect(code).toBe(1)
  expect(output).toMatch(/^FAULT settings +ALLOW_UNSAFE_DATABASE is set.*\n +→ Remove it\.$/m)
  const findings = JSON.parse((await manage(['doctor', '--json'])).output) as { code: string }[]
  expect(findings.map(finding => finding.code)).toContain('settings.unsafe')
})
