import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keyBesideData, minKeyLength } from './secrets.ts'

let folder = ''
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'wheelhouse-key-'))))
afterEach(() => rmSync(folder, { recursive: true }))

test('the key beside the data is made once, for its user only', () => {
  // what a power cut may leave
  writeFileSync(path.join(folder, 'secret-key.unfinished'), '')
  const key = keyBesideData(folder)
  expect(key.length).toBeGreaterThan(minKeyLength)
  expect(keyBesideData(folder)).toBe(key)
  expect(readdirSync(folder)).toEqual(['secret-key'])
  if (process.platform !== 'win32') expect(statSync(path.join(folder, 'secret-key')).mode & 0o777).toBe(0o600)
})

test.each(['', '\n', 'too short to be one\n'])('a file with %j in it is no key, and stays as it is', content => {
  writeFileSync(path.join(folder, 'secret-key'), content)
  expect(() => keyBesideData(folder)).toThrow('holds no key')
  expect(readFileSync(path.join(folder, 'secret-key'), 'utf8')).toBe(content)
})
