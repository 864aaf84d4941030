/**
 * Month-end of a whole year in the browser: the portal's clock goes on from run to run, and every amount on the screen is compared with
 * a sheet that knows only what happened to the wheels (docs/money.md "A year").
 */
import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { formatDate } from '#domain/texts/date.ts'
import { workNext } from '../src/server/features/billing/work.ts'
import { openLive, type Live } from '../src/server/http/live.ts'
import { mountPages } from '../src/server/http/pages.ts'
import { openPrintPool, type PrintPool } from '../src/server/printing/pool.ts'
import { testDatabase } from '../src/server/testing/database.ts'
import { openHotel, paid, runs, type Hotel } from '../src/server/testing/hotelYear.ts'
import { textOf } from '../src/server/testing/pdf.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { world, type World } from '../src/server/testing/world.ts'
import { startWorker, type Worker } from '../src/server/worker.ts'
import { nextPdf, openBrowser, visit } from './browser.ts'

let server: Awaited<ReturnType<typeof openTestServer>>
let pool: PrintPool
let browser: Browser
let w: World
let hotel: Hotel
let billing: Worker
let live: Live
/** Errors in the background. */
const problems: string[] = []

beforeAll(async () => {
  server = await openTestServer()
  const on = await testDatabase({ server })
  live = openLive(on.adminUrl, { log: error => void problems.push(String(error)) })
  pool = openPrintPool({ threads: 1 })
  w = await world({
    on,
    served: () => ({ printPool: pool, live }),
    mount: (app, database) => mountPages(app, { database }),
  })
  await w.query(`insert into site_address (host, site_id) values ('localhost', $1)`, [w.sites.home])
  hotel = await openHotel(w)
  const failed = (problem: string) => void problems.push(problem)
  const options = { clock: () => w.clock.now, failed }
  billing = startWorker({ next: signal => workNext(w.database, { ...options, signal }), onError: failed })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await billing.stop()
  await live.close()
  await w.close()
  await pool.close()
  await server.end()
})

const money = (cents: number) => (cents / 100).toLocaleString('en', { style: 'currency', currency: 'EUR' })

test('a year of two seasons: three runs, a credit note, an overview and the figures', { tags: 'whole' }, async () => {
  const address = await w.app.listen({ host: 'localhost', port: 0 })
  const { port } = new URL(address)
  const admin = await visit(browser, `http://localhost:${port}`)
  const { page } = admin
  await page
    .context()
    .addCookies([{ name: 'wheelhouse', value: w.who.admin.cookie!.split('=')[1]!, domain: 'localhost', path: '/' }])
  const alfa = hotel.customers['Garage Alfa']
  const charged = new Map<string, number>()
  let from: string = paid

  for (const { until, on } of runs) {
    await hotel.passTo(on)
    await page.clock.setFixedTime(w.clock.now)
    const sheet = await hotel.sheet(from, until)
    await page.goto('/admin/invoicing?tab=runs')
    const form = page.getByRole('region', { name: 'New billing run' })
    await form.getByLabel('Up to and including').fill(formatDate(until))
    await form.getByRole('textbox', { name: 'Days' }).fill('0')
    await form.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: /^Create \d documents?$/ }).waitFor()
    let sum = 0
    for (const [name, customer] of Object.entries(hotel.customers)) {
      const { net } = sheet.of(customer)
      const row = page.getByRole('row').filter({ hasText: name })
      if (net === 0) expect(await row.count()).toBe(0)
      else await row.getByText(money(net), { exact: true }).first().waitFor()
      sum += net
    }
    await page.getByRole('button', { name: /^Create \d documents?$/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Create/ })
      .click()
    await page.getByText('Done', { exact: true }).waitFor()
    await page.getByText(money(sum), { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Create invoices' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create invoices' }).click()
    await page.getByText(/^\d invoices? created\.?$/).waitFor()
    for (const { kind, cents } of sheet.lines) charged.set(kind, (charged.get(kind) ?? 0) + cents)

    await page.goto('/admin/invoicing?tab=invoices')
    for (const [name, customer] of Object.entries(hotel.customers)) {
      const { net, vat } = sheet.of(customer)
      if (net === 0) continue
      const row = page
        .getByRole('row')
        .filter({ hasText: name })
        .filter({ hasText: formatDate(on) })
      await row.getByText(money(net + vat), { exact: true }).waitFor()
    }
    from = until
  }

  const second = page
    .getByRole('row')
    .filter({ hasText: 'Garage Alfa' })
    .filter({ hasText: formatDate(runs[1].on) })
  await second.getByRole('button', { name: /^Credit / }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'All lines' }).uncheck()
  await dialog.getByRole('checkbox', { name: /^Credit Balancing/ }).check()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It was not done')
  await dialog.getByRole('button', { name: 'Create credit note' }).click()
  await page
    .getByRole('row')
    .filter({ hasText: 'CN-2027-00001' })
    .getByText(money(1800 + 108), { exact: true })
    .waitFor()

  await page.goto(`/admin/customers?id=${alfa}`)
  const pdf = nextPdf(page, contract.papers.overview.path)
  await page.getByRole('button', { name: 'Overview as PDF' }).click()
  const overview = await textOf(await pdf)
  for (const storedPlate of (await hotel.sheet(paid, runs[2].until)).stored(alfa))
    expect(overview).toContain(`1-ALF-${storedPlate.slice(4, 7)}`)
  expect(overview).not.toContain('Winter')

  await page.goto('/admin/figures')
  const revenue = page.getByRole('region', { name: 'Revenue' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    revenue.getByRole('button', { name: 'Export' }).click(),
  ])
  const names = {
    storage: 'Storage',
    overstay: 'Stored for too long',
    service: 'Services',
    disposal: 'Disposal',
    no_show: 'Missed deliveries',
  }
  const shown = (await readFile(await download.path(), 'utf16le'))
    .trim()
    .split('\r\n')
    .map(line => line.split(';'))
  for (const [kind, name] of Object.entries(names)) {
    const sum = shown.reduce(
      (cents, [, category, euros]) => cents + (category === name ? Math.round(Number(euros) * 100) : 0),
      0,
    )
    expect([kind, sum]).toEqual([kind, charged.get(kind)])
  }
  expect([...charged.keys()].toSorted()).toEqual(Object.keys(names).toSorted())
  admin.expectNoPageErrors()
  expect(problems).toEqual([])
  await admin.close()
})
