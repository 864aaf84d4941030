/** License plates: stored as letters and digits only, shown as their country writes them (docs/product/vehicles.md "License plates"). */
import { lettersAndDigits } from '../texts/letters.ts'

/** Pairs of a letter and the one that it is kept as. */
const pairs = (text: string): [string, string][] => text.split(' ').map(pair => [pair.charAt(0), pair.slice(1)])

/**
 * Plates of Bulgaria, Greece, North Macedonia, Serbia and Ukraine have only letters that look like Latin ones (the Vienna Convention on
 * Road Traffic, annex 2): which keyboard somebody had is no difference between two vehicles. Then Latin letters that no accent
 * is taken off by itself.
 */
const forms: ReadonlyMap<string, string> = new Map([
  ...pairs('АA ВB ЕE ІI ЈJ КK МM НH ОO РP СC ЅS ТT УY ХX'),
  ...pairs('ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'),
  ...pairs('ĐD ÐD ØO ŁL ÆAE ŒOE'),
])

/**
 * A plate as it is stored and looked up: letters and digits only, upper case. Accents are removed, a full-width or superscript character
 * becomes the plain one, Cyrillic and Greek letters that look like Latin ones become these. Every other letter stays as it is.
 */
export const normalizePlate = (text: string): string =>
  Array.from(lettersAndDigits(text), letter => forms.get(letter) ?? letter).join('')

/** Looks vehicles up by a stored plate: those that have it, or where none has, those that had it before. */
export function vehiclesByPlate<V>(
  vehicles: readonly V[],
  platesOf: (vehicle: V) => { readonly plate: string; readonly former: readonly string[] },
): (plate: string) => readonly V[] {
  const now = Map.groupBy(vehicles, vehicle => platesOf(vehicle).plate)
  const before = new Map<string, V[]>()
  for (const vehicle of vehicles)
    for (const plate of platesOf(vehicle).former) before.set(plate, [...(before.get(plate) ?? []), vehicle])
  return plate => now.get(plate) ?? before.get(plate) ?? []
}

/** Orders stored plates as people read them, 2 before 10, in the same order for every reader. */
export const comparePlates = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare

/** The Netherlands: RDW sidecodes 1 to 14. */
const dutchDashes: Readonly<Record<string, string>> = {
  AA9999: 'AA-99-99',
  '9999AA': '99-99-AA',
  '99AA99': '99-AA-99',
  AA99AA: 'AA-99-AA',
  AAAA99: 'AA-AA-99',
  '99AAAA': '99-AA-AA',
  '99AAA9': '99-AAA-9',
  '9AAA99': '9-AAA-99',
  AA999A: 'AA-999-A',
  A999AA: 'A-999-AA',
  AAA99A: 'AAA-99-A',
  A99AAA: 'A-99-AAA',
  '9AA999': '9-AA-999',
  '999AA9': '999-AA-9',
}

/**
 * Where the dashes stand, by the shape of a plate (A a letter, 9 a digit), which is all that is known of it. Shapes of different
 * countries don't overlap, except that Luxembourg's AA 9999 reads as the oldest Dutch one.
 */
const dashes: Readonly<Record<string, string>> = {
  // Belgium: since 2010 (1-ABC-234), mopeds (S-ABC-123), 1973 to 2008 (ABC-123), 2008 to 2010 (123-ABC)
  '9AAA999': '9-AAA-999',
  AAAA999: 'A-AAA-999',
  AAA999: 'AAA-999',
  '999AAA': '999-AAA',
  ...dutchDashes,
}

const shapeOf = (normalized: string): string => normalized.replace(/[A-Z]/g, 'A').replace(/[0-9]/g, '9')

/** Whether a plate has the shape of a Dutch one. */
export const isDutchPlate = (plate: string): boolean => Object.hasOwn(dutchDashes, shapeOf(normalizePlate(plate)))

/** A plate for display, with the dashes of Belgium or the Netherlands; one of another shape stays as it is. */
export function formatPlate(plate: string): string {
  const normalized = normalizePlate(plate)
  const form = dashes[shapeOf(normalized)]
  if (!form) return plate
  let at = 0
  return form.replace(/[A9]/g, () => normalized.charAt(at++))
}
