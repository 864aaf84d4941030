/** The screens of the warehouse open without a network, for the account that was signed in here and for no other (docs/decisions/0072). */
import { text } from 'node:stream/consumers'
import { createServer, request as ask, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { counts } from '#contract/counts.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { encodeBarcode, encodeLocation } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, visit } from './browser.ts'

const journeys = shareJourneys()
const handheld = {
  viewport: { width: 360, height: 640 },
  isMobile: true,
  hasTouch: true,
  serviceWorkers: 'allow',
} as const

/** A network between browser and portal that can be cut, and by which the portal can be of another build. */
async function network(target: string) {
  let version = ''
  let server: Server | undefined
  let port = 0
  const open = async () => {
    server = createServer((from, to) => {
      const { hostname, port: at } = new URL(target)
      const request = ask({ hostname, port: at, path: from.url, method: from.method, headers: from.headers }, reply => {
        const isOther = version !== '' && (from.url === '/sw.js' || from.url === '/shell')
        const { 'content-length': length, ...headers } = reply.headers
        to.writeHead(reply.statusCode ?? 502, { ...headers, ...(!isOther && length && { 'content-length': length }) })
        if (!isOther) return void reply.pipe(to)
        // another build begins with another script
        void text(reply).then(sent => to.end(sent.replace(/(["'`]\/?assets\/)index-[\w-]+\.js/, `$1${version}.js`)))
      })
      request.on('error', () => to.destroy())
      to.on('close', () => request.destroy())
      from.pipe(request)
    }).listen(port, 'localhost')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }
  const cut = async () => {
    const closed = server && once(server, 'close')
    server?.close()
    server?.closeAllConnections()
    await closed
  }
  await open()
  onTestFinished(cut)
  return {
    url: `http://localhost:${port}`,
    cut,
    open,
    release: (next: string) => {
      version = next
    },
  }
}

/** The screen that is open has put everything on the device that it keeps. */
const isKept = async (page: Page, wanted: readonly string[]) => {
  await expect
    .poll(
      () =>
        page.evaluate(
          names =>
            new Promise<string[]>(resolve => {
              const opening = indexedDB.open('wheelhouse.kept', 1)
              opening.addEventListener('upgradeneeded', () => opening.transaction?.abort())
              opening.addEventListener('error', () => resolve([...names]))
              opening.addEventListener('success', () => {
                const all = opening.result.transaction('entry').objectStore('entry').getAll()
                all.addEventListener('success', () => {
                  opening.result.close()
                  const kept = new Set(all.result.map(({ key }: { key: string }) => JSON.parse(key)[0].name as string))
                  resolve(names.filter(name => !kept.has(name)))
                })
              })
            }),
          wanted,
        ),
      { timeout: 20_000 },
    )
    .toEqual([])
}

const textsAreKept = async (page: Page) => {
  await expect
    .poll(() => page.evaluate(async () => (await (await caches.open('wheelhouse.texts')).keys()).length), {
      timeout: 20_000,
    })
    .toBeGreaterThan(10)
}

/** All that a device keeps, as text: caches, databases, storage. */
const everythingKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const parts: string[] = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const reply = await cache.match(request)
        const isText = /json|html/.test(reply?.headers.get('content-type') ?? '')
        parts.push(`${request.url} ${isText ? await reply?.text() : ''}`)
      }
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>(resolve => {
        const opening = indexedDB.open(name)
        opening.addEventListener('success', () => resolve(opening.result))
      })
      for (const store of db.objectStoreNames) {
        const rows = await new Promise(resolve => {
          const all = db.transaction(store).objectStore(store).getAll()
          all.addEventListener('success', () => resolve(all.result))
        })
        parts.push(`${name}/${store} ${JSON.stringify(rows)}`)
      }
      db.close()
    }
    return parts.join('\n')
  })

test(
  'a handheld opens without a network, keeps scans, and leaves nothing after sign-out',
  { tags: 'whole' },
  async () => {
    const between = await network(journeys.portal.url)
    const worker = await visit(journeys.browser, between.url, handheld)
    onTestFinished(() => worker.close())
    const { page } = worker
    await worker.signIn('warehouse')
    await page.waitForURL('**/admin/intake*')
    const submitted = operations.admin.output.parse(await worker.call('/operations/admin', { status: 'submitted' }))
    const storage = submitted.find(
      ({ type, tyres }) => type === 'to_stock' && tyres.length === 4 && tyres.every(tyre => !tyre.scanned),
    )
    const tyres = storage?.tyres.map(({ db_id }) => db_id) ?? []
    const plate = formatPlate(storage?.vehicle.license_plate ?? '')
    /** How often each of the tyres was ever scanned. */
    const scans = async () => {
      const rows = await journeys.portal.sql<{ scans: number }>(
        `select count(s.tyre_id)::int as scans from unnest($1::int[]) with ordinality t(id, nth)
         left join scan s on s.tyre_id = t.id group by t.nth order by t.nth`,
        [tyres],
      )
      return rows.map(row => row.scans)
    }
    const scansBefore = await scans()
    await page.goto('/admin/intake?type=to_stock')
    await page.getByText('Ready to scan').first().waitFor()
    await isKept(page, ['users.loginstate', 'site.gsc', 'operations.admin', 'locations.all', 'waves.all'])
    await textsAreKept(page)
    // a card, to be read later
    await page.getByRole('link', { name: 'Find' }).tap()
    await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor()
    await worker.scan(encodeBarcode({ tyre: tyres[0] ?? 0, site: 1 }))
    const card = page.getByRole('complementary', { name: 'Card' })
    await card.getByText(plate).first().waitFor()
    await isKept(page, ['cards.read'])

    // files, texts and the shell, and the answer of no call
    const cached = await page.evaluate(async () => {
      const all = await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys()))
      return all.flat().map(({ method, url }) => `${method} ${new URL(url).pathname}`)
    })
    expect(cached.length).toBeGreaterThan(50)
    expect(cached.filter(entry => !/^GET \/(?:assets\/[\w.-]+|locales\/en\/\w+\.json|shell)$/.test(entry))).toEqual([])

    await page.context().setOffline(true)
    await between.cut()
    await page.reload()
    await page.getByText('No connection to the server').waitFor()
    expect(
      await page.evaluate(() => document.querySelector('meta[name="first-load"]')?.getAttribute('content')),
    ).toContain('"shell":true')
    await page.getByRole('heading', { level: 1, name: 'Find' }).waitFor()
    await worker.scan(encodeBarcode({ tyre: tyres[0] ?? 0, site: 1 }))
    await card.getByText(plate).first().waitFor()
    await card.getByText(/^As of \d\d:\d\d/).waitFor()
    await card.getByRole('button', { name: 'Close' }).tap()

    await page.goto('/admin/intake?type=to_stock')
    await page.getByText('Ready to scan').first().waitFor()
    await page.getByText(plate).first().waitFor()
    await page
      .getByText(/^As of \d\d:\d\d/)
      .first()
      .waitFor()
    for (const tyre of tyres.slice(0, 3)) await worker.scan(encodeBarcode({ tyre, site: 1 }))
    await page.getByText('3 scans waiting').first().waitFor()
    // they outlive another start without a network
    await page.reload()
    await page.getByText('Ready to scan').first().waitFor()
    await page.getByText('3 scans waiting').first().waitFor()

    await between.open()
    await page.context().setOffline(false)
    await page.getByText('Everything is sent').first().waitFor()
    expect(await scans()).toEqual(scansBefore.map((count, nth) => count + (nth < 3 ? 1 : 0)))

    // nothing of this account is left, and nobody sees anything of it
    await page.goto('/admin/intake?type=to_stock')
    await page.getByText('Ready to scan').first().waitFor()
    await isKept(page, ['operations.admin'])
    expect(await everythingKept(page)).toContain(storage?.vehicle.license_plate)
    await page.getByRole('button', { name: 'Warehouse' }).tap()
    await page.getByRole('menuitem', { name: 'Sign out' }).tap()
    await page.locator('input[type="password"]').waitFor()
    await expect.poll(() => everythingKept(page)).not.toContain('"isAuthenticated":true')
    const left = await everythingKept(page)
    for (const { vehicle, user, tyres: operationTyres } of submitted) {
      for (const name of [vehicle.license_plate, user.companyname]) expect(left).not.toContain(name)
      expect(left).not.toMatch(new RegExp(`"tyreId":${operationTyres[0]?.db_id}\\b`))
    }
    await page.context().setOffline(true)
    await page.goto('/admin/intake')
    await page.getByText('The portal can’t be reached').waitFor()
    await page.context().setOffline(false)
    await page.goto('/')
    await worker.signIn('customer')
    expect(await page.getByText(plate).count()).toBe(0)
    await page.context().setOffline(true)
    await page.goto('/admin/intake')
    await page.getByText('The portal can’t be reached').waitFor()
    worker.expectNoPageErrors(ofNoNetwork)
  },
)

test('nothing is kept of a session that has ended, nor of an account before another', { tags: 'whole' }, async () => {
  const between = await network(journeys.portal.url)
  const worker = await visit(journeys.browser, between.url, handheld)
  onTestFinished(() => worker.close())
  const { page } = worker
  const signedInAndKept = async () => {
    await page.goto('/admin/intake?type=to_stock')
    await page.getByText('Ready to scan').first().waitFor()
    await isKept(page, ['users.loginstate', 'site.gsc', 'operations.admin'])
  }
  await worker.signIn('warehouse')
  await signedInAndKept()

  // it ends while the device has no network
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText('No connection to the server').waitFor()
  await journeys.portal.sql('delete from session')
  await page.context().setOffline(false)
  await page.locator('input[type="password"]').waitFor()
  await expect.poll(() => everythingKept(page)).not.toContain('"isAuthenticated":true')

  // another one signs in on another page of the same browser, as if nobody had signed out here
  await worker.signIn('warehouse')
  await signedInAndKept()
  await worker.call('/users/authenticate', { username: 'admin', password: 'wheelhouse' })
  await page.goto('/admin/customers')
  await page.getByRole('navigation').first().waitFor()
  await expect.poll(() => everythingKept(page)).not.toContain('"username":"warehouse"')
  await page.context().setOffline(true)
  await page.goto('/admin/intake')
  // in the language of that account
  await page.getByText('Het portaal is niet bereikbaar').waitFor()
  worker.expectNoPageErrors(/net::ERR_|status of 401/)
})

test('a new version is taken once nothing waits and nobody is at the page', { tags: 'whole' }, async () => {
  const between = await network(journeys.portal.url)
  const worker = await visit(journeys.browser, between.url, handheld)
  onTestFinished(() => worker.close())
  const { page } = worker
  await page.clock.install()
  await worker.signIn('warehouse')
  await page.goto('/admin/intake?type=to_stock')
  await page.getByText('Ready to scan').first().waitFor()
  await page.clock.runFor(3000)
  await textsAreKept(page)
  const states = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/admin/intake')
      const { active, waiting } = registration ?? {}
      return [active, waiting].map(worker => worker?.state ?? null)
    })
  await expect.poll(states).toEqual(['activated', null])
  // the page that the worker answers for
  await page.goto('/admin/intake?type=to_stock')
  await page.getByText('Ready to scan').first().waitFor()
  await page.clock.runFor(3000)
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }))

  // a scan that can't be sent
  const submitted = operations.admin.output.parse(await worker.call('/operations/admin', { status: 'submitted' }))
  const tyre = submitted.find(({ type, tyres }) => type === 'to_stock' && !tyres.some(({ scanned }) => scanned))
    ?.tyres[0]
  let isCut = true
  await page.route(`**${operations.markscan.path}`, route => (isCut ? route.abort() : route.continue()))
  await worker.scan(encodeBarcode({ tyre: tyre?.db_id ?? 0, site: 1 }))
  await page.getByText('1 scan waiting').first().waitFor()

  between.release('another-build')
  await page.clock.runFor('31:00')
  await expect.poll(states).toEqual(['activated', 'installed'])
  // long untouched, and all the while the scan waits
  await page.clock.runFor('10:00')
  expect(await states()).toEqual(['activated', 'installed'])
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true)

  // somebody touches it before the scan is sent; else the page would be free for the new version at once
  const touch = () => page.getByRole('heading', { name: 'Scan', exact: true }).tap()
  await touch()
  isCut = false
  // the page's clock goes no faster than the server answers
  const after = async (time: string, look: () => Promise<boolean>) => {
    await page.clock.runFor(time)
    return look()
  }
  const isSent = () => page.getByText('Everything is sent').first().isVisible()
  await expect.poll(() => after('00:01', isSent), { interval: 300 }).toBe(true)
  await touch()
  await page.clock.runFor('04:00')
  expect(await states()).toEqual(['activated', 'installed'])
  // left alone for long enough it asks for the new version; the browser takes its time, and meanwhile somebody is back
  await page.evaluate(() => {
    const { prototype } = ServiceWorker
    const post = prototype.postMessage
    prototype.postMessage = function (this: ServiceWorker) {
      const exchange = () => {
        prototype.postMessage = post
        this.postMessage({ kind: 'take' })
      }
      Object.assign(globalThis, { exchange })
    }
  })
  await page.clock.runFor('01:00')
  const isAsked = () => page.evaluate(() => 'exchange' in globalThis)
  await expect.poll(() => after('00:10', isAsked), { interval: 300 }).toBe(true)
  await touch()
  await page.evaluate(() => (globalThis as unknown as { exchange(): void }).exchange())
  await expect.poll(states, { timeout: 90_000 }).toEqual(['activated', null])
  await page.clock.runFor('04:30')
  const isSamePage = () => page.evaluate(() => 'isSamePage' in globalThis).catch(() => true)
  expect(await isSamePage()).toBe(true)
  await page.clock.runFor('00:40')
  await expect.poll(isSamePage, { interval: 300 }).toBe(false)
  await expect.poll(states).toEqual(['activated', null])
  await page.getByText('Ready to scan').first().waitFor()
  worker.expectNoPageErrors(ofNoNetwork)
})

test('a count goes on where it was opened without a network', { tags: 'whole' }, async () => {
  const between = await network(journeys.portal.url)
  const worker = await visit(journeys.browser, between.url, handheld)
  onTestFinished(() => worker.close())
  const { page } = worker
  await worker.signIn('warehouse')
  const all = async () => locations.all.output.parse(await worker.call('/locations/all', {}))
  const parent = (await all()).find(({ kind }) => kind === 'site')?._id ?? 0
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const levels = [
    { kind: 'zone', pattern: 'Hall' },
    { kind: 'place', pattern: '1 to 2' },
  ]
  await admin.call('/locations/make', { parent, levels, capacity: 4 })
  const idOf = async (rack: string) => (await all()).find(({ stock_rack }) => stock_rack === rack)?._id ?? 0
  const places = [await idOf('Hall-1'), await idOf('Hall-2')]
  const { count } = counts.start.output.parse(await worker.call('/counts/start', { location: await idOf('Hall') }))
  const screen = page.locator('[data-count]')
  const next = screen.getByRole('region', { name: 'Next place' })
  const scan = async (nth: number) => worker.scan(encodeLocation({ location: places[nth] ?? 0, site: 1 }))
  await page.goto(`/admin/counts/walk?count=${count}`)
  await next.getByText('Hall-1').waitFor()
  await isKept(page, ['users.loginstate', 'site.gsc', 'counts.places', 'counts.all', 'counts.next'])
  await textsAreKept(page)

  await page.context().setOffline(true)
  await between.cut()
  await page.reload()
  await page.getByText('No connection to the server').waitFor()
  await page.getByText(/^As of \d\d:\d\d/).waitFor()
  await next.getByText('Hall-1').waitFor()
  await scan(0)
  await screen.getByText('Hall-1: scan what is here').waitFor()
  await scan(1)
  await screen.getByText('Hall-2: scan what is here').waitFor()
  // counted wheels survive another start without a network, and so does the current place
  await page.reload()
  await screen.getByRole('region', { name: 'Being counted' }).getByText('Hall-2').waitFor()
  await page.goto('/admin/counts')
  await page.getByRole('link', { name: 'Hall' }).waitFor()
  await page.getByRole('link', { name: 'Count one place' }).tap()
  await next.getByText(/./).first().waitFor()
  await page.goto(`/admin/counts/walk?count=${count}`)
  await screen.getByRole('button', { name: 'Place done' }).tap()
  await screen.getByText('Hall-2 is sent as soon as there is a connection.').waitFor()

  await between.open()
  await page.context().setOffline(false)
  await screen.getByText('All places are counted').waitFor()
  await expect
    .poll(async () => counts.report.output.parse(await admin.call('/counts/report', { count })).count)
    .toMatchObject({ place_count: 2, counted: 2, clean: 2 })
  worker.expectNoPageErrors(ofNoNetwork)
})

/** The browser's own messages about a lost network. */
const ofNoNetwork = /net::ERR_/
