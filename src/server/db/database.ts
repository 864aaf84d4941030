/**
 * The way to PostgreSQL: a pool whose connections work under the application's role, and transactions that know for
 * whom they work. A context (`app.site`, `app.customer`) is local to its transaction, so it cannot outlive a request.
 */
import pg from 'pg'
import { z } from 'zod'
import { Failure, type FailureCode, type Facts } from '#domain/failure.ts'
import { beginWith, prepareFlushes, singleWith, type Words } from './flush.ts'
import {
  statement as declare,
  valuesOf,
  type Exact,
  type Parameters,
  type Row,
  type Shape,
  type Statement,
} from './statement.ts'
import { text } from './types.ts'

/** A statement of positional parameters and asserted rows: being replaced by `Statement`. */
export type UntypedStatement = { readonly name: string; readonly text: string }
export type { UntypedStatement as Statement }

export const statement = (name: string, text: string): UntypedStatement => ({ name, text })

/** JSON that PostgreSQL made and that goes to the socket as it is (docs/decisions/0004). */
export class Json {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** For whom a transaction works. Neither: only what belongs to no site. `system`: sign-in, host look-up, superuser. */
export type Scope = { readonly site?: number | null; readonly customer?: number | null; readonly system?: boolean }

/** Runs statements. Values are those of the statement's parameters and no others; rows have its columns. */
export type Asking = Untyped & {
  /** Every row of the answer. */
  rows<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Row<S>[]>
  /** The first row, `null` when there is none. */
  maybe<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Row<S> | null>
  /** The first row; a missing one is the failure `record.missing`, as a foreign one is. */
  one<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Row<S>>
  /** The JSON text of a statement in wire form; `null`, or no row, is the failure `record.missing`. */
  json<S extends AnswerStatement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<Json>
  /** How many rows a writing statement touched. */
  count<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<number>
  /** Runs a statement whose rows nobody needs. */
  run<S extends Statement, A extends Parameters<S>>(statement: S, parameters: Exact<A, S>): Promise<void>
}
/** A statement that answers in wire form (`types.ts` `answer`). */
type AnswerStatement = Statement<Shape, { readonly json: z.ZodType<string | null> }>

type Untyped = {
  rows<R>(statement: UntypedStatement, parameters?: readonly unknown[]): Promise<R[]>
  maybe<R>(statement: UntypedStatement, parameters?: readonly unknown[]): Promise<R | null>
  one<R>(statement: UntypedStatement, parameters?: readonly unknown[]): Promise<R>
  json(statement: UntypedStatement, parameters?: readonly unknown[]): Promise<Json>
  count(statement: UntypedStatement, parameters?: readonly unknown[]): Promise<number>
}
/** What the driver is asked: a statement, and its values in order. */
type Run = (asked: UntypedStatement, values: readonly unknown[]) => Promise<pg.QueryResult>

export type Tx = Asking & {
  /**
   * A statement that is all there is to do: a transaction of its own, in one flush with its context, kept when it is answered,
   * whatever is thrown or asked later. After others it is one more statement of their transaction.
   */
  readonly single: Asking
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
 * owner of its tables but has to work as a role that row-level security binds. `checkRows` holds every row against what its
 * statement declares: tests and development.
 */
export function openDatabase(
  url: string,
  { role, size = poolSize, checkRows = false }: { role?: string; size?: number; checkRows?: boolean } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    pipeline: true,
    types,
    // said once it is open, not with its start: a pooler in between would refuse settings there, or drop the role in silence
    async onConnect(client: pg.ClientBase) {
      await client.query(settingsOf(role))
      await prepareFlushes(client)
    },
    application_name: 'wheelhouse',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  } as pg.PoolConfig)
  // a connection that dies while idle is replaced at the next request
  pool.on('error', () => {})

  /** A connection in use, and what it heard meanwhile that makes it, or what it was asked, of no worth. */
  async function take() {
    const client = await pool.connect()
    let broken: Error | undefined
    let unsafe: Error | undefined
    // the pool listens to idle connections only; one that dies in use would otherwise end the process
    const died = (error: Error): void => {
      broken ??= error
    }
    // With synchronous replication an administrator can end a commit's wait (`pg_cancel_backend`): PostgreSQL answers it as done
    // and only warns that the other machine may not have it. Whoever becomes the primary next may lack it.
    const warned = ({ message, routine }: { message?: string | undefined; routine?: string | undefined }): void => {
      if (routine === 'SyncRepWaitForLSN')
        unsafe = Object.assign(new Error(message ?? 'not replicated'), { code: '57014' })
    }
    client.on('error', died)
    client.on('notice', warned)
    return {
      client,
      died,
      /** @throws when what was committed may be lost. */
      mustBeSafe() {
        if (unsafe) throw unsafe
      },
      release(): void {
        client.off('error', died)
        client.off('notice', warned)
        client.release(broken)
      },
    }
  }

  /** `kept` is told of every transaction that was committed before the end of the work. */
  async function once<T>(scope: Scope, work: (tx: Tx) => Promise<T>, kept: () => void): Promise<T> {
    const words = wordsOf(scope)
    let opening: ReturnType<typeof take> | undefined
    let begun: Promise<unknown> | undefined
    // with the first statement: whoever looks at a file or a password first holds no connection meanwhile
    const run: Run = async (asked, values) => {
      opening ??= take()
      const { client } = await opening
      if (!begun) {
        const first = beginWith(client, words, asked, values)
        begun = first
        return first
      }
      const result = client.query({ name: asked.name, text: asked.text, values: values as unknown[] })
      // when the beginning fails the statement fails with it, and nobody is left to hear of that
      result.catch(() => {})
      await begun
      return result
    }
    const runSingle: Run = async (asked, values) => {
      if (opening) return run(asked, values)
      const taken = await take()
      try {
        const result = await singleWith(taken.client, words, asked, values)
        kept()
        taken.mustBeSafe()
        return result
      } catch (error) {
        if (isStale(error)) taken.died(error as Error)
        throw error
      } finally {
        taken.release()
      }
    }
    const tx: Tx = {
      ...asking(run, checkRows),
      single: asking(runSingle, checkRows),
      asSystem: () => tx.run(setting, { name: 'app.scope', value: 'system' }),
      asSite: site => tx.run(setting, { name: 'app.site', value: whole(site) }),
    }
    try {
      const result = await work(tx)
      if (opening) {
        const { client, mustBeSafe } = await opening
        const ended = await client.query('commit')
        // a transaction that failed answers its commit with a rollback; nobody may take that for kept
        if (ended.command === 'ROLLBACK') throw new Error('the transaction was rolled back at commit')
        mustBeSafe()
      }
      return result
    } catch (error) {
      // a connection that is still being opened has to be given back, too
      const taken = await opening?.catch(() => null)
      if (taken) {
        await taken.client.query('rollback').catch(taken.died)
        if (isStale(error)) taken.died(error as Error)
      }
      throw error
    } finally {
      const taken = await opening?.catch(() => null)
      taken?.release()
    }
  }

  return {
    async transaction(scope, work) {
      let keeps = false
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(scope, work, () => (keeps = true))
        } catch (error) {
          // what is kept already would be done twice
          if (keeps) throw asFailure(error)
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

/** For whom a transaction works, as PostgreSQL is told. */
const wordsOf = ({ site, customer, system }: Scope): Words => [whole(site), whole(customer), system ? 'system' : '']

const setting = declare({
  name: 'db.setting',
  parameters: { name: text, value: text },
  row: { set_config: text },
  sql: 'select set_config(:name, :value, true)',
})

/** The ways to run a statement, over one that answers all that PostgreSQL says. */
function asking(run: Run, checkRows: boolean): Asking {
  const query = async (statement: Statement | UntypedStatement, given: unknown = []): Promise<pg.QueryResult> => {
    const typed = 'order' in statement ? statement : null
    const result = await run(
      statement,
      typed ? valuesOf(typed.order, given as Record<string, unknown>) : (given as readonly unknown[]),
    )
    if (checkRows && typed && Object.keys(typed.row).length > 0) for (const row of result.rows) checkRow(typed, row)
    return result
  }
  const first = async (statement: Statement | UntypedStatement, given: unknown) =>
    ((await query(statement, given)).rows[0] as unknown) ?? null
  return {
    rows: async (statement: Statement | UntypedStatement, given: unknown) => (await query(statement, given)).rows,
    maybe: first,
    async one(statement: Statement | UntypedStatement, given: unknown) {
      const found = await first(statement, given)
      if (found === null) throw new Failure('record.missing')
      return found
    },
    async json(statement: Statement | UntypedStatement, given: unknown) {
      const found = (await first(statement, given)) as { json: string | null } | null
      if (found?.json == null) throw new Failure('record.missing')
      return new Json(found.json)
    },
    count: async (statement: Statement | UntypedStatement, given: unknown) =>
      (await query(statement, given)).rowCount ?? 0,
    async run(statement: Statement, given: unknown) {
      await query(statement, given)
    },
  } as Asking
}

/** @throws Error when a row is not what its statement declares */
function checkRow({ name, row: columns }: Statement, row: unknown): void {
  const checked = z.strictObject(columns).safeParse(row)
  if (!checked.success) throw new Error(`a row of ${name} is not what it declares: ${checked.error.message}`)
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
