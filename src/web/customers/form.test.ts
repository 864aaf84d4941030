import { expect, test } from 'vitest'
import { editsOf, emptyForm, unsent } from './form.ts'

const saved = { ...emptyForm, name: 'Garage Alfa', city: 'Gent' }

test('only what differs from what is saved is an edit, and typing it back takes the edit away', () => {
  expect(editsOf(saved, { ...saved, city: 'Brugge' })).toEqual({ city: 'Brugge' })
  expect(editsOf(saved, { ...saved, city: '' })).toEqual({ city: '' })
  expect(editsOf(saved, { ...saved })).toBeNull()
})

test('what was typed while the form was being saved is still to be saved', () => {
  const sent = { city: 'Brugge', name: 'Garage' }
  expect(unsent({ city: 'Brugge', name: 'Garage B' }, sent)).toEqual({ name: 'Garage B' })
  expect(unsent({ ...sent, email: 'a@b.be' }, sent)).toEqual({ email: 'a@b.be' })
  expect(unsent(sent, sent)).toBeNull()
  expect(unsent(null, sent)).toBeNull()
})
