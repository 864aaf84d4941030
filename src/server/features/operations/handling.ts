/** Confirming and cancelling: what happens to the tyres, their places and the documents of operations. */
import { languages } from '#domain/people/account.ts'
import { operationTypes, statusAfter, type OperationType } from '#domain/tyres/tyre.ts'
import { putAsPlanned, putAway } from '../locations/putAway.sql.ts'
import { lockPutAway } from '../tyres/putAwayLock.sql.ts'
import { sizedTyres } from '../locations/sizes.ts'
import { presumeMounts } from '../mounts/presume.ts'
import { chargeOperations } from '../tariff/events.sql.ts'
import * as sql from './handling.sql.ts'
import type { Circumstances } from './lock.ts'

/** The event in a tyre's history when an operation of this type is confirmed. */
const eventAfter = {
  to_stock: 'received',
  to_customer: 'delivered',
  to_waste: 'scrapped',
  to_spare: 'spared',
} as const satisfies Record<OperationType, string>

/**
 * Confirms or cancels operations that the caller has locked and found allowed (docs/product/operations.md "Effects of an operation"). Tyres
 * that are `missing` keep their state, and take no place.
 */
export async function handle(
  { tx, who, site, now }: Circumstances,
  step: 'confirm' | 'cancel',
  ids: readonly number[],
  { missing = [], ...facts }: { missing?: readonly number[] } & Record<string, unknown> = {},
): Promise<void> {
  await tx.run(sql.lockDays, { site: site.id, operations: [...ids] })
  if (step === 'confirm') {
    const tyres = await tx.rows(sql.lockTyresOfOperations, { site: site.id, operations: [...ids] })
    const stored = tyres.filter(tyre => statusAfter[tyre.type] === 'in_stock' && !missing.includes(tyre.id))
    // what leaves makes room, and counts as a change of what lies where, too
    if (tyres.length > 0) await tx.run(lockPutAway, { site: site.id })
    const tyreIds = stored.map(tyre => tyre.id)
    const planned = tyreIds.length > 0 ? await tx.rows(putAsPlanned, { site: site.id, tyres: tyreIds }) : []
    const placed = new Set(planned.map(tyre => tyre.id))
    const left = tyreIds.filter(id => !placed.has(id))
    if (left.length > 0) await tx.run(putAway, await sizedTyres(tx, site.id, left))
  }
  await tx.run(sql.handleOperations, {
    site: site.id,
    operations: [...ids],
    actor: who.account,
    now,
    timeZone: site.timeZone,
    status: step === 'confirm' ? 'confirmed' : 'cancelled',
    types: [...operationTypes],
    states: operationTypes.map(type => statusAfter[type]),
    kinds: operationTypes.map(type => eventAfter[type]),
    missing: [...missing],
    action: `operation.${step}`,
    facts: JSON.stringify({ ...facts, ...(missing.length > 0 && { missing }) }),
  })
  if (step === 'confirm') await presumeMounts({ tx, who, site, now }, ids)
  if (step === 'confirm' && site.doDocInsert && facts.document !== false)
    await tx.run(sql.makeDocuments, {
      site: site.id,
      operations: [...ids],
      actor: who.account,
      now,
      timeZone: site.timeZone,
      kind: site.docInsertType,
      exceptions: [...site.docInsertExceptions],
      language: languages[site.language],
    })
  if (step === 'confirm')
    await tx.run(chargeOperations, {
      site: site.id,
      operations: [...ids],
      actor: who.account,
      now,
      timeZone: site.timeZone,
    })
}
