import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accessPointOf, InvalidSettings, labelPrintersOf, readConfig } from './config.ts'

test('a second factor is asked of superusers only where they can add an authenticator app', () => {
  const settings = { SUPERUSERS_NEED_FACTOR: 'yes' }
  const database = { DATABASE_URL: 'postgres://localhost/portal' }
  expect(() => readConfig({ ...settings, ...database })).toThrow('needs SECRET_KEY')
  expect(readConfig({ ...settings, ...database, SECRET_KEY: 'x'.repeat(32) }).SUPERUSERS_NEED_FACTOR).toBe(true)
  // a portal with its own database makes its key by itself
  expect(readConfig(settings).SUPERUSERS_NEED_FACTOR).toBe(true)
  expect(readConfig(database).SUPERUSERS_NEED_FACTOR).toBe(false)
})

test('the access point has an address and a token, which crosses no network in the clear', () => {
  const token = { ACCESS_POINT_TOKEN: 'x'.repeat(16) }
  expect(accessPointOf(readConfig({}))).toBeNull()
  for (const url of ['https://peppol.example/send', 'http://127.0.0.1:8080/', 'http://[::1]/', 'http://localhost/'])
    expect(accessPointOf(readConfig({ ...token, ACCESS_POINT_URL: url }))).toEqual({ url, token: 'x'.repeat(16) })
  expect(() => readConfig(token)).toThrow('need each other')
  expect(() => readConfig({ ACCESS_POINT_URL: 'https://peppol.example' })).toThrow('need each other')
  for (const url of [
    'http://peppol.example',
    'http://10.0.0.1',
    'https://user:word@peppol.example',
    'https://user@peppol.example',
  ])
    expect(() => readConfig({ ...token, ACCESS_POINT_URL: url })).toThrow('needs https')
})

const printers = (setting: string) => labelPrintersOf(readConfig({ LABEL_PRINTERS: setting }))

test('label printers are read with their site, name, address and dots', () => {
  expect(labelPrintersOf(readConfig({}))).toEqual([])
  expect(printers('home/Dock=10.0.0.21:9100, other/Front desk=printer.lan:6101@300,')).toEqual([
    { site: 'home', name: 'Dock', host: '10.0.0.21', port: 9100, dpi: 203 },
    { site: 'other', name: 'Front desk', host: 'printer.lan', port: 6101, dpi: 300 },
  ])
  expect(printers('home/Dock=[fd00::1]:9100')).toMatchObject([{ host: 'fd00::1', port: 9100 }])
})

test.each([
  'Dock=10.0.0.21:9100',
  'home/Dock=10.0.0.21',
  'home/=h:1',
  'home/Dock=h:0',
  'home/Dock=h:70000',
  'home/Dock=h:1@600',
])('%s is no label printer, and is named', entry => {
  expect(() => printers(`home/Good=h:1,${entry}`)).toThrow(entry)
})

test('a name stands for one label printer', () => {
  expect(() => printers('home/Dock=a:1,home/Dock=b:1')).toThrow('twice')
  expect(printers('home/Dock=a:1,other/Dock=b:1')).toHaveLength(2)
})

const wordsOf = (settings: Record<string, string>): string => {
  try {
    readConfig(settings)
    return ''
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error
    return error.message
  }
}

/** A value that each setting refuses. Those that take any text, or have rules of their own, are not here. */
const unusable: Readonly<Record<string, string>> = {
  PORT: 'abc',
  DATABASE_URL: 'mysql://host/portal',
  DATABASE_APP_URL: 'host',
  DATABASE_READ_URL: 'http://host',
  DATABASE_POOL: '0',
  ALLOW_UNSAFE_DATABASE: 'perhaps',
  ALLOW_DEMO: 'perhaps',
  PRERENDER: 'perhaps',
  PRERENDER_WAIT: 'long',
  TRUST_PROXY: '10.0.0.0/33',
  SECRET_KEY: 'short',
  SUPERUSERS_NEED_FACTOR: 'perhaps',
  ALLOW_PRIVATE_ADDRESSES: 'some',
  VEHICLE_REGISTER: 'dvla',
  BACKUP_KEY: 'short',
  SMTP_URL: 'mail.example.org',
  MAIL_FROM: 'the portal',
  ACCESS_POINT_URL: 'peppol',
  ACCESS_POINT_TOKEN: 'short',
  PUBLIC_URL: 'tyres.example.org',
  METRICS_PORT: '70000',
  METRICS_TOKEN: 'short',
  SECURITY_EVENTS_KEPT: '2 years',
  SLOW_STATEMENTS: '-1',
  LOG_LEVEL: 'loud',
}
const withoutRule =
  'HOST DATA_DIR DATABASE_PASSWORD DEFAULT_SITE BACKUP_TO BACKUP_ACCESS_KEY_ID BACKUP_SECRET_ACCESS_KEY BACKUP_REGION LABEL_PRINTERS NODE_ENV'.split(
    ' ',
  )

test('each unusable setting is named with what to write, all of them at once, and no secret is repeated', () => {
  const source = readFileSync(new URL('config.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/^  ([A-Z_]+): /gm)].map(([, name = '']) => name)
  expect([...Object.keys(unusable), ...withoutRule].toSorted()).toEqual(names.toSorted())
  for (const [name, value] of Object.entries(unusable))
    expect(wordsOf({ [name]: value }), name).toMatch(new RegExp(`^Invalid settings: ${name} is .+; write .{6,}\\.$`))
  expect(wordsOf({ PORT: 'abc', LOG_LEVEL: 'loud' })).toBe(
    'Invalid settings: PORT is "abc"; write a port from 0 to 65535, such as 3000. LOG_LEVEL is "loud"; write silent, fatal, error, warn, info or debug.',
  )
  expect(wordsOf({ BACKUP_KEY: 'tyre1' })).not.toContain('tyre1')
})

test.each(['pa/ss', 'pa#ss', 'pa?ss', 'p@ss', 'p%ss', 'pa ss', 'http://x', '@', '/'])(
  'the password %s in the address of a database is refused as it is, and taken encoded or apart',
  password => {
    for (const name of ['DATABASE_URL', 'DATABASE_APP_URL']) {
      const words = wordsOf({ DATABASE_URL: 'postgres://host/db', [name]: `postgres://user:${password}@host:5432/db` })
      expect(words).toMatch(new RegExp(`^Invalid settings: ${name} is not usable; write .*%40 for @`))
      expect(words).not.toContain(`:${password}@`)
    }
    const encoded = `postgres://user:${encodeURIComponent(password)}@host:5432/db`
    expect(readConfig({ DATABASE_URL: encoded }).DATABASE_URL).toBe(encoded)
    const apart = { DATABASE_URL: 'postgres://user@host:5432/db', DATABASE_PASSWORD: password }
    expect(readConfig(apart).DATABASE_URL).toBe(encoded)
  },
)

test('a password beside the address belongs to a user without one', () => {
  expect(wordsOf({ DATABASE_PASSWORD: 'x' })).toContain('must name a user')
  expect(wordsOf({ DATABASE_URL: 'postgres://user:y@host/db', DATABASE_PASSWORD: 'x' })).toContain('and no password')
  expect(wordsOf({ DATABASE_URL: 'postgres://host/db', DATABASE_PASSWORD: 'x' })).toContain('must name a user')
})

test.each(['yes', 'no', '2', '10.0.0.0/8,loopback', 'fd00::/8', '10.0.0.1', '10.0.0.0/255.0.0.0'])(
  '%s is trusted as a proxy',
  value => expect(wordsOf({ TRUST_PROXY: value })).toBe(''),
)

test('compose.yaml gives the portal the password apart from the address', () => {
  const compose = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8')
  expect(compose).not.toMatch(/:\/\/[^\s]*\$\{?POSTGRES_PASSWORD/)
  expect(compose).toContain('DATABASE_PASSWORD: ${POSTGRES_PASSWORD:?')
})
