/** The lists of a site's configuration: transport methods, closed days and services, saved as a whole or entry by entry. */
import { byDate, type ClosedDay } from '#domain/operations/closedDays.ts'
import { Failure } from '#domain/failure.ts'
import type { Input } from '#contract/call.ts'
import { adminConfig, type AdminConfig, contradictionsIn, type hotelconfig as calls } from '#contract/config.ts'
import type { Tx } from '../../db/database.ts'
import { listChanges, type ListChanges } from './changes.ts'
import { saveClosedDays } from './closedDays.ts'
import * as sql from './config.sql.ts'
import { openRecalls } from './transports.sql.ts'

type Row = { readonly _id?: number | undefined; readonly name: string }
type Lists = {
  readonly transportMethods?: readonly (Row & { readonly code: string; readonly default: boolean })[] | undefined
  readonly closedDays?: readonly ClosedDay[] | undefined
  readonly services?: readonly Row[] | undefined
}

/**
 * A site's configuration, for an edit of this version.
 * @throws Failure `config.changed` when somebody has saved a newer one
 */
export async function readVersion(tx: Tx, site: number, version?: number): Promise<AdminConfig> {
  const current = adminConfig.parse(JSON.parse((await tx.json(sql.wholeConfig, { site })).text))
  if (version !== undefined && version !== current.version) throw new Failure('config.changed')
  return current
}

/**
 * The entries with the saved ones in their places or, without an id, at the end.
 * @throws Failure `record.missing`
 */
function entriesAfter<C extends Row & { readonly _id: number }, S extends Row>(
  current: readonly C[],
  saved: readonly S[] = [],
  removed: readonly number[] = [],
): (C | S)[] {
  const isKnown = (id: number | undefined) => id === undefined || current.some(({ _id }) => _id === id)
  if (![...saved.map(({ _id }) => _id), ...removed].every(isKnown)) throw new Failure('record.missing')
  return [
    ...current
      .filter(({ _id }) => !removed.includes(_id))
      .map(entry => saved.find(({ _id }) => _id === entry._id) ?? entry),
    ...saved.filter(({ _id }) => _id === undefined),
  ]
}

/**
 * The lists after an edit of single entries. A transport method that becomes the default takes it from the one before.
 * @throws Failure `record.missing`, `request.invalid` for entries that contradict each other
 */
export function listsAfter(current: AdminConfig, input: Input<typeof calls.editentries>): Lists {
  const { transportMethods: transports, closedDays = [], services, removed = {} } = input
  const takesDefault = transports?.some(method => method.default)
  const methods = takesDefault
    ? current.transportMethods.map(method => ({ ...method, default: false }))
    : current.transportMethods
  const isReplaced = (day: string) => closedDays.some(closed => closed.day === day) || removed.closedDays?.includes(day)
  const after: Lists = {
    transportMethods: entriesAfter(methods, transports),
    closedDays: [...current.closedDays.filter(({ day }) => !isReplaced(day)), ...closedDays].toSorted(byDate),
    services: entriesAfter(current.services, services, removed.services),
  }
  const fields = [...contradictionsIn(input), ...contradictionsIn(after)].map(({ path }) => path.join('.'))
  if (fields.length > 0) throw new Failure('request.invalid', { fields })
  return after
}

/**
 * Saves the lists of a configuration and returns their changes as facts for the audit, empty without changes.
 * @throws Failure `record.missing`, `config.transport_in_use`
 */
export async function saveLists(
  { tx, site, now }: { tx: Tx; site: number; now: Date },
  current: AdminConfig,
  after: Lists,
): Promise<Record<string, unknown>> {
  const transports = listChanges(current.transportMethods, after.transportMethods ?? current.transportMethods)
  const services = listChanges(current.services, after.services ?? current.services)
  await refuseUsed(tx, site, transports.removed)
  return {
    ...(await saveList(tx, site, 'transportMethods', transports, now)),
    ...(await saveClosedDays(tx, site, current.closedDays, after.closedDays)),
    ...(await saveList(tx, site, 'services', services, now)),
  }
}

/** @throws Failure `config.transport_in_use` when open operations are to go with one of these transport methods */
export async function refuseUsed(
  tx: Tx,
  site: number,
  removed: readonly { readonly _id: number; readonly name: string }[],
): Promise<void> {
  if (removed.length === 0) return
  const [used] = await tx.rows(openRecalls, { site, transports: removed.map(({ _id }) => _id) })
  const method = removed.find(({ _id }) => _id === used?.transport)
  if (used && method) throw new Failure('config.transport_in_use', { name: method.name, recalls: used.recalls })
}

/** Saves the changes of a list and returns them as facts for the audit, empty without changes. */
async function saveList(
  tx: Tx,
  site: number,
  name: keyof typeof sql.lists,
  { added, changed, removed }: ListChanges,
  now: Date,
): Promise<Record<string, unknown>> {
  if (added.length + changed.length + removed.length === 0) return {}
  const { add, change, remove } = sql.lists[name]
  if (removed.length > 0) await tx.run(remove, { site, ids: removed.map(({ _id }) => _id), now })
  // only transport methods have a default
  const movesDefault =
    changed.some(({ changes }) => changes.default) || added.some(row => 'default' in row && row.default)
  if (movesDefault) await tx.run(sql.clearDefault, { site })
  if (changed.length > 0) await tx.run(change, { site, rows: JSON.stringify(changed.map(({ row }) => row)) })
  const ids = added.length > 0 ? await tx.rows(add, { site, rows: JSON.stringify(added) }) : []
  return {
    [name]: {
      added: added.map((row, nth) => ({ ...row, _id: ids[nth]?.id })),
      changed: changed.map(({ row, changes }) => ({ _id: row._id, name: row.name, ...changes })),
      removed: removed.map(row => ({ _id: row._id, name: row.name })),
    },
  }
}
