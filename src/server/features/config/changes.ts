/** The changes of an edit of a configuration. Missing fields stay unchanged. */
import { Failure } from '#domain/failure.ts'

/** A field's value before and after. */
type Change = readonly [from: unknown, to: unknown]
export type Changes = Readonly<Record<string, Change>>

const same = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The changes of these fields. */
export function changesOf<F extends string>(
  current: { readonly [field in F]?: unknown },
  wanted: { readonly [field in F]?: unknown },
  fields: readonly F[],
): Partial<Record<F, Change>> {
  const different = fields.filter(field => wanted[field] !== undefined && !same(wanted[field], current[field]))
  return Object.fromEntries(different.map(field => [field, [current[field], wanted[field]]])) as never
}

type Listed = { readonly _id: number; readonly name: string }

export type ListChanges<K extends Listed = Listed, A = { readonly name: string }> = {
  readonly added: readonly A[]
  readonly changed: readonly { readonly row: A & Listed; readonly changes: Changes }[]
  readonly removed: readonly K[]
}

/**
 * The changes of a list: rows without an id are new, rows that are left out are removed.
 * @throws Failure `record.missing` for an id that is not in the list
 */
export function listChanges<K extends Listed, A extends { _id?: number | undefined; name: string }>(
  current: readonly K[],
  wanted: readonly A[],
): ListChanges<K, A> {
  const existingRows = wanted.filter((row): row is A & Listed => row._id !== undefined)
  const changed = existingRows.map(row => {
    const before = current.find(({ _id }) => _id === row._id)
    if (!before) throw new Failure('record.missing')
    return { row, changes: changesOf(before as object, row as object, Object.keys(row) as never[]) as Changes }
  })
  return {
    added: wanted.filter(row => row._id === undefined),
    changed: changed.filter(({ changes }) => Object.keys(changes).length > 0),
    removed: current.filter(({ _id }) => !existingRows.some(row => row._id === _id)),
  }
}
