import { describe, expect, test } from 'vitest'
import { isDeceptive, isSameUsername, normaliseUsername } from './username.ts'

describe('a username', () => {
  test.each([
    'jan',
    'Jan Peeters',
    'müller',
    'o’brien',
    'jan@garage.be',
    'Łukasz',
    'Иван',
    'Γιώργος',
    'café-1',
    '山田',
  ])('%s is accepted', name => expect(isDeceptive(name)).toBe(false))
  test.each([
    ['a Cyrillic а in Latin letters', '\u0430dmin'],
    ['a Greek ο in Latin letters', 'r\u03BFot'],
    ['a space of no width', 'ad\u200Bmin'],
    ['a mark that turns the direction', 'nim\u202Eda'],
    ['a soft hyphen', 'ad\u00ADmin'],
    ['a space that does not break', 'jan\u00A0peeters'],
    ['a filler that shows nothing', 'jan\u3164'],
    ['a variation selector', 'jan\uFE0F'],
    ['a line separator', 'jan\u2028'],
  ])('with %s is refused', (_, name) => expect(isDeceptive(name)).toBe(true))

  test('is the same in every compatible form', () => {
    expect(normaliseUsername('ｊａｎ')).toBe('jan')
    expect(normaliseUsername('  mu\u0308ller ')).toBe('müller')
  })

  test('is the same in capitals, and not with a letter that only some alphabets take for its capital', () => {
    expect(isSameUsername('Jan.Müller', 'JAN.MÜLLER')).toBe(true)
    expect(isSameUsername('admin', 'ADM\u0130N')).toBe(false)
    expect(isSameUsername('admin', 'adm\u0131n')).toBe(false)
  })
})
