import { globSync, readFileSync } from 'node:fs'
import { beforeEach, expect, test, vi } from 'vitest'
import { isSecretField } from '#domain/people/secretField.ts'
import {
  draftKeptMs,
  draftOf,
  dropDraft,
  eraseDrafts,
  formName,
  hasDrafts,
  keepDrafts,
  noteTyped,
  typedBy,
} from './drafts.ts'

// not the process that renders pages
vi.hoisted(() => void vi.stubGlobal('document', {}))
const device = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => device.get(key) ?? null,
  setItem: (key: string, value: string) => void device.set(key, value),
  removeItem: (key: string) => void device.delete(key),
})
vi.stubGlobal('location', { pathname: '/fleet/vehicle', search: '?id=7' })

const [now, later] = [1_000_000, 1_000_000 + draftKeptMs]
const signIn = (account: string, context = '') => typedBy(() => ({ account, context }))
function type(changes: object) {
  const form = formName({ brand: '', password: '' })
  const stop = noteTyped(() => ({ form, changes }))
  keepDrafts(now)
  stop()
  return form
}

beforeEach(() => {
  device.clear()
  signIn('anna')
})

test('what was typed is offered to the same account only, at the same form, until it is three days old', () => {
  const form = type({ brand: 'DAF' })
  expect(draftOf(form, now)).toEqual({ at: now, changes: { brand: 'DAF' } })
  expect(draftOf(`${form} other`, now)).toBeNull()
  expect(draftOf(form, later)).toBeNull()
  signIn('bert')
  expect([draftOf(form, now), hasDrafts(now)]).toEqual([null, false])
  signIn('anna', '12')
  expect(formName({ brand: '', password: '' })).not.toBe(form)
})

test('passwords, secrets, bank accounts and addresses with tokens never reach the device', () => {
  const secret = 'hush'
  type({
    brand: 'DAF',
    password: secret,
    wanted: secret,
    bank: { iban: secret, bic: secret },
    keys: [{ client_secret: secret, token: secret, url: secret }],
  })
  expect([...device.values()].join('')).toContain('DAF')
  expect([...device.values()].join('')).not.toContain(secret)
  device.clear()
  type({ password: secret })
  expect(device.size).toBe(0)
})

test('signing out erases it, and that of nobody else', () => {
  signIn('bert')
  const other = type({ brand: 'MAN' })
  signIn('anna')
  const form = type({ brand: 'DAF' })
  eraseDrafts(now)
  expect(draftOf(form, now)).toBeNull()
  signIn('bert')
  expect(draftOf(other, now)?.changes).toEqual({ brand: 'MAN' })
  dropDraft(other, now)
  expect(hasDrafts(now)).toBe(false)
  expect(device.size).toBe(0)
  dropDraft(other, now)
  expect(device.size).toBe(0)
})

test('what is typed into a field that hides it is secret', () => {
  const screens = globSync('src/web/**/*.tsx').filter(file => !file.endsWith('/passwordField.tsx'))
  const source = screens.map(file => readFileSync(file, 'utf8')).join('\n')
  const fields = [...source.matchAll(/<(?:New)?Password(?:Field|Input)\b(?:\s+\{\.\.\.form\.text\('(\w+)'\)\})?/g)]
  expect(fields.length).toBeGreaterThan(9)
  expect(fields.filter(([, name = '']) => !isSecretField(name)).map(([field]) => field)).toEqual([])
})
