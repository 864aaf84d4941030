/** Ways out of the role that row-level security binds, tried at a login (docs/promises.md "Append-only history"). */
import pg from 'pg'

/**
 * Escapes for somebody who can run any statement at this login: the statements after which they are somebody else, or see rows of
 * `table` without naming a site. `others` are roles that they try to become.
 */
export async function escapesOf(url: string, table: string, others: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const me = async () =>
      (await client.query<{ me: string; rows: string }>(`select current_user as me, count(*) as rows from ${table}`))
        .rows[0]
    const ways = [
      'reset role',
      'set role none',
      'reset session authorization',
      'set session authorization default',
      'reset all',
      'discard all',
      `set app.scope = 'system'`,
      ...others.flatMap(other => {
        const name = pg.escapeIdentifier(other)
        return [`set role ${name}`, `set session authorization ${name}`, `grant ${name} to current_user`]
      }),
      'alter role current_user bypassrls',
      `alter table ${table} disable row level security`,
      `set row_security = off`,
    ]
    const began = await me()
    const escapes: string[] = []
    for (const way of ways) {
      await client.query(way).catch(() => {})
      // with row_security off a query that a policy would change is an error
      const now = await me().catch(() => began)
      if (now?.me !== began?.me || now?.rows !== '0') escapes.push(way)
    }
    return escapes
  } finally {
    await client.end()
  }
}
