/**
 * `npm run manage`: creates sites and accounts from the command line, for the first ones of an installation and for scripts. Outside
 * the demo there is no default account.
 */
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { z } from 'zod'
import { minPasswordLength, roles, type Role } from '#domain/people/account.ts'
import { Failure } from '#domain/failure.ts'
import type { SecurityFactor, SecurityKind } from '#domain/people/security.ts'
import { modes, type Mode } from '#domain/site.ts'
import { isDeceptive, normaliseUsername } from '#domain/people/username.ts'
import type { Database } from '../db/database.ts'
import { makeSite } from '../features/sites/newSite.ts'
import { hashPassword, generatePassword, problemOf } from '../features/session/password.ts'
import { joinStore, runCommand, UsageError } from './command.ts'

const usage = `npm run manage -- site CODE --name NAME --email ADDRESS [--address HOST]… [--mode hotelonly|fleetonly|both]
    Creates a site. HOST is what its users type in the browser; * is every address that belongs to no other site.

npm run manage -- account USERNAME --type superuser
npm run manage -- account USERNAME --type admin --site CODE
npm run manage -- account USERNAME --type user --site CODE --customer ID
    Creates an account, or gives an existing one a new password; its sessions end. The password has to be changed at
    the first sign-in.
    The password is asked for at a terminal, and read from standard input otherwise; when it is empty, one is generated
    and printed.

--remove-second-step   for somebody who has lost passkey, app and codes, with account
--fullname NAME   the person's name, with account
--email ADDRESS   where messages about the account go, with account
`

async function manage(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      email: { type: 'string' },
      address: { type: 'string', multiple: true, default: [] },
      mode: { type: 'string', default: 'both' },
      type: { type: 'string' },
      site: { type: 'string' },
      customer: { type: 'string' },
      fullname: { type: 'string', default: '' },
      'remove-second-step': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [kind, name] = positionals
  if (values.help || !kind || !name) throw new UsageError(usage)
  const store = await joinStore()
  const client = new pg.Client({ connectionString: store.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    // row-level security also binds an owner without superuser rights
    await client.query(`select set_config('app.scope', 'system', true)`)
    if (kind === 'site') await createSite(store.database, name, values)
    else if (kind === 'account') await saveAccount(client, name, values)
    else throw new UsageError(usage)
    await client.query('commit')
  } finally {
    await client.end()
    await store.close()
  }
}

async function createSite(
  database: Database,
  code: string,
  options: { name?: string | undefined; email?: string | undefined; address: string[]; mode: string },
): Promise<void> {
  if (!options.name || !options.email) throw new UsageError('A site needs --name and --email.')
  if (!/^[a-z0-9-]{1,40}$/.test(code)) throw new UsageError('A site code is made of small letters, digits and dashes.')
  if (!modes.includes(options.mode as Mode)) throw new UsageError(`--mode is one of ${modes.join(', ')}.`)
  const site = {
    code,
    name: options.name,
    adminEmail: options.email,
    mode: options.mode as Mode,
    urls: options.address.map(host => host.toLowerCase()),
    by: null,
    now: new Date(),
  }
  try {
    await database.transaction({}, tx => makeSite(tx, site))
  } catch (error) {
    if (error instanceof Failure && (error.code === 'config.code_taken' || error.code === 'config.url_taken'))
      throw new UsageError('A site of this code, or with one of these addresses, exists already.')
    throw error
  }
  console.log(`Site ${code} was created.`)
}

type AccountOptions = {
  type?: string | undefined
  site?: string | undefined
  customer?: string | undefined
  fullname: string
  email?: string | undefined
  'remove-second-step': boolean
}

/** Creates an account, or gives an existing one a new password. */
async function saveAccount(client: pg.Client, name: string, options: AccountOptions): Promise<void> {
  const username = normaliseUsername(name)
  if (isDeceptive(username))
    throw new UsageError('A username has no invisible characters, and letters of one alphabet.')
  const type = options.type as Role
  if (!roles.includes(type)) throw new UsageError(`--type is one of ${roles.join(', ')}.`)
  const email = options.email ?? ''
  if (email !== '' && !z.email().max(100).safeParse(email).success)
    throw new UsageError('--email is an e-mail address of at most 100 characters.')
  const site = type === 'superuser' ? null : await findSite(client, options.site)
  // shows the site's rows for the rest of the transaction
  if (site !== null) await client.query(`select set_config('app.site', $1, true)`, [String(site)])
  const customer = type === 'user' ? await findCustomer(client, site, options.customer) : null
  await refuseNamesake(client, username, site)
  const { password, generated } = await askPassword([username, options.fullname].filter(Boolean))
  const { rows } = await client.query<{ id: number; created: boolean; same: boolean }>(
    `insert into account as a (site_id, customer_id, username, fullname, type, password, must_change_password, email)
       values ($1, $2, $3, $4, $5, $6, true, $7)
     on conflict (coalesce(site_id, 0), lower(username)) do update
       set password = excluded.password, must_change_password = true, disabled_at = null, email = coalesce(nullif(excluded.email, ''), a.email)
     returning id, xmax = 0 as created, a.type = $5 and a.customer_id is not distinct from $2 as same`,
    [site, customer, username, options.fullname, type, await hashPassword(password), email],
  )
  const [account] = rows
  if (!account?.same) throw new UsageError(`${username} exists already, as an account of another type or customer.`)
  for (const table of ['session', 'sign_in_step', 'account_link', 'known_device'])
    await client.query(`delete from ${table} where account_id = $1`, [account.id])
  const record = recorderOf(client, { site, customer, account: account.id })
  await record.audit(account.created ? 'account.create' : 'account.password')
  if (account.created) await record.event('rolesChanged', { created: true, type })
  else await record.event('passwordChanged')
  if (options['remove-second-step']) await removeSecondStep(client, account.id, record)
  console.log(account.created ? `Account ${username} was created.` : `Account ${username} has a new password.`)
  if (generated) console.log(`Its password: ${password}`)
}

type Recorder = ReturnType<typeof recorderOf>

/** Records in the audit what was done with an account. */
function recorderOf(
  client: pg.Client,
  { site, customer, account }: { site: number | null; customer: number | null; account: number },
) {
  return {
    audit: (action: string) =>
      client.query(`insert into audit (site_id, customer_id, action, subject) values ($1, $2, $3, $4)`, [
        site,
        customer,
        action,
        `account ${account}`,
      ]),
    event: (kind: SecurityKind, facts: Readonly<Record<string, unknown>> = {}) =>
      client.query(
        `insert into security_event (at, kind, site_id, customer_id, account_id, facts) values (now(), $1, $2, $3, $4, $5)`,
        [kind, site, customer, account, { commandLine: true, ...facts }],
      ),
  }
}

async function removeSecondStep(client: pg.Client, account: number, record: Recorder): Promise<void> {
  let removed = 0
  for (const [table, factor] of [
    ['passkey', 'passkey'],
    ['totp', 'totp'],
    ['recovery_code', null],
  ] as const) {
    const { rowCount } = await client.query(`delete from ${table} where account_id = $1`, [account])
    if (!rowCount || factor === null) continue
    removed += rowCount
    await record.event('factorRemoved', { factor } satisfies { factor: SecurityFactor })
  }
  if (removed > 0) await record.audit('account.factors')
}

async function findSite(client: pg.Client, code: string | undefined): Promise<number> {
  const { rows } = await client.query<{ id: number }>(`select id from site where code = $1 and retired_at is null`, [
    code ?? '',
  ])
  if (!rows[0]) throw new UsageError(`There is no site ${code ?? '(none was named: --site CODE)'}.`)
  return rows[0].id
}

async function findCustomer(client: pg.Client, site: number | null, id: string | undefined): Promise<number> {
  const { rows } = await client.query<{ id: number }>(`select id from customer where site_id = $1 and id = $2`, [
    site,
    /^\d{1,9}$/.test(id ?? '') ? id : null,
  ])
  if (!rows[0]) throw new UsageError(`This site has no customer ${id ?? '(none was named: --customer ID)'}.`)
  return rows[0].id
}

/** At an address of the site the username could mean both a superuser and an account of the site. */
async function refuseNamesake(client: pg.Client, username: string, site: number | null): Promise<void> {
  const namesake = await client.query(
    `select from account where lower(username) = lower($1) and (site_id is null) <> ($2::int is null)`,
    [username, site],
  )
  if (namesake.rowCount) throw new UsageError(`A superuser and an account of a site can't both be called ${username}.`)
}

async function askPassword(inputs: readonly string[]): Promise<{ password: string; generated: boolean }> {
  const terminal = process.stdin.isTTY === true
  const reader = createInterface({ input: process.stdin, ...(terminal ? { output: process.stderr } : {}) })
  const typed = terminal
    ? await reader.question('Password (leave empty to generate one): ')
    : ((await reader[Symbol.asyncIterator]().next()).value as string | undefined)
  reader.close()
  if (!typed) return { password: generatePassword(), generated: true }
  const problem = await problemOf(typed, inputs)
  if (problem === 'short') throw new UsageError(`A password has at least ${minPasswordLength} characters.`)
  if (problem === 'guessable') throw new UsageError('The password is too easy to guess.')
  return { password: typed, generated: false }
}

await runCommand(manage)
