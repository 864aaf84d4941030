/** The facts about scrapped tyres that a register of waste asks for (docs/product/warehouse.md "Proof of disposal"). */
import { wheelSize } from '../tyres/wheelSize.ts'

/** End-of-life tyres in the European list of waste (Decision 2000/532/EC). */
export const wasteCode = '16 01 03'

/** The treatments of scrapped tyres, by the codes of Annexes I and II of Directive 2008/98/EC that apply to them. */
export const treatments = ['R1', 'R3', 'R11', 'R12', 'R13', 'D10', 'D15'] as const
export type Treatment = (typeof treatments)[number]

/** The most tyres of one pick-up. */
export const maxPickupTyres = 2000

/** Of a tyre whose size is not known: about a 205/55R16. */
const usualWeightKg = 10

/** The weight of a scrapped tyre in kg, by the size in its description. An estimate that errs on the heavy side. */
export function scrapWeight({ description, rimmed }: { description: string; rimmed: boolean }): number {
  const size = wheelSize(description)
  return size ? size.weight + (rimmed ? size.rimWeight : 0) : usualWeightKg
}
