/** Fingerprints of everything that is somebody's: they show whether a call has changed what others have. */
import { type Owner, owners } from './owners.ts'
import { countWrites, records } from './state.ts'
import type { World } from './world.ts'

/** The fingerprint of all that each customer has, and each site. */
export type Prints = {
  readonly customers: Readonly<Record<Owner, string>>
  readonly sites: ReadonlyMap<number, string>
}

/** The tables that have this column, but for records of the calls themselves: what a customer has, or a site. */
export async function tablesWith(at: World, column: string): Promise<string[]> {
  const columns = await at.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = $1 and t.table_type = 'BASE TABLE' order by 1`,
    [column],
  )
  return columns.flatMap(({ name }) => (records.includes(name) ? [] : [name]))
}

/** A statement that reads the fingerprint of these tables for each id, in their order. */
const statement = (tables: readonly { table: string; column: string }[]): string => {
  const prints = tables.map(
    ({ table, column }) =>
      `(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ${table} t where t.${column} = asked.id)`,
  )
  return `select array_to_string(array[${prints.join(', ')}], ',') as print from unnest($1::int[]) with ordinality as asked(id, nth) order by nth`
}

export type Fingerprints = {
  /** Reads those of all customers and sites as they are. */
  read(): Promise<Prints>
  /** Says that something has changed without a write that was counted. */
  forget(): void
}

/** Prepares the statements. */
export async function openFingerprints(at: World): Promise<Fingerprints> {
  const columnsNamed = async (column: string) => (await tablesWith(at, column)).map(table => ({ table, column }))
  const ofCustomers = statement(await columnsNamed('customer_id'))
  const ofSites = statement([...(await columnsNamed('site_id')), { table: 'site', column: 'id' }])
  // planned once: planning takes as long as reading does
  await at.query('set plan_cache_mode = force_generic_plan')
  const ask = async (name: string, text: string, ids: readonly number[]) =>
    (await at.admin.query<{ print: string }>({ name, text, values: [ids] })).rows.map(({ print }) => print)
  const sites = Object.values(at.sites)
  const countWritten = await countWrites(at)
  let latest: { readonly prints: Prints; readonly written: string } | undefined
  return {
    async read() {
      // most calls write nothing, and reading takes longer than most calls do
      const written = await countWritten()
      if (latest?.written === written) return latest.prints
      const ids = owners.map(owner => at.customers[owner])
      const customers = await ask('prints of customers', ofCustomers, ids)
      const printed = await ask('prints of sites', ofSites, sites)
      const prints = {
        customers: Object.fromEntries(owners.map((owner, nth) => [owner, customers[nth] ?? ''])) as Prints['customers'],
        sites: new Map(sites.map((site, nth) => [site, printed[nth] ?? ''])),
      }
      latest = { prints, written }
      return prints
    },
    forget() {
      latest = undefined
    },
  }
}
