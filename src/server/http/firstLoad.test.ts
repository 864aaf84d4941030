/** The content of a page for its first screen: the files of its address, and the first answers for its own account only. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { firstLoad, firstLoadName } from '#contract/firstLoad.ts'
import { users } from '#contract/session.ts'
import { site } from '#contract/sites.ts'
import { openDatabase } from '../db/database.ts'
import { mountPages } from './pages.ts'
import { serve } from './serve.ts'
import { type Principal, world, type World } from '../testing/world.ts'

let at: World

beforeAll(async () => {
  at = await world({ mount: (app, database) => mountPages(app, { database }) })
})
afterAll(() => at.close())

/** The page at this address, as this principal gets it. */
async function pageOf(who: Principal, path = '/', on = at.app) {
  const { payload, statusCode } = await on.inject({
    url: path,
    headers: { host: who.host, accept: 'text/html', ...(who.cookie && { cookie: who.cookie }) },
  })
  expect(statusCode).toBe(200)
  const [, content = ''] = new RegExp(`<meta name="${firstLoadName}" content='([^']*)'>`).exec(payload) ?? []
  const signs: Record<string, string> = { '&#39;': "'", '&lt;': '<', '&amp;': '&' }
  const text = content.replaceAll(/&[\w#]+;/g, entity => signs[entity] ?? entity)
  const hrefs = [...payload.matchAll(/<link rel="(?:modulepreload|preload)"[^>]* href="([^"]+)"/g)].map(
    ([, href = '']) => href,
  )
  return {
    payload,
    hrefs,
    first: JSON.parse(text) as { texts: string[]; answers?: { session: unknown; site: unknown } },
  }
}

test.each(['a', 'admin', 'superuser', 'otherUser'] as const)(
  'the page of %s holds what its first calls answer',
  async name => {
    const who = at.who[name]
    const { first } = await pageOf(who)
    expect(first.answers).toEqual({
      session: JSON.parse((await at.ask(users.loginstate, who, {})).text),
      site: JSON.parse((await at.ask(site.gsc, who, {})).text),
    })
    expect(firstLoad.safeParse(first).success).toBe(true)
  },
)

describe('somebody who is not signed in', () => {
  const strangers: Record<string, () => Principal> = {
    'without a cookie': () => at.who.anonymous,
    'with a session that does not exist': () => ({ ...at.who.a, cookie: `wheelhouse=${'A'.repeat(43)}` }),
    'with a session of another site': () => ({ ...at.who.otherAdmin, host: at.who.a.host }),
  }
  test.each(Object.entries(strangers))('%s gets the files of the sign-in page, and no answers', async (_, who) => {
    const { first, hrefs, payload } = await pageOf(who(), '/fleet')
    expect(first).toEqual({ texts: expect.arrayContaining(['login']) })
    expect(hrefs.some(href => /\/login-/.test(href))).toBe(true)
    expect(hrefs.some(href => /\/portal-/.test(href))).toBe(false)
    expect(payload).not.toContain('isAuthenticated')
  })
})

describe('the files of an address', () => {
  const languages = { eng: 'en', dut: 'nl' } as const

  test.each(['/', '/fleet', '/fleet?filter=x', '/tyres', '/operations', '/no/such/screen', '/a//[', '//['])(
    '%s: those of the portal, and each exists',
    async path => {
      const { hrefs } = await pageOf(at.who.a, path)
      expect(hrefs.some(href => /\/portal-/.test(href))).toBe(true)
      const files = hrefs.filter(href => !href.startsWith('/locales/'))
      for (const file of files)
        expect(existsSync(fileURLToPath(new URL(`../../../dist/web${file}`, import.meta.url))), file).toBe(true)
      expect(new Set(hrefs).size).toBe(hrefs.length)
    },
  )

  test.each(Object.entries(languages))('texts in the language of the account: %s', async (lang, iso) => {
    await at.ask(users.language, at.who.a, { lang: lang as keyof typeof languages })
    const { hrefs } = await pageOf(at.who.a, '/fleet')
    const texts = hrefs.filter(href => href.startsWith('/locales/'))
    expect(texts).toEqual(
      expect.arrayContaining(['common', 'nav', 'fleet'].map(name => `/locales/${iso}/${name}.json`)),
    )
    expect(texts.every(text => text.startsWith(`/locales/${iso}/`))).toBe(true)
  })
})

test('a name of a site cannot end the data and begin markup', async () => {
  await at.setSite(at.sites.home, { name: `</script><img src=x>$&'>&#39;` })
  const { payload, first } = await pageOf(at.who.admin)
  expect(payload).not.toContain('<img')
  expect(first.answers?.site).toMatchObject({ name: `</script><img src=x>$&'>&#39;` })
})

test('without a database there is a page all the same', async () => {
  const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/none')
  const disconnected = await serve({ database: nowhere, limits: null })
  await mountPages(disconnected, { database: nowhere })
  const { first } = await pageOf(at.who.a, '/fleet', disconnected)
  expect(first.answers).toBeUndefined()
  await disconnected.close()
  await nowhere.close()
})

test('nothing of the camera is named by a page without one, and no program that reads codes by any', async () => {
  const { admin } = at.who
  const named = async (path: string) =>
    (await pageOf(admin, path)).hrefs.filter(href => /camera|zxing|codeWorker/i.test(href))
  for (const path of ['/', '/admin/intake', '/admin/find', '/admin/waves/pick', '/admin/locations'])
    expect(await named(path)).toEqual([])
  const onCamera = await named('/camera/admin/intake')
  expect(onCamera.some(href => /\/assets\/cameraPanel-.*\.js$/.test(href))).toBe(true)
  expect(onCamera.filter(href => /zxing|codeWorker/.test(href))).toEqual([])
  // the files of the screen itself are the same
  const { hrefs } = await pageOf(admin, '/admin/intake')
  const { hrefs: withCamera } = await pageOf(admin, '/camera/admin/intake')
  expect(hrefs.filter(href => !withCamera.includes(href))).toEqual([])
})

test('one file of the portal names the program that reads codes, and only the camera loads that file', () => {
  const folder = fileURLToPath(new URL('../../../dist/web/assets/', import.meta.url))
  const scripts = readdirSync(folder)
    .filter(name => name.endsWith('.js'))
    .map(name => ({ name, text: readFileSync(`${folder}${name}`, 'utf8') }))
  const naming = (what: RegExp) => scripts.filter(({ text }) => what.test(text)).map(({ name }) => name.split('-')[0])
  expect(naming(/zxing_reader-|codeWorker-/)).toEqual(['cameraPanel'])
  expect(naming(/readBarcodes/)).toEqual(['codeWorker'])
  // it is fetched from here, and never from where its authors keep it
  expect(naming(/getUserMedia/)).toEqual(['cameraPanel'])
})

test('a page says in words that it was opened below a path, with a script that its policy allows', async () => {
  const { payload, headers } = await at.app.inject({
    url: '/fleet?x=%3C',
    headers: { host: at.who.a.host, accept: 'text/html', 'accept-language': 'nl' },
  })
  const [, nonce = '', script = ''] = /<script nonce="([^"]+)">(\(served.*?)<\/script>/s.exec(payload) ?? []
  expect(String(headers['content-security-policy'])).toContain(`'nonce-${nonce}'`)
  expect(script).toContain('("/fleet")')
  expect(payload).toMatch(/<body><template id="sub-path"><p lang="nl">Het portaal kan niet onder een pad/)
})
