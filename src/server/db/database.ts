/**
 * The connection to PostgreSQL: a pool under the application's role, and transactions with the context that row-level security
 * reads (`app.site`, `app.customer`, `app.scope`), and who works on which device or by which access token
 * (`app.account`, `app.device`, `app.token`). The context is local to its transaction, so it can't outlive a request.
 */
import pg from 'pg'
import { z } from 'zod'
import { Failure, type FailureCode, type Facts } from '#domain/failure.ts'
import { beginWith, prepareFlushes, singleWith, type ContextValues } from './flush.ts'
import { statement, valuesOf, type Exact, type Parameters, type Row, type Shape, type Statement } from './statement.ts'
import { text } from './types.ts'

/** JSON that PostgreSQL made and that is sent as it is (docs/decisions/0004). */
export class Json {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/**
 * The rows that a transaction sees. Neither site nor customer: only rows of no site. `system`: sign-in, host lookup, superuser.
 * `account`, `device` and `token`: the actor, for what the database records by itself.
 */
export type Scope = {
  readonly site?: number | null
  readonly customer?: number | null
  readonly system?: boolean
  readonly account?: number | null
  readonly device?: string | null
  readonly token?: number | null
}

/** Runs statements. Values are those of the statement's parameters and no others; rows have its columns. */
type Asking = {
  /** Every row of the answer. */
  rows<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Row<S>[]>
  /** The first row, or `null`. */
  maybe<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Row<S> | null>
  /** The first row; a missing one is the failure `record.missing`, as a foreign one is. */
  one<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Row<S>>
  /** The JSON text of a statement in wire form; `null`, or no row, is the failure `record.missing`. */
  json<S extends AnswerStatement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Json>
  /** The list of a statement that returns its elements; no row is the failure `record.missing`. */
  list<S extends ListStatement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Json>
  /** How many rows a writing statement touched. */
  count<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<number>
  /** Runs a statement and ignores its rows. */
  run<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<void>
}
/** A statement that answers in wire form (`types.ts` `answer`). */
type AnswerStatement = Statement<Shape, { readonly json: z.ZodType<string | null> }>
/** A statement whose rows are the elements of a list in wire form (`types.ts` `elements`). */
type ListStatement = Statement<Shape, { readonly element: z.ZodType<string | null> }>

/** A query of the driver: a statement and its values in order. */
type Run = (statement: Pick<Statement, 'name' | 'text'>, values: readonly unknown[]) => Promise<pg.QueryResult>

export type Tx = Asking & {
  /**
   * For a single statement: its own transaction, sent together with its context, and committed with its answer,
   * even if something is thrown or run later. After other statements it is part of their transaction.
   */
  readonly single: Asking
  /** From now on, opens the tables that are needed before a site is known. */
  asSystem(): Promise<void>
  /** Switches to this site: a superuser belongs to none. */
  asSite(site: number): Promise<void>
  /** Commits and releases the connection, before long work. Later statements are in another transaction. */
  commit(): Promise<void>
}

export type Database = {
  /**
   * Runs `work` in one transaction under `scope` and commits. A deadlock or serialization failure is retried twice; every other
   * error rolls back and is thrown, known constraints as their `Failure`.
   */
  transaction<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** How many connections this process may open. */
  readonly size: number
  /** The connections of this process: open, idle, and how many transactions wait for one. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

// Dates stay text, so that the driver does not convert a calendar day to an instant; counts are numbers.
const asText = (value: string): string => value
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === pg.types.builtins.DATE || oid === pg.types.builtins.TIMESTAMPTZ || oid === pg.types.builtins.JSON)
      return asText
    if (oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC) return Number
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/** Constraints that two users who act at once can violate, and the failure that they get. */
const constraintFailures: Record<string, FailureCode> = {
  billing_run_under_way: 'billing.under_way',
  reminder_run_under_way: 'reminders.under_way',
  one_rule_a_day: 'tariff.overlaps',
  one_state_a_charge: 'charge.settled',
  charge_cause: 'charge.countered',
  // something is charged by the rule, since a moment ago
  tariff_rule_site_id_service_id_fkey: 'record.missing',
  tariff_rule_site_id_customer_id_fkey: 'record.missing',
  charge_site_id_rule_id_fkey: 'tariff.used',
  document_line_site_id_rule_id_fkey: 'tariff.used',
  operation_tyre_open: 'operation.tyres_busy',
  vehicle_plate: 'vehicle.plate_taken',
  article_once: 'article.known',
  account_name: 'account.name_taken',
  customer_code: 'customer.code_taken',
  tyre_set_position: 'set.positions_taken',
  location_path: 'location.name_taken',
  vehicle_config_site_id_description_key: 'configuration.name_taken',
  // the configuration was removed concurrently
  vehicle_site_id_config_id_fkey: 'record.missing',
  // the vehicle was given to another customer concurrently
  operation_site_id_customer_id_vehicle_id_fkey: 'record.missing',
  operation_tyre_site_id_customer_id_tyre_id_fkey: 'record.missing',
  tyre_site_id_customer_id_vehicle_id_fkey: 'record.missing',
  tyre_event_site_id_customer_id_tyre_id_fkey: 'record.missing',
}
/** Error codes that our triggers raise, some with a detail (db/functions). */
const raisedFailures: Record<string, FailureCode> = {
  WH001: 'delivery.day_full',
  'WH001 arrival': 'arrival.day_full',
  WH002: 'vehicle.configuration_fixed',
  WH003: 'configuration.wheels_fixed',
  WH004: 'wheel.step',
}
const retryable = new Set(['40001', '40P01'])

/**
 * A newer node has migrated a table, so a prepared statement of this connection would return other columns. The
 * connection is closed; the statement runs on another one.
 */
const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message.includes('cached plan')

/** Connections of a pool. More only queue inside PostgreSQL (docs/promises.md "Speed"). */
const poolSize = 16

/** Gets statements that took `ms` or longer: their name in `statement`, and how long, in ms. */
export type SlowStatements = { readonly ms: number; report(name: string, ms: number): void }

/** How a process opens the database. */
export type Access = { readonly url: string; readonly role?: string; readonly checkRows?: boolean }

/**
 * Opens a pool on `url`. Every connection takes on `role`, where the portal could only log in as the owner of its tables (login.ts): it has
 * to work as a role that row-level security binds. `checkRows` compares every row with what its statement declares, in tests
 * and development.
 */
export function openDatabase(
  url: string,
  {
    role,
    size = poolSize,
    checkRows = false,
    slow,
  }: { role?: string; size?: number; checkRows?: boolean; slow?: SlowStatements | undefined } = {},
): Database {
  /** Reports a statement that takes long, from when it is sent. */
  const observed = <T>(name: string, result: Promise<T>): Promise<T> => {
    if (!slow) return result
    const begun = performance.now()
    const end = (): void => {
      const ms = performance.now() - begun
      if (ms >= slow.ms) slow.report(name, ms)
    }
    result.then(end, end)
    return result
  }

  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    pipeline: true,
    types,
    // set once it is open, not in the startup message: a pooler in between would refuse settings there, or silently drop the role
    async onConnect(client: pg.ClientBase) {
      await client.query(settingsOf(role))
      await prepareFlushes(client)
    },
    application_name: 'wheelhouse',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  } as pg.PoolConfig)
  // an idle connection that dies is replaced at the next request
  pool.on('error', () => {})

  /** A connection in use, with its asynchronous errors and warnings. */
  async function acquire() {
    const client = await pool.connect()
    let broken: Error | undefined
    let unsafe: Error | undefined
    // the pool handles errors of idle connections only; one that dies in use would end the process
    const died = (error: Error): void => {
      broken ??= error
    }
    // With synchronous replication an administrator can cancel a commit's wait (`pg_cancel_backend`): PostgreSQL answers success and
    // only warns that the standby may lack it. The next primary may lack it, too.
    const warned = ({ message, routine }: { message?: string | undefined; routine?: string | undefined }): void => {
      if (routine === 'SyncRepWaitForLSN')
        unsafe = Object.assign(new Error(message ?? 'not replicated'), { code: '57014' })
    }
    client.on('error', died)
    client.on('notice', warned)
    return {
      client,
      died,
      /** @throws Error when a commit may be lost */
      assertReplicated() {
        if (unsafe) throw unsafe
      },
      release(): void {
        client.off('error', died)
        client.off('notice', warned)
        client.release(broken)
      },
    }
  }

  /** `committed` is called for every transaction that is committed before the end of the work. */
  async function attempt<T>(scope: Scope, work: (tx: Tx) => Promise<T>, committed: () => void): Promise<T> {
    let context = contextOf(scope)
    let opening: ReturnType<typeof acquire> | undefined
    let begun: Promise<unknown> | undefined
    // opened with the first statement: work that begins with a file or a password needs no connection yet
    const run: Run = async (call, values) => {
      opening ??= acquire()
      const { client } = await opening
      if (!begun) {
        const first = observed(call.name, beginWith(client, context, call, values))
        begun = first
        return first
      }
      const result = observed(
        call.name,
        client.query({ name: call.name, text: call.text, values: values as unknown[] }),
      )
      // when `begin` fails, this statement fails, too, and is not awaited
      result.catch(() => {})
      await begun
      return result
    }
    const runSingle: Run = async (call, values) => {
      if (opening) return run(call, values)
      const taken = await acquire()
      try {
        const result = await observed(call.name, singleWith(taken.client, context, call, values))
        committed()
        taken.assertReplicated()
        return result
      } catch (error) {
        if (isStalePlan(error)) taken.died(error as Error)
        throw error
      } finally {
        taken.release()
      }
    }
    const tx: Tx = {
      ...asking(run, checkRows),
      single: asking(runSingle, checkRows),
      async asSystem() {
        context = context.with(2, 'system') as unknown as ContextValues
        if (begun) await tx.run(setting, { name: 'app.scope', value: 'system' })
      },
      async asSite(site) {
        context = context.with(0, whole(site)) as unknown as ContextValues
        if (begun) await tx.run(setting, { name: 'app.site', value: whole(site) })
      },
      async commit() {
        if (!opening) return
        const { client, assertReplicated, release } = await opening
        const ended = await client.query('commit')
        // a failed transaction answers its commit with a rollback, which must not pass for a commit
        if (ended.command === 'ROLLBACK') throw new Error('the transaction was rolled back at commit')
        committed()
        assertReplicated()
        release()
        opening = begun = undefined
      },
    }
    try {
      const result = await work(tx)
      await tx.commit()
      return result
    } catch (error) {
      // a connection that is still being opened has to be released, too
      const taken = await opening?.catch(() => null)
      if (taken) {
        await taken.client.query('rollback').catch(taken.died)
        if (isStalePlan(error)) taken.died(error as Error)
      }
      throw error
    } finally {
      const taken = await opening?.catch(() => null)
      taken?.release()
    }
  }

  return {
    async transaction(scope, work) {
      let committed = false
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(scope, work, () => (committed = true))
        } catch (error) {
          // committed work would be executed twice
          if (committed) throw asFailure(error)
          if (tries < 3 && error instanceof pg.DatabaseError && retryable.has(error.code ?? '')) continue
          // every connection of the pool may have a stale plan
          if (tries <= pool.options.max && isStalePlan(error)) continue
          throw asFailure(error)
        }
      }
    },
    size,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

const whole = (value: number | null | undefined): string => (value == null ? '' : String(Math.trunc(value)))

/** The settings of every connection. */
const settingsOf = (role: string | undefined): string =>
  `set timezone to 'UTC'; set jit to off; set statement_timeout to '30s'; set idle_in_transaction_session_timeout to '30s'${role ? `; set role to ${pg.escapeIdentifier(role)}` : ''}`

/** The context of a transaction as settings of PostgreSQL. */
const contextOf = ({ site, customer, system, account, device, token }: Scope): ContextValues => [
  whole(site),
  whole(customer),
  system ? 'system' : '',
  whole(account),
  device ?? '',
  whole(token),
]

const setting = statement({
  name: 'db.setting',
  parameters: { name: text, value: text },
  row: { set_config: text },
  sql: 'select set_config(:name, :value, true)',
})

/** The ways to run a statement, based on one that returns the full result. */
function asking(run: Run, checkRows: boolean): Asking {
  type Values = Readonly<Record<string, unknown>>
  const query = async (statement: Statement, values: Values): Promise<pg.QueryResult> => {
    const result = await run(statement, valuesOf(statement.order, values))
    if (checkRows && Object.keys(statement.row).length > 0) for (const row of result.rows) checkRow(statement, row)
    return result
  }
  const first = async (statement: Statement, values: Values): Promise<unknown> =>
    ((await query(statement, values)).rows[0] as unknown) ?? null
  const ways = {
    rows: async (statement: Statement, values: Values) => (await query(statement, values)).rows,
    maybe: first,
    async one(statement: Statement, values: Values) {
      const row = await first(statement, values)
      if (row === null) throw new Failure('record.missing')
      return row
    },
    async json(statement: Statement, values: Values) {
      const row = (await first(statement, values)) as { json: string | null } | null
      if (row?.json == null) throw new Failure('record.missing')
      return new Json(row.json)
    },
    async list(statement: Statement, values: Values) {
      const { rows } = (await query(statement, values)) as pg.QueryResult<{ element: string | null }>
      if (rows.length === 0) throw new Failure('record.missing')
      return new Json(`[${rows.flatMap(({ element }) => element ?? []).join(',')}]`)
    },
    count: async (statement: Statement, values: Values) => (await query(statement, values)).rowCount ?? 0,
    async run(statement: Statement, values: Values) {
      await query(statement, values)
    },
  }
  // the statement's type describes the rows, and tests validate them
  return ways as Asking
}

/** The schema of a statement's rows. Zod compiles a schema when it is used first, which takes longer than checking a row. */
const rowSchemas = new WeakMap<Statement, z.ZodType>()

function rowSchema(statement: Statement): z.ZodType {
  const schema = rowSchemas.get(statement) ?? z.strictObject(statement.row)
  rowSchemas.set(statement, schema)
  return schema
}

/** @throws Error when a row is not what its statement declares */
function checkRow(statement: Statement, row: unknown): void {
  const checked = rowSchema(statement).safeParse(row)
  if (!checked.success)
    throw new Error(`a row of ${statement.name} does not match its schema: ${checked.error.message}`)
}

function asFailure(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const raised =
    raisedFailures[[error.code, error.detail].filter(Boolean).join(' ')] ?? raisedFailures[error.code ?? '']
  if (raised) return new Failure(raised, factsOf(error))
  // unique, foreign key, exclusion
  const violated = error.code === '23505' || error.code === '23503' || error.code === '23P01'
  const code = violated ? constraintFailures[error.constraint ?? ''] : undefined
  return code ? new Failure(code, factsOf(error)) : error
}

/** The columns and values that PostgreSQL names in `Key (…, "position")=(…, 1A) already exists.` */
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
