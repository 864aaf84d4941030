/** The types of PostgreSQL for statements: a value in TypeScript as parameter and in a row. */
import { z } from 'zod'

/** `smallint`, `integer`, and `bigint` of which the portal has no value over 2^53. */
export const int = z.int()
/** `numeric` and `double precision`. */
export const decimal = z.number()
export const text = z.string()
export const bool = z.boolean()
/** A day of the calendar, `YYYY-MM-DD`. */
export const date = z.iso.date()
/** A moment as a parameter. */
export const instant = z.date()
/** A moment in a row, as PostgreSQL writes it. */
export const moment = z.string().meta({ sql: 'timestamp with time zone' })
export const uuid = z.guid()
export const bytes = z.instanceof(Buffer)
/** JSON text: a parameter that the statement casts, or a column of `json` or `text`. */
export const json = z.string()
/** `jsonb`, which the driver parses. */
export const parsedJson = <T>(): z.ZodType<T> => z.custom<T>(value => value !== undefined).meta({ sql: 'jsonb' })

/** The row of a statement that returns wire form, `null` for a missing record; passed through unparsed (docs/decisions/0004). */
export const answer = { json: text.nullable() }

/** The rows of a statement that returns a list in wire form, an element each; one row of `null` for an empty list, none for a missing record. */
export const elements = { element: text.nullable() }

/** The same parameters, each of which may be null. */
export const nullable = <S extends Record<string, z.ZodType>>(parameters: S) =>
  Object.fromEntries(Object.entries(parameters).map(([name, type]) => [name, type.nullable()])) as {
    readonly [K in keyof S]: z.ZodNullable<S[K]>
  }
