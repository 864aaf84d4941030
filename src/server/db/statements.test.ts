/**
 * Prepares every statement on PostgreSQL and compares its parameters and columns with its declaration: names and types
 * always; not-null for columns that are taken directly from a table.
 */
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import type { Tx } from './database.ts'
import { declaredStatements, statement, type Statement } from './statement.ts'
import { answer, bool, date, int, text } from './types.ts'

/** The server's modules that declare statements, by their source: none can be forgotten. */
const server = path.join(import.meta.dirname, '..')
const declaring = fs
  .readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.includes('.test.') && !file.startsWith('testing'))
  .filter(file => /db\/statement\.ts'|'\.\/statement\.ts'/.test(fs.readFileSync(path.join(server, file), 'utf8')))

let database: TestDatabase
let client: pg.Client
let typeNames: Map<number, string>
let statements: readonly Statement[]

beforeAll(async () => {
  await Promise.all(declaring.map(file => import(path.join(server, file))))
  statements = declaredStatements().filter(({ name }) => !name.startsWith('test.'))
  database = await testDatabase()
  client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  const { rows } = await client.query<{ oid: number; name: string }>(
    `select oid::int, case when typelem <> 0 and typlen = -1 then '_' || typelem::regtype else oid::regtype::text end as name
     from pg_type`,
  )
  typeNames = new Map(rows.map(({ oid, name }) => [oid, name]))
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
})

// ---- What PostgreSQL makes of a statement -------------------------------------------------------------------------------------

type Column = { name: string; dataTypeID: number; tableID: number; columnID: number }
type Described = { parameters: number[]; columns: Column[] }
/** The driver's connection, beside what its types say. */
type Connection = {
  parse(query: { name: string; text: string; types: number[] }): void
  describe(message: { type: 'S'; name: string }): void
  sync(): void
  once(event: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void
  off(event: 'parameterDescription', listener: unknown): void
}

/** Prepares a statement without running it. */
class Describe {
  readonly described: Promise<Described>
  readonly #resolve: (described: Described) => void
  readonly #reject: (error: Error) => void
  readonly #text: string
  #parameters: number[] = []
  #columns: Column[] = []
  #connection: Connection | undefined
  constructor(sql: string) {
    this.#text = sql
    const { promise, resolve, reject } = Promise.withResolvers<Described>()
    this.described = promise
    this.#resolve = resolve
    this.#reject = reject
  }
  readonly #listen = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => void (this.#parameters = dataTypeIDs)
  submit(connection: Connection): void {
    this.#connection = connection
    connection.once('parameterDescription', this.#listen)
    connection.parse({ name: '', text: this.#text, types: [] })
    connection.describe({ type: 'S', name: '' })
    connection.sync()
  }
  handleRowDescription({ fields }: { fields: Column[] }): void {
    this.#columns = fields
  }
  handleError(error: Error): void {
    this.#connection?.off('parameterDescription', this.#listen)
    this.#reject(error)
  }
  handleReadyForQuery(): void {
    this.#resolve({ parameters: this.#parameters, columns: this.#columns })
  }
}

async function describeStatement(sql: string): Promise<Described> {
  const describing = new Describe(sql)
  client.query(describing as unknown as pg.Submittable)
  return describing.described
}

/** Whether a column of a table may be null. */
async function mayBeNull({ tableID, columnID }: Column): Promise<boolean> {
  if (tableID === 0) return false
  const { rows } = await client.query<{ attnotnull: boolean }>(
    'select attnotnull from pg_attribute where attrelid = $1 and attnum = $2',
    [tableID, columnID],
  )
  return rows[0]?.attnotnull === false
}

// ---- What a schema means to PostgreSQL ----------------------------------------------------------------------------------------

const numbers = ['smallint', 'integer', 'bigint']
const texts = ['text', 'character varying', 'character', 'name', '"char"']
const knownTypes: Readonly<Record<string, readonly string[]>> = {
  int: numbers,
  number: [...numbers, 'numeric', 'double precision', 'real'],
  string: [...texts, 'json', 'jsonb', 'time without time zone', 'pg_lsn', 'regclass', 'void'],
  enum: texts,
  literal: texts,
  date: ['timestamp with time zone'],
  day: ['date'],
  uuid: ['uuid'],
  boolean: ['boolean'],
  custom: ['bytea'],
}

type Def = {
  type: string
  format?: string
  innerType?: z.ZodType
  element?: z.ZodType
  in?: z.ZodType
  options?: z.ZodType[]
}

/** The types of PostgreSQL that a schema may stand for, and whether it takes null. */
function typesOf(schema: z.ZodType): { types: readonly string[]; nullable: boolean } {
  const { type, innerType, element, in: input } = schema.def as unknown as Def
  const inner = innerType ?? input
  if (inner) return { types: typesOf(inner).types, nullable: type === 'nullable' || typesOf(inner).nullable }
  if (element) return { types: typesOf(element).types.map(name => `_${name}`), nullable: false }
  return { types: plainTypesOf(schema), nullable: false }
}

function plainTypesOf(schema: z.ZodType): readonly string[] {
  const { sql } = (schema.meta() ?? {}) as { sql?: string }
  if (sql) return sql === 'jsonb' ? ['jsonb', 'json'] : [sql]
  const { type, format } = schema.def as unknown as Def
  if (type === 'number') return knownTypes[format ? 'int' : 'number'] ?? []
  if (type === 'string' && format === 'date') return knownTypes['day'] ?? []
  if (type === 'string' && format === 'guid') return knownTypes['uuid'] ?? []
  return knownTypes[type] ?? []
}

/** Describes the faults of a statement. */
async function faultsOf({ name, text: sql, order, parameters, row }: Statement): Promise<string[]> {
  let described: Described
  try {
    described = await describeStatement(sql)
  } catch (error) {
    return [`${name}: ${(error as Error).message}`]
  }
  const faults: string[] = []
  for (const [nth, parameter] of order.entries()) {
    const type = typeNames.get(described.parameters[nth] ?? 0) ?? '?'
    const declared = parameters[parameter]
    if (!declared || !typesOf(declared).types.includes(type))
      faults.push(`${name}: the parameter ${parameter} is ${type}`)
  }
  const columns = new Set(described.columns.map(column => column.name))
  for (const column of Object.keys(row)) if (!columns.has(column)) faults.push(`${name}: there is no column ${column}`)
  for (const column of described.columns) {
    const declared = row[column.name]
    const type = typeNames.get(column.dataTypeID) ?? '?'
    if (!declared) faults.push(`${name}: the column ${column.name} is not declared`)
    else if (!typesOf(declared).types.includes(type)) faults.push(`${name}: the column ${column.name} is ${type}`)
    else if (!typesOf(declared).nullable && (await mayBeNull(column)))
      faults.push(`${name}: the column ${column.name} may be null`)
  }
  return faults
}

test('every statement matches its declaration', async () => {
  expect(statements.length).toBeGreaterThan(200)
  const faults: string[] = []
  // one connection describes them one after the other
  for (const each of statements) faults.push(...(await faultsOf(each)))
  expect(faults).toEqual([])
})

test('every file with a statement has been read', () => {
  expect(declaring.length).toBeGreaterThan(20)
})

describe('the control: noticed would be', () => {
  const site = int
  test.each([
    [
      'a parameter of another type',
      statement({
        name: 'test.parameter',
        parameters: { site: text },
        row: { id: int },
        sql: 'select id from site where id = :site',
      }),
      'test.parameter: the parameter site is integer',
    ],
    [
      'a column of another type',
      statement({
        name: 'test.type',
        parameters: { site },
        row: { name: int },
        sql: 'select name from site where id = :site',
      }),
      'test.type: the column name is text',
    ],
    [
      'a column that is missing',
      statement({
        name: 'test.missing',
        parameters: { site },
        row: { id: int, name: text },
        sql: 'select id from site where id = :site',
      }),
      'test.missing: there is no column name',
    ],
    [
      'a column that nobody declared',
      statement({
        name: 'test.undeclared',
        parameters: { site },
        row: { id: int },
        sql: 'select id, name from site where id = :site',
      }),
      'test.undeclared: the column name is not declared',
    ],
    [
      'a column that may be null',
      statement({
        name: 'test.null',
        parameters: { site },
        row: { retired_at: z.string().meta({ sql: 'timestamp with time zone' }) },
        sql: 'select retired_at from site where id = :site',
      }),
      'test.null: the column retired_at may be null',
    ],
    [
      'a column of a table that is gone',
      statement({
        name: 'test.gone',
        parameters: { site },
        row: answer,
        sql: 'select colour as json from site where id = :site',
      }),
      'test.gone: column "colour" does not exist',
    ],
  ])('%s', async (_, wrong, fault) => {
    expect(await faultsOf(wrong)).toEqual([fault])
  })
})

describe('a statement', () => {
  test('takes its parameters by name, each once, and leaves quotes and casts alone', () => {
    const { text: sql, order } = statement({
      name: 'test.compiled',
      parameters: { day: date, plate: text, open: bool },
      sql: `select ':day', ":plate", :day::date -- :open
        from t where a = :plate and to_char(b, 'HH24:MI') = :day and c = :open`,
    })
    expect(order).toEqual(['day', 'plate', 'open'])
    expect(sql).toBe(`select ':day', ":plate", $1::date -- :open
        from t where a = $2 and to_char(b, 'HH24:MI') = $1 and c = $3`)
  })

  test('does not compile without a parameter, with one too many, or where a row has no such column', () => {
    const byPlate = statement({
      name: 'test.plate',
      parameters: { site: int, plate: text },
      row: { id: int },
      sql: 'select id from vehicle where site_id = :site and license_plate = :plate',
    })
    // held against the types only
    const typed = async (tx: Tx): Promise<number> => {
      const spread = { site: 1, plate: '1ABC234', brand: 'Saab' }
      // @ts-expect-error -- a parameter is missing
      await tx.one(byPlate, { site: 1 })
      // @ts-expect-error -- one too many
      await tx.one(byPlate, { site: 1, plate: '1ABC234', brand: 'Saab' })
      // @ts-expect-error -- one too many, spread from another object
      await tx.one(byPlate, { ...spread })
      // @ts-expect-error -- of another type
      await tx.one(byPlate, { site: '1', plate: '1ABC234' })
      const { id, ...row } = await tx.one(byPlate, { site: 1, plate: '1ABC234' })
      // @ts-expect-error -- no such column
      return row.brand ?? id
    }
    expect(typed).toBeTypeOf('function')
  })

  test('is refused with a parameter that nobody declared, with one that it has no place for, and under a name that is taken', () => {
    expect(() => statement({ name: 'test.a', sql: 'select :site' })).toThrow('test.a does not declare site')
    expect(() => statement({ name: 'test.b', parameters: { site: int }, sql: 'select 1' })).toThrow(
      'test.b does not use site',
    )
    statement({ name: 'test.c', sql: 'select 1' })
    expect(() => statement({ name: 'test.c', sql: 'select 2' })).toThrow('there are two statements test.c')
  })
})
