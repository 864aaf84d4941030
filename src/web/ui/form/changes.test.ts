import { expect, test } from 'vitest'
import { type Changes, changesOf, overSaved, unsentOf, withChanges } from './changes.ts'

type Record = { name: string; tags: string[]; driver: { name: string; email: string } }
const saved: Record = { name: 'A', tags: ['x'], driver: { name: 'Jo', email: '' } }

test('of a part only the changed fields are a change; a list is one value', () => {
  expect(changesOf(saved, { ...saved, driver: { name: 'Jo', email: 'j@example.org' } })).toEqual({
    driver: { email: 'j@example.org' },
  })
  expect(changesOf(saved, { ...saved, tags: ['x', 'y'] })).toEqual({ tags: ['x', 'y'] })
  expect(changesOf(saved, structuredClone(saved))).toBeNull()
})

test('changes show over what is saved meanwhile, field by field', () => {
  const changes = { driver: { email: 'j@example.org' } }
  expect(withChanges({ ...saved, driver: { name: 'An', email: '' } }, changes)).toEqual({
    ...saved,
    driver: { name: 'An', email: 'j@example.org' },
  })
  expect(withChanges(saved, null)).toEqual(saved)
})

test('what was typed while a part was sent is still to be sent, also when the rest of it was typed back', () => {
  const sent: Changes<Record> = { driver: { name: 'An', email: 'a@example.org' } }
  expect(unsentOf<Record>({ driver: { name: 'An', email: 'b@example.org' } }, sent)).toEqual({
    driver: { email: 'b@example.org' },
  })
  expect(unsentOf<Record>({ driver: { name: 'An' } }, sent)).toBeNull()
})

test('a form over a saved record is dirty while it has changes, and typing them back takes them away', () => {
  let changes: Changes<Record> | null = null
  const state = () =>
    overSaved(saved, changes, change => {
      changes = change(changes)
    })
  state().change(now => ({ ...now, name: 'B' }))
  expect(state()).toMatchObject({ dirty: true, values: { name: 'B' } })
  state().change(now => ({ ...now, name: 'A' }))
  expect(state()).toMatchObject({ dirty: false, values: saved })
})
