import { describe, expect, test } from 'vitest'
import { losses, lossOf, onClosing } from './loss.ts'

describe('what is lost', () => {
  const empty = { name: '', remark: '', days: [] as number[], rim: null as string | null, address: { city: '' } }
  test.each([
    ['nothing was typed', {}, 'nothing'],
    ['one word', { name: 'Winter' }, 'word'],
    ['one word with a space behind it', { name: 'Winter ' }, 'word'],
    ['one word in a part', { address: { city: 'Gent' } }, 'word'],
    ['one choice', { rim: 'steel' }, 'word'],
    ['two words', { name: 'Winter tyres' }, 'field'],
    ['one that is longer than a word', { name: 'x'.repeat(21) }, 'field'],
    ['several choices of one list', { days: [1, 2] }, 'field'],
    ['two fields', { name: 'Winter', address: { city: 'Gent' } }, 'fields'],
  ] as const)('%s', (_, typed, loss) => {
    expect(lossOf(empty, { ...empty, ...typed })).toBe(loss)
  })

  test('what was typed and taken back is nothing', () => {
    expect(lossOf({ name: 'Winter', on: true }, { name: 'Winter', on: true })).toBe('nothing')
  })

  test('of a saved text only what was typed counts', () => {
    const saved = { remark: 'Keep these tyres dry' }
    expect(lossOf(saved, { remark: 'Keep these summer tyres dry' })).toBe('word')
    expect(lossOf(saved, { remark: 'Keep these tyres dry, and bring them in the morning' })).toBe('field')
    expect(lossOf(saved, { remark: '' })).toBe('word')
  })

  test('a file or a drawing is more than a word, and each entry of a list has its own fields', () => {
    expect(lossOf({ mark: null }, { mark: new Blob(['x']) })).toBe('field')
    expect(lossOf([{ url: 'a' }], [{ url: 'a' }, { url: 'b' }])).toBe('word')
    expect(lossOf([], [{ url: 'a', kind: 'b' }])).toBe('fields')
    expect(lossOf([{ url: 'a' }, { url: 'b' }], [{ url: 'a' }])).toBe('word')
  })
})

describe('a dialog that is closed', () => {
  test.each([
    ['cancel', 'closes closes closes asks'],
    ['dismiss', 'closes closes asks asks'],
    ['outside', 'closes stays stays stays'],
  ] as const)('by %s', (closing, expected) => {
    expect(losses.map(loss => onClosing(closing, loss)).join(' ')).toBe(expected)
  })
})
