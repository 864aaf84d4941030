import { expect, test } from 'vitest'
import { readRequest, type WordsOfLanguage } from './words.ts'

const english: WordsOfLanguage = {
  verbs: { to_stock: ['store', 'storage'], to_customer: ['recall', 'return'], to_waste: ['scrap', 'dispose'] },
  today: ['today'],
  tomorrow: ['tomorrow'],
  language: 'en',
}
const french: WordsOfLanguage = { ...english, verbs: { ...english.verbs, to_customer: ['rappeler'] }, language: 'fr' }
// a Thursday
const today = '2026-11-26'
const read = (text: string, words = english) => readRequest(text, words, today)

test('the first word names the service, the last one a day, what is between is looked for', () => {
  expect(read('recall rnx monday')).toEqual({ type: 'to_customer', rest: 'rnx', day: '2026-11-30' })
  expect(read('Scrap 1-ABC-234')).toEqual({ type: 'to_waste', rest: '1-abc-234', day: null })
  expect(read('store peeters octavia tomorrow')).toEqual({
    type: 'to_stock',
    rest: 'peeters octavia',
    day: '2026-11-27',
  })
})

test('the beginnings of words are recognised from three letters on', () => {
  expect(read('rec rnx mon')).toEqual({ type: 'to_customer', rest: 'rnx', day: '2026-11-30' })
  expect(read('re rnx')).toBeNull()
  expect(read('rappel rnx lundi', french)).toEqual({ type: 'to_customer', rest: 'rnx', day: '2026-11-30' })
})

test('the day of today named by its weekday is that of next week', () => {
  expect(read('recall rnx thursday')?.day).toBe('2026-12-03')
  expect(read('recall rnx today')?.day).toBe(today)
})

test('a date may have no year, and then is the next one', () => {
  expect(read('recall rnx 30/11')?.day).toBe('2026-11-30')
  expect(read('recall rnx 3.2.')?.day).toBe('2027-02-03')
  expect(read('recall rnx 04/12/2026')?.day).toBe('2026-12-04')
  expect(read('recall rnx 31/2')).toEqual({ type: 'to_customer', rest: 'rnx 31/2', day: null })
})

test('a word alone behind the service is looked for, whatever it means', () => {
  expect(read('recall mon')).toEqual({ type: 'to_customer', rest: 'mon', day: null })
  expect(read('recall')).toEqual({ type: 'to_customer', rest: '', day: null })
})

test('without a service it is no request', () => {
  expect(read('rnx monday')).toBeNull()
  expect(read('')).toBeNull()
})
