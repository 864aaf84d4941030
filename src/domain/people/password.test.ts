import { describe, expect, test } from 'vitest'
import { dictionary } from '@zxcvbn-ts/language-common'
import { minPasswordLength } from './account.ts'
import { passwordProblem } from './password.ts'

const personal = ['Garage Alfa', 'jan.peeters', 'Banden Hotel Gent']

describe('a password', () => {
  test.each([
    ['one character less than the least', 'x7#qLm2vT', 'short'],
    ['a common one', 'password123', 'guessable'],
    ['a common one in disguise', 'P@ssw0rd2024', 'guessable'],
    ['a row of keys', 'azertyuiop', 'guessable'],
    ['one character again and again', 'aaaaaaaaaaaaaaaa', 'guessable'],
    ['the name of the account', 'jan.peeters', 'guessable'],
    ['the name of the company in one word', 'garagealfa', 'guessable'],
    ['the name of the site', 'BandenHotelGent', 'guessable'],
  ])('that is %s is refused', (_, password, problem) => expect(passwordProblem(password, personal)).toBe(problem))

  test.each(['kettle under ladder', 'abcd-efgh-jkmn', 'zomerbanden op zolder'])('such as %s is accepted', password =>
    expect(passwordProblem(password, personal)).toBeNull(),
  )

  test('is none of the common ones that are long enough', () => {
    const long = (dictionary['passwords-common'] as string[]).filter(({ length }) => length >= minPasswordLength)
    expect(long.length).toBeGreaterThan(1000)
    expect(long.filter(password => passwordProblem(password, []) === null)).toEqual([])
  })
})
