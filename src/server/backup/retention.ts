/** Which backups of a folder are kept: enough of the last days, weeks and months (docs/decisions/0036). */

/** How many days, weeks and months keep their latest backup. */
const keptDays = 7
const keptWeeks = 5
const keptMonths = 12

const ofOurs = /^wheelhouse-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.tar\.gz(?:\.age)?$/

/** The name of a backup that was begun at a moment. */
export const backupName = (at: Date, encrypted: boolean): string =>
  `wheelhouse-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.tar.gz${encrypted ? '.age' : ''}`

/** The moment of a backup by its name; `null` for a file of somebody else, which is never touched. */
export function momentOf(name: string): Date | null {
  const match = ofOurs.exec(name)
  return match && new Date(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`)
}

const day = (at: Date): string => at.toISOString().slice(0, 10)
const month = (at: Date): string => at.toISOString().slice(0, 7)
/** The Monday of its week. */
function week(at: Date): string {
  const monday = new Date(at)
  monday.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  return day(monday)
}

/** The backups that may go: of each of the last days, weeks and months that have one, the latest stays. */
export function expiredBackups(names: readonly string[]): string[] {
  const backups = names
    .flatMap(name => {
      const at = momentOf(name)
      return at ? [{ name, at }] : []
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
  const kept = new Set<string>()
  for (const [period, most] of [
    [day, keptDays],
    [week, keptWeeks],
    [month, keptMonths],
  ] as const) {
    const seen = new Set<string>()
    for (const { name, at } of backups) {
      if (seen.has(period(at)) || seen.size === most) continue
      seen.add(period(at))
      kept.add(name)
    }
  }
  return backups.filter(({ name }) => !kept.has(name)).map(({ name }) => name)
}
