/** The changes of the last minutes, for pages that were on their way when they were published (docs/decisions/0074). */

/** How long they are kept, in ms: longer than a page takes to load on a slow network. */
export const keptFor = 5 * 60_000

export type RecentChanges<C> = {
  /** Keeps a change, in place of an earlier one of the same answers by the same page. */
  add(change: C): void
  /** The changes at a site of the last so many ms, oldest first. */
  ofSite(site: number, age: number): C[]
}

/** `clock` counts ms, from whenever. */
export function openRecentChanges<C extends { readonly site: number }>(
  clock: () => number = () => performance.now(),
): RecentChanges<C> {
  // in the order of their times
  const kept = new Map<string, { readonly change: C; readonly at: number }>()
  return {
    add(change) {
      const at = clock()
      const key = JSON.stringify(change)
      kept.delete(key)
      kept.set(key, { change, at })
      for (const [old, { at: then }] of kept) {
        if (then >= at - keptFor) break
        kept.delete(old)
      }
    },
    ofSite(site, age) {
      const since = clock() - Math.min(age, keptFor)
      return [...kept.values()]
        .filter(({ change, at }) => change.site === site && at >= since)
        .map(({ change }) => change)
    },
  }
}
