import { expect, test } from 'vitest'
import type { z } from 'zod'
import { isSecretField } from '#domain/people/secretField.ts'
import { calls } from './index.ts'
import { isVerbatim, partsOf } from './readInput.ts'

/** Every field that a call takes, however deep. */
function fieldsBelow(schema: z.ZodType, seen = new Set<z.ZodType>()): [name: string, field: z.ZodType][] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const { fields: taken, others } = partsOf(schema)
  return [...taken, ...[...taken.map(([, field]) => field), ...others].flatMap(below => fieldsBelow(below, seen))]
}
const fields = calls.flatMap(({ call }) => fieldsBelow(call.input))
const namesOf = (taken: readonly [string, z.ZodType][]): string[] => [...new Set(taken.map(([name]) => name))].sort()

test('what the contract calls a password, secret, token or bank account is secret', () => {
  const named = namesOf(fields).filter(name => /password|secret|token|iban|bic/i.test(name))
  expect(named.filter(name => !isSecretField(name))).toEqual([])
  expect(named).toEqual(expect.arrayContaining(['bic', 'client_secret', 'iban', 'password', 'token']))
})

test('what is taken to the letter is secret, but for the words of the dictionary', () => {
  const verbatim = namesOf(fields.filter(([, field]) => isVerbatim(field)))
  expect(verbatim.filter(name => !isSecretField(name))).toEqual(['text', 'value'])
  expect(verbatim).toEqual(expect.arrayContaining(['client_secret', 'password', 'wanted']))
})
