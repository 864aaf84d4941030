/** The odometer of a vehicle as a log of readings (docs/product/vehicles.md "Odometer"). */
import { daysBetween, type IsoDate } from '../texts/date.ts'

export const odometerSources = ['storage', 'depth', 'typed', 'import', 'api'] as const

/** How far a vehicle had run on a day, in km. */
export type OdometerReading = { readonly day: IsoDate; readonly km: number }

/** The most readings of one call, for programs that send those of many vehicles. */
export const maxOdometerReadings = 1000

const inOrder = <R extends OdometerReading>(readings: readonly R[]): R[] =>
  readings.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : a.km - b.km))

/**
 * The readings that agree with each other, by day: the longest row of them that never falls. One mistyped reading contradicts many
 * others, and is left out; of two that contradict each other alone the later one counts.
 */
export function agreeingReadings<R extends OdometerReading>(readings: readonly R[]): R[] {
  const ordered = inOrder(readings)
  // the last reading of the best row of each length, and for each reading the one before it
  const ends: number[] = []
  const before: number[] = []
  for (const [at, { km }] of ordered.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ordered[ends[middle] as number] as R).km <= km) low = middle + 1
      else high = middle
    }
    before[at] = low === 0 ? -1 : (ends[low - 1] as number)
    ends[low] = at
  }
  const agreeing: R[] = []
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) agreeing.unshift(ordered[at] as R)
  return agreeing
}

/** The reading that a new one contradicts: a higher one of an earlier day, or a lower one of a later day; `null` for none. */
export function contradictedReading<R extends OdometerReading>(
  readings: readonly R[],
  { day, km }: OdometerReading,
): R | null {
  const agreeing = agreeingReadings(readings)
  return (
    agreeing.findLast(reading => reading.day < day && reading.km > km) ??
    agreeing.find(reading => reading.day > day && reading.km < km) ??
    null
  )
}

/** A new reading is recorded, or left out: the log has it already, it contradicts another one, or it lies in the future. */
type ReadingOutcome = 'recorded' | 'known' | 'unordered' | 'future'

/** Judges a new reading by the log of its vehicle, and names the one that it contradicts; `unordered` takes it all the same. */
export function judgedReading<R extends OdometerReading>(
  log: readonly R[],
  reading: OdometerReading,
  { today, unordered = false }: { today: IsoDate; unordered?: boolean | undefined },
): { outcome: ReadingOutcome; contradicts: R | null } {
  if (reading.day > today) return { outcome: 'future', contradicts: null }
  if (log.some(({ day, km }) => day === reading.day && km === reading.km))
    return { outcome: 'known', contradicts: null }
  const contradicts = unordered ? null : contradictedReading(log, reading)
  return { outcome: contradicts ? 'unordered' : 'recorded', contradicts }
}

/** The odometer on a day, in km: as it was read, else between two readings by time; `null` before the first and after the last. */
export function odometerAt(agreeing: readonly OdometerReading[], day: IsoDate): number | null {
  const after = agreeing.findIndex(reading => reading.day >= day)
  if (after < 0) return null
  const later = agreeing[after] as OdometerReading
  if (later.day === day) return later.km
  const earlier = agreeing[after - 1]
  if (!earlier) return null
  const share = daysBetween(earlier.day, day) / daysBetween(earlier.day, later.day)
  return earlier.km + (later.km - earlier.km) * share
}

/** A time on the vehicle, from a day to another; `until` is `null` for one that goes on. */
export type Mounted = { readonly since: IsoDate; readonly until: IsoDate | null }

/** Kilometres of a tyre. `complete`: readings cover all of its time on vehicles, but for that since the last reading. */
export type Kilometres = { readonly km: number; readonly complete: boolean }

/**
 * The kilometres of a tyre: the sum of its times on vehicles, each with the log of its vehicle. What lies before the first reading is not
 * known and left out; of a time that goes on it counts what was run until the last reading.
 */
export function kilometresOf(
  periods: readonly (Mounted & { readonly readings: readonly OdometerReading[] })[],
): Kilometres {
  let km = 0
  let complete = true
  for (const { since, until, readings } of periods) {
    if (since === until) continue
    const agreeing = agreeingReadings(readings)
    const [first, last] = [agreeing[0], agreeing.at(-1)]
    if (!first || !last) {
      complete = false
      continue
    }
    const from = since < first.day ? first.day : since
    const to = until === null || until > last.day ? last.day : until
    if (since < first.day || (until !== null && until > last.day)) complete = false
    if (from < to) km += (odometerAt(agreeing, to) ?? 0) - (odometerAt(agreeing, from) ?? 0)
  }
  return { km: Math.round(km), complete }
}
