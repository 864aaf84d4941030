/**
 * The dictionary as a node says it: its rows are laid over the shipped texts in memory, so that no sentence costs a query,
 * and read anew when somebody has changed them, here or on another node.
 */
import { statement, type Database } from '../db/database.ts'
import { overrideTexts, type Override } from './texts.ts'

const changes = statement(
  'dictionary.changes',
  `select version, case when version <> $1 then (
     select coalesce(json_agg(json_build_object('language', language, 'namespace', namespace, 'key', key, 'value', value) order by key), '[]')::text
     from translation) end as rows
   from dictionary`,
)

/** How long a node works with the dictionary it read; what it changes itself it forgets at once. */
const rememberFor = 2000
/** `asked` counts the questions, `heard` is the latest that was answered. */
type Remembered = { until: number; version: number; asked: number; heard: number; reading: Promise<void> }
const remembered = new WeakMap<Database, Remembered>()

/** Reads the dictionary anew before the next sentence is needed. */
export function invalidateTexts(database: Database): void {
  const known = remembered.get(database)
  if (known) known.until = 0
}

/**
 * Resolves when this node says what the dictionary said two seconds ago at most. Never fails: a database that does not
 * answer is told by whoever needs it, and until then the texts are those of before.
 */
export function refreshTexts(database: Database): Promise<void> {
  const now = performance.now()
  const known = remembered.get(database) ?? { until: 0, version: -1, asked: 0, heard: 0, reading: Promise.resolve() }
  if (known.until > now) return known.reading
  known.until = now + rememberFor
  known.reading = read(database, known).catch(() => void (known.until = 0))
  remembered.set(database, known)
  return known.reading
}

async function read(database: Database, known: Remembered): Promise<void> {
  const turn = ++known.asked
  const { version, rows } = await database.transaction({}, tx =>
    tx.single.one<{ version: number; rows: string | null }>(changes, [known.version]),
  )
  // one that was asked earlier may be answered later; a restored database may count lower
  if (turn < known.heard) return
  known.heard = turn
  if (rows === null) return
  known.version = version
  overrideTexts(JSON.parse(rows) as Override[])
}
