/** Every field that a call takes, read from its schema, so that tests forget no new field. */
import type { z } from 'zod'
import { type Def, defOf } from '#contract/readInput.ts'
import { id, upload } from '#contract/wire.ts'

/** The way to a value in a body; `*` is each of a list. */
export type Path = readonly string[]

/** A value at the end of a path: its schema, or `anything` where the schema takes any value. */
type Leaf = { readonly path: Path; readonly schema: z.ZodType; readonly anything: boolean }
/** An object in a body with the fields that it may have. */
type Level = { readonly path: Path; readonly fields: readonly string[] }

const hasMaximum = ({ checks }: Def): boolean => checks?.some(check => check._zod.def.check === 'max_length') ?? false

/** Whether an object takes other fields than those of its shape. */
const takesMore = ({ catchall }: Def): boolean => catchall !== undefined && defOf(catchall).type !== 'never'

const ends = ['string', 'number', 'boolean', 'enum', 'literal', 'null', 'undefined', 'transform']
const around = ['optional', 'nullable', 'default', 'prefault', 'nonoptional', 'readonly', 'catch']

/** @throws where a schema is of a kind that this has not met: what it holds would be left out */
function walk(schema: z.ZodType, path: Path, paths: { leaves: Leaf[]; levels: Level[]; endless: Path[] }): void {
  const def = defOf(schema)
  const below = (inner: z.ZodType | undefined, ...pieces: string[]): void => {
    if (inner) walk(inner, [...path, ...pieces], paths)
  }
  if (def.type === 'object') {
    paths.levels.push({ path, fields: Object.keys(def.shape ?? {}) })
    for (const [field, inner] of Object.entries(def.shape ?? {})) below(inner, field)
    if (takesMore(def)) paths.leaves.push({ path: [...path, '*'], schema: def.catchall as z.ZodType, anything: true })
  } else if (def.type === 'array') {
    paths.endless.push(...(hasMaximum(def) ? [] : [path]))
    below(def.element, '*')
  } else if (def.type === 'tuple') for (const entry of def.items ?? []) below(entry, '*')
  else if (def.type === 'record') below(def.valueType, '*')
  else if (def.type === 'union') for (const option of def.options ?? []) below(option)
  else if (def.type === 'pipe') {
    below(def.in)
    below(def.out)
  } else if (around.includes(def.type)) below(def.innerType)
  else if (def.type === 'unknown') paths.leaves.push({ path, schema, anything: true })
  else if (ends.includes(def.type) || schema === upload) paths.leaves.push({ path, schema, anything: false })
  else throw new Error(`what a ${def.type} at ${path.join('.')} holds is not known`)
}

const read = (schema: z.ZodType): { leaves: Leaf[]; levels: Level[]; endless: Path[] } => {
  const paths = { leaves: [], levels: [], endless: [] }
  walk(schema, [], paths)
  return paths
}

/** Fields that are called like an id without being made of the contract's `id`. */
const calledId = /(^_?id|_id|[a-z]Ids?)$/

function namesSomething({ path, schema, anything }: Leaf): boolean {
  const { type, format } = defOf(schema)
  if (schema === id || anything || format === 'uuid') return path.length > 0
  return (type === 'number' || type === 'string') && calledId.test(path.findLast(piece => piece !== '*') ?? '')
}

/** Every value that a schema holds, by the way to it: `driver.name`. A value that passes several schemas has each of them. */
export function leavesOf(schema: z.ZodType): Map<string, readonly z.ZodType[]> {
  const leaves = Map.groupBy(read(schema).leaves, ({ path }) => path.join('.'))
  const ways = [...leaves.keys()]
  return new Map(
    [...leaves]
      // what prepares an object or a list is no value of its own
      .filter(([way]) => !ways.some(other => other.startsWith(`${way}.`)))
      .map(([way, levels]) => [way, levels.map(({ schema: leaf }) => leaf)]),
  )
}

/** The ways to every list of a schema that has no maximum; a schema that is a list has the way ''. */
export const endlessListsIn = (schema: z.ZodType): string[] => read(schema).endless.map(path => path.join('.'))

/** The ways to everything in the input that names a row, or may: `tyres.*.db_id`. */
export const idsIn = (schema: z.ZodType): string[] => [
  ...new Set(
    read(schema)
      .leaves.filter(namesSomething)
      .map(({ path }) => path.join('.')),
  ),
]

/** The fields that each object of the input may have, by the way to it; the body itself is ''. */
export function levelsOf(schema: z.ZodType): Map<string, Set<string>> {
  const levels = new Map<string, Set<string>>()
  for (const { path, fields } of read(schema).levels) {
    const levelKeys = levels.get(path.join('.')) ?? new Set()
    fields.forEach(field => levelKeys.add(field))
    levels.set(path.join('.'), levelKeys)
  }
  return levels
}

/** A copy of the body with this value at the end of the way; of a list, it takes the place of the first or is the first. */
export function put(body: unknown, [piece, ...rest]: Path, value: unknown): unknown {
  if (piece === undefined) return value
  if (piece === '*') {
    const list = Array.isArray(body) ? (body as unknown[]) : []
    return [put(list[0], rest, value), ...list.slice(1)]
  }
  const object = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {}
  return { ...object, [piece]: put((object as Record<string, unknown>)[piece], rest, value) }
}
