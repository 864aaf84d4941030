/** Two portals on one database: changes at one show at the other at once, and counts are shared. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { operations } from '#contract/operations.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { joinPostgres } from '../src/server/postgres/supervisor.ts'
import { waitUntil } from '../src/server/testing/waiting.ts'
import { shareJourneys, visit, type Visitor } from './browser.ts'
import { openPortal, type Portal } from './portal.ts'

/** The first node has the embedded database; the second one connects to it. */
const journeys = shareJourneys({ prepare: openSecond })
let opened: Portal | undefined
afterAll(() => opened?.close())

async function openSecond({ dataDir }: Portal): Promise<void> {
  await opened?.close()
  const { adminUrl, appUrl } = await joinPostgres({ dataDir, log: () => {} })
  const key = readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()
  opened = await openPortal({ DATABASE_URL: adminUrl, DATABASE_APP_URL: appUrl, SECRET_KEY: key })
}

const second = (): Portal => {
  if (!opened) throw new Error('used before it was opened')
  return opened
}

async function atSecond(): Promise<Visitor> {
  const visitor = await visit(journeys.browser, second().url)
  onTestFinished(() => visitor.close())
  return visitor
}

test('a scan at one node shows on the other node’s screen without being asked for', { tags: 'whole' }, async () => {
  const desk = await journeys.visit()
  const intake = await atSecond()
  await Promise.all([desk.signIn('admin'), intake.signIn('admin')])
  const submitted = operations.admin.output.parse(await desk.call('/operations/admin', { status: 'submitted' }))
  const storage = submitted.find(
    operation =>
      operation.type === 'to_stock' && operation.tyres.length === 4 && operation.tyres.every(tyre => !tyre.scanned),
  )
  if (!storage) throw new Error('the demo has no submitted storage of four tyres')
  const { site_number: site } = (await intake.call('/gsc', undefined, 'GET')) as { site_number: number }

  await desk.page.goto('/admin/operations')
  await desk.page.getByRole('tab', { name: /^Storage/ }).click()
  const row = desk.page.getByRole('row').filter({ hasText: formatPlate(storage.vehicle.license_plate) })
  await row.getByText('0 of 4 tyres scanned').or(row.getByLabel('0 of 4 tyres scanned')).first().waitFor()
  await desk.networkIdle()
  await intake.page.goto('/admin/intake?type=to_stock')
  // ready, and with the list that tells a tyre without the server
  await intake.page.getByText('Ready to scan').first().waitFor()
  await intake.page
    .getByText(/tyres? left/)
    .first()
    .waitFor()

  const kept = intake.page.waitForResponse(reply => reply.url().endsWith(operations.markscan.path))
  await intake.scan(encodeBarcode({ tyre: storage.tyres[0]?.db_id ?? 0, site }))
  await intake.page.getByText('Tyre found').first().waitFor()
  await intake.page.getByRole('button', { name: 'Send now' }).click()
  await kept
  // by itself the screen would ask again after five minutes, while its events come
  await row.getByText('1 of 4 tyres scanned').or(row.getByLabel('1 of 4 tyres scanned')).first().waitFor()
  desk.expectNoPageErrors()
  intake.expectNoPageErrors()
})

test('a session is valid on both nodes and ends on both', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('customer')
  // the cookie belongs to the host, on any port: as behind a load balancer
  const state = async (url: string) =>
    (await (await visitor.page.request.post(`${url}/users/loginstate`, { data: {} })).json()) as {
      isAuthenticated: boolean
    }
  expect((await state(second().url)).isAuthenticated).toBe(true)
  await visitor.page.request.post(`${second().url}/users/logout`, { data: {} })
  // a node caches a session for a second (docs/decisions/0006)
  await waitUntil(1000, async () => !(await state(journeys.portal.url)).isAuthenticated)
})

test('failed sign-ins are counted over both nodes', { tags: 'whole' }, async () => {
  const visitor = await journeys.visit()
  const attempt = async (nth: number): Promise<string> => {
    const { url } = nth % 2 === 0 ? journeys.portal : second()
    const data = { username: 'second', password: `wrong ${nth}` }
    return ((await (await visitor.page.request.post(`${url}/users/authenticate`, { data })).json()) as { code: string })
      .code
  }
  const heard: string[] = []
  for (let nth = 0; nth < 7; nth++) heard.push(await attempt(nth))
  expect(heard).toEqual([...Array<string>(5).fill('login.wrong'), 'login.too_many', 'login.too_many'])
})
