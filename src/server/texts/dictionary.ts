/**
 * The dictionary of a node: its rows replace shipped texts in memory, so that no sentence costs a query. They are read again when
 * somebody has changed them, here or on another node.
 */
import type { Database } from '../db/database.ts'
import { statement } from '../db/statement.ts'
import { int, text } from '../db/types.ts'
import { overrideTexts, type Override } from './texts.ts'

/** The dictionary's version, and its rows as JSON text where that is not the version known. */
const changes = statement({
  name: 'dictionary.changes',
  parameters: { known: int },
  row: { version: int, rows: text.nullable() },
  sql: `
    select version, case when version <> :known then (
      select coalesce(json_agg(json_build_object('language', language, 'namespace', namespace, 'key', key, 'value', value) order by key), '[]')::text
      from translation) end as rows
    from dictionary`,
})

/** How long a node may use the dictionary it has read, in ms. After a change of its own it reads it again at once. */
const cacheFor = 2000
/** `reads` counts the reads that were begun; `latest` is the newest that was answered. */
type Cached = { until: number; version: number; reads: number; latest: number; reading: Promise<void> }
const cache = new WeakMap<Database, Cached>()

/** Reads the dictionary again before the next text is needed. */
export function invalidateTexts(database: Database): void {
  const cached = cache.get(database)
  if (cached) cached.until = 0
}

/**
 * Resolves when this node's texts are those of two seconds ago at most. Never fails: a request whose database does not answer
 * fails by itself, and until then the texts stay as they were.
 */
export function refreshTexts(database: Database): Promise<void> {
  const now = performance.now()
  const cached = cache.get(database) ?? { until: 0, version: -1, reads: 0, latest: 0, reading: Promise.resolve() }
  if (cached.until > now) return cached.reading
  cached.until = now + cacheFor
  cached.reading = read(database, cached).catch(() => void (cached.until = 0))
  cache.set(database, cached)
  return cached.reading
}

async function read(database: Database, cached: Cached): Promise<void> {
  const nth = ++cached.reads
  const { version, rows } = await database.transaction({}, tx => tx.single.one(changes, { known: cached.version }))
  // an earlier read may be answered later; versions can't tell, because a restored database may have a lower one
  if (nth < cached.latest) return
  cached.latest = nth
  if (rows === null) return
  cached.version = version
  overrideTexts(JSON.parse(rows) as Override[])
}
