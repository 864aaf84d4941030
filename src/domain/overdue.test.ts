import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from './date.ts'
import {
  invoiceLines,
  invoiceQuantity,
  invoiceUnits,
  overdueDays,
  paidTo,
  type InvoicingRules,
  type Owed,
  type OwingTyre,
} from './overdue.ts'

const today = '2026-11-20'

describe('overdue days', () => {
  test.each([
    ['2026-11-20', null, 0],
    ['2026-11-19', null, 1],
    ['2026-05-24', null, 180],
    ['2025-11-20', null, 365],
    ['2023-11-20', null, 1096],
    ['2026-01-01', '2026-11-01', 19],
    ['2026-11-01', '2026-01-01', 19],
    ['2026-11-01', '2026-11-01', 19],
    ['2026-01-01', '2026-11-20', 0],
    // invoiced ahead, or brought in under a date to come: nothing is overdue
    ['2026-01-01', '2026-12-31', 0],
    ['2026-12-01', null, 0],
  ])('in stock since %s and invoiced on %s are %i', (stockDate, invoicedOn, days) => {
    expect(overdueDays({ stockDate, invoicedOn, today })).toBe(days)
  })
})

const tyre = (vehicle: number, set: string | null, owed: number): OwingTyre & Owed => ({
  vehicle,
  set,
  owed,
  since: addDays(today, -owed),
  until: today,
})
const rules = (some: Partial<InvoicingRules>): InvoicingRules => ({
  quantity: 'per_set',
  mode: 'per_period',
  period: 180,
  ...some,
})

describe('the quantity', () => {
  const winter = [tyre(1, 'Winter', 200), tyre(1, 'Winter', 200), tyre(1, 'Winter', 200), tyre(1, 'Winter', 200)]
  const loose = [tyre(1, null, 10), tyre(1, null, 10)]
  const otherCar = [tyre(2, 'Winter', 180)]
  const all = [...winter, ...loose, ...otherCar]
  test.each<[string, (OwingTyre & Owed)[], Partial<InvoicingRules>, number]>([
    ['per set and started period', winter, {}, 2],
    ['per tyre and started period', winter, { quantity: 'per_tyre' }, 8],
    ['per set and day', winter, { mode: 'per_day' }, 200],
    ['per tyre and day', winter, { quantity: 'per_tyre', mode: 'per_day' }, 800],
    ['per set, where setless tyres count alone', loose, {}, 2],
    ['per set, where a name is of one vehicle only', [...winter, ...otherCar], {}, 3],
    ['of all, per set and period', all, {}, 5],
    ['of all, per tyre and day', all, { quantity: 'per_tyre', mode: 'per_day' }, 1000],
    ['of nothing', [], {}, 0],
    ['of tyres that came today', [tyre(1, null, 0)], {}, 0],
    ['of the first day', [tyre(1, null, 1)], {}, 1],
    ['of just one period', [tyre(1, null, 180)], {}, 1],
    ['of a day more', [tyre(1, null, 181)], {}, 2],
    ['in periods of a day', [tyre(1, null, 181)], { period: 1 }, 181],
    ['of a set, by the tyre that owes most', [tyre(1, 'W', 10), tyre(1, 'W', 90)], { mode: 'per_day' }, 90],
  ])('%s', (_, tyres, some, quantity) => {
    expect(invoiceQuantity(tyres, rules(some))).toBe(quantity)
  })
  test.each([0, -1, 0.5, Number.NaN])('with a period of %d days is refused', period => {
    expect(() => invoiceQuantity(winter, rules({ period }))).toThrow(RangeError)
  })
  test('is told for each set and setless tyre', () => {
    expect(invoiceUnits(all, rules({}))).toEqual([
      { tyres: winter, days: 200, quantity: 2 },
      { tyres: loose.slice(0, 1), days: 10, quantity: 1 },
      { tyres: loose.slice(1), days: 10, quantity: 1 },
      { tyres: otherCar, days: 180, quantity: 1 },
    ])
  })

  const anyTyre = fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('Winter', 'Zomer', '', null), fc.nat({ max: 900 }))
    .map(([vehicle, set, days]) => tyre(vehicle, set, days))
  const anyRules = fc.record({
    mode: fc.constantFrom('per_day' as const, 'per_period' as const),
    period: fc.integer({ min: 1, max: 365 }),
  })
  test('per set is never more than per tyre, and each tyre is in one unit', () => {
    fc.assert(
      fc.property(fc.array(anyTyre, { maxLength: 30 }), anyRules, (tyres, some) => {
        const perSet = rules({ ...some, quantity: 'per_set' })
        const perTyre = rules({ ...some, quantity: 'per_tyre' })
        expect(invoiceQuantity(tyres, perSet)).toBeLessThanOrEqual(invoiceQuantity(tyres, perTyre))
        expect(invoiceUnits(tyres, perSet).flatMap(unit => unit.tyres)).toHaveLength(tyres.length)
        expect(invoiceUnits(tyres, perTyre)).toHaveLength(tyres.length)
      }),
    )
  })
  test('per tyre is the same in whatever order, and for parts of the tyres together', () => {
    fc.assert(
      fc.property(fc.array(anyTyre, { maxLength: 20 }), anyRules, fc.nat(), (tyres, some, cut) => {
        const perTyre = rules({ ...some, quantity: 'per_tyre' })
        const whole = invoiceQuantity(tyres, perTyre)
        expect(invoiceQuantity(tyres.toReversed(), perTyre)).toBe(whole)
        const at = tyres.length === 0 ? 0 : cut % tyres.length
        const parts = [tyres.slice(0, at), tyres.slice(at)].map(part => invoiceQuantity(part, perTyre))
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole)
      }),
    )
  })
  test('is the same in lines, where each tyre stands once and no two lines say the same', () => {
    fc.assert(
      fc.property(fc.array(anyTyre, { maxLength: 30 }), anyRules, fc.boolean(), (tyres, some, perSet) => {
        const asked = rules({ ...some, quantity: perSet ? 'per_set' : 'per_tyre' })
        const lines = invoiceLines(tyres, asked)
        expect(lines.reduce((sum, line) => sum + line.quantity, 0)).toBe(invoiceQuantity(tyres, asked))
        expect(new Set(lines.flatMap(line => line.tyres)).size).toBe(lines.flatMap(line => line.tyres).length)
        const said = lines.map(line => `${line.tyres[0]?.vehicle} ${line.tyres[0]?.set} ${line.since}`)
        expect(new Set(said).size).toBe(said.length)
        for (const line of lines) expect(addDays(line.since, line.days)).toBe(today)
      }),
    )
  })
})

describe('a unit that is charged today is paid', () => {
  test.each<[InvoicingRules['mode'], number, number]>([
    ['per_day', 30, 0],
    ['per_period', 30, 150],
    ['per_period', 180, 0],
    ['per_period', 181, 179],
    ['per_period', 0, 0],
  ])('%s, for %i days: to %i days from today', (mode, owed, ahead) => {
    const [unit] = invoiceUnits([tyre(1, null, owed)], rules({ mode }))
    expect(paidTo(unit!, { ...rules({ mode }), today })).toBe(addDays(today, ahead))
  })
})

describe('the lines of a document', () => {
  test('name the days that are owed, which need not end today or follow each other', () => {
    const gone = { ...tyre(1, 'W', 30), since: '2026-01-01', until: '2026-03-01' }
    expect(invoiceLines([gone, { ...gone, owed: 20 }], rules({ quantity: 'per_tyre', mode: 'per_day' }))).toEqual([
      { tyres: [gone], days: 30, quantity: 30, since: '2026-01-01', until: '2026-03-01' },
      { tyres: [{ ...gone, owed: 20 }], days: 20, quantity: 20, since: '2026-01-01', until: '2026-03-01' },
    ])
  })
  test('say a set once, its setless tyres together, and leave out what costs nothing', () => {
    const winter = [tyre(1, 'Winter', 200), tyre(1, 'Winter', 200)]
    const loose = [tyre(1, null, 10), tyre(1, null, 10), tyre(1, null, 20)]
    const fresh = [tyre(2, 'Winter', 0)]
    expect(invoiceLines([...winter, ...loose, ...fresh], rules({}))).toEqual([
      { tyres: winter, days: 200, quantity: 2, since: addDays(today, -200), until: today },
      { tyres: loose.slice(0, 2), days: 10, quantity: 2, since: addDays(today, -10), until: today },
      { tyres: loose.slice(2), days: 20, quantity: 1, since: addDays(today, -20), until: today },
    ])
  })
  test('of a set begin with the tyre that is overdue longest', () => {
    const set = [tyre(1, 'W', 10), tyre(1, 'W', 90)]
    expect(invoiceLines(set, rules({ mode: 'per_day' }))).toEqual([
      { tyres: set, days: 90, quantity: 90, since: addDays(today, -90), until: today },
    ])
  })
})
