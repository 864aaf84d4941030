import { expect, test } from 'vitest'
import { minPasswordLength } from '#domain/people/account.ts'
import { passwordProblem } from '#domain/people/password.ts'
import { commonPasswords } from './commonPasswords.ts'
import { problemOf } from './password.ts'

test('is no common one of ten characters or more, of which the estimate alone lets some pass', async () => {
  const common = [...commonPasswords()]
  expect(common.length).toBeGreaterThan(40_000)
  expect(common.filter(({ length }) => length < minPasswordLength)).toEqual([])
  // at places 33,259 to 39,029 of the 100,000 commonest
  for (const password of ['SuperManBoy', 'OlCRackMaster', 'MeveFalkcakk']) {
    expect(passwordProblem(password, []), password).toBeNull()
    expect(await problemOf(password, []), password).toBe('guessable')
  }
  expect(await problemOf('kettle under ladder', [])).toBeNull()
})
