/**
 * Typed SQL. A statement is a value: a name, the types of its parameters, the types of a row, and plain SQL in which
 * `:plate` is a parameter. A call without a parameter, or with one too many, does not compile. The schemas are types
 * for the compiler and for tests, which compare them with PostgreSQL and every row; nothing is parsed at run time.
 */
import type { z } from 'zod'

/** Parameters or columns by name. */
export type Shape = { readonly [name: string]: z.ZodType }
type Values<S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> }

export type Statement<P extends Shape = Shape, R extends Shape = Shape> = {
  /** Unique in the portal: `operations.fetch`. PostgreSQL keeps the plan under it. */
  readonly name: string
  /** The SQL with `$1`, `$2` … as PostgreSQL takes it. */
  readonly text: string
  /** Which parameter each of `$1`, `$2` … is. */
  readonly order: readonly string[]
  readonly parameters: P
  readonly row: R
}

/** The values that a statement takes. */
export type Parameters<S> = S extends Statement<infer P, Shape> ? Values<P> : never
/** A row that a statement answers. */
export type Row<S> = S extends Statement<Shape, infer R> ? { -readonly [K in keyof R]: z.output<R[K]> } : never
/** Exactly these values, also where they are spread from another object. */
export type Exact<A, S> = A & { readonly [K in Exclude<keyof A, keyof Parameters<S>>]: never }

const statements = new Map<string, Statement>()

/** Every statement that has been declared so far. */
export const declaredStatements = (): readonly Statement[] => [...statements.values()]

/**
 * Declares a statement, once at load.
 * @throws Error when a parameter of the SQL is not declared, a declared one is not in the SQL, or the name is taken
 */
export function statement<P extends Shape = {}, R extends Shape = {}>({
  name,
  parameters = {} as P,
  row = {} as R,
  sql,
}: {
  readonly name: string
  readonly parameters?: P
  readonly row?: R
  readonly sql: string
}): Statement<P, R> {
  const { text, order } = compile(sql)
  const undeclared = order.filter(parameter => !Object.hasOwn(parameters, parameter))
  const unused = Object.keys(parameters).filter(parameter => !order.includes(parameter))
  if (undeclared.length > 0) throw new Error(`${name} does not declare ${undeclared.join(', ')}`)
  if (unused.length > 0) throw new Error(`${name} does not use ${unused.join(', ')}`)
  if (statements.has(name)) throw new Error(`there are two statements ${name}`)
  const declared: Statement<P, R> = { name, text, order, parameters, row }
  statements.set(name, declared as unknown as Statement)
  return declared
}

// Quoted text, comments and casts (`::int`) are not parameters.
const tokens = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|::|:([a-zA-Z]\w*)/g

function compile(sql: string): { text: string; order: string[] } {
  const order: string[] = []
  const text = sql.replaceAll(tokens, (whole, parameter: string | undefined) => {
    if (parameter === undefined) return whole
    if (!order.includes(parameter)) order.push(parameter)
    return `$${order.indexOf(parameter) + 1}`
  })
  return { text, order }
}

/** The values of a statement's parameters in the order in which PostgreSQL takes them. */
export const valuesOf = (order: readonly string[], parameters: Readonly<Record<string, unknown>>): unknown[] =>
  order.map(name => parameters[name])
