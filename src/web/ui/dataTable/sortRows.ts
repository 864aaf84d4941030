/**
 * The rows sorted by the value that `key` takes from each: numbers by size, texts by the collation of the language, 2 before 10.
 * Empty values (`''`, `null`) come last, ascending and descending. Equal rows keep their order.
 */
export function sortRows<T>(
  rows: readonly T[],
  key: (row: T) => string | number | null,
  { desc, language }: { desc: boolean; language: string },
): readonly T[] {
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
  const pairs = rows.map(row => ({ row, key: key(row) }))
  pairs.sort(({ key: a }, { key: b }) => {
    if (a === b) return 0
    if (a === null || a === '') return b === null || b === '' ? 0 : 1
    if (b === null || b === '') return -1
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
    return desc ? -order : order
  })
  return pairs.map(({ row }) => row)
}
