/** The interactions that the journeys noted with their pages (e2e/interactions.ts), as a sentence. */
import fs from 'node:fs'

/** The share of interactions that is no slower than the figure. */
const share = 0.98

/** @returns the sentence, or undefined when nothing was noted */
export function describeInteractions(file) {
  if (!fs.existsSync(file)) return undefined
  const slowestFirst = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => ({ ms: Number.parseInt(line, 10), line }))
    .sort((one, other) => other.ms - one.ms)
  const [slowest] = slowestFirst
  if (!slowest) return undefined
  const count = slowestFirst.length
  const { ms } = slowestFirst[Math.floor(count * (1 - share))]
  return `Interaction to next paint: ${share * 100} of 100 of ${count} clicks and keys took at most ${ms} ms; the slowest ${slowest.line.replace(' ', ' ms, ')}`
}
