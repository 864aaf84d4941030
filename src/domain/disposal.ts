/** What a register of waste asks for of scrapped tyres (docs/product.md "Proof of disposal"). */
import { wheelSize } from './wheelSize.ts'

/** End-of-life tyres in the European list of waste (Decision 2000/532/EC). */
export const wasteCode = '16 01 03'

/** What becomes of tyres, by the codes of Annexes I and II of Directive 2008/98/EC that apply to them. */
export const treatments = ['R1', 'R3', 'R11', 'R12', 'R13', 'D10', 'D15'] as const
export type Treatment = (typeof treatments)[number]

/** The most tyres of one pick-up. */
export const maxPickup = 2000

/** Of a tyre whose size is not known: about a 205/55R16. */
const usualWeight = 10

/** What a scrapped tyre weighs, in kg, by the size in its description. An estimate that errs to the heavy side. */
export function scrapWeight({ description, rimmed }: { description: string; rimmed: boolean }): number {
  const size = wheelSize(description)
  return size ? size.weight + (rimmed ? size.rimWeight : 0) : usualWeight
}
