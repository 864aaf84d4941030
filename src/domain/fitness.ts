/** Whether a set carries and runs what its vehicle needs (docs/product.md "Load and speed"). */
import { type Dimension, parseDimension, speedSymbols } from './article.ts'

type Fitted = { db_id: number; position: string; description: string; tyre_set: string | null; tyre_status: string }

/** What tyres of an axle carry and how fast they may run; `null`: their descriptions do not say. */
export type Service = { load: number | null; speed: keyof typeof speedSymbols | null }

/** A set that is weaker than the first one of its vehicle, on an axle: what is needed, and what it has. */
export type Weakness = { set: string | null; axle: number; needed: Service; has: Service }

/** Where in a description its size begins: behind the brand or before it. */
const sizeStart = /(?:HL|LT|P|T)?\d{1,3}(?:[.,]\d+)?(?: ?[/x×X] ?\d|[RBD-]\d)/g

/** The size in the description of a tyre: `Michelin Alpin 6 205/55R16 91H`; `null` where there is none. */
function dimensionIn(description: string): Dimension | null {
  for (const { index } of description.matchAll(sizeStart)) {
    const words = description.slice(index).split(' ')
    // The size is at most four words long, and what follows it is a brand or a pattern.
    for (let end = Math.min(words.length, 5); end > 0; end -= 1) {
      const size = parseDimension(words.slice(0, end).join(' '))
      if (size) return size
    }
  }
  return null
}

/** The load index and speed symbol in the description of a tyre. */
export function serviceIn(description: string): Service {
  const size = dimensionIn(description)
  return { load: size?.loadIndex ?? null, speed: size?.speedSymbol ?? null }
}

/** The size in the description of a tyre, written in one way: `205/55R16`, `195/75R16C`; `null` where there is none. */
export function sizeIn(description: string): string | null {
  const size = dimensionIn(description)
  if (!size) return null
  const { width, aspect, diameter, construction, rim, commercial } = size
  const before = diameter === null ? `${width}${aspect === null ? '' : `/${aspect}`}` : `${diameter}x${width}`
  return `${before}${construction}${rim}${commercial === 'C' || commercial === 'LT' ? commercial : ''}`
}

const axleOf = (position: string): number => Number.parseInt(position, 10)
const speedOf = ({ speed }: Service): number => (speed === null ? Number.NaN : speedSymbols[speed])

/** The lowest load and speed of some tyres: a set is as weak as its weakest tyre. */
function weakest(tyres: readonly Fitted[]): Service {
  const services = tyres.map(({ description }) => serviceIn(description))
  const loads = services.flatMap(({ load }) => load ?? [])
  const speeds = services.filter(({ speed }) => speed !== null).toSorted((a, b) => speedOf(a) - speedOf(b))
  return { load: loads.length > 0 ? Math.min(...loads) : null, speed: speeds[0]?.speed ?? null }
}

/**
 * What each axle of a vehicle needs: load index and speed symbol of the set that it had first. That is the one with the lowest
 * number of a tyre: numbers only grow.
 */
export function neededService(tyres: readonly Fitted[]): Map<number, Service> {
  const first = tyres.toSorted((a, b) => a.db_id - b.db_id)[0]
  const set = first ? tyres.filter(tyre => tyre.tyre_set === first.tyre_set) : []
  return new Map([...Map.groupBy(set, tyre => axleOf(tyre.position))].map(([axle, some]) => [axle, weakest(some)]))
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
