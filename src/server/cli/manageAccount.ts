/** `npm run manage -- account`: creates an account or gives one a new password. Outside the demo there is no default account. */
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { z } from 'zod'
import { minPasswordLength, roles, type Role } from '#domain/people/account.ts'
import type { SecurityFactor, SecurityKind } from '#domain/people/security.ts'
import { isDeceptive, normaliseUsername } from '#domain/people/username.ts'
import { hashPassword, generatePassword, problemOf } from '../features/session/password.ts'
import { findSite, UsageError, withOwner } from './command.ts'

export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      type: { type: 'string' },
      site: { type: 'string' },
      customer: { type: 'string' },
      fullname: { type: 'string', default: '' },
      email: { type: 'string' },
      'remove-second-step': { type: 'boolean', default: false },
    },
  })
  const [name, ...rest] = positionals
  if (!name || rest.length > 0) throw new UsageError('An account has one name: npm run manage -- account USERNAME …')
  await withOwner(client => saveAccount(client, name, values))
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
