import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test('a second factor is asked of superusers only where they can add an authenticator app', () => {
  const asked = { SUPERUSERS_NEED_FACTOR: 'yes' }
  const database = { DATABASE_URL: 'postgres://localhost/portal' }
  expect(() => readConfig({ ...asked, ...database })).toThrow('needs SECRET_KEY')
  expect(readConfig({ ...asked, ...database, SECRET_KEY: 'x'.repeat(32) }).SUPERUSERS_NEED_FACTOR).toBe(true)
  // a portal with its own database makes its key by itself
  expect(readConfig(asked).SUPERUSERS_NEED_FACTOR).toBe(true)
  expect(readConfig(database).SUPERUSERS_NEED_FACTOR).toBe(false)
})
