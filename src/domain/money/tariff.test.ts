import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween, type IsoDate } from '../texts/date.ts'
import {
  chargedTogether,
  missingTo,
  siteRule,
  storageLines,
  storageUnits,
  sumOf,
  vatOf,
  type InvoicingRules,
  type StorageRule,
  type StoredTyre,
} from './tariff.ts'

const today = '2026-11-20'
const first = '2026-01-01'
type Tyre = StoredTyre & { id: number; owed: number; since: IsoDate; until: IsoDate }

const tyre = (id: number, spans: StoredTyre['spans'], overrides: Partial<Tyre> = {}): Tyre => ({
  id,
  vehicle: 1,
  set: 'Winter',
  sizeClass: null,
  withRim: false,
  chosen: true,
  stays: [],
  ofSet: [],
  paid: [],
  paidSeasons: [],
  spans,
  owed: spans.reduce((sum, [since, until]) => sum + daysBetween(since, until), 0),
  since: spans[0]?.[0] ?? first,
  until: spans.at(-1)?.[1] ?? first,
  ...overrides,
})
const rule = (id: number | null, overrides: Partial<StorageRule> = {}): StorageRule => ({
  id,
  own: false,
  per: 'set',
  mode: 'per_day',
  period: 30,
  graceDays: 0,
  sizeClass: null,
  since: '2000-01-01',
  until: null,
  ...overrides,
})
const whole = [['2026-01-01', '2026-03-31']] as const
/** The day up to which each tyre is paid. */
const lastDays = (paid: readonly { tyre: { id: number }; until: IsoDate }[]) =>
  new Map(paid.map(({ tyre: { id }, until }) => [id, until]))
/** The charges of each rule, in words. */
const charged = (tyres: Tyre[], rules: StorageRule[], day = '2026-03-31') => {
  const { units, paid } = storageUnits(tyres, rules, day)
  return {
    units: units.map(unit => [unit.rule.id, unit.days, unit.quantity, unit.since, unit.until]),
    paidTo: [...new Set(lastDays(paid).values())],
  }
}

test('a price that changes splits the days', () => {
  const rules = [rule(1, { until: '2026-02-14' }), rule(2, { since: '2026-02-15' })]
  expect(charged([tyre(1, whole)], rules)).toEqual({
    // 2 January to 14 February, 15 February to 31 March
    units: [
      [1, 44, 44, '2026-01-01', '2026-02-14'],
      [2, 45, 45, '2026-02-14', '2026-03-31'],
    ],
    paidTo: ['2026-03-31'],
  })
})

test('a period is charged by the rule of its first day, and paid to its end', () => {
  const rules = [
    rule(1, { mode: 'per_period', until: '2026-02-14' }),
    rule(2, { mode: 'per_period', since: '2026-02-15' }),
  ]
  // the second period goes from 1 February to 2 March; the next one is the new price's, to 1 April
  expect(charged([tyre(1, whole)], rules)).toEqual({
    units: [
      [1, 60, 2, '2026-01-01', '2026-03-02'],
      [2, 29, 1, '2026-03-02', '2026-03-31'],
    ],
    paidTo: ['2026-04-01'],
  })
})

test('a season is charged once and paid to its end, and the days around it by the rule of the site', () => {
  const season = rule(1, { mode: 'per_season', since: '2026-02-01', until: '2026-04-15' })
  const site = siteRule({ quantity: 'per_set', mode: 'per_day', period: 30 })
  expect(charged([tyre(1, whole)], [season, site])).toEqual({
    units: [
      [null, 30, 30, '2026-01-01', '2026-01-31'],
      [1, 59, 1, '2026-01-31', '2026-03-31'],
    ],
    paidTo: ['2026-04-15'],
  })
  const after = charged([tyre(1, [['2026-03-31', '2026-04-20']])], [season, site], '2026-04-20')
  expect(after.units).toEqual([
    [1, 15, 1, '2026-03-31', '2026-04-15'],
    [null, 5, 5, '2026-04-15', '2026-04-20'],
  ])
})

describe('at the change of the season', () => {
  const winter = (overrides: Partial<StorageRule> = {}) =>
    rule(1, { mode: 'per_season', since: '2026-10-01', until: '2027-03-31', graceDays: 21, ...overrides })
  const summer = rule(2, { mode: 'per_season', since: '2026-04-01', until: '2026-09-30', graceDays: 21 })
  const stored = (id: number, set: string, came: IsoDate, left: IsoDate | null, overrides: Partial<Tyre> = {}) =>
    tyre(id, [[came, left ?? '2026-11-30']], { set, stays: [[came, left]], ...overrides })
  const chargedBy = (tyres: Tyre[], rules: StorageRule[], day = '2026-11-30') => {
    const { units, included, days } = storageUnits(tyres, rules, day)
    return {
      units: units.map(unit => [unit.rule.id, unit.tyres[0]?.set, unit.quantity]),
      included: included.map(({ tyre: { set }, rule: by, document, since, until }) => [
        set,
        by,
        document,
        since,
        until,
      ]),
      days,
    }
  }
  const winterWheels = (left: IsoDate | null) => stored(1, 'Winter', '2026-04-10', left)
  const summerWheels = stored(2, 'Summer', '2026-10-06', null)

  test('wheels that leave in the days of grace owe the season before, and those that come owe the new one', () => {
    expect(chargedBy([winterWheels('2026-10-05'), summerWheels], [summer, winter()])).toEqual({
      units: [
        [2, 'Winter', 1],
        [1, 'Summer', 1],
      ],
      included: [['Winter', 1, null, '2026-09-30', '2026-10-05']],
      days: 173 + 55,
    })
  })
  test('the last day of grace is the 21st of the season, and the 22nd is owed with all before it', () => {
    expect(chargedBy([winterWheels('2026-10-21')], [summer, winter()])).toMatchObject({ units: [[2, 'Winter', 1]] })
    const owed = chargedBy([winterWheels('2026-10-22')], [summer, winter()])
    expect(owed).toEqual({
      units: [
        [2, 'Winter', 1],
        [1, 'Winter', 1],
      ],
      included: [],
      days: 195,
    })
    // a rule from before has no grace: its first day is owed
    const without = winter({ graceDays: 0 })
    expect(chargedBy([winterWheels('2026-10-01')], [summer, without]).units).toContainEqual([1, 'Winter', 1])
  })
  test('what may still leave is neither charged nor included, and what is before it is paid up to it', () => {
    const there = tyre(1, [['2026-04-10', '2026-10-10']], { stays: [['2026-04-10', null]] })
    const { units, paid, included } = storageUnits([there], [summer, winter()], '2026-10-10')
    expect(units.map(unit => [unit.rule.id, unit.until])).toEqual([[2, '2026-09-30']])
    expect(paid.map(({ season, until }) => [season, until])).toEqual([[2, '2026-09-30']])
    expect(included).toEqual([])
    const alone = storageUnits([{ ...there, spans: [['2026-09-30', '2026-10-10']] }], [winter()], '2026-10-10')
    expect([alone.units, alone.paid, alone.days]).toEqual([[], [], 0])
  })
  test('wheels of which the first stored day is in the season owe it, whenever they leave', () => {
    const at = (came: IsoDate) => chargedBy([stored(1, 'Winter', came, '2026-10-05')], [summer, winter()]).units
    expect(at('2026-09-30')).toEqual([[1, 'Winter', 1]])
    expect(at('2026-09-29')).toEqual([[2, 'Winter', 1]])
  })
  test('by a price for a vehicle all its wheels of a season are one unit', () => {
    const rules = [winter({ per: 'vehicle', graceDays: 0 })]
    const wheels = [{ ...winterWheels('2026-10-05'), spans: [['2026-09-30', '2026-10-05']] as const }, summerWheels]
    expect(chargedBy(wheels, rules).units).toEqual([[1, 'Winter', 1]])
    const [first] = wheels
    const ofTwo = [first!, { ...summerWheels, vehicle: 2 }]
    expect(chargedBy(ofTwo, rules).units).toHaveLength(2)
  })
  test('a season that a document charges already includes what else is stored in it, to its end', () => {
    const paid = { paidSeasons: [[1, 77]] as const }
    const back = stored(1, 'Winter', '2026-11-01', null, paid)
    const gone = stored(2, 'Winter', '2026-10-03', '2026-10-20', paid)
    expect(chargedBy([back, gone], [winter()])).toEqual({
      units: [],
      included: [
        ['Winter', 1, 77, '2026-10-03', '2027-03-31'],
        ['Winter', 1, 77, '2026-11-01', '2027-03-31'],
      ],
      days: 0,
    })
  })
  test('a season that the same document charges for wheels in store is not charged for those that left', () => {
    const left = stored(3, 'Summer', '2026-10-06', '2026-10-20')
    const { units, paid } = storageUnits([summerWheels, left], [winter()], '2026-11-30')
    expect([units.length, units[0]?.quantity, paid.map(({ tyre: { id } }) => id)]).toEqual([1, 1, [2, 3]])
  })
})

test('of the rules that hold, the one for fewer is applied: of the customer, for the size, for wheels with rims', () => {
  const rules = [
    siteRule({ quantity: 'per_set', mode: 'per_day', period: 30 }),
    rule(1),
    rule(2, { per: 'wheel' }),
    rule(3, { sizeClass: 'large' }),
    rule(4, { own: true }),
  ]
  const by = (overrides: Partial<Tyre>, some = rules) =>
    charged([tyre(1, whole, overrides)], some).units.map(([id]) => id)
  expect(by({})).toEqual([4])
  const site = rules.slice(0, 4)
  expect(by({}, site)).toEqual([1])
  expect(by({ withRim: true }, site)).toEqual([2])
  expect(by({ withRim: true, sizeClass: 'large' }, site)).toEqual([3])
  expect(by({ sizeClass: 'small' }, site)).toEqual([1])
  expect(by({}, rules.slice(0, 1))).toEqual([null])
  expect(() => charged([tyre(1, whole)], [rules[3]!])).toThrow(RangeError)
})

test('a set of two sizes is one set of the larger', () => {
  const rules = [rule(1), rule(2, { sizeClass: 'medium' }), rule(3, { sizeClass: 'large' })]
  const set = [1, 2, 3, 4].map(id => tyre(id, whole, { sizeClass: id > 2 ? 'large' : 'medium' }))
  expect(charged(set, rules).units).toEqual([[3, 89, 89, '2026-01-01', '2026-03-31']])
})

const spansOf = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 2, maxLength: 8 }).map(lengths => {
  let day = first
  const spans: [IsoDate, IsoDate][] = []
  for (const [nth, length] of lengths.entries()) {
    const next = addDays(day, length)
    if (nth % 2 === 1) spans.push([day, next])
    day = next
  }
  return spans
})
const tyresOf = fc
  .array(fc.record({ vehicle: fc.integer({ min: 1, max: 3 }), set: fc.constantFrom('Winter', null), spans: spansOf }), {
    minLength: 1,
    maxLength: 8,
  })
  // in the order in which they are asked for: by vehicle and set
  .map(all => all.toSorted((a, b) => a.vehicle - b.vehicle || (a.set ?? 'Z').localeCompare(b.set ?? 'Z')))
  .map(all => all.map(({ spans, ...overrides }, nth) => tyre(nth, spans, overrides)))

const daysOf = ([since, until]: StoredTyre['spans'][number]): IsoDate[] =>
  Array.from({ length: daysBetween(since, until) }, (_, nth) => addDays(since, nth + 1))
const idsOf = (tyres: readonly { id: number }[]) => tyres.map(({ id }) => id).toSorted((a, b) => a - b)

describe('with the rule of the site alone', () => {
  test.each([
    ['per_set', 'per_day'],
    ['per_set', 'per_period'],
    ['per_tyre', 'per_day'],
    ['per_tyre', 'per_period'],
  ] as const)('%s %s, units and the day paid to are as by hand', (quantity, mode) => {
    fc.assert(
      fc.property(tyresOf, fc.integer({ min: 1, max: 90 }), (tyres, period) => {
        const rules: InvoicingRules = { quantity, mode, period }
        const { units, paid } = storageUnits(tyres, [siteRule(rules)], today)
        const plain = [
          ...Map.groupBy(tyres, (candidate, at) =>
            quantity === 'per_set' && candidate.set !== null ? `of ${candidate.vehicle}` : at,
          ).values(),
        ].map(together => {
          // each day on which one of them owes, once
          const stored = new Set(together.flatMap(({ spans }) => spans.flatMap(daysOf)))
          const days = [...stored].toSorted()
          const begun: IsoDate[] = []
          for (const day of days) if (begun.length === 0 || daysBetween(begun.at(-1)!, day) >= period) begun.push(day)
          return {
            tyres: together.map(({ id }) => id),
            days: days.length,
            quantity: mode === 'per_day' ? days.length : begun.length,
            last: mode === 'per_day' ? days.at(-1)! : addDays(begun.at(-1)!, period - 1),
          }
        })
        expect(units.map(unit => [idsOf(unit.tyres), unit.days, unit.quantity])).toEqual(
          plain.map(unit => [unit.tyres, unit.days, unit.quantity]),
        )
        const last = lastDays(paid)
        for (const unit of plain)
          expect(
            unit.tyres
              .map(id => last.get(id))
              .toSorted()
              .at(-1),
          ).toBe(unit.last)
        expect(storageLines(units).reduce((sum, line) => sum + line.quantity, 0)).toBe(
          plain.reduce((sum, unit) => sum + unit.quantity, 0),
        )
        expect(chargedTogether(units).map(ids => ids.toSorted((a, b) => a - b))).toEqual(
          plain.map(unit => unit.tyres).filter(ids => ids.length > 1),
        )
      }),
    )
  })
})

test('what is charged together is joined where units have a tyre in common', () => {
  const unit = (...ids: number[]) => ({ tyres: ids.map(id => ({ id })) })
  expect(chargedTogether([unit(1), unit(2, 3), unit(4), unit(5, 6), unit(3, 7)])).toEqual(
    [
      [5, 6],
      [3, 2, 7],
    ].toSorted(),
  )
  expect(chargedTogether([])).toEqual([])
})

test('whatever the rules, each owed day of a tyre is paid once', () => {
  const rulesOf = fc
    .array(
      fc.record({
        length: fc.integer({ min: 1, max: 80 }),
        per: fc.constantFrom('set' as const, 'tyre' as const),
        mode: fc.constantFrom('per_day' as const, 'per_period' as const, 'per_season' as const),
        own: fc.boolean(),
        gap: fc.boolean(),
      }),
      { maxLength: 6 },
    )
    .map(drawn => {
      const from = { own: first, site: first }
      return drawn.flatMap(({ length, gap, ...conditions }, nth) => {
        const who = conditions.own ? 'own' : 'site'
        const since = from[who]
        from[who] = addDays(since, length)
        return gap ? [] : [rule(nth + 1, { ...conditions, since, until: addDays(since, length - 1) })]
      })
    })
  const site = siteRule({ quantity: 'per_tyre', mode: 'per_day', period: 30 })
  fc.assert(
    fc.property(tyresOf, rulesOf, (tyres, rules) => {
      const { units, paid, days } = storageUnits(tyres, [...rules, site], today)
      for (const stored of tyres) {
        const its = paid
          .filter(({ tyre: { id } }) => id === stored.id)
          .flatMap(({ since, until }) => daysOf([since, until]))
        expect(new Set(its).size, 'no day is paid twice').toBe(its.length)
        expect(its).toEqual(expect.arrayContaining(stored.spans.flatMap(daysOf)))
      }
      expect(days).toBe(tyres.reduce((sum, { owed }) => sum + owed, 0))
      for (const unit of units) expect(unit.quantity).toBeGreaterThan(0)
    }),
  )
})

describe('money', () => {
  const lines = fc.array(
    fc.record({
      quantity: fc.integer({ min: -50, max: 5000 }),
      price_excl: fc.integer({ min: 0, max: 1_000_000 }).map(cents => cents / 100),
      vat_rate: fc.constantFrom(null, 0, 6, 12, 21, 5.5),
    }),
    { maxLength: 60 },
  )
  test('lines amount to their sum in whole cents, in any order, and so do the parts of it', () => {
    fc.assert(
      fc.property(lines, fc.nat(), (all, at) => {
        const cents = all.reduce(
          (sum, line) => sum + BigInt(line.quantity) * BigInt(Math.round(line.price_excl * 100)),
          0n,
        )
        expect(sumOf(all)).toBe(Number(cents) / 100)
        expect(sumOf(all.toReversed())).toBe(sumOf(all))
        const parts = [sumOf(all.slice(0, at)), sumOf(all.slice(at))]
        expect(Math.round((parts[0]! + parts[1]!) * 100)).toBe(Number(cents))
      }),
    )
  })
  test('VAT is rounded once a rate: the nets are the sum, and no rate is off by more than half a cent', () => {
    fc.assert(
      fc.property(lines, all => {
        const rates = vatOf(all, 21)
        expect(Math.round(rates.reduce((sum, { net }) => sum + net * 100, 0))).toBe(Math.round(sumOf(all) * 100))
        for (const { rate, net, vat } of rates) expect(Math.abs(vat * 100 - net * rate)).toBeLessThanOrEqual(0.5001)
        expect(new Set(rates.map(({ rate }) => rate)).size).toBe(rates.length)
      }),
    )
  })
  test('half a cent is rounded away from zero', () => {
    const line = { quantity: 1, price_excl: 0.5, vat_rate: 21 }
    expect(vatOf([line], 21)).toEqual([{ rate: 21, net: 0.5, vat: 0.11 }])
    expect(vatOf([{ ...line, quantity: -1 }], 21)).toEqual([{ rate: 21, net: -0.5, vat: -0.11 }])
    // by line it would be 0.22
    expect(vatOf([line, line], 6)).toEqual([{ rate: 21, net: 1, vat: 0.21 }])
  })
  test('a document is made up to its minimum, unless nothing is charged', () => {
    expect(missingTo(15, 12.4)).toBe(2.6)
    expect(missingTo(15, 15)).toBe(0)
    expect(missingTo(15, 0)).toBe(0)
    expect(missingTo(15, -3)).toBe(0)
  })
})
