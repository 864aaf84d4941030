/**
 * A statement and what has to run before it, sent in one flush. Sent one by one, each would cost a system call, a wake-up of
 * PostgreSQL and an answer: an eighth of the processor time of a scan.
 */
import pg from 'pg'

/** A statement by the name under which PostgreSQL keeps its plan (statement.ts). */
type Statement = { readonly name: string; readonly text: string }

/** Parts of Query and its connection that their types leave out. */
type Connection = {
  bind(config: { statement: string; values: readonly string[] }): void
  execute(config: object): void
}
type Inside = {
  prepare(connection: Connection): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}
const Query = pg.Query as unknown as new (config: {
  name: string
  text: string
  values: unknown[]
  callback: (error: Error | undefined, result: pg.QueryResult) => void
}) => pg.Submittable & Inside

const begin = { name: 'db.begin', text: 'begin' }
const context = {
  name: 'db.context',
  text: `select set_config('app.site', $1, true), set_config('app.customer', $2, true), set_config('app.scope', $3, true),
    set_config('app.account', $4, true), set_config('app.device', $5, true), set_config('app.token', $6, true)`,
}

/** The context of a transaction: `app.site`, `app.customer`, `app.scope`, `app.account`, `app.device` and `app.token`. */
export type ContextValues = readonly [
  site: string,
  customer: string,
  scope: string,
  account: string,
  device: string,
  token: string,
]

/** Prepares the statements of a flush on a new connection. */
export async function prepareFlushes(client: pg.ClientBase): Promise<void> {
  await client.query({ ...context, values: ['', '', '', '', '', ''] })
  await client.query(begin)
  await client.query('rollback')
}

class Flush extends Query {
  readonly #before: readonly { name: string; values: readonly string[] }[]
  /** How many of those before are still to be answered. */
  #unanswered: number

  constructor(
    before: readonly { name: string; values: readonly string[] }[],
    config: ConstructorParameters<typeof Query>[0],
  ) {
    super(config)
    this.#before = before
    this.#unanswered = before.length
  }

  // Query corks the socket around this
  override prepare(connection: Connection): void {
    for (const { name: statement, values } of this.#before) {
      connection.bind({ statement, values })
      connection.execute({})
    }
    super.prepare(connection)
  }

  override handleDataRow(message: unknown): void {
    if (this.#unanswered === 0) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#unanswered === 0) super.handleCommandComplete(message, connection)
    else this.#unanswered--
  }
}

function flush(
  client: pg.ClientBase,
  before: ConstructorParameters<typeof Flush>[0],
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | undefined, result: pg.QueryResult) => (error ? reject(error) : resolve(result))
    client.query(new Flush(before, { name, text, values: [...values], callback }))
  })
}

/** Begins a transaction with its context and its first statement. */
export const beginWith = (
  client: pg.ClientBase,
  values: ContextValues,
  first: Statement,
  parameters: readonly unknown[],
): Promise<pg.QueryResult> =>
  flush(
    client,
    [
      { name: begin.name, values: [] },
      { name: context.name, values },
    ],
    first,
    parameters,
  )

/**
 * A transaction of one statement: committed, or rolled back, by the time it is answered. Without `begin` everything up to the end
 * of the flush is one transaction, so the context, which is local to it, ends with it on success and failure alike.
 */
export const singleWith = (
  client: pg.ClientBase,
  values: ContextValues,
  only: Statement,
  parameters: readonly unknown[],
): Promise<pg.QueryResult> => flush(client, [{ name: context.name, values }], only, parameters)
