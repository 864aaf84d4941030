import { expect, test } from 'vitest'
import { oneLine } from './cell.ts'
import { nameKey } from './letters.ts'

test('names of plain signs are compared as any other: in small letters, with single blanks', () => {
  const signs = ['\t', ' ', '!', 'A', 'z', '0', '~', '\u007f', '\u00a0', 'É', '\u200b', 'Ａ', '']
  for (const first of signs)
    for (const second of signs)
      for (const third of signs)
        for (const text of [first + second + third, `A${first}${second}B${third}`])
          expect(nameKey(text), JSON.stringify(text)).toBe(oneLine(text.normalize('NFKC')).toLowerCase())
})

test('names that look alike have one key', () => {
  for (const name of ['KÉ-12', 'ke\u0301-12', '\u202aKÉ\u200b-12 ', 'ＫÉ－１２', 'K\u00adÉ-12'])
    expect(nameKey(name)).toBe('ké-12')
})
