/** Whether tyres suit their vehicle: what a set carries and runs, and its size (docs/product/tyres.md "Load and speed"). */
import { dimensionIn, speedSymbols } from './article.ts'
import { isForSnow } from './tread.ts'

type Fitted = { db_id: number; position: string; description: string; tyre_set: string | null; tyre_status: string }

/** The load index that the tyres of an axle carry, and their speed symbol; `null`: their descriptions do not say. */
export type Service = { load: number | null; speed: keyof typeof speedSymbols | null }

/** A set that is weaker on an axle than the first set of its vehicle: the needed service, and its own. */
export type Weakness = { set: string | null; axle: number; needed: Service; has: Service }

/** The load index and speed symbol in the description of a tyre. */
export function serviceIn(description: string): Service {
  const size = dimensionIn(description)
  return { load: size?.loadIndex ?? null, speed: size?.speedSymbol ?? null }
}

/** The size in the description of a tyre, written in one way: `205/55R16`, `195/75R16C`; `null` where there is none. */
export const sizeIn = (description: string): string | null => dimensionIn(description)?.written ?? null

const axleOf = (position: string): number => Number.parseInt(position, 10)
const speedOf = ({ speed }: Service): number => (speed === null ? Number.NaN : speedSymbols[speed])

/** The lowest load and speed of some tyres: a set is as weak as its weakest tyre. */
function weakest(tyres: readonly Fitted[]): Service {
  const services = tyres.map(({ description }) => serviceIn(description))
  const loads = services.flatMap(({ load }) => load ?? [])
  const speeds = services.filter(({ speed }) => speed !== null).toSorted((a, b) => speedOf(a) - speedOf(b))
  return { load: loads.length > 0 ? Math.min(...loads) : null, speed: speeds[0]?.speed ?? null }
}

/** Whether a tyre says how fast its vehicle is: tyres for snow may have a lower speed symbol than the vehicle needs, M+S tyres too. */
export const provesSpeed = (season: string | null): boolean => !isForSnow(season) && season !== 'all_season'

/**
 * The load index and speed symbol that each axle of a vehicle needs: those of the set that it had first. That is the one with the lowest
 * number of a tyre: numbers only grow.
 */
export function neededService(tyres: readonly Fitted[]): Map<number, Service> {
  const first = tyres.toSorted((a, b) => a.db_id - b.db_id)[0]
  const set = first ? tyres.filter(tyre => tyre.tyre_set === first.tyre_set) : []
  return new Map([...Map.groupBy(set, tyre => axleOf(tyre.position))].map(([axle, some]) => [axle, weakest(some)]))
}

/** The same of tyres for summer: the speed is that of the first set that proves it, and not known without one. */
export function neededInSummer(tyres: readonly (Fitted & { season: string | null })[]): Map<number, Service> {
  const proven = neededService(tyres.filter(({ season }) => provesSpeed(season)))
  return new Map(
    [...neededService(tyres)].map(([axle, { load }]) => [axle, { load, speed: proven.get(axle)?.speed ?? null }]),
  )
}

/**
 * The sets of a vehicle whose tyres carry less or may run slower than its first set on the same axle. Neither waste nor what a
 * description leaves out is compared.
 */
export function weakerSets(tyres: readonly Fitted[]): Weakness[] {
  const living = tyres.filter(tyre => tyre.tyre_status !== 'waste')
  const needed = neededService(living)
  return [...Map.groupBy(living, tyre => tyre.tyre_set)].flatMap(([set, some]) =>
    [...Map.groupBy(some, tyre => axleOf(tyre.position))].flatMap(([axle, ofAxle]) => {
      const [wanted, has] = [needed.get(axle), weakest(ofAxle)]
      const lower =
        wanted &&
        ((wanted.load !== null && has.load !== null && has.load < wanted.load) || speedOf(has) < speedOf(wanted))
      return lower ? [{ set, axle, needed: wanted, has }] : []
    }),
  )
}

/** A winter wheel is up to three inches smaller than its summer wheel on the same axle; a lorry's is further from a car's. */
const rimRange = 3

/** Tyres to be added whose size can hardly be right for their axle: the positions they are for, and what the axle has so far. */
export type Misfit = { size: string; usual: string; positions: string[] }

/**
 * The tyres among `added` whose rim is more than three inches larger or smaller than that of each living tyre on the same axle of
 * `present`, by size. Nothing is said of an axle without tyres, and of sizes that a description leaves out.
 */
export function misfits(
  present: readonly Fitted[],
  added: readonly { position: string; description: string }[],
): Misfit[] {
  const living = present.filter(tyre => tyre.tyre_status !== 'waste')
  const unlikely = added.flatMap(({ position, description }) => {
    const size = dimensionIn(description)
    const onAxle = living
      .filter(tyre => axleOf(tyre.position) === axleOf(position))
      .flatMap(tyre => dimensionIn(tyre.description) ?? [])
    const [nearest] = size ? onAxle.toSorted((a, b) => Math.abs(a.rim - size.rim) - Math.abs(b.rim - size.rim)) : []
    return size && nearest && Math.abs(nearest.rim - size.rim) > rimRange
      ? [{ size: size.written, usual: nearest.written, position }]
      : []
  })
  return [...Map.groupBy(unlikely, ({ size, usual }) => `${size} ${usual}`).values()].map(some => ({
    size: some[0]!.size,
    usual: some[0]!.usual,
    positions: some.map(({ position }) => position),
  }))
}
