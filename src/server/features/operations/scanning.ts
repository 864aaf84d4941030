/** Scans of tyres of submitted operations. */
import { randomUUID } from 'node:crypto'
import { Json } from '../../db/database.ts'
import { notifyOfScans, rowsAtDesks } from '../changedRows.ts'
import { handle } from './handling.ts'
import * as sql from './handling.sql.ts'
import { guard, lock, type InRequest } from './lock.ts'

/** `id` is made by the device, and makes a repeated scan harmless. */
export type Scan = { tyre: number; id: string; at: Date }

/**
 * Applies scans and answers their tyres, each once, in the order requested; confirms the operations that become complete where the site
 * wants it. A scan that was applied before, by a request whose reply was lost or by a concurrent one, is answered with the tyre as part
 * of the operation that it was for. `used` are the tyres of the scans that were applied, now or before.
 */
export async function mark(
  { tx, who, site, now, request }: InRequest,
  scans: readonly Scan[],
  type: string | null,
  operation: number | null,
): Promise<{ answer: Json; used: ReadonlySet<number> }> {
  // an automatic confirmation commits together with the scans that completed it; without one, the rest only reads
  const { rows } = site.autoProcessIntakeOnFullScan ? tx : tx.single
  const marked = await rows(sql.markScans, {
    site: site.id,
    withDepth: site.allowProfileDepth,
    tyres: scans.map(scan => scan.tyre),
    ids: scans.map(scan => scan.id),
    moments: scans.map(scan => scan.at),
    type,
    operation,
    account: who.account,
  })
  const done = new Map(marked.flatMap(({ scans: ids, ...tyre }) => ids.map(id => [id, tyre])))
  const left = scans.filter(scan => !done.has(scan.id)).map(scan => scan.id)
  const before = left.length > 0 ? await tx.rows(sql.appliedScans, { site: site.id, scans: left }) : []
  const touched = [...new Set(marked.map(tyre => tyre.operation))]
  const full =
    site.autoProcessIntakeOnFullScan && touched.length > 0
      ? await tx.rows(sql.fullyScanned, { site: site.id, operations: touched })
      : []
  const confirmed = full.map(operation => operation.id)
  if (confirmed.length > 0)
    await handle({ tx, who, site, now }, 'confirm', confirmed, { unscanned: 0, automatic: true })
  if (confirmed.length === 0) notifyOfScans(request, marked)
  else
    for (const customer of new Set(marked.map(tyre => tyre.customer))) request.notify(customer, rowsAtDesks(...touched))
  if (confirmed.length === 0 && before.length === 0) {
    const answers = new Set(scans.flatMap(scan => done.get(scan.id)?.json ?? []))
    return { answer: new Json(`[${[...answers].join(',')}]`), used: new Set(marked.map(({ tyre }) => tyre)) }
  }
  const earlier = new Map(before.map(({ id, ...tyre }) => [id, tyre]))
  const tyres = scans.flatMap(scan => done.get(scan.id) ?? earlier.get(scan.id) ?? [])
  const answer = await tx.json(sql.heldTyres, {
    site: site.id,
    withDepth: site.allowProfileDepth,
    operations: tyres.map(tyre => tyre.operation),
    tyres: tyres.map(tyre => tyre.tyre),
  })
  return { answer, used: new Set(tyres.map(({ tyre }) => tyre)) }
}

/** Marks the unscanned tyres of an operation by hand; answers all its tyres. */
export async function markAll(at: InRequest, id: number): Promise<Json> {
  const { tx, who, site, now } = at
  const operation = await lock({ tx, who, site }, id)
  guard(operation, 'scan', who)
  const tyres = await tx.rows(sql.tyresOf, { site: site.id, operation: id })
  const scans = tyres.filter(tyre => !tyre.scanned).map(tyre => ({ tyre: tyre.id, id: randomUUID(), at: now }))
  if (scans.length > 0) await mark(at, scans, null, id)
  return tx.json(sql.heldTyres, {
    site: site.id,
    withDepth: site.allowProfileDepth,
    operations: tyres.map(() => id),
    tyres: tyres.map(tyre => tyre.id),
  })
}
