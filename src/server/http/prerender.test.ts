/** Pages that come with their screen (docs/decisions/0076): rendered for their own account only, in time or not at all. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { afterScreen, prerenderedId } from '#contract/prerender.ts'
import { mountPages } from './pages.ts'
import { openPrerender, type Prerender } from './prerender.ts'
import { pollOptions } from '../testing/waiting.ts'
import { type Principal, world, type World } from '../testing/world.ts'

let at: World
const plates = { a: '1AAA111', b: '1BBB222' } as const

beforeAll(async () => {
  at = await world({ mount: (app, database) => mountPages(app, { database, prerenderWait: 60_000 }) })
  await at.addVehicle({ customer: at.customers.a, plate: plates.a })
  await at.addVehicle({ customer: at.customers.b, plate: plates.b })
  // the process starts with the first page, which does not wait for it
  await screenInTime(at.who.a)
})
afterAll(() => at.close())

const phone = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36'

async function pageOf({ host, cookie }: Principal, path = '/fleet', headers: Record<string, string> = {}) {
  const { payload, statusCode } = await at.app.inject({
    url: path,
    headers: { host, accept: 'text/html', ...(cookie && { cookie }), ...headers },
  })
  expect(statusCode).toBe(200)
  return payload
}

/** The screen in a page, without what starts the portal. */
async function screenOf(who: Principal, path?: string, headers?: Record<string, string>): Promise<string | null> {
  const [, screen = null] =
    new RegExp(`<div id="${prerenderedId}">(.*)</div>(?:<template[^>]*>)?<link rel="modulepreload"`, 's').exec(
      await pageOf(who, path, headers),
    ) ?? []
  return screen
}

/** Asks until there is one: a busy machine is given up earlier. */
const screenInTime = (who: Principal, path?: string, headers?: Record<string, string>): Promise<string> =>
  vi.waitFor(async () => {
    const screen = await screenOf(who, path, headers)
    if (screen === null) throw new Error('no screen')
    return screen
  }, pollOptions)

describe('a page', () => {
  test('holds the rows of whoever asks, however many ask at once', async () => {
    const { a, b } = at.who
    const screens = await Promise.all([a, b, a, b, a, b].map(who => screenInTime(who)))
    for (const [nth, screen] of screens.entries()) {
      const [own, others] = nth % 2 === 0 ? [plates.a, plates.b] : [plates.b, plates.a]
      expect(screen.replaceAll(/[-\s‑]/g, '')).toContain(own)
      expect(screen.replaceAll(/[-\s‑]/g, '')).not.toContain(others)
    }
  })

  test('holds the answers that its screen was made of, and they are of its own session', async () => {
    await screenInTime(at.who.a)
    const page = await vi.waitFor(async () => {
      const page = await pageOf(at.who.a)
      expect(page).toContain(`id="${prerenderedId}"`)
      return page
    }, pollOptions)
    const [, content = ''] = /<meta name="first-load" content='([^']*)'>/.exec(page) ?? []
    const first = JSON.parse(content.replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')) as {
      screen: { path: string; body: string; text: string }[]
    }
    const fleet = first.screen.find(({ path }) => path === '/fleet/fetch')
    const reply = await at.send('/fleet/fetch', at.who.a, JSON.parse(fleet?.body ?? '{}'))
    expect(JSON.parse(fleet?.text ?? 'null')).toEqual(JSON.parse(reply.text))
  })

  test('of a link, of no screen, of the camera, or of a customer for an administrator comes without one', async () => {
    const { a, admin, anonymous } = at.who
    for (const path of ['/password', '/unsubscribe?x', '/signon?code=1'])
      expect(await screenOf({ ...anonymous, host: a.host }, path)).toBeNull()
    expect(await screenOf(a, '/no/such/screen')).toBeNull()
    expect(await screenOf(admin, '/camera/admin/intake')).toBeNull()
    // a tab may act for a customer, and only it knows for whom
    expect(await screenOf(admin, '/fleet')).toBeNull()
    expect(await screenInTime(admin, '/admin/operations')).not.toBe('')
  })

  test('of a stranger has the sign-in of the site, in the language of the browser, whatever the address', async () => {
    const stranger = { ...at.who.anonymous, host: at.who.a.host }
    const inLanguage = (language: string, path?: string) =>
      screenInTime(stranger, path, { 'accept-language': language })
    const french = await inLanguage('fr-BE,en;q=0.5')
    expect(french).toContain('Mot de passe')
    expect(french).toContain('type="password"')
    expect(await inLanguage('de')).toContain('Passwort')
    const ofFleet = await pageOf(stranger, '/fleet', { 'accept-language': 'fr' })
    expect(ofFleet).toContain('<html lang="fr" data-prerendered="desk" data-guessed-language="">')
    expect(ofFleet).not.toContain(plates.a)
    // cached for the next visitor, with a nonce of each page
    const again = await inLanguage('fr-BE,en;q=0.5')
    const nonceIn = (screen: string) => /nonce="([^"]+)"/.exec(screen)?.[1]
    expect(nonceIn(again)).not.toBe(nonceIn(french))
    expect(again.replaceAll(nonceIn(again) ?? '', '')).toBe(french.replaceAll(nonceIn(french) ?? '', ''))
  })

  test('of a stranger needs no script or style from elsewhere to be painted: the rest waits in it', async () => {
    const stranger = { ...at.who.anonymous, host: at.who.a.host }
    await screenInTime(stranger)
    const { payload, headers } = await at.app.inject({
      url: '/',
      headers: { host: stranger.host, accept: 'text/html', 'accept-language': 'en' },
    })
    const [shown = '', later = ''] = payload.split(`<template id="${afterScreen}">`)
    expect(shown).toContain(`id="${prerenderedId}"`)
    const fetched = [...shown.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]+)"/g)].map(([, file = '']) => file)
    expect(new Set(fetched.map(file => file.replace(/^.*\./, '')))).toEqual(new Set(['svg', 'woff2']))
    expect(later).toContain('<link rel="modulepreload"')
    // and the policy lets it: each of its scripts and styles has the nonce for it
    const policy = String(headers['content-security-policy']).split(';')
    const nonceFor = (rule: string) =>
      /'nonce-([^']+)'/.exec(policy.find(part => part.startsWith(rule)) ?? '')?.[1] ?? 'none'
    for (const [tag, rule] of [
      ['script', 'script-src'],
      ['style', 'style-src'],
    ] as const) {
      const nonces = [...shown.matchAll(new RegExp(`<${tag}\\b[^>]* nonce="([^"]*)"`, 'g'))].map(([, nonce]) => nonce)
      expect(nonces.length, tag).toBeGreaterThan(0)
      expect(new Set(nonces), tag).toEqual(new Set([nonceFor(rule)]))
    }
    expect(shown).not.toContain('NONCE__')
  })

  test('names the files of the portal in the order of their imports, and last what starts it', async () => {
    await screenInTime(at.who.a)
    const page = await pageOf(at.who.a)
    const files = [...page.matchAll(/<link rel="modulepreload"[^>]* href="\/assets\/([^"]+)"/g)].map(
      ([, file = '']) => file,
    )
    expect(files.at(-1)).toBe(/data-main="\/assets\/([^"]+)"/.exec(page)?.[1])
    for (const [nth, file] of files.entries()) {
      const code = readFileSync(new URL(`../../../dist/web/assets/${file}`, import.meta.url), 'utf8')
      const imports = [...code.matchAll(/(?:^|[;}])import(?:[^;"]*from)?"\.\/([^"]+\.js)"/g)].map(
        ([, name = '']) => name,
      )
      expect(files.slice(0, nth), file).toEqual(expect.arrayContaining(imports))
    }
    // a file that is read for none would pass
    expect(files.length).toBeGreaterThan(5)
  })

  test('is in the language of the account, for the width of its device', async () => {
    const page = async (headers?: Record<string, string>) => {
      await screenInTime(at.who.a)
      return vi.waitFor(async () => {
        const page = await pageOf(at.who.a, '/fleet', headers)
        expect(page).toContain(`id="${prerenderedId}"`)
        return /<html[^>]*>/.exec(page)?.[0]
      }, pollOptions)
    }
    expect(await page()).toBe('<html lang="en" data-prerendered="desk">')
    expect(await page({ 'user-agent': phone })).toBe('<html lang="en" data-prerendered="phone">')
  })

  test('gives no nonce to what people have written', async () => {
    const written = '__CSP_NONCE__ __SCRIPT_NONCE__'
    await at.query('update vehicle set description = $1 where license_plate = $2', [written, plates.a])
    await screenInTime(at.who.a)
    const page = await pageOf(at.who.a)
    // in the screen, and in the answers that it was made of
    expect(page.split(written).length).toBeGreaterThan(2)
    expect(page.replaceAll(written, '')).not.toContain('NONCE__')
  })

  test('has nothing in its screen that the policy forbids, whatever people have written', async () => {
    await at.query('update vehicle set description = $1, driver_name = $2 where license_plate = $3', [
      '</div><script>alert(1)',
      '" style="color:red',
      plates.a,
    ])
    const screen = await screenInTime(at.who.a)
    expect(screen).toContain('&lt;/div&gt;')
    expect(screen).toContain('&quot; style=&quot;color:red')
    expect(screen).not.toMatch(/<script| style="/)
    // and elements do have styles: in the sheet with the nonce of the page
    expect(screen).toMatch(/^<style nonce="[^"]+">#prerendered \[data-style="0"\]\{/)
    expect(screen).toContain('data-style="0"')
  })
})

describe('the process', () => {
  const directory = mkdtempSync(join(tmpdir(), 'wheelhouse-prerender-'))
  afterAll(() => rmSync(directory, { recursive: true }))

  let programs = 0
  /** With a program in place of the renderer; `ready` once that has said so. */
  async function withProgram(code: string): Promise<Prerender> {
    const program = join(directory, `${++programs}.mjs`)
    writeFileSync(program, `process.on('message', message => { ${code} })\nprocess.send({ ready: true })`)
    const prerender = openPrerender(program, { log: () => {}, wait: 500, hang: 1500 })
    onTestFinished(() => prerender.close())
    return prerender
  }
  const screen = { url: '/', language: 'en', texts: [], phone: false, secure: true, nonce: 'n' } as const
  const somebody = { site: 'home.test', account: 'a' }
  const nothing = async () => ({ status: 200, text: '{}' })
  const untilReady = (prerender: Prerender) =>
    vi.waitFor(async () => expect((await prerender.render(screen, somebody, nothing))?.html).toBe('<p>'), pollOptions)

  test('that is not there yet, that dies or that never ends costs a page its screen and nothing else', async () => {
    const prerender = await withProgram(`
      if (message.url === '/die') process.exit(1)
      if (message.url !== '/never') process.send({ job: message.job, html: '<p>' })`)
    // it starts with this one
    expect(await prerender.render(screen, somebody, nothing)).toBeNull()
    await untilReady(prerender)
    expect(await prerender.render({ ...screen, url: '/never' }, somebody, nothing)).toBeNull()
    expect(await prerender.render({ ...screen, url: '/die' }, somebody, nothing)).toBeNull()
    await untilReady(prerender)
  })

  test('gets answers to the requests of the screen that it renders', async () => {
    const prerender = await withProgram(`
      if ('request' in message) process.send({ job: message.request, html: message.text })
      else if (message.url === '/') process.send({ job: message.job, html: '<p>' })
      else process.send({ job: message.job, request: message.job, method: 'POST', path: message.url, body: '{}' })`)
    await untilReady(prerender)
    const pages = await Promise.all(
      ['/one', '/two'].map(url =>
        prerender.render({ ...screen, url }, somebody, async ({ path }) => ({ status: 200, text: path })),
      ),
    )
    expect(pages).toEqual([
      { html: '/one', answers: [{ path: '/one', body: '{}', text: '/one' }] },
      { html: '/two', answers: [{ path: '/two', body: '{}', text: '/two' }] },
    ])
  })

  test('is not asked twice for what shows too much', async () => {
    const prerender = await withProgram(`
      if ('request' in message) process.send({ job: message.request, html: 'after all' })
      else if (message.url.startsWith('/large')) process.send({ job: message.job, request: message.job, method: 'POST', path: '/all' })
      else process.send({ job: message.job, html: '<p>' })`)
    await untilReady(prerender)
    const paths: string[] = []
    const open = (url: string, account: string) =>
      prerender.render({ ...screen, url }, { ...somebody, account }, async () => {
        paths.push(`${account} ${url}`)
        return { status: 200, text: 'x'.repeat(2_000_001) }
      })
    for (const url of ['/large', '/large?filter=x', '/large']) expect(await open(url, 'a')).toBeNull()
    expect(await open('/large', 'b')).toBeNull()
    expect(paths).toEqual(['a /large', 'b /large'])
    await untilReady(prerender)
  })

  test('renders for a neighbour, however many pages of an account wait, and however long its answers take', async () => {
    const prerender = await withProgram(`
      if ('request' in message) process.send({ job: message.request, html: message.text })
      else if (message.url === '/') process.send({ job: message.job, html: '<p>' })
      else process.send({ job: message.job, request: message.job, method: 'POST', path: message.url, body: '{}' })`)
    await untilReady(prerender)
    const over = new AbortController()
    const never = new Promise<never>(() => {})
    const busy = Array.from({ length: 20 }, async (_, nth) => {
      while (!over.signal.aborted) {
        await prerender.render({ ...screen, url: `/${nth}` }, somebody, () => never)
        await new Promise(resolve => setImmediate(resolve))
      }
    })
    const neighbour = { ...somebody, account: 'b' }
    const own = []
    for (let nth = 0; nth < 6; nth++) {
      own.push(await prerender.render(screen, neighbour, nothing))
    }
    over.abort()
    expect(own.filter(Boolean)).toHaveLength(6)
    prerender.close()
    await Promise.all(busy)
  })

  test('says nothing for a screen that is over', async () => {
    const prerender = await withProgram(`
      if (message.url === '/late') process.send({ job: message.job - 1, html: 'of another' })
      process.send({ job: message.job, html: '<p>' })`)
    await untilReady(prerender)
    expect((await prerender.render({ ...screen, url: '/late' }, somebody, nothing))?.html).toBe('<p>')
  })
})
