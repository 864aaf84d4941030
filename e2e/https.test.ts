/**
 * The portal behind deploy/https/Caddyfile, as docs/operations.md "HTTPS on a local network" starts it, where Caddy is installed: its cookie is
 * for https alone, its own pages are no foreign ones, changes come at once, and passkeys work.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { languageCodes } from '#domain/people/account.ts'
import { freePort } from '../src/server/postgres/connection.ts'
import { changeLanguage, openBrowser, screens, visit } from './browser.ts'
import { openPortal, type Portal } from './portal.ts'
import { named } from './texts.ts'

const config = fileURLToPath(new URL('../deploy/https/Caddyfile', import.meta.url))

function hasCaddy(): boolean {
  try {
    execFileSync('caddy', ['version'])
    return true
  } catch {
    return false
  }
}

let portal: Portal
let browser: Browser
const home = mkdtempSync(join(tmpdir(), 'wheelhouse-caddy-'))
beforeAll(async () => {
  chmodSync(home, 0o711)
  portal = await openPortal({ DATA_DIR: join(home, 'data'), TRUST_PROXY: 'yes' })
  // a name that is not this machine's own, as 192.168.0.10 is to a tablet
  browser = await openBrowser('--host-resolver-rules=MAP hall.lan localhost')
})
afterAll(async () => {
  await browser?.close()
  await portal?.close()
  rmSync(home, { recursive: true, force: true })
})

describe.skipIf(!hasCaddy())('behind Caddy', () => {
  let caddy: ChildProcess
  let secure = ''
  let plain = ''
  beforeAll(async () => {
    const [http, https, admin] = [await freePort(), await freePort(), await freePort()]
    secure = `https://localhost:${https}`
    plain = `http://localhost:${http}`
    caddy = spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
      stdio: 'ignore',
      env: {
        ...process.env,
        HOME: home,
        XDG_DATA_HOME: home,
        XDG_CONFIG_HOME: home,
        HTTP_PORT: String(http),
        HTTPS_PORT: String(https),
        ADMIN: `localhost:${admin}`,
        PORTAL: new URL(portal.url).host,
        AUTHORITY: join(home, 'caddy/pki/authorities/local'),
      },
    })
    await vi.waitUntil(async () => (await fetch(`${plain}/root.crt`).catch(() => null))?.ok ?? false, {
      timeout: 30_000,
      interval: 100,
    })
  })
  afterAll(() => void caddy?.kill('SIGKILL'))

  test('a device gets the certificate of the authority over http, and everything else over https', async () => {
    expect(await (await fetch(`${plain}/root.crt`)).text()).toContain('BEGIN CERTIFICATE')
    const page = await fetch(`${plain}/fleet`, { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([302, 'https://localhost/fleet'])
  })

  test('a phone signs in, is told of changes, and may add a passkey', async () => {
    const phone = await visit(browser, secure, { ...screens.phone, ignoreHTTPSErrors: true })
    const { page } = phone
    expect(await page.evaluate(() => isSecureContext)).toBe(true)
    await phone.signIn('admin')
    const [cookie] = (await page.context().cookies()).filter(({ name }) => /wheelhouse/.test(name))
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax' })
    // a page of somebody else is refused, also one over http
    for (const origin of ['https://elsewhere.example', secure.replace('https', 'http')]) {
      const foreign = await page.request.post('/fleet/fetch', { data: {}, headers: { origin } })
      expect([foreign.status(), (await foreign.json()).code]).toEqual([403, 'request.foreign_origin'])
    }
    expect((await page.request.post('/fleet/fetch', { data: {}, headers: { origin: secure } })).status()).toBe(200)
    const first = await page.evaluate(async () => {
      const reader = (await fetch('/live')).body?.getReader()
      const { value } = (await reader?.read()) ?? {}
      await reader?.cancel()
      return new TextDecoder().decode(value)
    })
    expect(first).not.toBe('')
    await page.goto('/account')
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor()
    phone.expectNoPageErrors()
    await phone.close()
  })
})

test(
  'over plain http each screen that lacks something says so and why, in four languages',
  { tags: 'whole' },
  async () => {
    const { port } = new URL(portal.url)
    const phone = await visit(browser, `http://hall.lan:${port}`, screens.phone)
    const { page } = phone
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    await page.getByText(named('eng', 'common:insecure')).waitFor()
    await phone.signIn('admin')
    for (const lang of languageCodes) {
      await changeLanguage(page, lang)
      for (const place of ['/account', '/admin/intake']) {
        await page.goto(place)
        await page.getByText(named(lang, 'common:insecure')).waitFor()
      }
    }
    await phone.close()
  },
)
