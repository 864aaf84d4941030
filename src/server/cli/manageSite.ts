/** `npm run manage -- site`: creates a site. */
import { parseArgs } from 'node:util'
import { Failure } from '#domain/failure.ts'
import { modes, type Mode } from '#domain/site.ts'
import type { Database } from '../db/database.ts'
import { makeSite } from '../features/sites/newSite.ts'
import { joinStore, UsageError } from './command.ts'

export async function run(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      email: { type: 'string' },
      address: { type: 'string', multiple: true, default: [] },
      mode: { type: 'string', default: 'both' },
    },
  })
  const [code, ...rest] = positionals
  if (!code || rest.length > 0) throw new UsageError('A site has one code: npm run manage -- site CODE --name NAME …')
  const store = await joinStore()
  try {
    await createSite(store.database, code, values)
  } finally {
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
