import { expect, test } from 'vitest'
import { changesOf, unsentOf } from '../ui/form/changes.ts'
import { type CustomerForm, emptyForm } from './form.ts'

const saved = { ...emptyForm, name: 'Garage Alfa', city: 'Gent' }

test('only what differs from what is saved is an edit, and typing it back takes the edit away', () => {
  expect(changesOf(saved, { ...saved, city: 'Brugge' })).toEqual({ city: 'Brugge' })
  expect(changesOf(saved, { ...saved, city: '' })).toEqual({ city: '' })
  expect(changesOf(saved, { ...saved })).toBeNull()
})

test('what was typed while the form was being saved is still to be saved', () => {
  const sent = { city: 'Brugge', name: 'Garage' }
  expect(unsentOf<CustomerForm>({ city: 'Brugge', name: 'Garage B' }, sent)).toEqual({ name: 'Garage B' })
  expect(unsentOf<CustomerForm>({ ...sent, email: 'a@b.be' }, sent)).toEqual({ email: 'a@b.be' })
  expect(unsentOf(sent, sent)).toBeNull()
  expect(unsentOf(null, sent)).toBeNull()
})
