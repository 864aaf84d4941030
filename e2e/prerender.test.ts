/**
 * Pages that come with their screen (docs/decisions/0076): what the server has rendered is what the portal shows a moment later, in its place, and a click
 * until then is not lost.
 */
import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { prerenderedFor, prerenderedId } from '#contract/prerender.ts'
import { demoPassword } from '#domain/people/account.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { phoneAgent, screens, shareJourneys, timeoutMs, type Visitor } from './browser.ts'
import type { Portal } from './portal.ts'
import { whole } from '../src/server/testing/whole.ts'

const phone: BrowserContextOptions = { ...screens.phone, userAgent: phoneAgent }

/** Something waits behind every entry of the navigation, so that each has its number. */
const prepare = async ({ sql }: Portal) => {
  await sql(
    'update location set capacity = held - 1 where site_id = 1 and id = (select id from location where site_id = 1 and held > 1 limit 1)',
  )
  await sql('insert into stock_count (site_id, day, started_at) values (1, current_date, now())')
}
const journeys = shareJourneys({ settings: { PRERENDER: 'yes', PRERENDER_WAIT: '60000' }, prepare })

const rendered = `#${prerenderedId}`
/** The portal's own script: held back, the page stays as it came. */
const script = '**/assets/index-*.js'

/** Opens an address until its page comes with its screen: the first ones come while the process that renders is starting. */
async function open({ page }: Visitor, path: string) {
  for (;;) {
    const response = await page.goto(path, { waitUntil: 'commit' })
    const html = (await response?.text()) ?? ''
    if (!html.includes(`id="${prerenderedId}"`)) continue
    await page.waitForLoadState('load')
    return
  }
}

/** Opens an address whose portal does not start before it is let go. */
async function openHeld(visitor: Visitor, path: string): Promise<{ start: () => void }> {
  let start = () => {}
  const started = new Promise<void>(resolve => (start = resolve))
  await visitor.page.route(script, async route => {
    await started
    await route.continue()
  })
  await open(visitor, path)
  return { start }
}

/**
 * The readable text of the page, with one space between words, without text that only the device knows: its scans, and how many rows of a long list
 * its window holds. Also without the number of scanned tyres, for which the scan screen does not wait, and what is to be billed, as today.
 */
async function textOf({ page }: Visitor, selector: string): Promise<string> {
  const text = (await page.locator(selector).innerText()).replaceAll(/\s+/g, ' ').trim()
  const ofDevice = /(?:Loading…|Everything is sent) \d+ s/
  const expected = /(?:Loading…|\d+ of \d+ tyres? scanned) (?=Ready to scan)/
  const sum = /(?:…|€[\d,.]+) To bill(?: \d+ customers? · [^B]*)? Bill/
  return text.replace(ofDevice, '').replace(expected, '').replace(sum, '').slice(0, readChars)
}
/** Some rows of each list. */
const readChars = 1500

/** The screens of each account: those of every run, and those of a whole one. */
const places = {
  customer: { usual: ['/', '/fleet'], others: ['/tyres', '/operations', '/wizard/step1', '/account'] },
  admin: {
    usual: ['/', '/admin/operations', '/admin/intake?type=to_waste&scan=true'],
    others: ['/admin/locations', '/admin/customers', '/admin/clearup'],
  },
  // `/` leads to the screen that they begin with
  superuser: { usual: ['/superuser', '/'], others: [] },
  warehouse: { usual: ['/'], others: ['/admin/jobs'] },
} as const

/** The portal takes over once it shows the same, and in no case because it took too long. */
async function waitForever({ page }: Visitor) {
  await page.route('**/assets/handOver-*.js', async route => {
    const response = await route.fetch()
    const code = await response.text()
    const patient = code.replace(/\b5e3\b/, '1e9')
    expect(patient).not.toBe(code)
    await route.fulfill({ response, body: patient })
  })
}

/** The text of each screen of an account is the same before and after. */
async function compareScreens(account: keyof typeof places, options: BrowserContextOptions) {
  const visitor = await journeys.signedIn(account, options)
  const { page } = visitor
  await waitForever(visitor)
  const { usual, others } = places[account]
  for (const path of [...usual, ...(whole ? others : [])]) {
    // above everything in the portal, in its place on the page: read in another order where there is a bar below
    if (path.includes('scan=') && options === phone) continue
    const { start } = await openHeld(visitor, path)
    const before = await textOf(visitor, rendered)
    expect(await page.locator(rendered).isVisible()).toBe(true)
    start()
    await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
    await visitor.networkIdle()
    // only when nothing is in flight: the end of a request that this releases may never be reported
    await page.unroute(script)
    expect(before, path).toBe(await textOf(visitor, 'body'))
    expect(before.length, path).toBeGreaterThan(50)
  }
  visitor.expectNoPageErrors()
}
const accounts = Object.keys(places) as (keyof typeof places)[]

test.each(accounts)('the screens of %s read the same before and after the portal has taken over', account =>
  compareScreens(account, {}),
)
test.each(accounts)('and on a phone: %s', { tags: 'whole' }, account => compareScreens(account, phone))

describe('the sign-in', () => {
  const username = 'input[autocomplete="username"]'
  const password = 'input[type="password"]'

  test('reads the same before and after, and keeps what is typed', async () => {
    const visitor = await journeys.visit({ locale: 'fr-BE' })
    const { page } = visitor
    const { start } = await openHeld(visitor, '/fleet')
    const before = await textOf(visitor, rendered)
    expect(before).toContain('Mot de passe')
    await page.locator(`${rendered} ${username}`).fill('customer')
    await page.locator(`${rendered} ${password}`).fill(demoPassword)
    start()
    await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
    await visitor.networkIdle()
    expect(await textOf(visitor, 'body')).toBe(before)
    expect(await page.locator(username).inputValue()).toBe('customer')
    expect(await page.locator(password).inputValue()).toBe(demoPassword)
    visitor.expectNoPageErrors()
  })

  test('signs in with what was typed and sent before the portal was there, and puts none of it into the address', async () => {
    const visitor = await journeys.visit()
    const { page } = visitor
    const { start } = await openHeld(visitor, '/fleet')
    await page.locator(`${rendered} ${username}`).fill('customer')
    await page.locator(`${rendered} ${password}`).fill(demoPassword)
    await page.keyboard.press('Enter')
    expect(page.url()).toBe(`${journeys.portal.url}/fleet`)
    start()
    await page.locator('#root tbody tr').first().waitFor()
    expect(page.url()).toBe(`${journeys.portal.url}/fleet`)
    visitor.expectNoPageErrors()
  })

  test('stays alone until somebody is there', async () => {
    const visitor = await journeys.visit()
    const { page } = visitor
    await open(visitor, '/')
    await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
    // timers of four seconds and more never fire
    await page.addInitScript(() => {
      const { setTimeout: later } = window
      const soon = (work: () => void, ms = 0) => (ms < 4000 ? later(work, ms) : 0)
      Object.assign(window, { setTimeout: soon })
    })
    const fetched: string[] = []
    page.on('request', request => fetched.push(request.url()))
    await open(visitor, '/')
    await visitor.networkIdle()
    expect(fetched.filter(url => url.endsWith('.js'))).toEqual([])
    await page.mouse.move(10, 10)
    await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
    expect(fetched.filter(url => url.endsWith('.js')).length).toBeGreaterThan(0)
    visitor.expectNoPageErrors()
  })

  test('waits for the portal where another language was chosen on the device', { tags: 'whole' }, async () => {
    const visitor = await journeys.visit()
    const { page } = visitor
    await open(visitor, '/')
    await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
    await page.getByRole('button', { name: 'Nederlands' }).click()
    const { start } = await openHeld(visitor, '/')
    expect(await page.locator(rendered).isVisible()).toBe(false)
    start()
    await page.getByLabel('Wachtwoord', { exact: true }).waitFor()
    visitor.expectNoPageErrors()
  })
})

test(
  'the texts of a page are fetched in the language of the account alone, whatever the device speaks',
  { tags: 'whole' },
  async () => {
    const visitor = await journeys.signedIn('customer2', { locale: 'en-GB', lang: 'fre' })
    const { page } = visitor
    const fetched: string[] = []
    page.on('request', request => fetched.push(...(/\/locales\/(\w+)\//.exec(request.url())?.slice(1) ?? [])))
    await open(visitor, '/fleet')
    await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
    await visitor.networkIdle()
    expect(new Set(fetched)).toEqual(new Set(['fr']))
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Véhicules')
    visitor.expectNoPageErrors()
  },
)

test('a click on what is rendered happens in the portal', async () => {
  const visitor = await journeys.signedIn('customer')
  const { page } = visitor
  const { start } = await openHeld(visitor, '/fleet')
  const row = page.locator(`${rendered} tbody tr a`).first()
  const plate = await row.innerText()
  await row.click()
  expect(new URL(page.url()).pathname).toBe('/fleet')
  await page.evaluate(() => Object.assign(window, { stayed: true }))
  start()
  await page.waitForURL('**/fleet/vehicle**')
  await page.getByRole('heading', { name: plate }).first().waitFor()
  // the page was not loaded anew
  expect(await page.evaluate(() => 'stayed' in window)).toBe(true)
  visitor.expectNoPageErrors()
})

test('a click is kept while the portal has no screen to take it, longer than a page waits', async () => {
  const visitor = await journeys.signedIn('customer')
  const { page } = visitor
  await page.clock.install()
  const texts = Promise.withResolvers<void>()
  await page.route('**/locales/**', async route => {
    await texts.promise
    await route.continue()
  })
  const { start } = await openHeld(visitor, '/fleet')
  await page.locator(`${rendered} tbody tr a`).first().click()
  start()
  await page.locator('#root > *').first().waitFor({ state: 'attached' })
  await page.clock.fastForward(10_000)
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(await page.locator(rendered).count()).toBe(1)
  texts.resolve()
  await page.waitForURL('**/fleet/vehicle**')
  visitor.expectNoPageErrors()
})

test('a click on an icon that is rendered is one on what it stands for', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('customer')
  const { page } = visitor
  const { start } = await openHeld(visitor, '/fleet')
  await page.locator(`${rendered} nav a[href="/tyres"] svg`).click()
  start()
  await page.waitForURL('**/tyres')
  visitor.expectNoPageErrors()
})

test('what is typed into a field that is rendered stands in the field of the portal, wherever that stands', async () => {
  const visitor = await journeys.signedIn('customer')
  const { page } = visitor
  const { start } = await openHeld(visitor, '/fleet')
  // as a note does that only the device knows
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('#root main { padding-top: 300px }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  })
  const plate = await page.locator(`${rendered} tbody tr a`).nth(2).innerText()
  await page.locator(`${rendered} input[type="search"]`).first().click()
  await page.keyboard.type(plate)
  start()
  await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
  const field = page.getByRole('searchbox').first()
  expect(await field.inputValue()).toBe(plate)
  expect(await field.evaluate(element => element === document.activeElement)).toBe(true)
  await page.locator('#root tbody tr').nth(1).waitFor({ state: 'detached' })
  visitor.expectNoPageErrors()
})

test('what is searched for on what is rendered is found by the portal', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('customer')
  const { page } = visitor
  const { start } = await openHeld(visitor, '/fleet')
  const plate = await page.locator(`${rendered} tbody tr a`).nth(2).innerText()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(plate)
  start()
  const dialog = page.getByRole('dialog', { name: 'Find anything' })
  await dialog.getByRole('option', { name: plate }).first().waitFor()
  expect(await dialog.getByRole('combobox').inputValue()).toBe(plate)
  visitor.expectNoPageErrors()
})

test('what whoever has no search types after its key goes into no other field', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('superuser')
  const { page } = visitor
  const { start } = await openHeld(visitor, '/superuser')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('trois')
  start()
  await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
  const field = page.getByRole('searchbox').first()
  await field.focus()
  expect(await field.inputValue()).toBe('')
  await field.fill('zeven')
  expect(await field.inputValue()).toBe('zeven')
  visitor.expectNoPageErrors()
})

test(
  'a page whose portal can’t be loaded keeps its links, and leaves the browser its keys',
  { tags: 'whole' },
  async () => {
    const visitor = await journeys.signedIn('customer')
    const { page } = visitor
    await page.route(script, route => route.abort())
    await open(visitor, '/fleet')
    await page.evaluate(() => addEventListener('keydown', event => (document.title = String(event.defaultPrevented))))
    const isTaken = async () => {
      await page.keyboard.press('Control+k')
      return page.title()
    }
    await expect.poll(isTaken, { timeout: timeoutMs }).toBe('false')
    await page.locator(`${rendered} a[href^="/fleet/vehicle"]`).first().click()
    await page.waitForURL('**/fleet/vehicle?id=*')
  },
)

test('a label that is scanned on what is rendered is registered by the portal', async () => {
  const visitor = await journeys.signedIn('admin')
  const { page } = visitor
  const [wheel] = await journeys.portal.sql<{ tyre: number; site: number; type: string }>(
    `select h.tyre_id as tyre, h.site_id as site, o.type from operation_tyre h join operation o on o.site_id = h.site_id and o.id = h.operation_id
     where h.site_id = 1 and o.status = 'submitted' and o.type = 'to_stock' and h.scanned_at is null order by h.tyre_id limit 1`,
  )
  const { start } = await openHeld(visitor, '/admin/intake?type=to_stock&scan=true')
  await visitor.scan(encodeBarcode({ tyre: wheel?.tyre ?? 0, site: wheel?.site ?? 0 }))
  start()
  await page.waitForFunction(id => !document.getElementById(id), prerenderedId)
  await expect
    .poll(
      async () =>
        journeys.portal.sql('select 1 from operation_tyre where tyre_id = $1 and scanned_at is not null', [
          wheel?.tyre,
        ]),
      { timeout: timeoutMs },
    )
    .toHaveLength(1)
  visitor.expectNoPageErrors()
})

test('it has the colours of the device', { tags: 'whole' }, async () => {
  const colours = []
  for (const colorScheme of ['light', 'dark'] as const) {
    const visitor = await journeys.signedIn('customer', { colorScheme })
    await visitor.page.route(script, () => {})
    await open(visitor, '/fleet')
    colours.push(await visitor.page.evaluate(() => getComputedStyle(document.body).backgroundColor))
  }
  expect(new Set(colours).size).toBe(2)
})

test('a page whose screen was not made in time starts the portal', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('customer')
  const { page } = visitor
  await open(visitor, '/fleet')
  await page.route('**/tyres', async route => {
    const response = await route.fetch()
    const html = (await response.text()).replace(/<div id="prerendered">.*<\/div>(?=<link rel="modulepreload")/s, '')
    await route.fulfill({ response, body: html })
  })
  await page.goto('/tyres')
  await page.locator('#root tbody tr').first().click({ trial: true })
  expect(await page.locator(rendered).count()).toBe(0)
  expect(await page.locator('html').getAttribute(prerenderedFor)).toBeNull()
  visitor.expectNoPageErrors()
})

test('a window of another width than the server took it for waits for the portal', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('customer', screens.phone)
  const { page } = visitor
  await page.route(script, () => {})
  await open(visitor, '/fleet')
  expect(await page.locator(rendered).isVisible()).toBe(false)
  expect(await page.locator('html').getAttribute(prerenderedFor)).toBeNull()
  await page.unroute(script)
  await page.goto('/fleet')
  await page.locator('#root tbody tr').first().waitFor()
  visitor.expectNoPageErrors()
})

/** A website that has the portal below `/portal`, and passes that path on or cuts it off. Everything else is its own, and not there. */
async function siteWithPortal({ cutOff }: { cutOff: boolean }): Promise<string> {
  const { hostname, port } = new URL(journeys.portal.url)
  const proxy = createServer(({ url = '', headers }, to) => {
    if (!url.startsWith('/portal/')) return void to.writeHead(404).end()
    const path = cutOff ? url.slice('/portal'.length) : url
    ask({ hostname, port, path, headers }, reply => {
      to.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(to)
    }).end()
  }).listen(0, 'localhost')
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  await once(proxy, 'listening')
  return `http://localhost:${(proxy.address() as AddressInfo).port}/portal`
}

test.each([
  { cutOff: true, path: '/' },
  { cutOff: true, path: '/fleet?x=1' },
  { cutOff: false, path: '/' },
])('below a path ($path, cut off: $cutOff) the page says so, and shows nothing else', async ({ cutOff, path }) => {
  const site = await siteWithPortal({ cutOff })
  const visitor = await journeys.visit({ locale: 'de-DE' })
  // its process has started
  await open(visitor, '/')
  // it stops loading
  await visitor.page.goto(`${site}${path}`, { waitUntil: 'commit' })
  await visitor.page.getByText('Das Portal kann nicht unter einem Pfad benutzt werden.').waitFor()
  await expect
    .poll(() => textOf(visitor, 'body'), { timeout: timeoutMs })
    .toMatch(/^Das Portal kann nicht .* im Proxy eine einzurichten\.$/)
})
