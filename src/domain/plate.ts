/** License plates: stored as letters and digits only, shown as their country writes them (docs/product.md "License plates"). */

/**
 * A plate as it is stored and looked up: letters A to Z and digits only, upper case. Accents are removed, a full-width or
 * superscript character becomes the plain one, and whatever then is no letter or digit is dropped.
 */
export function normalizePlate(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase()
}

/** Whether a text is a plate: it has at least one letter or digit. */
export const isPlate = (text: string): boolean => normalizePlate(text) !== ''

/** Orders stored plates as people read them, 2 before 10: as lists do in every language, since they have no other letters. */
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
