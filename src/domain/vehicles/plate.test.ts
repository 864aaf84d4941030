import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPlate, normalizePlate } from './plate.ts'

describe('a plate is kept as letters and digits', () => {
  test.each([
    ['1-abc-234', '1ABC234'],
    [' 1 ABC 234 ', '1ABC234'],
    ['gb·123·x', 'GB123X'],
    ['é1à2ü3', 'E1A2U3'],
    ['ＡＢ１２', 'AB12'],
    ['１-ＡＢＣ-²³⁴', '1ABC234'],
    ['straße', 'STRASSE'],
    // Bulgaria, Ukraine, North Macedonia and Greece: the same plate on either keyboard
    ['СА1234ВХ', 'CA1234BX'],
    ['ВТ1234КН', 'BT1234KH'],
    ['са 1234 вх', 'CA1234BX'],
    ['КІ 7777 АА', 'KI7777AA'],
    ['ЅК-123-АЈ', 'SK123AJ'],
    ['ΙΖΗ-1234', 'IZH1234'],
    ['ιζη 1234', 'IZH1234'],
    // letters that no Latin one looks like stay
    ['ЖЉ-1234-Й', 'ЖЉ1234Й'],
    ['ИИ1', 'ИИ1'],
    ['品川 500 さ 1234', '品川500さ1234'],
    ['ざ', 'ざ'],
    ['١٢٣ ب', '123ب'],
    ['đ-Ø-ł-Æ-œ-12', 'DOLAEOE12'],
    ['Ł1-23', 'L123'],
    ['\uFFA0A\u034F\u02BC1', 'A1'],
    ['B\u0000A\u200b1', 'BA1'],
    ['ı1', 'I1'],
    ['', ''],
    ['---', ''],
  ])('%j is %j', (text, plate) => {
    expect(normalizePlate(text)).toBe(plate)
  })

  test('normalizing any text leaves letters and digits, once and for all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const plate = normalizePlate(text)
        expect(plate).toMatch(/^(?:(?=\P{ASCII})\p{L}\p{M}*|[A-Z0-9])*$/u)
        expect(normalizePlate(plate)).toBe(plate)
      }),
    )
  })

  test('upper and lower case, and every separator, find the same plate', () => {
    const written = fc.array(fc.constantFrom('a', 'B', '7', '-', ' ', '.', '/', 'z', '0'))
    fc.assert(
      fc.property(written, parts => {
        const text = parts.join('')
        expect(normalizePlate(text.toUpperCase())).toBe(normalizePlate(text.toLowerCase()))
        expect(normalizePlate(text.replaceAll(/[-. /]/g, ''))).toBe(normalizePlate(text))
      }),
    )
  })
})

describe('a plate is shown as its country writes it', () => {
  test.each([
    // Belgium
    ['1ABC234', '1-ABC-234'],
    ['2GHJ045', '2-GHJ-045'],
    ['1QAB123', '1-QAB-123'],
    ['SABC123', 'S-ABC-123'],
    ['ABC123', 'ABC-123'],
    ['123ABC', '123-ABC'],
    // Netherlands, sidecodes 1 to 14
    ['DB1234', 'DB-12-34'],
    ['1234DB', '12-34-DB'],
    ['12DB34', '12-DB-34'],
    ['DB12FG', 'DB-12-FG'],
    ['DBFG12', 'DB-FG-12'],
    ['12DBFG', '12-DB-FG'],
    ['12DBF3', '12-DBF-3'],
    ['1DBF23', '1-DBF-23'],
    ['DB123F', 'DB-123-F'],
    ['D123BF', 'D-123-BF'],
    ['DBF12G', 'DBF-12-G'],
    ['D12BFG', 'D-12-BFG'],
    ['1DB234', '1-DB-234'],
    ['123DB4', '123-DB-4'],
    // already written with dashes, or another way
    ['1-abc-234', '1-ABC-234'],
    ['12 dbf 3', '12-DBF-3'],
  ])('%s is %s', (plate, shown) => {
    expect(formatPlate(plate)).toBe(shown)
  })

  test.each(['AB123CD', 'BX8316CO', 'AB12CDE', '1', '', '123456', 'ABCDEF', '12345678', 'M AB 1234'])(
    '%j of another country stays as it is',
    plate => {
      expect(formatPlate(plate)).toBe(plate)
    },
  )

  test('showing a plate changes no letter or digit of it, and showing it again changes nothing', () => {
    const shape = fc.constantFrom('9AAA999', 'AAA999', '99AA99', '9AAA99', 'AA999A', 'AAAAAAA', '99', 'A9')
    const plate = shape.chain(form =>
      fc.tuple(
        ...[...form].map(sign => fc.constantFrom(...(sign === 'A' ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : '0123456789'))),
      ),
    )
    fc.assert(
      fc.property(plate, signs => {
        const text = signs.join('')
        expect(normalizePlate(formatPlate(text))).toBe(text)
        expect(formatPlate(formatPlate(text))).toBe(formatPlate(text))
      }),
    )
  })
})
