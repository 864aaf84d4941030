/** Where the database is, for commands: loads nothing that only a portal needs. */
import type { Config } from '../config.ts'
import type { Log } from '../postgres/startup.ts'
import { joinPostgres } from '../postgres/supervisor.ts'

/**
 * The database for a command: that of a running portal, or started for the duration of the
 * command. It is not migrated. @throws StartRefused
 */
export async function locateDatabase(
  { DATABASE_URL: url, DATA_DIR: dataDir, ALLOW_UNSAFE_DATABASE: unsafe }: Config,
  log: Log,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (url) return { url, close: async () => {} }
  const postgres = await joinPostgres({ dataDir, log, unsafe })
  return { url: postgres.adminUrl, close: postgres.stop }
}
