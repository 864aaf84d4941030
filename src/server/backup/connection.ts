/** Connections for backups and restores. */
import pg from 'pg'

/** A connection for statements that may take hours. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'wheelhouse backup',
  })
  // the statement that a lost connection interrupts reports it
  client.on('error', () => {})
  await client.connect()
  // not as connection options, which a pooler would refuse
  await client.query(
    `set timezone to 'UTC'; set synchronize_seqscans to off; set idle_in_transaction_session_timeout to 0; set statement_timeout to 0`,
  )
  return client
}

/** An identifier as it stands in SQL. */
export const quote = (name: string): string => pg.escapeIdentifier(name)

/** The names of columns as they stand in a list. */
export const columnList = (columns: readonly string[]): string => columns.map(quote).join(', ')
