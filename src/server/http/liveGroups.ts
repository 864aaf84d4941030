/**
 * Pages that may see the same are told together (docs/decisions/0074): their changes are collected, the rows that changed are read once, in
 * the context of row-level security that all of them have, and an event is written once.
 */
import { rowLists, rowPaths, maxChangedOperations, type LiveEvent, type RowList } from '#contract/live.ts'
import { operations } from '#contract/operations.ts'
import { Failure } from '#domain/failure.ts'
import type { Database } from '../db/database.ts'
import type { Who } from '../features/handler.ts'
import { openOperations } from '../features/operations/operations.sql.ts'
import { openSite } from '../features/sites/sites.ts'
import { authorise } from './admit.ts'
import type { Change, Live } from './live.ts'
import type { RequestQueues } from './queues.ts'

/** The least time between two events to a page, in ms: ten scanners must not make it load without end. */
const minInterval = 700
/** Longer rows are not sent, in characters, some forty operations: a page on a slow network loads the compressed list sooner. */
const maxRowsLength = 128 * 1024

type Page = {
  /** Writes events to it. */
  write(text: Buffer): void
}

export type Groups = {
  /** Tells the page what somebody like this may know of. Returns how to stop. */
  join(who: Who, page: Page): () => void
}

type Group = { readonly pages: Set<Page>; leave(): void }

type Reading = { readonly database: Database; readonly queues: RequestQueues | null; readonly live: Live }

/** The key of an audience: accounts of one site, customer, role and restriction may see the same, and are sent the same events. */
export const audienceKey = ({ site, customer, type, warehouse }: Who): string =>
  JSON.stringify([site, customer, type, warehouse])

/** `interval` is the least time between two events, in ms; `keyOf` names the group of somebody. Both only differ in tests. */
export function openGroups(
  reading: Reading,
  { interval = minInterval, keyOf = audienceKey }: { interval?: number; keyOf?: (who: Who) => string } = {},
): Groups {
  const groups = new Map<string, Group>()

  function open(key: string, who: Who): Group {
    const pages = new Set<Page>()
    let waiting: Change[] = []
    let resting: ReturnType<typeof setTimeout> | NodeJS.Immediate | undefined
    // what a call changes is published one after the other, and goes together
    const soon = (): NodeJS.Immediate => setImmediate(() => void flush())
    async function flush(): Promise<void> {
      const changes = waiting
      waiting = []
      if (pages.size === 0 || changes.length === 0) return void (resting = undefined)
      const text = await eventsOf(changes, who, reading)
      if (text.length > 0) for (const page of pages) page.write(text)
      resting = setTimeout(() => void flush(), interval)
    }
    const leave = reading.live.listen({
      who,
      pages: () => pages.size,
      receive(change) {
        waiting.push(change)
        resting ??= soon()
      },
    })
    const group = { pages, leave }
    groups.set(key, group)
    return group
  }

  return {
    join(who, page) {
      const key = keyOf(who)
      const group = groups.get(key) ?? open(key, who)
      group.pages.add(page)
      return () => {
        group.pages.delete(page)
        if (group.pages.size > 0 || groups.get(key) !== group) return
        group.leave()
        groups.delete(key)
      }
    },
  }
}

/** The events of changes, as text: one for each page that made them, and one with the rows that changed. */
async function eventsOf(changes: readonly Change[], who: Who, reading: Reading): Promise<Buffer> {
  const { named = [], whole = [] } = Object.groupBy(changes, ({ operations: ids }) => (ids ? 'named' : 'whole'))
  const changed = changedIn(named, who)
  const rows = await rowsOf([...new Set([...changed.values()].flat())], who, reading)
  const events = eventsByPage(rows === null ? changes : whole).map(event => JSON.stringify(event))
  if (rows !== null && changed.size > 0) {
    // an earlier version loads these lists again, even after its own change
    const event = { paths: [...changed.keys()], from: '' } satisfies LiveEvent
    const ids = JSON.stringify(Object.fromEntries(changed))
    events.push(`${JSON.stringify(event).slice(0, -1)},"rows":{"changed":${ids},"operations":${rows}}}`)
  }
  return Buffer.from(events.map(asEvent).join(''))
}

/** The text of an event with these data. */
export const asEvent = (data: string): string => `data: ${data}\n\n`

/** One event for each page that made changes. */
export const eventsByPage = (changes: readonly Change[]): LiveEvent[] =>
  [...Map.groupBy(changes, ({ from }) => from)].map(([from, group]) => ({
    from,
    paths: [...new Set(group.flatMap(({ paths }) => paths))],
  }))

/** The operations that changed, by the path of each list that somebody like this has. */
function changedIn(named: readonly Change[], who: Who): ReadonlyMap<string, readonly number[]> {
  const changed = rowLists.flatMap(list => {
    const path = rowPaths[list]
    const ids = named.filter(({ paths }) => paths.includes(path)).flatMap(({ operations: those = [] }) => those)
    return isTheirs(list, who) && ids.length > 0 ? [[path, [...new Set(ids)]] as const] : []
  })
  return new Map(changed)
}

/** Whether somebody like this asks for this list at all. The warehouse has the desk's only. */
const isTheirs = (list: RowList, { type, warehouse }: Who): boolean =>
  list === 'operations.admin' ? type === 'admin' : !warehouse

/** These operations as JSON, as far as somebody like this may see them; `null` where they can't be sent, and are to be asked for. */
async function rowsOf(ids: number[], who: Who, { database, queues, live }: Reading): Promise<string | null> {
  if (ids.length === 0) return '[]'
  // a node without the others' news may not know whose session has ended
  if (ids.length > maxChangedOperations || !live.connected()) return null
  const read = async (): Promise<string> => {
    const site = who.site === null ? undefined : await openSite(database, who.site)
    if (!site) throw new Failure('site.unknown')
    authorise(who.type === 'user' ? operations.fetch : operations.admin, { who, site, session: null, token: null })
    const parameters = { site: site.id, withDepth: site.allowProfileDepth, operations: ids }
    const { text } = await database.transaction({ site: site.id, customer: who.customer }, tx =>
      tx.single.list(openOperations, parameters),
    )
    return text
  }
  try {
    // it spares each of the pages a list, so it goes first
    const text = await (queues?.requests.run('scan', { site: who.site ?? 'none', account: 'live' }, read) ?? read())
    // PostgreSQL puts each row on a line, and an event ends with one
    return text.length > maxRowsLength ? null : text.replaceAll('\n', '')
  } catch {
    // their own requests are answered why
    return null
  }
}
