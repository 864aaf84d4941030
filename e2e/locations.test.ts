/** Tyres that are moved on the screen of the warehouse. */
import { expect, test } from 'vitest'
import { locations } from '#contract/locations.ts'
import { shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test('tyres that are taken up while others are put down stay on their way', async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  const levels = [
    { kind: 'site', pattern: 'Lift' },
    { kind: 'place', pattern: '1 to 2' },
  ]
  await admin.call('/locations/make', { parent: null, levels, capacity: 4 })
  const all = locations.all.output.parse(await admin.call('/locations/all', {}))
  const [from, to] = all
    .filter(location => location.kind === 'place' && location.stock_site_name === 'Lift')
    .map(({ _id }) => _id)
  const [set] = await journeys.portal.sql<{ tyres: number[] }>(
    `select array_agg(t.id order by t.id) as tyres from tyre t
     where t.site_id = 1 and t.status = 'in_stock' and t.removed_at is null and t.tyre_set is not null and t.location_id is not null
       and not exists (select from operation_tyre held where held.site_id = t.site_id and held.tyre_id = t.id and held.open)
     group by t.vehicle_id, t.tyre_set having count(*) = 4 order by 1 limit 1`,
  )
  await admin.call('/locations/move', { tyres: set?.tyres, location: from })
  await page.goto(`/admin/locations?id=${from}`)
  const take = async (nth: number) => {
    await page
      .getByRole('checkbox', { name: /^Select .*, tyre/ })
      .nth(nth)
      .check()
    await page.getByRole('button', { name: 'Move', exact: true }).click()
  }
  const choose = (place: string) => page.getByRole('treeitem', { name: new RegExp(`^${place} Place`) }).click()
  await take(0)
  await page.getByText('1 tyre is being moved').waitFor()
  await choose('2')

  let release = () => {}
  const released = new Promise<void>(resolve => (release = resolve))
  await page.route('**/locations/move', async route => {
    await released
    await route.continue()
  })
  await page.getByRole('button', { name: /^Put on/ }).click()
  await choose('1')
  await take(1)
  await page.getByText('2 tyres are being moved').waitFor()
  release()
  await page.getByText(/^1 tyre is at/).waitFor()
  await page.getByText('1 tyre is being moved').waitFor()
  const after = locations.all.output.parse(await admin.call('/locations/all', {}))
  expect(after.find(({ _id }) => _id === to)?.tyre_count).toBe(1)
  admin.expectNoPageErrors()
})

test('a wheel without a label says what it needs when nothing is filled in', async () => {
  const admin = await journeys.signedIn('admin')
  const { page } = admin
  await page.goto('/admin/clearup')
  await page.getByRole('button', { name: 'Tyre without a label' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tyre without a label' })
  const register = dialog.getByRole('button', { name: 'Register tyre' })
  await register.click()
  await dialog.getByText('Enter a size, a brand or a remark.', { exact: true }).waitFor()
  expect(await dialog.getByLabel('Size').evaluate(field => field === document.activeElement)).toBe(true)
  await dialog.getByLabel('Remarks').fill('Blue paint on the rim')
  await register.click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Blue paint on the rim').waitFor()
  admin.expectNoPageErrors()
})
