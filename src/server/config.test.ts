import { expect, test } from 'vitest'
import { accessPointOf, labelPrintersOf, readConfig } from './config.ts'

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
