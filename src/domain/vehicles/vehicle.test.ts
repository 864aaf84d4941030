import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { vehicleKind, vehicleKinds, vehicleLimits, vehicleWords } from './vehicle.ts'

const synonyms: Record<(typeof vehicleKinds)[number], string[]> = {
  car: ['car', 'Personenwagen', 'personenauto', 'voiture', 'Voiture particulière', 'PKW', 'M1'],
  van: [
    'van',
    'bestelwagen',
    'Bestelauto',
    'camionnette',
    'fourgonnette',
    'Lieferwagen',
    'Pick-up',
    'camping-car',
    'N1',
  ],
  truck: [
    'truck',
    'vrachtwagen',
    'Vrachtauto',
    'camion',
    'poids lourd',
    'poids-lourd',
    'LKW',
    'Lastkraftwagen',
    'lorry',
    'N3',
  ],
  suv: ['SUV', 'terreinwagen', 'Tout-terrain', 'Geländewagen', '4x4'],
  trailer: [
    'trailer',
    'semitrailer',
    'semi-trailer',
    'Oplegger',
    'aanhangwagen',
    'remorque',
    'semi-remorque',
    'Anhänger',
    'Auflieger',
  ],
  caravan: ['caravan', 'Caravane', 'Wohnwagen', 'vouwwagen'],
  bus: ['bus', 'Autobus', 'autocar', 'touringcar', 'Reisebus', 'coach', 'M3'],
  tractor: ['tractor', 'trekker', 'Tracteur', 'tracteur routier', 'Sattelzugmaschine', 'Traktor'],
  motorcycle: ['motorcycle', 'moped', 'Bromfiets', 'cyclomoteur', 'motorfiets', 'moto', 'Motorrad', 'Vélomoteur'],
}

for (const kind of vehicleKinds) {
  test.each(synonyms[kind])(`%s is a ${kind}`, word => {
    expect(vehicleKind(word)).toBe(kind)
  })
}

describe('a word', () => {
  test.each(['vrachtwagen (bakwagen)', 'Camion, frigo', 'LKW / Kühlwagen', 'truck; tipper'])(
    '%s counts by what stands in front',
    text => {
      expect(vehicleKind(text)).toBe('truck')
    },
  )
  test('that names a kind only with its whole is read whole', () => {
    expect(vehicleKind('véhicule tout-terrain')).toBe('suv')
    expect(vehicleKind('lichte vrachtwagen')).toBe('van')
    expect(vehicleKind('tracteur de semi-remorque')).toBe('tractor')
  })
  test.each(['', ' ', '(unladen) truck', 'bedrijfsauto', 'spaceship', 'constructor', '__proto__', '123'])(
    '%j names no kind',
    text => {
      expect(vehicleKind(text)).toBe('unknown')
    },
  )
  test('names the same kind in any case, with any spaces and hyphens', () => {
    const word = fc.constantFrom(...Object.values(synonyms).flat())
    fc.assert(
      fc.property(word, fc.constantFrom(' ', '-', '\u00A0', ' - ', ''), (text, gap) => {
        expect(vehicleKind(text.toUpperCase())).toBe(vehicleKind(text))
        expect(vehicleKind(`${gap}${text.replaceAll(/[ -]/g, gap)}${gap}`)).toBe(vehicleKind(text))
      }),
    )
  })
})

test('no word stands for two kinds', () => {
  expect(vehicleWords.length).toBeGreaterThan(150)
  for (const [word, kind] of vehicleWords) expect([word, vehicleKind(word)]).toEqual([word, kind])
})

test('the limits are those of the specification, and of the group', () => {
  expect(vehicleLimits).toEqual({
    cost_centre: 40,
    brand: 30,
    description: 50,
    chassis_number: 17,
    driver_name: 42,
    mobile_no: 25,
    telephone_no: 25,
    email: 100,
  })
})
