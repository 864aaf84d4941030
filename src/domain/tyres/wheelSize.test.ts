import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wheelSize } from './wheelSize.ts'

test.each([
  // outer diameters as tyre makers print them, within the tolerance of rounding
  ['205/55R16 91V', 632, 205],
  ['Michelin Alpin 6 225/45 R17 94V XL', 635, 225],
  ['315/80 R22.5 156/150L', 1076, 315],
  ['31x10.50R15LT', 788, 267],
  ['7.50R16', 719, 191],
])('%s has an outer diameter of %i mm and a width of %i mm', (text, diameter, width) => {
  expect(wheelSize(text)).toMatchObject({ diameter, width })
})

test.each([
  ['205/55R16 91V', 9, 12],
  ['315/80 R22.5 156/150L', 60, 72],
  ['255/55R19 111V', 14, 20],
])('%s weighs between %i and %i kg', (text, least, most) => {
  const { weight = 0 } = wheelSize(text) ?? {}
  expect(weight).toBeGreaterThanOrEqual(least)
  expect(weight).toBeLessThanOrEqual(most)
})

test('a text without a size has no measures', () => {
  for (const text of ['', 'Nokian WR', 'unknown']) expect(wheelSize(text)).toBeNull()
})

test('a wider or higher tyre is never smaller or lighter', () => {
  const width = fc.integer({ min: 15, max: 30 }).map(tens => tens * 10 + 5)
  fc.assert(
    fc.property(width, fc.integer({ min: 30, max: 75 }), fc.integer({ min: 13, max: 20 }), (wide, aspect, rim) => {
      const at = (w: number, a: number) => wheelSize(`${w}/${a}R${rim}`)
      const [small, large] = [at(wide, aspect), at(wide + 10, aspect + 5)]
      fc.pre(small !== null && large !== null)
      expect(large?.diameter).toBeGreaterThan(small?.diameter ?? 0)
      expect(large?.weight).toBeGreaterThanOrEqual(small?.weight ?? 0)
    }),
  )
})
