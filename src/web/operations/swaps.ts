/** Recalls and storages that are listed as one season swap (docs/product/season.md "Season swaps"). */

type Half = { readonly _id: number; readonly type: string; readonly swap: { readonly _id: number } | null }

/** The storage shown in the card of each recall of a list, by the recall's id. Only swaps with both halves in the list share a card. */
export function storagesOfSwaps<T extends Half>(listed: readonly T[]): ReadonlyMap<number, T> {
  const storages = new Map(
    listed.filter(({ type }) => type === 'to_stock').map(operation => [operation._id, operation]),
  )
  return new Map(
    listed.flatMap(operation => {
      const storage = operation.type === 'to_customer' && operation.swap ? storages.get(operation.swap._id) : undefined
      return storage ? [[operation._id, storage] as const] : []
    }),
  )
}
