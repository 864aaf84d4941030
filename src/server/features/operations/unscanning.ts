/** Scans that are taken back. */
import { Failure } from '#domain/failure.ts'
import { lockOperationsOf, lockTyresWithLocation } from '../locations/locations.sql.ts'
import { notifyOfScans } from '../changedRows.ts'
import type { InRequest } from './lock.ts'
import { returnWheels, takeBackScans } from './unscanning.sql.ts'

/**
 * Takes back the scans of tyres of submitted operations, all or none, and answers the tyres.
 * @throws Failure `record.missing`, or `wheel.step` where a tyre has no scan to take back
 */
export async function unscan({ tx, who, site, now, request }: InRequest, tyres: readonly number[]): Promise<number[]> {
  const parameters = { site: site.id, tyres: [...tyres] }
  await tx.run(lockOperationsOf, parameters)
  if ((await tx.rows(lockTyresWithLocation, parameters)).length < tyres.length) throw new Failure('record.missing')
  const taken = await tx.rows(takeBackScans, { ...parameters, actor: who.account, now })
  const unscanned = taken.map(({ tyre }) => tyre)
  const without = tyres.filter(tyre => !unscanned.includes(tyre))
  if (without.length > 0) throw new Failure('wheel.step', { tyres: without })
  const tyresOf = (coming: boolean) =>
    taken.filter(({ type }) => (type === 'to_stock') === coming).map(({ tyre }) => tyre)
  await tx.run(returnWheels, { site: site.id, coming: tyresOf(true), leaving: tyresOf(false) })
  notifyOfScans(request, taken)
  return unscanned
}
