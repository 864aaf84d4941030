import { expect, test } from 'vitest'
import type { Language } from '#domain/people/account.ts'
import { rowsOf, textIn, wantedRows, type Wanted } from './rows.ts'

const all: Language[] = ['dut', 'fre', 'eng', 'ger']
const shipped = [
  { namespace: 'common', key: 'save', texts: { eng: 'Save', dut: 'Opslaan', fre: 'Enregistrer', ger: 'Speichern' } },
  { namespace: 'common', key: 'tyres_many', texts: { fre: '{{count}} pneus d’été' } },
  {
    namespace: 'fleet',
    key: 'title',
    texts: { eng: 'Vehicles', dut: 'Voertuigen', fre: 'Véhicules', ger: 'Fahrzeuge' },
  },
]
const translation = (language: Language, namespace: string, key: string, value: string, _id = 1) => ({
  _id,
  language,
  namespace,
  key,
  value,
})
const missing = {
  language: 'dut' as const,
  namespace: 'common',
  key: 'fresh',
  asked: 3,
  first: '2026-11-20T10:00:00Z',
  last: '2026-11-20T10:00:00Z',
  page: '/fleet',
}
const rows = rowsOf(shipped, [translation('fre', 'fleet', 'title', 'Voitures')], [missing])
const names = (wanted: Partial<Wanted>) =>
  wantedRows(rows, { filter: '', namespace: undefined, languages: all, show: undefined, ...wanted }).map(
    ({ name }) => name,
  )

test('every key is there once, what is missing at the end of its file', () => {
  expect(names({})).toEqual(['common:save', 'common:tyres_many', 'common:fresh', 'fleet:title'])
})

test('the dictionary is said over what is shipped', () => {
  const title = rows.find(({ name }) => name === 'fleet:title')
  expect(title && all.map(language => textIn(title.cells[language]))).toEqual([
    'Voertuigen',
    'Voitures',
    'Vehicles',
    'Fahrzeuge',
  ])
})

test('a plural form that a language has not is not missing there', () => {
  expect(names({ show: 'missing' })).toEqual(['common:fresh'])
})

test('what was changed is found in the languages that are shown', () => {
  expect(names({ show: 'changed' })).toEqual(['fleet:title'])
  expect(names({ show: 'changed', languages: ['dut'] })).toEqual([])
})

test('a search looks in keys and texts of all languages, whatever the accents; both the shipped one and its translation', () => {
  expect(names({ filter: 'ETE pneus' })).toEqual(['common:tyres_many'])
  expect(names({ filter: 'vehicules' })).toEqual(['fleet:title'])
  expect(names({ filter: 'voitures' })).toEqual(['fleet:title'])
  expect(names({ filter: 'fleet:' })).toEqual(['fleet:title'])
  expect(names({ filter: 'save', namespace: 'fleet' })).toEqual([])
})
