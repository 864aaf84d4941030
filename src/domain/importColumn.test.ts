import { describe, expect, test } from 'vitest'
import { headerRowOf, importFields, importKinds, matchColumns } from './importColumn.ts'

const fields = (...given: Parameters<typeof matchColumns>) => matchColumns(...given).map(match => match.field)

test.each([
  ['Dutch', ['Nummerplaat', 'Merk', 'Model', 'Voertuigtype', 'Klant', 'Bestuurder']],
  ['French', ['Immatriculation', 'Marque', 'Modèle', 'Type de véhicule', 'Client', 'Conducteur']],
  ['German', ['Kennzeichen', 'Hersteller', 'Modell', 'Fahrzeugart', 'Kunde', 'Fahrer']],
  ['English', ['Licence plate', 'Make', 'Model', 'Vehicle type', 'Customer', 'Driver']],
])('%s headings of vehicles are recognised', (_, header) =>
  expect(fields('vehicles', header, [])).toEqual([
    'license_plate',
    'brand',
    'description',
    'kind',
    'customer',
    'driver_name',
  ]),
)

test('headings of tyres are recognised, also with a unit behind them', () => {
  expect(
    fields('tyres', ['Kenteken', 'Bandenmaat', 'Profieldiepte (mm)', 'Rek', 'Opslagdatum', 'Betaald tot'], []),
  ).toEqual(['license_plate', 'dimension', 'depth', 'location', 'stored_since', 'paid_until'])
  expect(fields('tyres', ['Lagerplatz', 'Eingelagert am', 'Profiltiefe', 'Felge', 'Satz'], [])).toEqual([
    'location',
    'stored_since',
    'depth',
    'rims',
    'tyre_set',
  ])
})

test('a heading of patterns and depths alike is what its cells are', () => {
  expect(fields('tyres', ['Profil'], [['7,5'], ['6']])).toEqual(['depth'])
  expect(fields('tyres', ['Profil'], [['Alpin 6'], ['TS 870']])).toEqual(['pattern'])
})

describe('without a heading that is known', () => {
  test('a column is recognised by what it holds', () => {
    const rows = [
      ['1-ABC-234', '205/55 R16 91V', 'winter', '7,5', '44927', 'x1'],
      ['AB-12-CD', '195/65R15', 'zomer', '6', '01/03/2023', ''],
    ]
    expect(matchColumns('tyres', ['a', 'b', 'c', 'd', 'e', 'f'], rows)).toEqual([
      { field: 'license_plate', by: 'content' },
      { field: 'dimension', by: 'content' },
      { field: 'season', by: 'content' },
      { field: 'depth', by: 'content' },
      { field: 'stored_since', by: 'content' },
      { field: null, by: null },
    ])
  })

  test('one with other things in it is not', () => {
    expect(fields('tyres', ['a'], [['205/55R16'], ['shelf 3'], ['see note']])).toEqual([null])
  })
})

test('what was matched before counts first, and no field is given twice', () => {
  const remembered = new Map([
    ['ref', 'license_plate'],
    ['rek', null],
  ])
  expect(matchColumns('tyres', ['Ref', 'Kenteken', 'Rek'], [], remembered)).toEqual([
    { field: 'license_plate', by: 'memory' },
    { field: null, by: null },
    { field: null, by: 'memory' },
  ])
})

test('the header is found below titles', () => {
  const rows = [
    ['Stock list 2026', '', ''],
    ['', '', ''],
    ['Kenteken', 'Maat', 'Rek'],
    ['1ABC234', '205/55R16', 'A-1'],
  ]
  expect(headerRowOf('tyres', rows)).toBe(2)
  expect(
    headerRowOf('tyres', [
      ['x', ''],
      ['y', 'z'],
    ]),
  ).toBe(1)
})

test('every kind recognises its own names', () => {
  for (const kind of importKinds) expect(fields(kind, importFields[kind], [])).toEqual(importFields[kind])
})
