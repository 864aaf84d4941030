import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeBarcode,
  commands,
  decodeLabel,
  encodeBarcode,
  encodeCommand,
  encodeLocation,
  layoutNames,
  readScan,
  scanEnd,
  scanLength,
  scanStart,
  maxSiteId,
  startsScan,
  maxTyreId,
  typeOn,
  typeScan,
  type Keystroke,
} from './barcode.ts'

const label = fc.record({ tyre: fc.integer({ min: 1, max: maxTyreId }), site: fc.integer({ min: 1, max: maxSiteId }) })
const layout = fc.constantFrom(...layoutNames)

/** As a browser tells it where keys have no codes: on some hand terminals and through some remote desktops. */
const withoutCodes = (strokes: readonly Keystroke[]): Keystroke[] =>
  strokes.map(({ key, shift }) => ({ key, code: '', shift }))
const press = (key: string, code = key): Keystroke => ({ key, code, shift: false })

const pad = (stroke: Keystroke): Keystroke =>
  /^\d$/.test(stroke.key) ? { key: 'Home', code: `Numpad${stroke.key}`, shift: false } : stroke

describe('a label', () => {
  test.each([
    [{ tyre: 1, site: 1 }, '#$[T$L0000001+0001%]$#'],
    [{ tyre: 123_456, site: 42 }, '#$[T$L0002N9C+0016%]$#'],
    [{ tyre: 2_147_483_647, site: 1_679_615 }, '#$[T$L0ZIK0ZJ+ZZZZ%]$#'],
    [{ tyre: maxTyreId, site: maxSiteId }, '#$[T$LZZZZZZZ+ZZZZ%]$#'],
  ])('of %j is %s', (scan, text) => {
    expect(encodeBarcode(scan)).toBe(text)
    expect(decodeBarcode(text)).toEqual(scan)
  })
  test('says what was put on it, between its markers, in 16 characters', () => {
    fc.assert(
      fc.property(label, scan => {
        const text = encodeBarcode(scan)
        expect(decodeBarcode(text)).toEqual(scan)
        expect(text.startsWith(scanStart) && text.endsWith(scanEnd)).toBe(true)
        expect(text.slice(scanStart.length, -scanEnd.length)).toHaveLength(16)
        expect(text).toHaveLength(scanLength)
      }),
    )
  })
  test.each([
    { tyre: 0, site: 1 },
    { tyre: -1, site: 1 },
    { tyre: 1.5, site: 1 },
    { tyre: Number.NaN, site: 1 },
    { tyre: Number.POSITIVE_INFINITY, site: 1 },
    { tyre: maxTyreId + 1, site: 1 },
    { tyre: 1, site: 0 },
    { tyre: 1, site: maxSiteId + 1 },
    { tyre: 1, site: 0.5 },
  ])('cannot carry %j', scan => {
    expect(() => encodeBarcode(scan)).toThrow(RangeError)
  })
})

describe('the label of a stock location', () => {
  const place = fc.record({
    location: fc.integer({ min: 1, max: maxTyreId }),
    site: fc.integer({ min: 1, max: maxSiteId }),
  })
  test('has the same frame and length, and is no tyre', () => {
    expect(encodeLocation({ location: 123_456, site: 42 })).toBe('#$[L$P0002N9C+0016%]$#')
    expect(decodeLabel('#$[L$P0002N9C+0016%]$#')).toEqual({ location: 123_456, site: 42 })
    expect(decodeBarcode('#$[L$P0002N9C+0016%]$#')).toBeNull()
    expect(decodeLabel('#$[T$L0002N9C+0016%]$#')).toEqual({ tyre: 123_456, site: 42 })
    expect(() => encodeLocation({ location: 0, site: 1 })).toThrow(RangeError)
  })
  test.each(['#$[L$L0002N9C+0016%]$#', '#$[T$P0002N9C+0016%]$#', '#$[L$P0002N9C00016%]$#'])('%s is no label', text => {
    expect(decodeLabel(text)).toBeNull()
  })
  for (const scanner of layoutNames) {
    test(`is read from a scanner set to ${scanner}, on a machine of any layout, and never as a tyre`, () => {
      fc.assert(
        fc.property(place, layout, fc.boolean(), (scan, machine, capsLock) => {
          const strokes = typeScan(encodeLocation(scan), { scanner, machine, capsLock })
          expect(readScan(strokes)).toEqual(scan)
          expect(readScan(withoutCodes(strokes))).toEqual(scan)
          expect(startsScan(strokes.slice(0, 3))).toBe(true)
        }),
        { numRuns: 100 },
      )
    })
  }
})

describe('the barcode of a command', () => {
  const command = fc.record({ command: fc.constantFrom(...commands), site: fc.integer({ min: 1, max: maxSiteId }) })
  test('has the same frame and length, keeps its number for ever, and is no tyre and no place', () => {
    expect(commands.map(command => encodeCommand({ command, site: 42 }))).toEqual([
      '#$[C$K0000001+0016%]$#',
      '#$[C$K0000002+0016%]$#',
      '#$[C$K0000003+0016%]$#',
      '#$[C$K0000004+0016%]$#',
      '#$[C$K0000005+0016%]$#',
      '#$[C$K0000006+0016%]$#',
      '#$[C$K0000007+0016%]$#',
      '#$[C$K0000008+0016%]$#',
      '#$[C$K0000009+0016%]$#',
      '#$[C$K000000A+0016%]$#',
      '#$[C$K000000B+0016%]$#',
      '#$[C$K000000C+0016%]$#',
      '#$[C$K000000D+0016%]$#',
      '#$[C$K000000E+0016%]$#',
      '#$[C$K000000F+0016%]$#',
    ])
    expect(decodeLabel('#$[C$K0000002+0016%]$#')).toEqual({ command: 'undo', site: 42 })
    expect(decodeBarcode('#$[C$K0000002+0016%]$#')).toBeNull()
  })
  test.each(['#$[C$K0000000+0016%]$#', '#$[C$K000000G+0016%]$#', '#$[C$L0000001+0016%]$#', '#$[T$K0000001+0016%]$#'])(
    '%s is no label',
    text => {
      expect(decodeLabel(text)).toBeNull()
    },
  )
  for (const scanner of layoutNames) {
    test(`is read from a scanner set to ${scanner}, on a machine of any layout`, () => {
      fc.assert(
        fc.property(command, layout, fc.boolean(), (scan, machine, capsLock) => {
          const strokes = typeScan(encodeCommand(scan), { scanner, machine, capsLock })
          expect(readScan(strokes)).toEqual(scan)
          expect(readScan(withoutCodes(strokes))).toEqual(scan)
        }),
        { numRuns: 100 },
      )
    })
  }
})

describe('a scanned text', () => {
  test.each([
    ['#$[T$L1+000000000A%]$#', { tyre: 1, site: 10 }],
    ['#$[T$L000000000Z+1%]$#', { tyre: 35, site: 1 }],
    ['#$[T$LZZZZZZZZZZ+Z%]$#', { tyre: 36 ** 10 - 1, site: 35 }],
    ['#$[t$l0002n9c+0016%]$#', { tyre: 123_456, site: 42 }],
    ['#$[T$L0002N9C+0016%]$#\r\n', { tyre: 123_456, site: 42 }],
    ['\t#$[T$L0002N9C+0016%]$# ', { tyre: 123_456, site: 42 }],
  ])('%j is read', (text, scan) => {
    expect(decodeBarcode(text)).toEqual(scan)
  })
  test.each([
    ['nothing', ''],
    ['the payload without markers', 'T$L0002N9C+0016%'],
    ['without its start', '$[T$L0002N9C+0016%]$#'],
    ['without its end', '#$[T$L0002N9C+0016%'],
    ['a character too short', '#$[T$L002N9C+0016%]$#'],
    ['a character too long', '#$[T$L00002N9C+0016%]$#'],
    ['without a plus', '#$[T$L0002N9C00016%]$#'],
    ['with two', '#$[T$L0002N+C+0016%]$#'],
    ['with nothing before the plus', '#$[T$L+0002N9C0016%]$#'],
    ['with nothing behind the plus', '#$[T$L0002N9C0016+%]$#'],
    ['another payload', '#$[T$M0002N9C+0016%]$#'],
    ['without the percent sign', '#$[T$L0002N9C+00167]$#'],
    ['a sign that is no digit', '#$[T$L0002N9-+0016%]$#'],
    ['a space within', '#$[T$L0002N9 +0016%]$#'],
    ['an article number', '4019238817294'],
  ])('%s is no label', (_, text) => {
    expect(decodeBarcode(text)).toBeNull()
    expect(readScan(Array.from(text, key => press(key, '')))).toBeNull()
  })
  test('of two labels is neither, but what was typed last is read', () => {
    const text = encodeBarcode({ tyre: 1, site: 2 }) + encodeBarcode({ tyre: 3, site: 4 })
    expect(decodeBarcode(text)).toBeNull()
    expect(readScan(typeOn('us', text))).toEqual({ tyre: 3, site: 4 })
  })
  test('of any characters is a label or none, and never an error', () => {
    const signs = fc.string({ unit: fc.constantFrom(...'#$[]T%L+09AZ '), maxLength: 24 })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), signs), text => {
        const scan = decodeBarcode(text)
        expect(scan === null || text.trim().length === scanLength).toBe(true)
      }),
    )
  })
})

describe('a scanner that acts as a keyboard is read', () => {
  for (const scanner of layoutNames) {
    test(`set to ${scanner}, on a machine of any layout, with caps lock and without, with codes and without`, () => {
      fc.assert(
        fc.property(label, layout, fc.boolean(), (scan, machine, capsLock) => {
          const strokes = typeScan(encodeBarcode(scan), { scanner, machine, capsLock })
          expect(readScan(strokes)).toEqual(scan)
          expect(readScan(withoutCodes(strokes))).toEqual(scan)
          expect(startsScan(strokes.slice(0, 3))).toBe(true)
          expect(startsScan(withoutCodes(strokes).slice(0, 3))).toBe(true)
        }),
        { numRuns: 300 },
      )
    })
  }
  const scan = { tyre: 123_456, site: 42 }
  const code = encodeBarcode(scan)
  test('set to US on a Belgian AZERTY, which types something else', () => {
    const strokes = typeScan(code, { scanner: 'us', machine: 'be' })
    expect(strokes.map(({ key }) => key).join(' ')).toBe('3 4 Dead T 4 L à à à é N ç C _ à à & § 5 $ 4 3')
    expect(readScan(strokes)).toEqual(scan)
  })
  test('set to Belgian on a US machine, where AltGr is Alt', () => {
    const strokes = typeScan(code, { scanner: 'be', machine: 'us' })
    expect(strokes.map(({ key }) => key).join(' ')).toBe('3 ] 5 T ] L ) ) ) @ N ( C ? ) ) ! ^ " ] ] 3')
    expect(readScan(strokes)).toEqual(scan)
    expect(readScan(strokes.map(({ key, code: at, shift }) => ({ key, code: at, shift })))).toEqual(scan)
  })
  test('by its characters on a machine of a layout that nobody listed', () => {
    expect(readScan(Array.from(code, (key, at) => press(key, `Key${at}`)))).toEqual(scan)
  })
  test('by its keys where an input method swallows the characters', () => {
    const strokes = typeOn('us', code).map(stroke => ({ ...stroke, key: 'Process' }))
    expect(readScan(strokes)).toEqual(scan)
  })
  test('by its keys where a dead key joined the next letter', () => {
    const strokes = typeScan('#$[T$L0002N9C+E016%]$#', { scanner: 'us', machine: 'de' })
    const at = strokes.findIndex(({ key }) => key === 'E')
    expect(strokes[at - 1]?.key).toBe('Dead')
    const joined = strokes.with(at, { ...strokes[at]!, key: 'È' })
    expect(readScan(joined)).toEqual({ tyre: 123_456, site: Number.parseInt('E016', 36) })
    expect(readScan(withoutCodes(joined))).toBeNull()
  })
  test('with digits from the number pad, num lock on or off', () => {
    expect(readScan(typeOn('us', code).map(pad))).toEqual(scan)
  })
  test('with modifiers reported as keys of their own, and an Enter, a tab or a space behind', () => {
    const strokes = typeOn('de', code).flatMap(stroke => [
      ...(stroke.shift ? [press('Shift', 'ShiftLeft')] : []),
      ...(stroke.alt ? [press('AltGraph', 'AltRight')] : []),
      stroke,
    ])
    for (const end of [[], [press('Enter')], [press('Tab')], [press(' ', 'Space'), press('Enter')]]) {
      expect(readScan([...strokes, ...end])).toEqual(scan)
    }
  })
  test("behind the scanner's own prefix, or what was typed before", () => {
    const before = typeOn('us', ']Q1')
    expect(readScan([...before, ...typeOn('us', code)])).toEqual(scan)
    expect(startsScan([...before, ...typeOn('us', code).slice(0, 3)])).toBe(true)
    expect(startsScan([...before, ...typeOn('us', code).slice(0, 2)])).toBe(false)
    const garbled = withoutCodes(typeScan(code, { scanner: 'us', machine: 'be' }))
    expect(readScan([...before, ...garbled])).toEqual(scan)
    expect(startsScan([...before, ...garbled.slice(0, 3)])).toBe(true)
  })
})

describe('what a person types', () => {
  test.each(['1ABC234', '205/55R16 91V', 'Winter 2026', '#1', '$100 [x]', '', 'a+b=3', '#$'])(
    '%j begins no scan on any layout, with codes or without',
    text => {
      for (const each of layoutNames) {
        const strokes = typeOn(each, text)
        expect(startsScan(strokes)).toBe(false)
        expect(startsScan(withoutCodes(strokes))).toBe(false)
      }
    },
  )
  test('is read as nothing while a scan is not whole', () => {
    const strokes = typeOn('us', '#$[T$L0002N9C+0016%]$#')
    for (let count = 0; count < strokes.length; count += 1) expect(readScan(strokes.slice(0, count))).toBeNull()
    expect(readScan([press('Enter'), press('Shift')])).toBeNull()
    expect(startsScan([])).toBe(false)
  })
  test('on 22 keys is no scan', () => {
    const key = fc.record({
      key: fc.constantFrom(...'abcXYZ019+%#$[]àé', 'Dead', 'Unidentified'),
      code: fc.constantFrom('', 'KeyA', 'Digit3', 'Digit4', 'BracketLeft', 'BracketRight', 'Equal'),
      shift: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(key, { minLength: 22, maxLength: 30 }), strokes => {
        expect(readScan(strokes)).toBeNull()
      }),
    )
  })
})
