/** A finding of `npm run manage -- doctor`. */

/** In the order in which they are looked at. */
export const examinations = [
  'settings',
  'versions',
  'schema',
  'connections',
  'disk',
  'clock',
  'mail',
  'backup store',
  'backups',
  'https',
  'proxy',
  'time zones',
  'statements',
  'bloat',
  'jobs',
] as const
type Examination = (typeof examinations)[number]

/** `good`: nothing to do. `warning`: works, and something should be done. `fault`: something does not work, or is not safe. */
export type Finding = {
  readonly about: Examination
  readonly level: 'good' | 'warning' | 'fault'
  /** Names the finding for programs. */
  readonly code: string
  readonly says: string
  /** The way to mend it. */
  readonly advice?: string
}

type Content = Omit<Finding, 'about' | 'level'>

/** Collects what one examination finds; without anything it is good, with these words. */
export function findingsAbout(about: Examination, good: string) {
  const findings: Finding[] = []
  return {
    warn: (code: string, says: string, advice?: string) =>
      void findings.push(of('warning', { code, says, ...(advice && { advice }) })),
    fault: (code: string, says: string, advice?: string) =>
      void findings.push(of('fault', { code, says, ...(advice && { advice }) })),
    note: (code: string, says: string) => void findings.push(of('good', { code, says })),
    all: (): Finding[] => (findings.length > 0 ? findings : [of('good', { code: 'good', says: good })]),
  }
  function of(level: Finding['level'], content: Content): Finding {
    return { about, level, ...content }
  }
}
