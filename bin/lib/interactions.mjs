/** What the journeys noted of interactions with their pages (e2e/interactions.ts), as a sentence. */
import fs from 'node:fs'

/** The share of interactions that must be no slower than the figure. */
const share = 0.98

/** @returns the sentence, or undefined when nothing was noted */
export function describeInteractions(file) {
  if (!fs.existsSync(file)) return undefined
  const visits = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  const count = visits.reduce((sum, visit) => sum + visit.count, 0)
  const slowFirst = visits.flatMap(({ slow }) => slow).sort((one, other) => other.ms - one.ms)
  const [slowest] = slowFirst
  if (!slowest) return undefined
  // those that are not in the list took less than 16 ms
  const atShare = slowFirst[Math.floor(count * (1 - share))]?.ms ?? 16
  return `Interaction to next paint: ${atShare} ms for ${share * 100} of 100 of ${count} clicks and keys; the slowest ${slowest.ms} ms, ${slowest.what}`
}
