/**
 * `npm run bench:browser`: the portal in a real browser on a phone-class processor (Chromium, four times slower): what each
 * screen loads, from the address to the screen in use with an empty cache and with a full one, the same against a copy of the screen without
 * scripts, from a scan's last keystroke to its card, from a filter's keystroke to its rows, and what a tab holds that scans for an hour. On the
 * data set of the benchmark: a fleet of 10,000 tyres, a desk with 500 submitted operations. The exit code is 1 when a screen misses its goal.
 */
import { prerenderedId } from '#contract/prerender.ts'
import type { Page } from 'playwright-core'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { openBrowser, phoneAgent, screens } from '../e2e/browser.ts'
import { accountOf, cookieOf, firstScanned, large, site, small, tyresPerVehicle } from './data.ts'
import { median } from './figures.ts'
import { openFilled } from './filled.ts'
import { copyOf, openFloor, timeToUse } from './firstRows.ts'
import { heldBy, timed } from './page.ts'
import { openPortal } from './portal.ts'

/** How many times slower than this machine's core. */
const slower = 4
const visits = 5
/** Visits to a screen and to its copy, in turns. */
const comparedVisits = 7
/** One scan every two seconds for an hour. */
const hourOfScans = 1800

const { cluster, close } = await openFilled()
const portal = await openPortal(cluster.url)
const browser = await openBrowser()
const floor = await openFloor()
const origin = `http://localhost:${portal.port}`
const desk = 1

type Place = { readonly name: string; readonly path: string; readonly account: number | null; readonly usable: string }
const places: readonly Place[] = [
  { name: 'login', path: '/', account: null, usable: 'input[autocomplete="username"]' },
  { name: 'home', path: '/', account: accountOf(small.first), usable: 'main h1 ~ * a, main section' },
  { name: 'fleet, 10,000 tyres', path: '/fleet', account: accountOf(large), usable: 'main tbody tr a' },
  { name: 'scan screen', path: '/admin/intake?type=to_stock&scan=true', account: desk, usable: '[data-autofocus]' },
]
const scanning = places[3]!

/** Screens whose first rows are compared with a copy of them, and how many times as long they may take. */
const compared: readonly (Place & { goal: number })[] = [
  {
    name: 'home',
    path: '/',
    account: accountOf(small.first),
    usable: 'main section a, main section button',
    goal: 2.5,
  },
  { name: 'vehicles', path: '/fleet', account: accountOf(small.first), usable: 'main tbody tr a', goal: 2.2 },
  { name: 'vehicles of 2,000', path: '/fleet', account: accountOf(large), usable: 'main tbody tr a', goal: 2.2 },
  {
    name: 'vehicle',
    path: '/fleet/vehicle?id=2001',
    account: accountOf(small.first),
    usable: 'main button',
    goal: 2.5,
  },
  { name: 'tyres', path: '/tyres', account: accountOf(small.first), usable: 'main tbody tr', goal: 2.5 },
  { name: 'tyres of 10,000', path: '/tyres', account: accountOf(large), usable: 'main tbody tr', goal: 2.5 },
  { name: 'wizard', path: '/wizard/step1', account: accountOf(small.first), usable: 'main input', goal: 2.5 },
  { ...scanning, goal: 2.5 },
  { name: 'desk', path: '/admin/operations', account: desk, usable: 'main tbody tr', goal: 2.5 },
]

/** A page for an account, or for nobody when `null`, on a slow processor. */
async function visitor(account: number | null, rate = slower): Promise<Page> {
  const context = await browser.newContext({
    ...screens.phone,
    userAgent: phoneAgent,
    baseURL: origin,
    locale: 'en-GB',
  })
  if (account !== null) {
    const [name = '', value = ''] = cookieOf(account).split('=')
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
  }
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return page
}

type Loaded = { usable: number; scripts: number; styles: number; calls: number }

/**
 * Opens a place and returns when the portal itself could be used, in ms from the address, and the size of its files, in kB as sent: a page that
 * came with its screen is shown before.
 */
async function open(page: Page, { path, usable }: Place): Promise<Loaded> {
  await page.addInitScript(
    ([wanted, rendered]) => {
      const look = () => {
        const loading = document.querySelector(`#${rendered}, main .mantine-Skeleton-root, [aria-busy="true"]`)
        if (loading || !document.querySelector(wanted)) return void requestAnimationFrame(look)
        Object.assign(window, { usable: performance.now() })
      }
      requestAnimationFrame(look)
    },
    [usable, prerenderedId] as const,
  )
  await page.goto(path)
  // the sign-in's portal starts once somebody is there
  await page.mouse.move(1, 1)
  await page.waitForFunction(() => 'usable' in window)
  return page.evaluate(() => {
    const loaded = { usable: (window as unknown as { usable: number }).usable, scripts: 0, styles: 0, calls: 0 }
    for (const entry of performance.getEntriesByType('resource') as PerformanceResourceTiming[]) {
      const [, kind = ''] = /\.(\w+)$/.exec(new URL(entry.name).pathname) ?? []
      const what = ({ js: 'scripts', css: 'styles', '': 'calls' } as const)[kind]
      if (what) loaded[what] += entry.transferSize / 1000
    }
    return loaded
  })
}

/** Visits a screen and a copy of it, in turns, each with an empty cache. */
async function compare(place: Place): Promise<{ portal: number[]; floor: number[]; ratio: number }> {
  const copied = await visitor(place.account, 1)
  await open(copied, place)
  // what comes a moment later is part of the screen
  await copied.waitForTimeout(2000)
  const copy = await copyOf(copied)
  await copied.context().close()
  floor.show(copy)
  const took = async (origin: string): Promise<number> => {
    const page = await visitor(place.account)
    const time = await timeToUse(page, `${origin}${place.path}`, { usable: place.usable, text: copy.text })
    await page.context().close()
    return time
  }
  const times: { portal: number[]; floor: number[] } = { portal: [], floor: [] }
  for (let nth = 0; nth < comparedVisits; nth++) {
    times.portal.push(await took(origin))
    times.floor.push(await took(floor.origin))
  }
  return { ...times, ratio: median(times.portal) / median(times.floor) }
}

/** A tyre of the site's submitted storages, of which there are 1,200 (data.ts "open operations"). */
function submittedTyre(nth: number): number {
  const storage = Math.floor(nth / 4) % 300
  const operation = Math.floor(storage / 3) * 5 + (storage % 3)
  const vehicle = firstScanned + (operation % 100) * 24 + Math.floor(operation / 100)
  return (vehicle - 1) * tyresPerVehicle + 1 + (nth % 4)
}

const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`.padStart(9)
const kB = (value: number) => `${value.toFixed(0)} kB`.padStart(8)

try {
  console.log(`${visits} visits each, on a processor ${slower} times slower than this one; medians`)
  console.log('                        first visit   again   scripts   styles    calls')
  for (const place of places) {
    const first: Loaded[] = []
    const again: number[] = []
    for (let nth = 0; nth < visits; nth++) {
      const page = await visitor(place.account)
      first.push(await open(page, place))
      again.push((await open(page, place)).usable)
      await page.context().close()
    }
    const [loaded] = first
    if (!loaded) continue
    const { scripts, styles, calls } = loaded
    console.log(
      `${place.name.padEnd(24)}${ms(first.map(({ usable }) => usable))}${ms(again)}${kB(scripts)} ${kB(styles)} ${kB(calls)}`,
    )
  }

  console.log(
    `\nuntil nine tenths of the text stand there and the first row can be clicked; medians of ${comparedVisits}`,
  )
  console.log('                           portal     floor   ratio    goal')
  for (const place of compared) {
    const { portal: own, floor, ratio } = await compare(place)
    if (ratio > place.goal) process.exitCode = 1
    const verdict = ratio > place.goal ? '   missed' : ''
    console.log(
      `${place.name.padEnd(24)}${ms(own)} ${ms(floor)} ${ratio.toFixed(2).padStart(7)} ${place.goal.toFixed(1).padStart(7)}${verdict}`,
    )
  }

  const fleet = await visitor(accountOf(large))
  await open(fleet, places[2]!)
  const filtered: number[] = []
  for (const text of ['Driver 19', 'Driver 1234', 'Driver 77', 'Driver 42', 'Driver 5']) {
    const field = fleet.getByRole('searchbox').first()
    await field.fill(text.slice(0, -1))
    await fleet.waitForTimeout(2000)
    // the last key alone: the rows of those before may come between two keys
    const { painted } = await timed(fleet, 'main tbody', () => field.press(text.slice(-1)))
    filtered.push(painted)
  }
  console.log(`filter keystroke to rows, 200 ms of it the rest after a key${ms(filtered)}`)
  await fleet.context().close()

  const page = await visitor(desk)
  await open(page, scanning)
  const scan = async (nth: number) => {
    await page.keyboard.type(encodeBarcode({ tyre: submittedTyre(nth), site }))
    await page.keyboard.press('Enter')
  }
  const cards: number[] = []
  for (let nth = 0; nth < 20; nth++)
    cards.push((await timed(page, '[data-autofocus] article', () => scan(nth))).painted)
  const slowest = Math.max(...cards)
  console.log(`scan keystroke to card${ms(cards)}, slowest ${slowest.toFixed(0)} ms`)

  await page.context().close()

  const hall = await visitor(desk, 1)
  await open(hall, scanning)
  const heapMegabytes = [await heldBy(hall)]
  const begun = performance.now()
  for (let third = 0; third < 3; third++) {
    const some = Array.from({ length: hourOfScans / 3 }, (_, nth) =>
      // from the 1,200th on tyres come again
      encodeBarcode({ tyre: submittedTyre((third * hourOfScans) / 3 + nth), site }),
    )
    await hall.evaluate(async barcodes => {
      for (const barcode of barcodes) {
        for (const key of [...barcode, 'Enter'])
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
        // each is drawn
        await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
      }
    }, some)
    // and sent
    await hall.waitForTimeout(11_000)
    heapMegabytes.push(await heldBy(hall))
  }
  const sent = Number(
    (await hall.evaluate(() => document.body.innerText))
      .match(/([\d,]+) of [\d,]+ tyres scanned/)?.[1]
      ?.replace(',', '') ?? 0,
  )
  const took = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(
    `held by a tab that scans, at first and after a third, two and three of ${hourOfScans} scans (an hour's, made in ${took} s; ${sent} tyres show as scanned): ${heapMegabytes.map(mb => `${mb.toFixed(1)} MB`).join(', ')}`,
  )
} finally {
  await browser.close()
  await floor.close()
  await portal.close()
  await close()
}
