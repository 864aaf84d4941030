/** What probably comes in with tyres: what came with them the last time. */
import type { Operation, Tyre } from '#contract/wire.ts'
import { asksForParts, handledTyres } from '#domain/operation.ts'
import type { PartsOfStorage } from '../operation/parts.tsx'

type Parts = Omit<PartsOfStorage, 'tachometer'>
const none: Parts = { withRims: null, withBolts: false, withHubcaps: false }

/** What a tyre itself still says; `null` for nothing, as of most that have left the stock. */
const ownParts = ({ stock_rims: withRims, stock_bolts: withBolts, stock_hubcaps: withHubcaps }: Tyre): Parts | null =>
  withRims || withBolts || withHubcaps ? { withRims, withBolts, withHubcaps } : null

/**
 * The rims, bolts and hubcaps that all these tyres had in stock: by the tyres, else by the last of these operations, newest first, that
 * stored them. What only some of them had is left out.
 */
export function partsBefore(tyres: readonly Tyre[], operations: readonly Operation[]): Parts {
  const storages = operations.filter(({ type, status }) => asksForParts(type) && status === 'confirmed')
  const [first = none, ...others] = tyres.map(
    tyre => ownParts(tyre) ?? storages.find(one => handledTyres(one).some(({ db_id }) => db_id === tyre.db_id)) ?? none,
  )
  return {
    withRims: others.every(({ withRims }) => withRims === first.withRims) ? first.withRims : null,
    withBolts: first.withBolts && others.every(({ withBolts }) => withBolts),
    withHubcaps: first.withHubcaps && others.every(({ withHubcaps }) => withHubcaps),
  }
}
