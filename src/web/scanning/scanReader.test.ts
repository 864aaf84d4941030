import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeBarcode,
  encodeLocation,
  type Keystroke,
  layoutNames,
  maxSiteId,
  maxTyreId,
  typeOn,
  typeScan,
} from '#domain/warehouse/barcode.ts'
import { pace, type KeyTarget, scanReader, type Verdict } from './scanReader.ts'

type Timed = Keystroke & { at: number; repeat?: boolean; shortcut?: boolean }
const enter: Keystroke = { key: 'Enter', code: 'Enter', shift: false }

/** Keystrokes one after the other, each so many ms after the one before. */
const timed = (strokes: readonly Keystroke[], gap: number | readonly number[], from = 1000): Timed[] => {
  let at = from
  return strokes.map((stroke, index) => {
    if (index > 0) at += typeof gap === 'number' ? gap : (gap[(index - 1) % gap.length] ?? 0)
    return { ...stroke, at }
  })
}
/** The reader's verdict on each key, and on the pause after the last. */
function read(keys: readonly Timed[], place: KeyTarget = 'page', reader = scanReader()) {
  const verdicts = keys.map(key => reader.key({ ...key, place }))
  return { verdicts, last: reader.pause((keys.at(-1)?.at ?? 0) + 1000) }
}
const key = (name: string, at: number, shortcut = false): Timed => ({
  key: name,
  code: name,
  shift: false,
  at,
  shortcut,
})
const labels = (verdicts: readonly Verdict[]) =>
  verdicts.flatMap(verdict => (verdict.kind === 'label' ? [verdict.label] : []))
const kinds = (verdicts: readonly Verdict[]) => verdicts.map(({ kind }) => kind)
const typed = (text: string) => typeOn('us', text)
const code = encodeBarcode({ tyre: 123_456, site: 1 })

describe('a scan', () => {
  it.each(layoutNames.flatMap(scanner => layoutNames.map(machine => ({ scanner, machine }))))(
    'is read from a scanner set to $scanner on a $machine machine, and pressed keys never reach the page',
    ({ scanner, machine }) => {
      const keys = timed([...typeScan(code, { scanner, machine }), enter], 8)
      const { verdicts } = read(keys)
      expect(labels(verdicts)).toEqual([{ tyre: 123_456, site: 1 }])
      expect(verdicts.at(-1)).toEqual({ kind: 'swallow' })
    },
  )

  it('is read whatever its numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: maxTyreId }),
        fc.integer({ min: 1, max: maxSiteId }),
        fc.constantFrom(...layoutNames),
        fc.constantFrom<KeyTarget>('page', 'field'),
        fc.integer({ min: 0, max: pace.speed }),
        (tyre, site, machine, place, gap) => {
          const strokes = typeScan(encodeBarcode({ tyre, site }), { scanner: 'us', machine })
          expect(labels(read(timed(strokes, gap), place).verdicts)).toEqual([{ tyre, site }])
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is complete with its last character, whether an Enter, a Tab or nothing follows', () => {
    for (const suffix of [[enter], [{ key: 'Tab', code: 'Tab', shift: false }], []]) {
      const { verdicts } = read(timed([...typed(code), ...suffix], 5))
      expect(verdicts[21]).toMatchObject({ kind: 'label' })
      expect(kinds(verdicts.slice(22))).toEqual(suffix.map(() => 'swallow'))
    }
  })

  it('is read behind what some scanners put before every code', () => {
    expect(labels(read(timed(typed(`]Q1${code}`), 5)).verdicts)).toHaveLength(1)
  })

  it('of a slow radio scanner is known by its start marker', () => {
    const { verdicts } = read(timed([...typed(code), enter], 180))
    expect(labels(verdicts)).toHaveLength(1)
    expect(kinds(verdicts.slice(2))).not.toContain('pass')
    expect(verdicts[21]).toMatchObject({ since: 1000 })
  })

  it('says when its first key came, so that a field can be put back', () => {
    for (const gap of [0, 6, 45, 120, 290])
      expect(read(timed(typed(code), gap, 5000), 'field').verdicts[21]).toMatchObject({ kind: 'label', since: 5000 })
  })

  it('after a scan is read too, ten in a row', () => {
    const strokes = Array.from({ length: 10 }, (_, i) => [...typed(encodeBarcode({ tyre: i + 1, site: 1 })), enter])
    expect(labels(read(timed(strokes.flat(), 4)).verdicts)).toEqual(
      Array.from({ length: 10 }, (_, i) => ({ tyre: i + 1, site: 1 })),
    )
  })

  it('of a stock location is read as well, and is no tyre', () => {
    const strokes = typed(encodeLocation({ location: 77, site: 3 }))
    expect(labels(read(timed(strokes, 6)).verdicts)).toEqual([{ location: 77, site: 3 }])
  })

  it('comes through right after a person has typed in a field', () => {
    const reader = scanReader()
    const person = timed(typed('winter'), [140, 95, 210, 120, 80])
    const scanner = timed([...typed(code), enter], 6, (person.at(-1)?.at ?? 0) + 200)
    const { verdicts } = read([...person, ...scanner], 'field', reader)
    expect(labels(verdicts)).toEqual([{ tyre: 123_456, site: 1 }])
    expect(kinds(verdicts.slice(0, 6))).toEqual(Array(6).fill('pass'))
  })

  it('with modifiers reported as keys of their own is one scan', () => {
    const shift: Keystroke = { key: 'Shift', code: 'ShiftLeft', shift: true }
    const strokes = typed(code).flatMap(stroke => (stroke.shift ? [shift, stroke] : [stroke]))
    expect(labels(read(timed(strokes, 3)).verdicts)).toHaveLength(1)
  })
})

describe('no key of a scanner reaches the page', () => {
  const tab: Keystroke = { key: 'Tab', code: 'Tab', shift: false }
  const paces = [10, 20, 30, 45, 60]
  const delays = [0, 60, 250, 251, 400, 700, 1000]
  const cases = paces.flatMap(gap => delays.map(delay => ({ gap, delay })))

  it.each(cases)('$gap ms a key, closed $delay ms after the code', ({ gap, delay }) => {
    for (const text of [code, code.slice(0, 12), '4019238045604'])
      for (const suffix of [[enter], [tab], [enter, tab]]) {
        const reader = scanReader()
        const keys = timed(typed(text), gap)
        for (const stroke of keys) reader.key({ ...stroke, place: 'page' })
        const end = keys.at(-1)?.at ?? 0
        const patience = reader.patience()
        if (patience !== null && patience < delay) reader.pause(end + patience)
        const verdicts = suffix.map((stroke, index) =>
          reader.key({ ...stroke, at: end + delay + index * gap, place: 'page' }),
        )
        expect(kinds(verdicts)).not.toContain('pass')
      }
  })

  it.each(delays)('nor the Enter %i ms after a label that came at once', delay => {
    const reader = scanReader()
    reader.handed(1000)
    expect(reader.key({ ...enter, at: 1000 + delay, place: 'page' })).toEqual({ kind: 'swallow' })
  })
})

describe('an unreadable scan', () => {
  it('of a foreign code is told when its Enter comes, and its Enter presses nothing', () => {
    const { verdicts } = read(timed([...typed('4019238045604'), enter], 8))
    expect(verdicts.at(-1)).toMatchObject({ kind: 'unreadable' })
  })
  it('without an Enter is told when the scanner pauses', () => {
    expect(read(timed(typed('4019238045604'), 8)).last).toMatchObject({ kind: 'unreadable' })
  })
  it('of ours that was cut short is told, in a field too', () => {
    expect(read(timed([...typed(code.slice(0, 9)), enter], 8), 'field').verdicts.at(-1)).toMatchObject({
      kind: 'unreadable',
    })
    expect(read(timed([...typed(code.slice(0, 9)), enter], 8)).verdicts.at(-1)).toMatchObject({ kind: 'unreadable' })
  })
  it('in a field may be meant for that field, and is left there with its Enter', () => {
    const { verdicts, last } = read(timed([...typed('WVWZZZ1JZXW000001'), enter], 8), 'field')
    expect(new Set(kinds(verdicts))).toEqual(new Set(['pass']))
    expect(last).toEqual({ kind: 'pass' })
  })
  it('that was too short to be a code is not told, but its Enter presses nothing', () => {
    const { verdicts } = read(timed([...typed('A12'), enter], 8))
    expect(verdicts.at(-1)).toEqual({ kind: 'swallow' })
  })
})

describe('a person', () => {
  it('who types as fast as people do is no scanner, on the page or in a field', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789 -.,'),
          minLength: 1,
          maxLength: 60,
        }),
        fc.array(fc.integer({ min: pace.speed + 1, max: 400 }), { minLength: 1, maxLength: 20 }),
        fc.constantFrom<KeyTarget>('page', 'field'),
        (text, gaps, place) => {
          const { verdicts, last } = read(timed([...typed(text), enter], gaps), place)
          expect(new Set(kinds(verdicts))).toEqual(new Set(['pass']))
          expect(last).toEqual({ kind: 'pass' })
        },
      ),
      { numRuns: 300 },
    )
  })

  it('whose fingers roll over a few keys at once is no scanner', () => {
    const { verdicts } = read(timed([...typed('the winter tyres of the van'), enter], [12, 25, 160, 18, 140]), 'field')
    expect(new Set(kinds(verdicts))).toEqual(new Set(['pass']))
    expect(read(timed(typed('the'), 15)).last).toEqual({ kind: 'pass' })
  })

  it('who holds a key down is no scanner', () => {
    const keys = timed(typed('aaaaaaaaaaaaaaaaaaaa'), 30).map((key, index) => ({ ...key, repeat: index > 0 }))
    const { verdicts, last } = read(keys)
    expect(new Set(kinds(verdicts))).toEqual(new Set(['pass']))
    expect(last).toEqual({ kind: 'pass' })
  })

  it('keeps Enter, Tab, arrows and shortcuts', () => {
    const { verdicts } = read([
      key('Enter', 0),
      key('Tab', 10),
      key('Tab', 20),
      key('ArrowDown', 30),
      key('ArrowDown', 40),
      key('ArrowDown', 50),
      key('Enter', 60),
      key('c', 70, true),
      key('v', 80, true),
      key('v', 90, true),
      key('Enter', 100),
    ])
    expect(new Set(kinds(verdicts))).toEqual(new Set(['pass']))
  })

  it('who tabs on right after a scan loses no more than the two keys that a scanner may send', () => {
    const keys = timed(typed(code), 5)
    const end = keys.at(-1)?.at ?? 0
    const tabs = [1, 2, 3, 4].map(nth => ({ key: 'Tab', code: 'Tab', shift: false, at: end + 40 * nth }))
    const { verdicts } = read([...keys, ...tabs])
    expect(kinds(verdicts.slice(-4))).toEqual(['swallow', 'swallow', 'pass', 'pass'])
  })

  it('who presses Enter some time after a scan presses it themselves', () => {
    const keys = timed(typed(code), 5)
    const { verdicts } = read([...keys, { ...enter, at: (keys.at(-1)?.at ?? 0) + pace.suffix + 1 }])
    expect(verdicts.at(-1)).toEqual({ kind: 'pass' })
  })
})
