import { expect, test } from 'vitest'
import { backupName, momentOf, expiredBackups } from './retention.ts'

const dayMs = 86_400_000
/** The backups in a folder after so many nights. */
function afterNights(nights: number, first = new Date('2026-01-05T01:00:00Z')): string[] {
  let names: string[] = []
  for (let night = 0; night < nights; night++) {
    names.push(backupName(new Date(first.getTime() + night * dayMs), false))
    const gone = new Set(expiredBackups(names))
    names = names.filter(name => !gone.has(name))
  }
  return names.toSorted()
}
const days = (names: readonly string[]): string[] => names.map(name => name.slice('wheelhouse-'.length).slice(0, 10))

test('after two years there are seven days, five weeks and twelve months', () => {
  const months = ['02-28', '03-31', '04-30', '05-31', '06-30', '07-31', '08-31', '09-30', '10-31', '11-30']
  const weeks = ['12-12', '12-19', '12-26']
  const lately = ['2027-12-29', '2027-12-30', '2027-12-31', '2028-01-01', '2028-01-02', '2028-01-03', '2028-01-04']
  expect(days(afterNights(730))).toEqual([...[...months, ...weeks].map(day => `2027-${day}`), ...lately])
})

test('after a pause of a year the latest of what there was stays', () => {
  const before = afterNights(40)
  const after = [...before, backupName(new Date('2027-05-01T01:00:00Z'), true)]
  expect(expiredBackups(after)).not.toContain(before.at(-1))
  expect(after.filter(name => !expiredBackups(after).includes(name)).length).toBeGreaterThan(7)
})

test('of several in a day the latest stays, encrypted or not', () => {
  const [early, late] = [
    backupName(new Date('2026-11-24T01:00:00Z'), false),
    backupName(new Date('2026-11-24T13:30:05Z'), true),
  ]
  expect(late).toBe('wheelhouse-2026-11-24T133005Z.tar.gz.age')
  expect(momentOf(late)?.toISOString()).toBe('2026-11-24T13:30:05.000Z')
  expect(expiredBackups([early, late])).toEqual([early])
})

test('files of somebody else stay, however they are called', () => {
  const others = [
    'wheelhouse.tar.gz',
    'wheelhouse-2026-11-24T010000Z.tar.gz.unfinished',
    'notes.txt',
    'wheelhouse-2026.tar.gz',
  ]
  expect(expiredBackups([...others, ...afterNights(3)])).toEqual([])
})
