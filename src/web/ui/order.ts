/**
 * Rows in the order of what `key` says of each: numbers by size, texts as people of this language sort them, 2 before 10.
 * What is not filled in (`''`, `null`) comes last, whichever way. Equal rows keep the order that they have.
 */
export function inOrder<T>(
  rows: readonly T[],
  key: (row: T) => string | number | null,
  { desc, language }: { desc: boolean; language: string },
): readonly T[] {
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
  const keyed = rows.map(row => ({ row, key: key(row) }))
  keyed.sort(({ key: a }, { key: b }) => {
    if (a === b) return 0
    if (a === null || a === '') return b === null || b === '' ? 0 : 1
    if (b === null || b === '') return -1
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
    return desc ? -order : order
  })
  return keyed.map(({ row }) => row)
}
