import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layoutNames, layouts, possibleCharacters, allReadings, typeOn, typeScan, type Layout } from './keyboard.ts'

const every = fc.constantFrom(...layoutNames)

test.each(layoutNames)('the layout %s has a place for each of the 48 keys', layout => {
  const { plain, shift, altGr } = layouts[layout]
  expect([plain, shift, altGr].map(signs => [...signs].length)).toEqual([48, 48, 48])
})

describe('a character is on the key where the keyboard has it', () => {
  test.each<[Layout, string, string]>([
    ['us', '#', 'shift Digit3'],
    ['us', '[', 'BracketLeft'],
    ['usIntl', '€', 'AltGr Digit5'],
    ['uk', '#', 'Backslash'],
    ['uk', '£', 'shift Digit3'],
    ['uk', '€', 'AltGr Digit4'],
    ['be', '#', 'AltGr Digit3'],
    ['be', '$', 'BracketRight'],
    ['be', ']', 'AltGr BracketRight'],
    ['be', '1', 'shift Digit1'],
    ['be', 'é', 'Digit2'],
    ['be', '%', 'shift Quote'],
    ['be', '+', 'shift Slash'],
    ['be', 'A', 'shift KeyQ'],
    ['be', 'M', 'shift Semicolon'],
    ['fr', '#', 'AltGr Digit3'],
    ['fr', '[', 'AltGr Digit5'],
    ['fr', ']', 'AltGr Minus'],
    ['fr', '+', 'shift Equal'],
    ['fr', 'W', 'shift KeyZ'],
    ['de', '#', 'Backslash'],
    ['de', '[', 'AltGr Digit8'],
    ['de', ']', 'AltGr Digit9'],
    ['de', '+', 'BracketRight'],
    ['de', 'Z', 'shift KeyY'],
    ['de', 'y', 'KeyZ'],
    ['de', '@', 'AltGr KeyQ'],
  ])('%s: %s is %s', (layout, sign, press) => {
    const [stroke] = typeOn(layout, sign)
    expect(stroke?.key).toBe(sign)
    expect([stroke?.alt && 'AltGr', stroke?.shift && 'shift', stroke?.code].filter(Boolean).join(' ')).toBe(press)
  })
  test('a space, an Enter and a tab have keys of their own', () => {
    const bare = { shift: false, alt: false }
    expect(typeOn('be', ' \n\t')).toEqual([
      { key: ' ', code: 'Space', ...bare },
      { key: 'Enter', code: 'Enter', ...bare },
      { key: 'Tab', code: 'Tab', ...bare },
    ])
  })
  test.each<[Layout, string]>([
    ['us', 'é'],
    ['be', '^¨'],
    ['de', '`'],
    ['uk', 'ß'],
  ])('%s has no key of its own for %s', (layout, sign) => {
    expect(() => typeOn(layout, sign)).toThrow(RangeError)
  })
})

const heard = (text: string, scanner: Layout, machine: Layout, capsLock = false) =>
  typeScan(text, { scanner, machine, capsLock }).map(stroke => stroke.key)

describe('a machine hears', () => {
  test('other characters when the scanner has another layout', () => {
    expect(heard('1234', 'us', 'be')).toEqual(['&', 'é', '"', "'"])
    expect(heard('[a]', 'us', 'fr')).toEqual(['Dead', 'q', '$'])
    expect(heard('yz+', 'us', 'de')).toEqual(['z', 'y', 'Dead'])
    expect(heard('#[', 'be', 'us')).toEqual(['3', '5'])
    expect(heard('#', 'be', 'fr')).toEqual(['#'])
    expect(heard('$+', 'fr', 'us')).toEqual([']', '+'])
  })
  test('a space, an Enter and a tab as what they are', () => {
    expect(heard('a b\n\t', 'us', 'fr')).toEqual(['q', ' ', 'b', 'Enter', 'Tab'])
  })
  test('a key that has no character there as unidentified', () => {
    expect(heard('³', 'be', 'fr')).toEqual(['Unidentified'])
  })
  test('with caps lock other letters, and on AZERTY and QWERTZ other digits', () => {
    expect(heard('aB1', 'us', 'us', true)).toEqual(['A', 'b', '1'])
    expect(heard('A1', 'be', 'be', true)).toEqual(['a', '&'])
    expect(heard('1ß', 'de', 'de', true)).toEqual(['!', '?'])
    expect(heard('²<', 'fr', 'fr', true)).toEqual(['²', '<'])
    expect(heard('-<', 'de', 'de', true)).toEqual(['-', '<'])
  })
  test('a dead key of its own, also on AltGr, and the same sign elsewhere as itself', () => {
    expect(heard('[{', 'us', 'be')).toEqual(['Dead', 'Dead'])
    expect(heard('{', 'de', 'fr')).toEqual(['Dead'])
    expect(heard('@', 'be', 'fr')).toEqual(['Dead'])
    expect(heard('^', 'be', 'be')).toEqual(['^'])
  })
})

describe('the keys say what the scanner meant', () => {
  test('whatever machine they are pressed on', () => {
    const text = fc.array(fc.constantFrom(...'#$[]T%+09azAZ')).map(signs => signs.join(''))
    fc.assert(
      fc.property(text, every, every, fc.boolean(), (typed, scanner, machine, capsLock) => {
        const strokes = typeScan(typed, { scanner, machine, capsLock })
        expect(strokes).toHaveLength(typed.length)
        for (const [at, stroke] of strokes.entries()) expect(possibleCharacters(scanner, stroke)).toContain(typed[at])
      }),
    )
  })
  test('on the number pad, the same on every layout', () => {
    for (const layout of layoutNames) {
      expect(possibleCharacters(layout, { key: 'End', code: 'Numpad1', shift: false })).toEqual(['1'])
      expect(possibleCharacters(layout, { key: '+', code: 'NumpadAdd', shift: true })).toEqual(['+'])
    }
  })
  test('and nothing where a key has no character', () => {
    expect(possibleCharacters('us', { key: 'F1', code: 'F1', shift: false })).toEqual([])
    expect(possibleCharacters('us', { key: '1', code: '', shift: false })).toEqual([])
    expect(possibleCharacters('fr', { key: '', code: 'Backquote', shift: true })).toEqual([])
  })
})

test('a reading of characters alone knows no others', () => {
  expect(allReadings().every(reading => reading({ key: '字', code: '', shift: false }).length === 0)).toBe(true)
  expect(allReadings().some(reading => reading({ key: 'à', code: '', shift: false }).includes('0'))).toBe(true)
})
