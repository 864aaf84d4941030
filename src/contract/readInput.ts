/**
 * The preparation of the values of every call before they are checked: texts lose invisible characters. And the looser forms in which
 * values may arrive: a one-item list in place of its item, a number as text, and an empty text for a
 * number that may be left out (docs/product/calls.md "Wire format").
 */
import type { z } from 'zod'
import { visible } from '#domain/texts/visible.ts'

/** The inside of a schema, as far as it is read here and by tests. */
export type Def = {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly catchall?: z.ZodType
  readonly element?: z.ZodType
  readonly items?: readonly z.ZodType[]
  readonly valueType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly out?: z.ZodType
  readonly format?: string
  readonly checks?: readonly {
    readonly _zod: {
      readonly def: {
        readonly check: string
        readonly format?: string
        readonly maximum?: number
        readonly value?: number
      }
    }
  }[]
}
export const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def

const verbatimSchemas = new WeakSet<z.ZodType>()

/** A text that is taken to the letter, such as a password. */
export function verbatim<S extends z.ZodType>(schema: S): S {
  verbatimSchemas.add(schema)
  return schema
}

/** The forms that a schema accepts. */
type Accepted = {
  verbatim: boolean
  fields: Map<string, z.ZodType[]>
  /** Of a record. */
  values: z.ZodType[]
  items: z.ZodType[]
  list: boolean
  longest: number
  number: boolean
  text: boolean
  /** It reads the value by itself. */
  anything: boolean
  /** It takes an object in another form first, so that the fields may stand one level higher or lower. */
  prepared: boolean
  none: 'null' | 'undefined' | null
}

/** The collector of each kind of schema; a kind without one reads its value by itself. */
const collectors: Readonly<Record<string, (def: Def, into: Accepted) => void>> = {
  object: ({ shape = {} }, { fields }) => {
    for (const [field, inner] of Object.entries(shape)) fields.set(field, [...(fields.get(field) ?? []), inner])
  },
  record: ({ valueType }, { values }) => void (valueType && values.push(valueType)),
  array: collectList,
  tuple: collectList,
  union: ({ options = [] }, into) => options.forEach(option => collect(option, into)),
  pipe: (def, into) => {
    const prepares = def.in !== undefined && defOf(def.in).type === 'transform'
    into.prepared ||= prepares
    collect(prepares ? def.out : def.in, into)
  },
  optional: ({ innerType }, into) => {
    into.none ??= 'undefined'
    collect(innerType, into)
  },
  nullable: ({ innerType }, into) => {
    into.none = 'null'
    collect(innerType, into)
  },
  default: ({ innerType }, into) => {
    into.none ??= 'undefined'
    collect(innerType, into)
  },
  number: (_, into) => void (into.number = true),
  string: (_, into) => void (into.text = true),
  enum: (_, into) => void (into.text = true),
  literal: ({ values = [] }, into) => {
    into.text ||= values.some(value => typeof value === 'string')
    into.number ||= values.some(value => typeof value === 'number')
  },
  boolean: () => {},
  null: () => {},
}

function collectList({ element, items = [], checks = [] }: Def, into: Accepted): void {
  into.list = true
  into.items.push(...(element ? [element] : items))
  for (const { _zod } of checks)
    if (_zod.def.check === 'max_length') into.longest = Math.min(into.longest, _zod.def.maximum ?? Infinity)
}

function collect(schema: z.ZodType | undefined, into: Accepted): void {
  if (!schema) return
  if (verbatimSchemas.has(schema)) into.verbatim = true
  const def = defOf(schema)
  const collector = collectors[def.type]
  if (collector) collector(def, into)
  else into.anything = true
}

function acceptedBy(schemas: readonly z.ZodType[]): Accepted {
  const accepted: Accepted = {
    fields: new Map(),
    values: [],
    items: [],
    list: false,
    longest: Infinity,
    number: false,
    text: false,
    verbatim: false,
    anything: false,
    prepared: false,
    none: null,
  }
  for (const schema of schemas) collect(schema, accepted)
  return accepted
}

/** Whether a text is taken to the letter. */
export const isVerbatim = (schema: z.ZodType): boolean => acceptedBy([schema]).verbatim
/** The parts of a schema one level deeper: its fields by name, and the elements of its lists and records. */
export function partsOf(schema: z.ZodType): { fields: [name: string, part: z.ZodType][]; others: z.ZodType[] } {
  const { fields, values, items } = acceptedBy([schema])
  return {
    fields: [...fields].flatMap(([name, parts]) => parts.map((part): [string, z.ZodType] => [name, part])),
    others: [...values, ...items],
  }
}

type Reader = (value: unknown) => unknown

function readerOf(schemas: readonly z.ZodType[]): Reader {
  const accepted = acceptedBy(schemas)
  const { list, longest, number, text, none } = accepted
  if (accepted.anything) return value => value
  const isAccepted = (value: unknown) => schemas.some(schema => schema.safeParse(value).success)
  const isEmptyNothing = number && none !== null && !isAccepted('')
  const item = accepted.items.length > 0 ? laterReader(accepted.items) : null
  const field = fieldReaders(accepted, value => read(value))

  const readText = (value: string): unknown => {
    const bare = value.trim()
    if (bare === '' && isEmptyNothing) return none === 'null' ? null : undefined
    return number && /^-?\d+(\.\d+)?$/.test(bare) && !(text && isAccepted(value))
      ? Number(bare)
      : accepted.verbatim
        ? value
        : visible(value)
  }
  function read(value: unknown): unknown {
    if (typeof value === 'string') return readText(value)
    if (Array.isArray(value)) {
      // a list that is too long is refused before its items are looked at
      if (list) return item && value.length <= longest ? kept(value, item) : value
      return value.length === 1 ? read(value[0]) : value
    }
    if (value === null || typeof value !== 'object' || !field) return value
    return keptFields(value as Record<string, unknown>, field)
  }
  return read
}

/** Schemas can be deep, and most of a body is left out: a reader is made when it is first used. */
function laterReader(schemas: readonly z.ZodType[]): Reader {
  let reader: Reader | undefined
  return value => (reader ??= readerOf(schemas))(value)
}

type FieldReader = (field: string) => Reader | undefined

/** The readers of an object's fields; `null` where no object is taken. */
function fieldReaders({ fields, values, prepared }: Accepted, itself: Reader): FieldReader | null {
  if (fields.size === 0 && values.length === 0) return null
  const readers = new Map([...fields].map(([field, schemas]) => [field, laterReader(schemas)]))
  const value = values.length > 0 ? laterReader(values) : undefined
  if (!prepared) return field => readers.get(field) ?? value
  const below = new Map<string, Reader>()
  for (const schemas of fields.values())
    for (const [field, nested] of acceptedBy(schemas).fields) below.set(field, laterReader(nested))
  return field => readers.get(field) ?? below.get(field) ?? value ?? itself
}

/** The same list where no item changes. */
function kept(list: readonly unknown[], reader: Reader): readonly unknown[] {
  const read = list.map(reader)
  return read.some((value, nth) => value !== list[nth]) ? read : list
}

/** The same object where no field changes. */
function keptFields(object: Record<string, unknown>, readerOfField: FieldReader): Record<string, unknown> {
  const changed = Object.entries(object).flatMap(([field, value]): [string, unknown][] => {
    const reader = readerOfField(field)
    const read = reader ? reader(value) : value
    return read === value ? [] : [[field, read]]
  })
  return changed.length === 0 ? object : { ...object, ...Object.fromEntries(changed) }
}

const readers = new WeakMap<z.ZodType, Reader>()

/** An input as its schema expects it. What has neither of these forms stays as it is, for the schema to accept or refuse. */
export function readInput(schema: z.ZodType, input: unknown): unknown {
  let reader = readers.get(schema)
  if (!reader) readers.set(schema, (reader = readerOf([schema])))
  return reader(input)
}
