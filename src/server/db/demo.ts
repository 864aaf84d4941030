/** The demo at a start: loaded into an empty database, listed, and kept away from production and the network. */
import { BlockList, isIP } from 'node:net'
import pg from 'pg'
import { demoPassword } from '#domain/people/account.ts'
import { loadDemo } from '../../../db/demo/load.ts'
import { demoAccounts, type DemoAccount } from '../../../db/demo/logins.ts'
import type { Config } from '../config.ts'
import { StartRefused, type Log } from '../postgres/startup.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether only programs of this machine reach this address. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))

/**
 * Loads the demo tyre hotel into an empty database, except in production, and returns the accounts with the public
 * password. @throws StartRefused where others than the user of this machine could use them, unless ALLOW_DEMO permits
 * it
 */
export async function prepareDemo(adminUrl: string, config: Config, log: Log): Promise<DemoAccount[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    // row-level security also binds an owner of the tables without superuser rights
    await client.query("set app.scope = 'system'")
    const production = config.NODE_ENV === 'production'
    const { rows } = await client.query<{ empty: boolean }>(
      'select not exists (select from site) and not exists (select from account) as empty',
    )
    const empty = rows[0]?.empty === true
    if (empty && production) {
      log(
        'This database has no site and no account yet. Create the first superuser: npm run manage -- account NAME --type superuser',
      )
      return []
    }
    const accounts = await demoAccounts(client)
    if (empty || accounts.length > 0) refuseExposed(config)
    if (!empty) return accounts
    log('Loading the demo tyre hotel into the empty database …')
    await loadDemo({ client, now: new Date() })
    return await demoAccounts(client)
  } finally {
    await client.end()
  }
}

function refuseExposed({ ALLOW_DEMO: allowed, NODE_ENV: environment, HOST: host }: Config): void {
  if (allowed) return
  const otherwise = 'or set ALLOW_DEMO=yes if everybody may sign in.'
  if (environment === 'production')
    throw new StartRefused(
      `This database holds accounts of the demo, whose password is public. Use an empty DATA_DIR or DATABASE_URL for production, give these accounts other passwords, ${otherwise}`,
    )
  if (!isLoopback(host))
    throw new StartRefused(
      `HOST is ${host}, and the password of the demo's accounts is public. Leave HOST at 127.0.0.1, set NODE_ENV=production for a portal of your own, ${otherwise}`,
    )
}

/** The demo's accounts, as lines to print. */
export const demoLines = (accounts: readonly DemoAccount[]): string[] =>
  accounts.length === 0
    ? []
    : [
        `Demo accounts, password ${demoPassword}:`,
        ...accounts.map(
          ({ username, type, site }) => `  ${username.padEnd(11)}${type.padEnd(10)}${site ?? 'every site'}`,
        ),
      ]
