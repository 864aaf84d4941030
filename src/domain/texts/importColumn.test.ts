import { describe, expect, test } from 'vitest'
import { headerRowOf, importFields, importKinds, matchColumns, missingFields } from './importColumn.ts'

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

test.each([
  ['Dutch', ['Magazijn', 'Zone', 'Rek', 'Legbord', 'Plaats', 'Plaats voor banden', 'Looproute']],
  ['French', ['Entrepôt', 'Zone', 'Rayonnage', 'Niveau', 'Place', 'Place pour pneus', 'Parcours']],
  ['German', ['Lager', 'Zone', 'Regal', 'Ebene', 'Platz', 'Platz für Reifen', 'Laufweg']],
  ['English', ['Warehouse', 'Zone', 'Rack', 'Shelf', 'Place', 'Room for tyres', 'Position on the route']],
])('%s headings of locations are recognised', (_, header) =>
  expect(fields('locations', header, [])).toEqual(['site_name', 'zone', 'rack', 'shelf', 'place', 'capacity', 'walk']),
)

test.each([
  ['Dutch', ['Dienst', 'Soort opdracht', 'Artikelnummer', 'Invoegen van artikel', 'Nederlands', 'Prijs excl. btw']],
  [
    'French',
    ['Prestation', 'Type d’opération', 'Numéro d’article', 'Insertion de l’article', 'Néerlandais', 'Prix hors TVA'],
  ],
  ['German', ['Leistung', 'Auftragsart', 'Artikelnummer', 'Artikeleinfügung', 'Niederländisch', 'Preis ohne USt.']],
  [
    'Earlier German',
    ['Leistung', 'Auftragsart', 'Artikelnummer', 'Artikeleinfügung', 'Niederländisch', 'Preis ohne MwSt.'],
  ],
  ['English', ['Service', 'Operation type', 'Article number', 'Article insertion', 'Dutch', 'Price excl. VAT']],
])('%s headings of services are recognised', (_, header) =>
  expect(fields('services', header, [])).toEqual([
    'name',
    'operation_type',
    'article_number',
    'insertion_method',
    'description_nl',
    'price',
  ]),
)

test.each([
  ['Dutch', ['Gebruikersnaam', 'Volledige naam', 'E-mailadres', 'Klant', 'Rol', 'Taal']],
  ['French', ['Nom d’utilisateur', 'Nom complet', 'Adresse e-mail', 'Client', 'Rôle', 'Langue']],
  ['German', ['Benutzername', 'Vollständiger Name', 'E-Mail', 'Kunde', 'Rolle', 'Sprache']],
  ['English', ['Username', 'Full name', 'E-mail', 'Customer', 'Role', 'Language']],
])('%s headings of accounts are recognised', (_, header) =>
  expect(fields('accounts', header, [])).toEqual(['username', 'fullname', 'email', 'customer', 'role', 'language']),
)

test('columns of services and accounts are recognised by what they hold', () => {
  expect(
    fields(
      'services',
      ['a', 'b'],
      [
        ['Opslag', 'Une fois'],
        ['Entsorgung', 'Line of text'],
      ],
    ),
  ).toEqual(['operation_type', 'insertion_method'])
  expect(
    fields(
      'accounts',
      ['a', 'b', 'c'],
      [
        ['ann@example.org', 'Beheerder', 'nl'],
        ['', 'Kunde', 'Français'],
      ],
    ),
  ).toEqual(['email', 'role', 'language'])
})

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

describe('a size in three columns', () => {
  test.each([
    ['English', ['Reg. no.', 'Width', 'Aspect ratio', 'Rim diameter', 'Make']],
    ['Dutch', ['Kenteken', 'Breedte', 'Hoogte', 'Velg', 'Merk']],
    ['French', ['Plaque', 'Largeur', 'Hauteur', 'Diamètre jante', 'Marque']],
    ['German', ['Kennzeichen', 'Breite', 'Querschnitt', 'Zoll', 'Hersteller']],
    ['German, by what they hold', ['Kennzeichen', 'Breite', 'Profil', 'Felge', 'Hersteller']],
  ])('is recognised in %s', (_, header) => {
    const matched = fields('tyres', header, [
      ['1-ABC-234', '205', '55', '16', 'Michelin'],
      ['1-ABC-235', '225', '45', 'R17', 'Pirelli'],
    ])
    expect(matched).toEqual(['license_plate', 'width', 'aspect', 'rim_diameter', 'brand'])
    expect(missingFields('tyres', matched)).toEqual([])
  })

  test('is missing without its width or its diameter', () => {
    expect(missingFields('tyres', ['license_plate', 'width', 'aspect'])).toEqual(['dimension'])
    expect(missingFields('articles', ['brand', 'aspect', 'rim_diameter'])).toEqual(['dimension'])
    expect(missingFields('articles', ['brand', 'width', 'rim_diameter'])).toEqual([])
  })

  test('leaves depths and rims what they are', () => {
    const header = ['Kennzeichen', 'Reifengröße', 'Profil', 'Felge']
    expect(fields('tyres', header, [['1-ABC-234', '205/55R16', '6,5', 'Alu']])).toEqual([
      'license_plate',
      'dimension',
      'depth',
      'rims',
    ])
  })
})

test.each([
  ['Amtl. Kennzeichen', 'license_plate'],
  ['Type voertuig', 'kind'],
  ['Type of vehicle', 'kind'],
  ['Manufacturier', 'brand'],
  ['Soort band', 'season'],
  ['Emplacement roue', 'position'],
  ['Tread (mm)', 'depth'],
  ['Hauteur de gomme', 'depth'],
  ['Datum profielmeting', 'depth_date'],
  ['Profilmessung am', 'depth_date'],
  ['Date relevé', 'depth_date'],
  ['Date of measurement', 'depth_date'],
  ['Stellingplaats', 'location'],
  ['Magazijnlocatie', 'location'],
  ['Datum binnenkomst', 'stored_since'],
  ['Date d’entrée', 'stored_since'],
  ["Date d'entrée", 'stored_since'],
  ['EAN-Nr.', 'ean'],
  ['Radsatz', 'tyre_set'],
  ['Zierkappen', 'hubcaps'],
  ['Wheel type', 'rims'],
  ['Speed rating', 'speed_index'],
  ['Type profiel', 'pattern'],
  ['Observations', 'memo'],
  ['Profieldatum', 'depth_date'],
  ['Gemeten op', 'depth_date'],
  ['Datum Profiltiefe', 'depth_date'],
  ['Mesuré le', 'depth_date'],
  ['Tread date', 'depth_date'],
  ['Restprofiel', 'depth'],
  ['Restprofiltiefe', 'depth'],
  ['Profil restant', 'depth'],
  ['Bandmaat', 'dimension'],
  ['Reifendimension', 'dimension'],
  ['Dimension pneu', 'dimension'],
  ['In opslag sinds', 'stored_since'],
  ['En gardiennage depuis', 'stored_since'],
  ['Gecoverd', 'retreaded'],
  ['Loadindex', 'load_index'],
  ['Binnen sinds', 'stored_since'],
  ['Eingangsdatum', 'stored_since'],
  ['Entreposé le', 'stored_since'],
  ['Vaknummer', 'location'],
  ['Lagerplatznummer', 'location'],
  ['N° emplacement', 'location'],
  ['Storage location', 'location'],
  ['Opdrachtgever', 'customer'],
  ['Auftraggeber', 'customer'],
  ['Soort velg', 'rims'],
  ['Felgenart', 'rims'],
  ['Kentekennummer', 'license_plate'],
  ['Amtliches Kennzeichen', 'license_plate'],
  ['Reifenmarke', 'brand'],
  ['Bijzonderheden', 'memo'],
  ['Setnummer', 'tyre_set'],
  ['Traglastindex', 'load_index'],
])('the heading %s of tyres is %s', (heading, field) => expect(fields('tyres', [heading], [])).toEqual([field]))
