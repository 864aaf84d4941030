/** Real databases for tests: each test file works in one of its own, copied from a migrated one in some tens of milliseconds. */
import { Client } from 'pg'
import { inject } from 'vitest'

/** The server that the global set-up has started for this run. */
export type TestServer = {
  /** Connects to the template as the owner of everything. */
  adminUrl: string
  template: string
  appRole: string
  appPassword: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

export type TestDatabase = {
  /** Connects as the owner of the tables. */
  adminUrl: string
  /** Connects as the application does: bound by row-level security, owning nothing. */
  appUrl: string
  /** Removes the database, even while others are connected to it. */
  drop(): Promise<void>
}

let databases = 0

/**
 * Makes a database for the calling test file: migrated, without a row; `empty`: not migrated either. `server`: outside of
 * a test, where none was started for the run.
 */
export async function testDatabase({
  empty = false,
  server = inject('testServer'),
}: { empty?: boolean; server?: TestServer } = {}): Promise<TestDatabase> {
  const name = `${server.template}_${process.pid}_${process.env['VITEST_WORKER_ID'] ?? 0}_${++databases}`
  const url = new URL(server.adminUrl)
  // PostgreSQL copies no database that somebody is connected to, so even the owner stays out of the template.
  url.pathname = '/postgres'
  const maintenance = url.href
  await statement(
    maintenance,
    `create database ${name} template ${empty ? 'template0' : server.template} strategy file_copy`,
  )
  url.pathname = `/${name}`
  const adminUrl = url.href
  url.username = server.appRole
  url.password = server.appPassword
  return {
    adminUrl,
    appUrl: url.href,
    drop: () => statement(maintenance, `drop database if exists ${name} with (force)`),
  }
}

async function statement(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
