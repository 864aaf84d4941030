import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { broken } from './apply.ts'
import { rules } from './rules.ts'

const root = join(import.meta.dirname, '..')

test('at least fifty rules are broken, each under a name of its own', () => {
  expect(rules.length).toBeGreaterThanOrEqual(50)
  expect(new Set(rules.map(({ rule }) => rule)).size).toBe(rules.length)
})

test.each(rules.map(rule => [rule.rule, rule] as const))('can still be broken: %s', (_, rule) => {
  expect(() => broken(rule, root)).not.toThrow()
  expect(rule.tests.filter(file => !existsSync(join(root, file)))).toEqual([])
})

test('a text that is not there, or there twice, is refused', () => {
  const rule = { file: 'mutants/apply.ts', put: '' }
  expect(() => broken({ ...rule, find: 'nothing of the kind' }, root)).toThrow('has 0 times')
  expect(() => broken({ ...rule, find: 'import' }, root)).toThrow('times, not once')
})
