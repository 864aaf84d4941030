/** Scanning with the camera of a phone (docs/product/warehouse.md "Camera"): a file is its picture, of a label that the portal has printed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { site } from '#contract/sites.ts'
import { operations } from '#contract/operations.ts'
import { locations } from '#contract/locations.ts'
import { languageCodes } from '#domain/people/account.ts'
import { cameraProblems } from '#domain/warehouse/camera.ts'
import { cameraPicture, type Pose } from '../src/server/testing/cameraPicture.ts'
import { printed } from '../src/server/testing/labelReader.ts'
import { standards, violations } from './axe.ts'
import { openBrowser, shareJourneys, visit, type Visitor } from './browser.ts'
import { overflowing } from './layoutChecks.ts'
import { named } from './texts.ts'
import { setColorScheme } from './tour.ts'

const journeys = shareJourneys()
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

let folder: string
let film: string
let browser: Browser
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wheelhouse-camera-'))
  film = join(folder, 'film.mjpeg')
  browser = await openBrowser(
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  )
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The film that the camera shows from when it starts next: so many pictures of each, 30 a second, again and again. */
const show = (...pictures: readonly (readonly [picture: Buffer, times: number])[]): void =>
  writeFileSync(
    film,
    Buffer.concat(pictures.flatMap(([picture, times]) => Array.from({ length: times }, () => picture))),
  )

async function visitPhone(options = {}, by = browser): Promise<Visitor> {
  const visitor = await visit(by, journeys.portal.url, { ...phone, serviceWorkers: 'allow', ...options })
  visitor.page.setDefaultTimeout(20_000)
  onTestFinished(() => visitor.close())
  return visitor
}

async function signedIn(username: string): Promise<Visitor> {
  const visitor = await visitPhone()
  await visitor.signIn(username)
  return visitor
}

async function barriers(page: Page): Promise<string[]> {
  const faults = await violations(page, { runOnly: standards })
  return faults.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
/** A picture for a person to look at, where one is asked for. */
const shot = async (page: Page, name: string): Promise<void> => {
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/${name}.png` })
}

async function firstReport(admin: Visitor): Promise<number | undefined> {
  const { labelReports } = site.tsconfigdata.output.parse(await admin.call(site.tsconfigdata.path, {}))
  return labelReports[0]?.rpt_number
}

/** A tyre of a submitted storage that nobody has scanned, and its printed label. */
async function expected(admin: Visitor) {
  const open = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
  const operation = open.find(({ type, tyres }) => type === 'to_stock' && tyres.some(tyre => !tyre.scanned))
  const tyre = operation?.tyres.find(({ scanned }) => !scanned)
  if (!tyre) throw new Error('the demo expects no tyre')
  const pdf = fleet.getTyreLabels.output.parse(
    await admin.call('/fleet/getTyreLabels', { tyres: [tyre.db_id], report_id: await firstReport(admin) }),
  )
  const [page] = await printed(Buffer.from(pdf, 'base64'))
  if (!page) throw new Error('no label')
  return { tyre: tyre.db_id, page }
}

const scansOf = async (tyre: number): Promise<number> => {
  const [row] = await journeys.portal.sql<{ scans: number }>(
    'select count(*)::int as scans from scan where tyre_id = $1',
    [tyre],
  )
  return row?.scans ?? 0
}

/** The frames of a label from a pose, of one call of `cameraPicture`. */
const seenFrom = (label: Parameters<typeof cameraPicture>[0], pose: Pose) => cameraPicture(label, pose)
const table = () =>
  sharp({ create: { width: 1920, height: 1080, channels: 3, background: '#6e6e6e' } })
    .jpeg({ quality: 80 })
    .toBuffer()

const cameraIsOn = (page: Page) => page.locator('[data-camera="on"]').waitFor()
const cardOf = (page: Page) => page.getByRole('complementary', { name: 'Card' })
/** Waits until the camera has gone on for so many seconds of its film. */
const filmed = (page: Page, seconds: number) =>
  page.evaluate(
    wanted =>
      new Promise<void>(resolve => {
        const video = document.querySelector('video')!
        const until = video.currentTime + wanted
        video.addEventListener('timeupdate', () => video.currentTime >= until && resolve())
      }),
    seconds,
  )
/** The permissions of a document: the camera, and WebAssembly. */
const allowed = (page: Page) =>
  page.evaluate(() => {
    const { featurePolicy } = document as unknown as { featurePolicy: { allowsFeature(name: string): boolean } }
    let wasm = true
    try {
      // the shortest program that there is
      void new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))
    } catch {
      wasm = false
    }
    return { camera: featurePolicy.allowsFeature('camera'), wasm }
  })
const nothing = { camera: false, wasm: false }
const both = { camera: true, wasm: true }
/** A document may say that WebAssembly is refused, which a test has tried. */
const triedWasm = /WebAssembly|script-src wasm-eval/

describe('a label of the portal is read', { tags: 'whole' }, () => {
  const poses: Record<string, Pose> = {
    'from 15 cm': { distance: 150 },
    'from 30 cm': { distance: 300 },
    'from 50 cm': { distance: 500 },
    'from 30 cm, turned by 30 degrees': { distance: 300, turn: 30 },
    'from 30 cm, leaning by 30 degrees': { distance: 300, tilt: 30 },
    'from 30 cm, turned and leaning by 30 degrees': { distance: 300, turn: 30, tilt: 30 },
  }
  test('at three distances and 30 degrees, and its card opens', async () => {
    const admin = await visitPhone()
    await admin.signIn('admin')
    const { page } = admin
    const { tyre, page: label } = await expected(admin)
    const loaded: string[] = []
    const read: string[] = []
    page.on('request', request => loaded.push(request.url()))
    for (const [name, pose] of Object.entries(poses)) {
      show([await seenFrom(label, pose), 2])
      await page.goto('/camera/admin/find')
      await cameraIsOn(page)
      const since = Date.now()
      await cardOf(page).getByText(`#${tyre}`).waitFor()
      read.push(`${name}: ${Date.now() - since} ms`)
    }
    const has = await page.evaluate(() => 'BarcodeDetector' in window)
    process.stdout.write(`Read by ${has ? 'the browser' : 'the loaded program'}; ${read.join('; ')}\n`)
    expect(loaded.some(url => url.includes('zxing_reader'))).toBe(!has)
    // all from here
    expect(loaded.filter(url => !url.startsWith(journeys.portal.url) && !url.startsWith('blob:'))).toEqual([])
    // looking changes nothing
    expect(await scansOf(tyre)).toBe(0)
    admin.expectNoPageErrors()
  })
})

describe('a label that stays in the picture', { tags: 'whole' }, () => {
  test('is marked once, and one that comes back is a scan of its own', async () => {
    const admin = await visitPhone()
    await admin.signIn('admin')
    const { page } = admin
    const { tyre, page: label } = await expected(admin)
    const near = await seenFrom(label, { distance: 150 })
    show([near, 2])
    await page.goto('/admin/intake?type=to_stock')
    await page.getByRole('link', { name: 'Camera' }).tap()
    await page.waitForURL('**/camera/admin/intake?type=to_stock')
    await cameraIsOn(page)
    await page.getByText('Tyre found').first().waitFor()
    await filmed(page, 5)
    await expect.poll(() => scansOf(tyre)).toBe(1)
    expect(await page.getByText('Already scanned').count()).toBe(0)
    // back where it was opened
    await page.getByRole('link', { name: 'Close camera' }).tap()
    await page.waitForURL(`${journeys.portal.url}/admin/intake?type=to_stock`)

    // two seconds in the picture, three out of it, again and again
    show([near, 60], [await table(), 90])
    await page.goto('/camera/admin/intake?type=to_stock')
    await page.getByText('Already scanned').first().waitFor()
    await expect.poll(() => scansOf(tyre), { timeout: 30_000 }).toBe(3)
    // five seconds of the film have one
    const seconds = await page.evaluate(() => document.querySelector('video')!.currentTime)
    expect(seconds).toBeGreaterThan(5)
    admin.expectNoPageErrors()
  })

  test('a wheel, then a place: it is put there without a touch', async () => {
    const admin = await visitPhone()
    await admin.signIn('warehouse')
    const { page } = admin
    const { tyre, page: label } = await expected(await signedIn('admin'))
    const free = locations.all.output
      .parse(await admin.call(locations.all.path, {}))
      .find(place => place.capacity > place.tyre_count + place.coming)
    if (!free) throw new Error('the demo has no place with room')
    const pdf = locations.labels.output.parse(
      await admin.call(locations.labels.path, { locations: [free._id], report_id: await firstReport(admin) }),
    )
    const [place] = await printed(Buffer.from(pdf, 'base64'))
    if (!place) throw new Error('no label of the place')
    show(
      [await seenFrom(label, { distance: 200 }), 45],
      [await seenFrom(place, { distance: 300, turn: 30 }), 45],
      [await table(), 900],
    )
    await page.goto('/admin/jobs')
    await page.getByRole('link', { name: 'Camera' }).tap()
    await cardOf(page).getByText('1 tyre put on').waitFor()
    await expect
      .poll(() => journeys.portal.sql('select state, location_id from wheel where tyre_id = $1', [tyre]))
      .toEqual([{ state: 'at_place', location_id: free._id }])
    // it closes to where it was opened
    await page.getByRole('link', { name: 'Close camera' }).tap()
    await page.waitForURL(`${journeys.portal.url}/admin/jobs`)
    admin.expectNoPageErrors()
  })
})

describe('the document with the camera', { tags: 'whole' }, () => {
  test('is the only one that may use it, and is left and reached by loading a page only', async () => {
    show([await table(), 2])
    const admin = await visitPhone()
    await admin.signIn('admin')
    const { page } = admin
    const documents: string[] = []
    page.on('framenavigated', frame => documents.push(new URL(frame.url()).pathname))
    await page.goto('/admin/intake')
    expect(await allowed(page)).toEqual(nothing)
    // its address is unknown to every other document
    await page.evaluate(() => history.pushState(null, '', '/camera/admin/find'))
    await page.getByRole('heading', { name: 'not found' }).waitFor()
    expect(await page.locator('video').count()).toBe(0)
    expect(await allowed(page)).toEqual(nothing)

    await page.goto('/camera/admin/find')
    await cameraIsOn(page)
    expect(await allowed(page)).toEqual(both)
    await page.evaluate(() => Object.assign(window, { before: true }))
    const isSameDocument = () => page.evaluate(() => 'before' in window)
    // from one of its screens to another it goes on
    await page.evaluate(() => history.pushState(null, '', '/camera/admin/intake?type=to_stock'))
    await page.getByRole('heading', { name: 'Scan', exact: true }).waitFor()
    expect([await isSameDocument(), await allowed(page)]).toEqual([true, both])
    // to any other screen it is another document
    await page.evaluate(() => history.pushState(null, '', '/camera/admin/locations'))
    await page.waitForURL(`${journeys.portal.url}/admin/locations`)
    await page.getByRole('heading', { name: 'Places', exact: true }).waitFor()
    expect([await isSameDocument(), await allowed(page)]).toEqual([false, nothing])
    // an address that looks like another site is one of ours
    await page.goto('/camera//example.org/admin')
    await page.waitForURL(`${journeys.portal.url}/example.org/admin`)
    expect(await allowed(page)).toEqual(nothing)
    admin.expectNoPageErrors(triedWasm)
  })

  test('has no camera for a customer', async () => {
    const customer = await signedIn('customer')
    await customer.page.goto('/camera/admin/intake')
    await customer.page.getByRole('heading', { name: 'not found' }).waitFor()
    expect(await customer.page.locator('video').count()).toBe(0)
    await customer.page.goto('/admin/intake')
    await customer.page.getByRole('heading', { name: 'not found' }).waitFor()
    expect(await customer.page.getByRole('link', { name: 'Camera' }).count()).toBe(0)
  })

  test('stops the camera while nobody looks, and a label that is still there has counted', async () => {
    const admin = await visitPhone()
    await admin.signIn('admin')
    const { page } = admin
    const { tyre, page: label } = await expected(admin)
    show([await seenFrom(label, { distance: 150 }), 2])
    await page.goto('/camera/admin/find')
    await cardOf(page).getByText(`#${tyre}`).waitFor()
    await cardOf(page).locator('[data-closes]').tap()
    const look = (state: string) =>
      page.evaluate(visibility => {
        Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    const live = await page.evaluateHandle(() => document.querySelector('video')!.srcObject as MediaStream)
    await look('hidden')
    // once React has drawn the page anew
    await expect
      .poll(() => live.evaluate(stream => stream.getTracks().map(track => track.readyState)))
      .toEqual(['ended'])
    expect(await page.evaluate(() => document.querySelector('video')!.srcObject)).toBeNull()
    await look('visible')
    await cameraIsOn(page)
    await filmed(page, 3)
    expect(await cardOf(page).count()).toBe(0)
    admin.expectNoPageErrors()
  })

  test('has the light and the other camera of a device that has them', async () => {
    show([await table(), 2])
    const admin = await visitPhone()
    await admin.page.addInitScript(() => {
      // Chromium's film has no light, and is the only camera
      const calls: unknown[] = []
      Object.assign(window, { asked: calls })
      MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true }) as MediaTrackCapabilities
      MediaStreamTrack.prototype.applyConstraints = async constraints => void calls.push(constraints)
      MediaStreamTrack.prototype.getSettings = () => ({ deviceId: 'back' })
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices)
      navigator.mediaDevices.getUserMedia = async constraints => {
        const { video } = constraints ?? {}
        calls.push((typeof video === 'object' && video.deviceId) || 'any')
        return open({ video: true })
      }
      const camera = (deviceId: string) => ({ kind: 'videoinput', deviceId }) as MediaDeviceInfo
      navigator.mediaDevices.enumerateDevices = async () => [camera('back'), camera('wide')]
    })
    await admin.signIn('admin')
    const { page } = admin
    await page.goto('/camera/admin/find')
    const light = page.getByRole('button', { name: 'Light' })
    await light.tap()
    await page.locator('button[aria-label="Light"][aria-pressed="true"]').waitFor()
    await light.tap()
    await page.locator('button[aria-label="Light"][aria-pressed="false"]').waitFor()
    await page.getByRole('button', { name: 'Other camera' }).tap()
    const cameraCalls = () => page.evaluate(() => (window as unknown as { asked: unknown[] }).asked)
    await expect
      .poll(cameraCalls)
      .toEqual(['any', { advanced: [{ torch: true }] }, { advanced: [{ torch: false }] }, { exact: 'wide' }])
    // it is the one that opens next time, too
    await page.reload()
    await expect.poll(cameraCalls).toEqual([{ exact: 'wide' }])
    admin.expectNoPageErrors()
  })

  test('reads by the browser where that knows every kind of code, and loads nothing then', async () => {
    show([await table(), 2])
    const admin = await visitPhone()
    await admin.page.addInitScript(() => {
      Object.assign(window, {
        BarcodeDetector: class {
          static async getSupportedFormats() {
            return ['qr_code', 'code_128', 'code_39', 'ean_13', 'ean_8', 'aztec']
          }
          async detect({ width, height }: HTMLCanvasElement) {
            return [{ rawValue: '0-NONE-0', cornerPoints: [{ x: width / 2, y: height / 2 }] }]
          }
        },
      })
    })
    await admin.signIn('admin')
    const { page } = admin
    const loaded: string[] = []
    page.on('request', request => loaded.push(request.url()))
    await page.goto('/camera/admin/find')
    await cardOf(page).getByText('Nothing found for 0-NONE-0').waitFor()
    expect(loaded.filter(url => /zxing|codeWorker/.test(url))).toEqual([])
    admin.expectNoPageErrors()
  })

  test.each(languageCodes)('says in %s why there is no picture and what to do, and tries again', async lang => {
    show([await table(), 2])
    const admin = await visitPhone({ reducedMotion: 'reduce' })
    const { page } = admin
    await page.addInitScript(() => {
      const problem = new URLSearchParams(location.search).get('problem')
      const errors: Record<string, string> = {
        refused: 'NotAllowedError',
        none: 'NotFoundError',
        in_use: 'NotReadableError',
        failed: 'TypeError',
      }
      const open = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices)
      let tried = 0
      if (problem === 'insecure') Object.defineProperty(window, 'isSecureContext', { value: false })
      if (problem === 'unsupported') Object.defineProperty(navigator, 'mediaDevices', { value: undefined })
      if (problem && errors[problem])
        navigator.mediaDevices.getUserMedia = async constraints => {
          if (tried++ === 0) throw new DOMException('no', errors[problem])
          return open(constraints)
        }
    })
    await admin.signIn('admin', lang)
    const wrong: string[] = []
    for (const problem of cameraProblems) {
      await page.goto(`/camera/admin/find?problem=${problem}`)
      const alert = page.getByRole('alert').filter({ has: page.getByText(named(lang, `camera:problem.${problem}`)) })
      await alert.getByText(named(lang, `camera:remedy.${problem}`)).waitFor()
      if (lang !== 'eng' && problem !== 'refused') continue
      for (const colour of ['light', 'dark'] as const) {
        await setColorScheme(page, colour)
        wrong.push(...(await barriers(page)))
        await shot(page, `${problem}-${lang}-${colour}`)
      }
      wrong.push(...(await overflowing(page)))
      if (problem === 'insecure' || problem === 'unsupported') continue
      // by keyboard
      await alert.getByRole('button', { name: named(lang, 'common:retry') }).press('Enter')
      await cameraIsOn(page)
    }
    expect(wrong).toEqual([])
    admin.expectNoPageErrors()
  })

  test.each(
    Object.entries({
      small: { width: 360, height: 640 },
      large: { width: 390, height: 844 },
      desk: { width: 1440, height: 900 },
    }),
  )('has no barrier on a %s screen, with the picture and a card, light and dark', async (name, viewport) => {
    const admin = await visitPhone({ viewport, reducedMotion: 'reduce' })
    await admin.signIn('admin')
    const { page } = admin
    const { tyre, page: label } = await expected(admin)
    show([await seenFrom(label, { distance: 200 }), 2])
    const wrong: string[] = []
    for (const path of ['/camera/admin/find', '/camera/admin/intake?type=to_stock', '/admin/locations']) {
      await page.goto(path)
      if (path.startsWith('/camera')) {
        await cameraIsOn(page)
        await page
          .getByText(path.includes('intake') ? 'Tyre found' : `#${tyre}`)
          .first()
          .waitFor()
      }
      await admin.networkIdle()
      for (const colour of ['light', 'dark'] as const) {
        await setColorScheme(page, colour)
        wrong.push(...(await barriers(page)).map(fault => `${path} ${colour}: ${fault}`))
        await shot(page, `${name}-${path.replaceAll(/\W+/g, '-')}-${colour}`)
      }
      wrong.push(...(await overflowing(page)).map(fault => `${path}: ${fault}`))
    }
    expect(wrong).toEqual([])
  })
})
