import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Call } from './call.ts'
import { contract } from './index.ts'

type Schema = {
  type?: string
  maximum?: number
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
} & { [kind in 'anyOf' | 'oneOf' | 'allOf']?: Schema[] }

const formsOf = (schema: Schema): Schema[] => {
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return inner.length > 0 ? inner.flatMap(formsOf) : [schema]
}

/** Each field of a schema, however deep, in each form that it can have. */
function* fieldsOf(schema: Schema): Generator<[name: string, form: Schema]> {
  for (const form of formsOf(schema)) {
    for (const [name, field] of Object.entries(form.properties ?? {})) {
      for (const one of formsOf(field)) yield [name, one]
      yield* fieldsOf(field)
    }
    const { items, prefixItems = [], additionalProperties: more } = form
    for (const inner of [items, ...prefixItems, more]) if (typeof inner === 'object') yield* fieldsOf(inner)
  }
}

const isNumber = ({ type }: Schema): boolean => type === 'integer' || type === 'number'
const isId = (form: Schema): boolean => form.type === 'integer' && form.maximum === 2_147_483_647
/** A list of ids, or of records that have them. */
const listsIds = ({ type, items }: Schema): boolean =>
  type === 'array' &&
  items !== undefined &&
  formsOf(items).some(item => isId(item) || 'db_id' in (item.properties ?? {}) || 'tyreId' in (item.properties ?? {}))

const calls: Call[] = Object.values(contract).flatMap(group => Object.values(group as object) as Call[])
const fields = calls.flatMap(call =>
  (['input', 'output'] as const).flatMap(side => {
    const schema = z.toJSONSchema(call[side], { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
    return [...fieldsOf(schema)].map(([name, form]) => ({ call: call.name, side, name, form }))
  }),
)
const namesOfIds = new Set(fields.filter(({ form }) => listsIds(form)).map(({ name }) => name))
const answered = fields.filter(({ side, name }) => side === 'output' && namesOfIds.has(name))

/** The calls whose answer has such a field, by its name. */
const byName = (found: readonly { name: string; call: string }[]): Record<string, string[]> =>
  Object.fromEntries(
    [...new Set(found.map(({ name }) => name))]
      .sort()
      .map(name => [name, [...new Set(found.filter(one => one.name === name).map(({ call }) => call))].sort()]),
  )

it('finds lists of ids', () => {
  expect([...namesOfIds]).toEqual(expect.arrayContaining(['tyres', 'charges', 'missing', 'without']))
})

it('answers no count in a list of one, where such a list is one of ids', () => {
  const isCountInList = ({ prefixItems: [one] = [] }: Schema): boolean =>
    one !== undefined && formsOf(one).some(form => isNumber(form) && !isId(form))
  expect(byName(answered.filter(({ form }) => isCountInList(form)))).toEqual({})
})
