/** Hostile values, texts, bodies and forms, generated from a seed so that a failure can be reproduced. */
import { z } from 'zod'
import type { Call } from '#contract/call.ts'

export type Random = {
  /** At least 0, less than 1. */
  (): number
  below(most: number): number
  of<T>(choices: readonly T[]): T
}

/** A seeded random generator (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number): number => Math.floor(next() * most)
  return Object.assign(next, { below, of: <T>(choices: readonly T[]): T => choices[below(choices.length)] as T })
}

export const texts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  'x\uDC00y',
  '\u202Eesrever',
  '\uFEFF',
  '\u0085\u2028\u2029',
  '1e308',
  '-0',
  'NaN',
  'null',
  '0x10',
  '٣',
  '９９',
  '9'.repeat(400),
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '%00%2e%2e%2f',
  "'; drop table tyre; --",
  '$1',
  '\\',
  '%',
  '_%_%',
  '*',
  '=cmd|calc!A1',
  '<script>alert(1)</script>',
  '{{most}} $t(failures:site.mode)',
  '\r\nset-cookie: a=b',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-01-01T00:00:00+23:59',
  '00000000',
  '20260230',
  'z'.repeat(5000),
  'ﷺ'.repeat(300),
  '👨‍👩‍👧‍👦'.repeat(60),
  'e\u0301'.repeat(200),
]

const numbers: readonly unknown[] = [
  0,
  -1,
  -0,
  0.1,
  1e308,
  -1e308,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  8_640_000_000_000_000,
  8_640_000_000_000_001,
  1.7976931348623157e308,
]

const nested = (depth: number): unknown => {
  let inside: unknown = 'deep'
  for (let level = 0; level < depth; level++) inside = level % 2 ? [inside] : { a: inside }
  return inside
}

/** A value of any kind. */
function hostileValue(random: Random): unknown {
  const kind = random.below(10)
  if (kind < 4) return random.of(texts)
  if (kind < 6) return random.of(numbers)
  if (kind === 6) return random.of([true, false, null])
  if (kind === 7)
    return random.of([[], [[]], [null], Array.from({ length: 3000 }, (_, nth) => nth), ['x', 1, null, {}], [[1], [2]]])
  if (kind === 8)
    return random.of([
      {},
      { length: 1e9 },
      { toString: 1, valueOf: 1, toJSON: 'x' },
      JSON.parse('{"then":1}') as unknown,
      { $ref: '#' },
      JSON.parse('{"constructor":{"x":1}}') as unknown,
    ])
  return nested(random.below(60))
}

/** JSON Schema, as far as the contract uses it. */
type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  prefixItems?: Schema[]
  minItems?: number
  maxItems?: number
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  format?: string
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  $ref?: string
  $defs?: Record<string, Schema>
}

const schemas = new Map<Call, Schema>()
/** The schema of a call's input. */
export function schemaOf(call: Call): Schema {
  const cached = schemas.get(call)
  if (cached) return cached
  const schema = z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Schema
  schemas.set(call, schema)
  return schema
}

const words = ['Winter', 'Summer', 'Volvo', '205/55R16', '1ABC234', 'setless', 'a', '2055516H*mic', 'customer', 'Gent']
const codes = ['1A', '2B', 'F', '01-A-02', 'https://a.example', 'a@b.example', '12:30', '#aabbcc', '1', '42']

/** The context of a generation: the random generator, the mutation rate (0 to 1), and the schema that `$ref` refers to. */
type Generation = { readonly draw: Random; readonly mutationRate: number; readonly root: Schema }

/** A value that mostly matches a schema; at the mutation rate (0 to 1) parts are replaced by hostile ones. */
export const generate = (schema: Schema, random: Random, mutationRate: number): unknown =>
  valueOf(schema, { draw: random, mutationRate, root: schema }, 0)

function valueOf(schema: Schema, generation: Generation, depth: number): unknown {
  const { draw: random, mutationRate, root } = generation
  if (random() < mutationRate) return hostileValue(random)
  if (schema.$ref) return valueOf(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {}, generation, depth)
  if ('const' in schema) return schema.const
  if (schema.enum) return random.of(schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return valueOf(random.of(options), generation, depth)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(part => valueOf(part, generation, depth))) as unknown
  const type = Array.isArray(schema.type) ? random.of(schema.type) : schema.type
  const ofType = type === undefined ? undefined : valuesOfTypes[type]
  if (ofType) return ofType(schema, generation, depth)
  return depth < 3 ? hostileValue(random) : null
}

const valuesOfTypes: Readonly<Record<string, (schema: Schema, generation: Generation, depth: number) => unknown>> = {
  object: objectOf,
  array: arrayOf,
  integer: (schema, { draw: random }) =>
    numberOf(schema, random, ({ minimum }) => Math.max(minimum, 1 + random.below(60))),
  number: (schema, { draw: random }) => numberOf(schema, random, ({ maximum }) => random() * Math.min(maximum, 20)),
  boolean: (_, { draw: random }) => random() < 0.5,
  null: () => null,
  string: stringOf,
}

function objectOf(schema: Schema, generation: Generation, depth: number): Record<string, unknown> {
  const { draw: random, mutationRate } = generation
  const object: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    if (schema.required?.includes(name) ? random() > mutationRate / 2 : random() < 0.6)
      object[name] = valueOf(part, generation, depth + 1)
  if (random() < mutationRate || typeof schema.additionalProperties === 'object')
    Object.defineProperty(object, random.of(texts), {
      value: hostileValue(random),
      enumerable: true,
      configurable: true,
    })
  return object
}

function arrayOf(schema: Schema, generation: Generation, depth: number): unknown[] {
  const { draw: random, mutationRate } = generation
  const parts = schema.prefixItems
  if (parts) return parts.map(part => valueOf(part, generation, depth + 1))
  const items = typeof schema.items === 'object' ? schema.items : {}
  const length = random() < mutationRate / 4 ? (schema.maxItems ?? 100) + 1 : (schema.minItems ?? 0) + random.below(4)
  return Array.from({ length: Math.min(length, 1001) }, () => valueOf(items, generation, depth + 1))
}

function numberOf(
  { minimum = 0, maximum = 1e6 }: Schema,
  random: Random,
  usual: (range: { readonly minimum: number; readonly maximum: number }) => number,
): number {
  return random() < 0.15 ? random.of([minimum, maximum]) : usual({ minimum, maximum })
}

function stringOf(schema: Schema, { draw: random }: Generation): string {
  if (schema.format === 'date') return random.of(['2026-11-20', '2026-12-01', '2020-01-01', '0001-01-01'])
  if (schema.format === 'date-time') return random.of(['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.123+01:00'])
  if (schema.pattern?.startsWith('^[1-9]')) return random.of(['1A', '2B', '12', '7'])
  return random() < 0.1 ? 'x'.repeat((schema.maxLength ?? 200) + random.below(2)) : random.of([...words, ...codes])
}

/** Bodies that are malformed or unusual; the first five are large. */
export const bodies: readonly { readonly name: string; readonly make: () => string }[] = [
  { name: '10 MB of text', make: () => JSON.stringify({ string: 'x'.repeat(10_000_000) }) },
  { name: '10 MB of list', make: () => `{"tyres":[${'1,'.repeat(5_000_000)}1]}` },
  { name: '900 kB of text', make: () => JSON.stringify({ search_value: 'ß'.repeat(450_000) }) },
  { name: '10,000 lists deep', make: () => `{"tyres":${'['.repeat(10_000)}${']'.repeat(10_000)}}` },
  { name: '10,000 objects deep', make: () => `${'{"operation":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
  { name: '10,000 lists that do not end', make: () => '['.repeat(10_000) },
  { name: '50,000 names', make: () => `{${Array.from({ length: 50_000 }, (_, nth) => `"k${nth}":1`).join(',')}}` },
  { name: 'a prototype', make: () => '{"__proto__":{"polluted":true},"flt_id":1}' },
  { name: 'a nested prototype', make: () => '{"operation":{"__proto__":{"polluted":true},"_id":1}}' },
  { name: 'a constructor', make: () => '{"constructor":{"prototype":{"polluted":true}}}' },
  { name: 'truncated', make: () => '{"flt_id": 1, "tyres": [1, 2' },
  { name: 'two documents', make: () => '{"flt_id":1}{"flt_id":2}' },
  { name: 'the same name twice', make: () => '{"flt_id":1,"flt_id":{"a":2}}' },
  { name: 'a number that is too large', make: () => '{"flt_id":1e999,"seq_id":-1e999}' },
  { name: 'a number of 5,000 digits', make: () => `{"flt_id":${'9'.repeat(5000)}}` },
  { name: 'a byte order mark', make: () => '\uFEFF{"flt_id":1}' },
  { name: 'lone surrogates', make: () => '{"string":"\\ud800","search":"\\udc00\\ud800"}' },
  { name: 'NUL', make: () => '{"string":"\\u0000","\\u0000":1}' },
  { name: 'a list', make: () => '[1,2,3]' },
  { name: 'a text', make: () => '"text"' },
  { name: 'a number', make: () => '7' },
  { name: 'null', make: () => 'null' },
  { name: 'empty', make: () => '' },
  { name: 'no JSON', make: () => '<xml/>' },
]

const boundary = 'wheelhouse'
const part = (head: string, content: string): string => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`
const field = (name: string, content: string): string => part(`content-disposition: form-data; name="${name}"`, content)
const file = (name: string, content: string, type = 'image/png'): string =>
  part(`content-disposition: form-data; name="${name}"; filename="${name}.png"\r\ncontent-type: ${type}`, content)

/** A multipart form with unexpected parts. */
export function hostileForm(random: Random): { readonly type: string; readonly body: string } {
  const parts = [
    () => field('id', random.of(['1', '2', '0', '-1', 'x', '\0', '9'.repeat(50)])),
    () => field(random.of(texts).replaceAll(/["\r\n]/g, ''), random.of(texts)),
    () => file(random.of(['navlogo', 'landinglogo', 'favicon', '__proto__', 'other']), random.of(texts)),
    () => file('navlogo', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'image/svg+xml'),
    () => file('navlogo', `\x89PNG\r\n\x1a\n${'\0'.repeat(random.below(3000))}`),
    () => file('favicon', 'x'.repeat(random.of([0, 1, 6_000_000]))),
    () => field('id', 'x'.repeat(20_000)),
    () => Array.from({ length: 120 }, (_, nth) => field(`f${nth}`, 'x')).join(''),
    () => part('content-disposition: form-data', 'no name'),
    () => part('content-disposition: attachment; name="id"', '1'),
    () => part(`${'x-h: y\r\n'.repeat(60)}content-disposition: form-data; name="id"`, '1'),
    () => part('content-disposition: form-data; name="id"\r\ncontent-transfer-encoding: base64', '%%%'),
    () => '\r\n\r\n\r\n',
  ]
  const length = 1 + random.below(4)
  const chosen = Array.from({ length }, () => random.of(parts)()).join('')
  const end = random.of([`--${boundary}--\r\n`, `--${boundary}--\r\n`, '', `--${boundary}`, '--other--\r\n'])
  const type = random.of([
    `multipart/form-data; boundary=${boundary}`,
    `multipart/form-data; boundary=${boundary}`,
    `multipart/form-data; boundary="${boundary}"`,
    'multipart/form-data',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    `multipart/mixed; boundary=${boundary}`,
  ])
  return { type, body: chosen + end }
}
