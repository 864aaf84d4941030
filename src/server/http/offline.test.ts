/** The files that devices keep to open without a network: the same for everybody, with the headers of every page (docs/decisions/0072). */
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manifestPath, type OfflineBuild, offlinePaths, shellPath, workerPath } from '#contract/offline.ts'
import { mountPages } from './pages.ts'
import { type Principal, world, type World } from '../testing/world.ts'

let at: World

beforeAll(async () => {
  at = await world({ mount: (app, database) => mountPages(app, { database }) })
})
afterAll(() => at.close())

const get = async (path: string, { host, cookie }: Principal) =>
  at.app.inject({ url: path, headers: { host, accept: 'text/html', ...(cookie && { cookie }) } })
const built = JSON.parse(readFileSync('dist/web/offline.json', 'utf8')) as OfflineBuild
const withoutNonces = (page: string) => page.replaceAll(/nonce="[^"]*"/g, '')

test('the page that devices keep is the same whoever asks, and holds nobody’s answers', async () => {
  const { a, admin, superuser, anonymous } = at.who
  const pages = await Promise.all([anonymous, a, admin, superuser].map(who => get(shellPath, { ...who, host: a.host })))
  const [first = '', ...others] = pages.map(({ payload }) => withoutNonces(payload))
  expect(others).toEqual([first, first, first])
  for (const word of ['isAuthenticated', 'answers', 'time_zone', 'username', 'fullname'])
    expect(first).not.toContain(word)
  expect(first).toContain('"shell":true')
  for (const { headers } of pages) expect(headers['set-cookie']).toBeUndefined()
  // and the page of an account does hold them: the test could fail
  expect((await get('/admin/intake', admin)).payload).toContain('isAuthenticated')
})

test('it has the policy of every page, with another nonce each time', async () => {
  const [page, shell, again] = await Promise.all(['/', shellPath, shellPath].map(path => get(path, at.who.admin)))
  const policyOf = (reply: typeof page) =>
    String(reply?.headers['content-security-policy']).replaceAll(/'nonce-[^']+'/g, "'nonce'")
  expect(policyOf(shell)).toBe(policyOf(page))
  expect(shell?.headers['permissions-policy']).toBe(page?.headers['permissions-policy'])
  expect(shell?.headers['content-security-policy']).not.toBe(again?.headers['content-security-policy'])
  expect(policyOf(shell)).toContain("worker-src 'self'")
  expect(policyOf(shell)).toContain("manifest-src 'self'")
})

test('the worker names files that exist, of this build, and no other page than the shell', async () => {
  const { payload, headers } = await get(workerPath, at.who.anonymous)
  expect(headers['content-type']).toContain('text/javascript')
  for (const file of [...built.files, ...built.icons.map(({ src }) => src)])
    expect(existsSync(`dist/web${file}`), file).toBe(true)
  for (const file of built.files) expect(payload, file).toContain(file)
  expect((await get(shellPath, at.who.anonymous)).payload).toContain(`src="/${built.build}"`)
  // no screen of the office is kept
  for (const screen of ['invoicing', 'customers', 'config', 'login']) {
    const files = built.files.filter(file => new RegExp(`/${screen}-[^/]+\\.js$`).test(file))
    expect(files, screen).toEqual([])
  }
  expect(built.texts).toEqual(expect.arrayContaining(['common', 'nav', 'intake', 'cards', 'locations', 'failures']))
})

test('an installed portal has the name of its site, and opens at scanning', async () => {
  await at.setSite(at.sites.home, { name: 'Tyres "&" <Rims>' })
  const { payload, headers } = await get(manifestPath, at.who.anonymous)
  expect(headers['content-type']).toContain('application/manifest+json')
  const manifest = JSON.parse(payload) as { name: string; start_url: string; icons: { purpose: string }[] }
  expect(manifest).toMatchObject({ name: 'Tyres "&" <Rims>', start_url: offlinePaths[0], scope: '/' })
  expect(manifest.icons.map(({ purpose }) => purpose)).toEqual(['any', 'any', 'maskable'])
})
