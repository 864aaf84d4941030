/**
 * `npm run manage`: sites and accounts from the command line, for an installation's first ones and for scripts
 * (DESIGN §5: no default accounts outside the demo).
 */
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { passwordAtLeast, roles, type Role } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import { modes, type Mode } from '#domain/site.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { openStore } from '../db/open.ts'
import { makeSite } from '../features/sites/newSite.ts'
import { hashPassword, madeUpPassword } from '../features/session/password.ts'
import { StartRefused } from '../postgres/startup.ts'

const usage = `npm run manage -- site CODE --name NAME --email ADDRESS [--address HOST]… [--mode hotelonly|fleetonly|both]
    Makes a site. HOST is what its users type in the browser; * is every address that no other site has claimed.

npm run manage -- account USERNAME --type superuser
npm run manage -- account USERNAME --type admin --site CODE
npm run manage -- account USERNAME --type user --site CODE --customer ID
    Makes an account, or gives it a new password when it exists; its sessions end.
    The password is asked for at a terminal, read from standard input otherwise; an empty one is made up and printed.

--fullname NAME   the person's name, with account
`

/** A wrong use of the command, said in one sentence. */
class Wrong extends Error {}

async function manage(words: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args: words,
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
      help: { type: 'boolean', default: false },
    },
  })
  const [what, subject] = positionals
  if (values.help || !what || !subject) throw new Wrong(usage)
  const store = await openStore(readConfig(process.env), { log: sentence => console.error(sentence), join: true })
  const client = new pg.Client({ connectionString: store.adminUrl })
  await client.connect()
  try {
    await client.query('begin')
    // an owner that is no superuser is bound by row-level security like everybody
    await client.query(`select set_config('app.scope', 'system', true)`)
    if (what === 'site') await newSite(store.database, subject, values)
    else if (what === 'account') await makeAccount(client, subject, values)
    else throw new Wrong(usage)
    await client.query('commit')
  } finally {
    await client.end()
    await store.close()
  }
}

/** Opens a site's rows for the rest of the transaction. */
const workAt = (client: pg.Client, site: number | undefined): Promise<unknown> =>
  client.query(`select set_config('app.site', $1, true)`, [String(site ?? '')])

async function newSite(
  database: Database,
  code: string,
  asked: { name?: string | undefined; email?: string | undefined; address: string[]; mode: string },
): Promise<void> {
  if (!asked.name || !asked.email) throw new Wrong('A site needs --name and --email.')
  if (!/^[a-z0-9-]{1,40}$/.test(code)) throw new Wrong('A site code is made of small letters, digits and dashes.')
  if (!modes.includes(asked.mode as Mode)) throw new Wrong(`--mode is one of ${modes.join(', ')}.`)
  const made = {
    code,
    name: asked.name,
    adminEmail: asked.email,
    mode: asked.mode as Mode,
    urls: asked.address.map(host => host.toLowerCase()),
    by: null,
    now: new Date(),
  }
  try {
    await database.transaction({}, tx => makeSite(tx, made))
  } catch (error) {
    if (error instanceof Failure && (error.code === 'config.code_taken' || error.code === 'config.url_taken'))
      throw new Wrong('A site of this code, or with one of these addresses, exists already.')
    throw error
  }
  console.log(`Site ${code} is made.`)
}

async function makeAccount(
  client: pg.Client,
  username: string,
  asked: { type?: string | undefined; site?: string | undefined; customer?: string | undefined; fullname: string },
): Promise<void> {
  const type = asked.type as Role
  if (!roles.includes(type)) throw new Wrong(`--type is one of ${roles.join(', ')}.`)
  let site: number | null = null
  let customer: number | null = null
  if (type !== 'superuser') {
    const { rows } = await client.query<{ id: number }>(`select id from site where code = $1 and retired_at is null`, [
      asked.site ?? '',
    ])
    if (!rows[0]) throw new Wrong(`There is no site ${asked.site ?? '(none was named: --site CODE)'}.`)
    site = rows[0].id
    await workAt(client, site)
  }
  if (type === 'user') {
    const { rows } = await client.query<{ id: number }>(`select id from customer where site_id = $1 and id = $2`, [
      site,
      /^\d{1,9}$/.test(asked.customer ?? '') ? asked.customer : null,
    ])
    if (!rows[0]) throw new Wrong(`This site has no customer ${asked.customer ?? '(none was named: --customer ID)'}.`)
    customer = rows[0].id
  }
  // at an address of the site both could be meant, and only one found
  const namesake = await client.query(
    `select from account where lower(username) = lower($1) and (site_id is null) <> ($2::int is null)`,
    [username, site],
  )
  if (namesake.rowCount) throw new Wrong(`A superuser and an account of a site can't both be called ${username}.`)
  const { password, madeUp } = await askPassword()
  const { rows } = await client.query<{ id: number; fresh: boolean; same: boolean }>(
    `insert into account as a (site_id, customer_id, username, fullname, type, password) values ($1, $2, $3, $4, $5, $6)
     on conflict (coalesce(site_id, 0), lower(username)) do update set password = excluded.password, disabled_at = null
     returning id, xmax = 0 as fresh, a.type = $5 and a.customer_id is not distinct from $2 as same`,
    [site, customer, username, asked.fullname, type, await hashPassword(password)],
  )
  if (!rows[0]?.same) throw new Wrong(`${username} exists already, as an account of another kind or customer.`)
  await client.query(`delete from session where account_id = $1`, [rows[0].id])
  await client.query(`insert into audit (site_id, customer_id, action, subject) values ($1, $2, $3, $4)`, [
    site,
    customer,
    rows[0].fresh ? 'account.create' : 'account.password',
    `account ${rows[0].id}`,
  ])
  console.log(rows[0].fresh ? `Account ${username} is made.` : `Account ${username} has a new password.`)
  if (madeUp) console.log(`Its password: ${password}`)
}

async function askPassword(): Promise<{ password: string; madeUp: boolean }> {
  const terminal = process.stdin.isTTY === true
  const reader = createInterface({ input: process.stdin, ...(terminal ? { output: process.stderr } : {}) })
  const typed = terminal
    ? await reader.question('Password (empty: one is made up): ')
    : ((await reader[Symbol.asyncIterator]().next()).value as string | undefined)
  reader.close()
  if (!typed) return { password: madeUpPassword(), madeUp: true }
  if (typed.length < passwordAtLeast) throw new Wrong(`A password has at least ${passwordAtLeast} characters.`)
  return { password: typed, madeUp: false }
}

try {
  await manage(process.argv.slice(2))
} catch (error) {
  const said =
    error instanceof Wrong ||
    error instanceof StartRefused ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  console.error(said ? (error as Error).message : error)
  process.exitCode = 1
}
