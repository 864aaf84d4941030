import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Call } from './call.ts'
import { contract } from './index.ts'
import { changedRows } from './live.ts'

type Schema = {
  type?: string | string[]
  maximum?: number
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
} & { [kind in 'anyOf' | 'oneOf' | 'allOf']?: Schema[] }

const formsOf = (schema: Schema): Schema[] => {
  const inner = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.allOf ?? []),
    ...(Array.isArray(schema.type) ? schema.type.map(type => ({ ...schema, type })) : []),
  ]
  return inner.length > 0 ? inner.flatMap(formsOf) : [schema]
}

/** Each field of a schema, however deep, in each form that it can have. */
function* fieldsOf(schema: Schema): Generator<[name: string, form: Schema]> {
  for (const form of formsOf(schema)) {
    for (const [name, field] of Object.entries(form.properties ?? {})) {
      for (const fieldForm of formsOf(field)) yield [name, fieldForm]
      yield* fieldsOf(field)
    }
    const { items, prefixItems = [], additionalProperties: more } = form
    for (const inner of [items, ...prefixItems, more]) if (typeof inner === 'object') yield* fieldsOf(inner)
  }
}

const isNumber = ({ type }: Schema): boolean => type === 'integer' || type === 'number'
const isId = (form: Schema): boolean => form.type === 'integer' && form.maximum === 2_147_483_647
/** The item of a list that has one, in each form that it can have: versions of a call answered such lists for single values. */
const onlyItem = ({ prefixItems: [item] = [] }: Schema): Schema[] => (item ? formsOf(item) : [])
const holdsId = (form: Schema): boolean => isId(form) || onlyItem(form).some(isId)
/** A list of ids, or of records that have one. */
const listsIds = ({ type, items }: Schema): boolean =>
  type === 'array' &&
  items !== undefined &&
  formsOf(items).some(
    item => isId(item) || Object.values(item.properties ?? {}).some(field => formsOf(field).some(holdsId)),
  )
const isCount = (form: Schema): boolean =>
  [form, ...onlyItem(form)].some(variant => isNumber(variant) && !isId(variant))

/** Names that say that they are ids, some of them beyond 32 bits. */
const calledId = /^_id$|_id$|Id$/

type Field = { readonly name: string; readonly form: Schema; readonly at: string }

/** The fields of schemas by their name, each with where it is. */
const fieldsIn = (schemas: readonly (readonly [at: string, schema: z.ZodType])[]): Field[] =>
  schemas.flatMap(([at, schema]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
    return [...fieldsOf(json)].map(([name, form]) => ({ name, form, at }))
  })

/** Where a name is a count that is an id, or a list of them, elsewhere. */
function confused(fields: readonly Field[]): Record<string, string[]> {
  const names = new Set(fields.filter(({ form }) => holdsId(form) || listsIds(form)).map(({ name }) => name))
  const counts = fields.filter(({ name, form }) => names.has(name) && !calledId.test(name) && isCount(form))
  return Object.fromEntries(
    [...Map.groupBy(counts, ({ name }) => name)].map(([name, sameName]) => [
      name,
      [...new Set(sameName.map(({ at }) => at))].sort(),
    ]),
  )
}

const calls: Call[] = Object.values(contract).flatMap(group => Object.values(group as object) as Call[])
const fields = fieldsIn([
  ...calls.flatMap(call => [
    [`${call.name} takes`, call.input] as const,
    [`${call.name} answers`, call.output] as const,
  ]),
  ['live', changedRows],
])

it('gives no count the name that ids have elsewhere', () => {
  expect(confused(fields)).toEqual({
    // a field of a customer, whose name is fixed: docs/product/calls.md "Wire format"
    vehicles: [
      'customers.customer answers',
      'customers.list answers',
      'customers.save answers',
      'fleet.findcustomerbyname answers',
    ],
  })
})

it('finds such a count in each form', () => {
  const id = z.number().int().min(1).max(2_147_483_647)
  const ids: [string, z.ZodType][] = [
    ['id', z.object({ tyre: id.nullable() })],
    ['list', z.object({ tyre: z.array(id) })],
    ['records', z.object({ tyre: z.array(z.object({ db_id: id })) })],
    ['list of one', z.object({ tyre: z.tuple([id]) })],
  ]
  const counts: [string, z.ZodType][] = [
    ['count', z.object({ tyre: z.number().int() })],
    ['deep', z.object({ rows: z.array(z.object({ tyre: z.number().nullable() })) })],
    ['list of one', z.object({ tyre: z.tuple([z.number().int()]) })],
  ]
  for (const id of ids)
    for (const count of counts)
      expect(confused(fieldsIn([id, count])), `${id[0]}, ${count[0]}`).toEqual({ tyre: [count[0]] })
  for (const left of ids) for (const right of ids) expect(confused(fieldsIn([left, right]))).toEqual({})
  for (const left of counts) for (const right of counts) expect(confused(fieldsIn([left, right]))).toEqual({})
})
