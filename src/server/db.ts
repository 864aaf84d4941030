/**
 * The way to PostgreSQL: a pool whose connections work under the application's role, and transactions that know for
 * whom they work. A context (`app.site`, `app.customer`) is local to its transaction, so it cannot outlive a request.
 */
import pg from 'pg'
import { Failure, type FailureCode, type Facts } from '#domain/failure.ts'

/** A statement with the name under which PostgreSQL keeps its plan. */
export type Statement = { readonly name: string; readonly text: string }

/** A named statement. The name is unique in the portal: `operations.fetch`. */
export const statement = (name: string, text: string): Statement => ({ name, text })

/** JSON that PostgreSQL made and that goes to the socket as it is (docs/decisions/0004). */
export class Json {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** For whom a transaction works. Neither: only what belongs to no site. `system`: sign-in, host look-up, superuser. */
export type Scope = { readonly site?: number | null; readonly customer?: number | null; readonly system?: boolean }

type Parameter = unknown

export type Tx = {
  /** Every row of the answer. */
  rows<R>(statement: Statement, parameters?: readonly Parameter[]): Promise<R[]>
  /** The first row, `null` when there is none. */
  maybe<R>(statement: Statement, parameters?: readonly Parameter[]): Promise<R | null>
  /** The first row; a missing one is the failure `record.missing`, as a foreign one is. */
  one<R>(statement: Statement, parameters?: readonly Parameter[]): Promise<R>
  /** The answer of a statement that makes JSON text in its only column `json`; `null` there is `record.missing`. */
  json(statement: Statement, parameters?: readonly Parameter[]): Promise<Json>
  /** How many rows a writing statement touched. */
  count(statement: Statement, parameters?: readonly Parameter[]): Promise<number>
  /** Opens, for the rest of this transaction, the tables that are needed before a site is known. */
  asSystem(): Promise<void>
  /** Works, for the rest of this transaction, at this site: a superuser belongs to none (DESIGN §5). */
  asSite(site: number): Promise<void>
}

export type Database = {
  /**
   * Runs `work` in one transaction under `scope` and commits. A deadlock or serialization failure is tried again, twice;
   * everything else rolls back and is thrown: known constraints as their `Failure`.
   */
  transaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The connections of this process: open, unused, and how many transactions wait for one. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

// Dates and counts as they come: no driver turns a calendar date into an instant (STYLE 10).
const asText = (value: string): string => value
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.DATE || oid === pg.types.builtins.TIMESTAMPTZ || oid === pg.types.builtins.JSON)
      return asText
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/** Constraints that a user can run into when two of them act at once, and what they are told. */
const constraintFailures: Record<string, FailureCode> = {
  operation_tyre_open: 'operation.tyres_busy',
  vehicle_plate: 'vehicle.plate_taken',
  account_name: 'account.name_taken',
  customer_code: 'customer.code_taken',
  tyre_set_position: 'set.positions_taken',
  location_path: 'location.name_taken',
  vehicle_config_site_id_description_key: 'configuration.name_taken',
  // it was removed while somebody chose it
  vehicle_site_id_config_id_fkey: 'record.missing',
}
/** Error codes that our own triggers raise (db/migrations). */
const raisedFailures: Record<string, FailureCode> = {
  WH001: 'delivery.day_full',
  WH002: 'vehicle.configuration_fixed',
  WH003: 'configuration.wheels_fixed',
}
const worthAnotherTry = new Set(['40001', '40P01'])

/**
 * A newer node has changed a table, and the answer of a statement that this connection keeps would have other columns: the
 * connection is of no use any more, the statement is (QUALITY 26).
 */
const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message.includes('cached plan')

/** Connections of a pool per core; more only queue inside PostgreSQL (PERFORMANCE, measured). */
export const poolSize = 16

/**
 * Opens a pool on `url`. `role` is taken on by every connection: for a foreign server where the portal connects as the
 * owner of its tables but has to work as a role that row-level security binds.
 */
export function openDatabase(url: string, options: { role?: string; size?: number } = {}): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.size ?? poolSize,
    pipeline: true,
    types,
    // said once it is open, not with its start: a pooler in between would refuse settings there, or drop the role in silence
    onConnect: client => client.query(settingsOf(options.role)),
    application_name: 'wheelhouse',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  } as pg.PoolConfig)
  // a connection that dies while idle is replaced at the next request
  pool.on('error', () => {})

  async function once<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
    let client: pg.PoolClient | undefined
    let begun: Promise<unknown> | undefined
    let opening: Promise<pg.PoolClient> | undefined
    let broken: Error | undefined
    // the pool listens to idle connections only; one that dies in use would otherwise end the process
    const died = (error: Error): void => {
      broken ??= error
    }
    // With synchronous replication an administrator can end a commit's wait (`pg_cancel_backend`): PostgreSQL answers it as done
    // and only warns that the other machine may not have it. Whoever becomes the primary next may lack it.
    let alone: Error | undefined
    const warned = ({ message, routine }: { message?: string | undefined; routine?: string | undefined }): void => {
      if (routine === 'SyncRepWaitForLSN')
        alone = Object.assign(new Error(message ?? 'not replicated'), { code: '57014' })
    }
    const open = async (): Promise<pg.PoolClient> => {
      client = await pool.connect()
      client.on('error', died)
      client.on('notice', warned)
      // sent in the same flush as the first statement, which waits for it inside PostgreSQL only
      begun = client.query(contextOf(scope))
      begun.catch(() => {})
      return client
    }
    // with the first statement: whoever looks at a file or a password first holds no connection meanwhile
    const opened = (): Promise<pg.PoolClient> => (opening ??= open())
    const run = async (asked: Statement, parameters: readonly Parameter[] = []): Promise<pg.QueryResult> => {
      const result = (await opened()).query({ ...asked, values: parameters as unknown[] })
      // when the beginning fails the statement fails with it, and nobody is left to hear of that
      result.catch(() => {})
      await begun
      return result
    }
    const tx: Tx = {
      rows: async <R>(asked: Statement, parameters?: readonly Parameter[]) =>
        (await run(asked, parameters)).rows as R[],
      maybe: async <R>(asked: Statement, parameters?: readonly Parameter[]) =>
        ((await run(asked, parameters)).rows[0] as R | undefined) ?? null,
      async one<R>(asked: Statement, parameters?: readonly Parameter[]) {
        const found = (await run(asked, parameters)).rows[0] as R | undefined
        if (found === undefined) throw new Failure('record.missing')
        return found
      },
      async json(asked, parameters) {
        const found = (await run(asked, parameters)).rows[0] as { json: string | null } | undefined
        if (found?.json == null) throw new Failure('record.missing')
        return new Json(found.json)
      },
      count: async (asked, parameters) => (await run(asked, parameters)).rowCount ?? 0,
      async asSystem() {
        await (await opened()).query(`select set_config('app.scope', 'system', true)`)
      },
      async asSite(site) {
        await (await opened()).query(`select set_config('app.site', '${whole(site)}', true)`)
      },
    }
    try {
      const result = await work(tx)
      if (opening) {
        const ended = await (await opening).query('commit')
        // a transaction that failed answers its commit with a rollback; nobody may take that for kept
        if (ended.command === 'ROLLBACK') throw new Error('the transaction was rolled back at commit')
        if (alone) throw alone
      }
      return result
    } catch (error) {
      // a connection that is still being opened has to be given back, too
      await opening?.catch(() => {})
      await client?.query('rollback').catch((lost: Error) => (broken = lost))
      if (isStale(error)) broken = error as Error
      throw error
    } finally {
      client?.off('error', died)
      client?.off('notice', warned)
      client?.release(broken)
    }
  }

  return {
    async transaction(scope, work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(scope, work)
        } catch (error) {
          if (attempt < 3 && error instanceof pg.DatabaseError && worthAnotherTry.has(error.code ?? '')) continue
          // each connection of the pool may be one of those
          if (attempt <= pool.options.max && isStale(error)) continue
          throw asFailure(error)
        }
      }
    },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

const whole = (value: number | null | undefined): string => (value == null ? '' : String(Math.trunc(value)))

/** The first words of a connection. */
const settingsOf = (role: string | undefined): string =>
  `set timezone to 'UTC'; set jit to off; set statement_timeout to '30s'; set idle_in_transaction_session_timeout to '30s'${role ? `; set role to ${pg.escapeIdentifier(role)}` : ''}`

/** The first words of a transaction. Whole numbers only, so nothing has to be escaped. */
function contextOf({ site, customer, system }: Scope): string {
  return `begin; select set_config('app.site', '${whole(site)}', true), set_config('app.customer', '${whole(customer)}', true), set_config('app.scope', '${system ? 'system' : ''}', true)`
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const raised = raisedFailures[error.code ?? '']
  if (raised) return new Failure(raised, factsOf(error))
  const violated = error.code === '23505' || error.code === '23503'
  const code = violated ? constraintFailures[error.constraint ?? ''] : undefined
  return code ? new Failure(code, factsOf(error)) : error
}

/** The position in PostgreSQL's own words `Key (…, "position")=(…, 1A) already exists.` */
function factsOf(error: pg.DatabaseError): Facts {
  const { detail = '' } = error
  const [begin, end] = [detail.indexOf(')=('), detail.lastIndexOf(') already exists')]
  const last =
    begin < 0 || end < begin
      ? ''
      : (detail
          .slice(begin + 3, end)
          .split(', ')
          .at(-1) ?? '')
  if (error.constraint === 'location_path') return { names: last }
  return error.constraint === 'tyre_set_position' ? { positions: last } : {}
}
