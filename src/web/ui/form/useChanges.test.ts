import { expect, test } from 'vitest'
import { editedAfter, overtakenIn } from './useChanges.ts'

type Record = { name: string; email: string; tags: string[] }
const base: Record = { name: 'A', email: 'a@example.org', tags: ['x'] }

test('only a field that both have changed is overtaken, and not when both typed the same', () => {
  const edited = { base, changes: { name: 'Mine', tags: ['x', 'y'] } }
  expect(overtakenIn(base, edited)).toEqual([])
  expect(overtakenIn({ ...base, email: 'b@example.org' }, edited)).toEqual([])
  expect(overtakenIn({ ...base, name: 'Theirs' }, edited)).toEqual(['name'])
  expect(overtakenIn({ ...base, name: 'Mine', tags: ['z'] }, edited)).toEqual(['tags'])
})

test('what was saved is overtaken by nobody, and typing on in it neither', () => {
  const sent = { name: 'Mine' }
  expect(editedAfter({ base, changes: sent }, sent)).toBeNull()
  const typedOn = editedAfter<Record>({ base, changes: { name: 'Mine too', email: 'm@example.org' } }, sent)
  expect(typedOn).toEqual({ base: { ...base, name: 'Mine' }, changes: { name: 'Mine too', email: 'm@example.org' } })
  expect(typedOn && overtakenIn({ ...base, name: 'Mine' }, typedOn)).toEqual([])
})
