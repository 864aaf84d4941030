/** Restores of tests, one at a time: a server refuses a second one, and all test files share one server. */
import pg from 'pg'

/** Waits until no other test restores. Answers how to let the next one. */
export async function takeRestores(url: string): Promise<() => Promise<void>> {
  const anywhere = new URL(url)
  anywhere.pathname = '/postgres'
  const client = new pg.Client({ connectionString: anywhere.href })
  await client.connect()
  await client.query(`select pg_advisory_lock(hashtext('restores of tests'))`)
  return () => client.end()
}

/** Restores while no other test does. */
export async function restoringAlone<T>(url: string, restore: () => Promise<T>): Promise<T> {
  const end = await takeRestores(url)
  return restore().finally(end)
}
