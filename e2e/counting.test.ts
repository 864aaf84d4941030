/**
 * Stock is counted with a scanner on a hand terminal, part of it without a network (docs/product/warehouse.md "Counting").
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { counts } from '#contract/counts.ts'
import { locations } from '#contract/locations.ts'
import { wheels } from '#contract/wheels.ts'
import { encodeBarcode, encodeCommand, encodeLocation, type Command } from '#domain/warehouse/barcode.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { shareJourneys, type Visitor } from './browser.ts'
import { savedWorkbook } from './workbook.ts'

const journeys = shareJourneys()
const handheld = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true }

/** A zone of three places: a set on each of the first two, and nothing on the third. */
async function zoneOfThree(admin: Visitor) {
  const all = async () => locations.all.output.parse(await admin.call('/locations/all', {}))
  const parent = (await all()).find(({ kind }) => kind === 'site')?._id ?? 0
  const levels = [
    { kind: 'zone', pattern: 'Count' },
    { kind: 'place', pattern: '1 to 3' },
  ]
  await admin.call('/locations/make', { parent, levels, capacity: 6 })
  const rows = await all()
  const zone = rows.find(({ stock_rack }) => stock_rack === 'Count')?._id ?? 0
  const places = ['Count-1', 'Count-2', 'Count-3'].map(rack => rows.find(row => row.stock_rack === rack)?._id ?? 0)
  const sets = await journeys.portal.sql<{ tyres: number[]; plate: string }>(
    `select array_agg(t.id order by t.id) as tyres, v.license_plate as plate
     from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
     where t.site_id = 1 and t.status = 'in_stock' and t.removed_at is null and t.tyre_set is not null and t.location_id is not null
       and not exists (select from operation_tyre held where held.site_id = t.site_id and held.tyre_id = t.id and held.open)
     group by t.vehicle_id, t.tyre_set, v.license_plate having count(*) = 4 order by 1 limit 2`,
  )
  for (const [nth, { tyres }] of sets.entries()) await admin.call('/locations/move', { tyres, location: places[nth] })
  return { zone, places, sets }
}

test('a zone is counted and its differences are solved by scans alone, and what is counted offline is not lost', async () => {
  const admin = await journeys.signedIn('admin', handheld)
  const { page } = admin
  const { zone, places, sets } = await zoneOfThree(admin)
  const [first, second] = sets.map(({ tyres }) => tyres)
  if (!first || !second) throw new Error('the demo has too few sets')
  const { count } = counts.start.output.parse(await admin.call('/counts/start', { location: zone }))
  await page.goto(`/admin/counts/walk?count=${count}`)
  const screen = page.locator('[data-count]')
  await screen.getByRole('region', { name: 'Next place' }).getByText('Count-1').waitFor()

  let scans = 0
  const scan = async (code: string, says: RegExp | string) => {
    scans++
    await admin.scan(code)
    await screen
      .locator('[data-tint]')
      .getByText(says, { exact: typeof says === 'string' })
      .first()
      .waitFor()
  }
  const wheel = (tyre: number | undefined, site = 1) => encodeBarcode({ tyre: tyre ?? 0, site })
  const place = (nth: number) => encodeLocation({ location: places[nth] ?? 0, site: 1 })
  const command = (what: Command) => encodeCommand({ command: what, site: 1 })

  await scan(wheel(first[0]), 'Scan the place first')
  scans = 0
  // one of its four is not there, one of the other place lies here, and one is another site's
  await scan(place(0), 'Count-1: scan what is here')
  for (const [nth, tyre] of first.slice(0, 3).entries())
    await scan(wheel(tyre), nth === 0 ? '1 tyre' : `${nth + 1} tyres`)
  await scan(wheel(second[0]), '4 tyres')
  await scan(wheel(5, 2), 'Label of another site: counted')
  // blind: nothing tells what should be here
  for (const { plate } of sets) expect(await screen.innerText()).not.toContain(formatPlate(plate))
  await scan(command('next'), 'Count-1: 3 differences')
  await scan(command('confirm'), '1 difference resolved')
  await scan(command('missing'), '1 difference resolved')
  // both commands say the same: the report tells them apart
  const solved = async () =>
    counts.report.output
      .parse(await admin.call('/counts/report', { count }))
      .differences.map(({ outcome, solved: how }) => [outcome, how])
  await expect.poll(solved).toEqual([
    ['moved', 'here'],
    ['foreign', null],
    ['missing', 'miss'],
  ])

  await page.context().setOffline(true)
  await scan(place(1), 'Count-2: scan what is here')
  for (const [nth, tyre] of second.slice(1).entries())
    await scan(wheel(tyre), nth === 0 ? '1 tyre' : `${nth + 1} tyres`)
  await scan(wheel(second[1]), 'Already scanned here')
  await scan(place(2), 'Count-3: scan what is here')
  await scan(command('next'), 'Count-3: saved on this device')
  await screen.getByText('Count-3 is sent as soon as there is a connection.').waitFor()
  await page.context().setOffline(false)
  await screen.locator('[data-tint]').getByText('Count-3: no difference').waitFor()
  await screen.getByText('All places are counted').waitFor()
  const report = counts.report.output.parse(await admin.call('/counts/report', { count }))
  expect(report.count).toMatchObject({
    place_count: 3,
    counted: 3,
    clean: 2,
    found_count: 6,
    moved_count: 1,
    foreign_count: 1,
    missing_count: 1,
  })
  process.stdout.write(`3 places with 8 wheels counted, 2 of 3 differences solved: ${scans} scans, 0 touches\n`)

  const { jobs } = wheels.clearup.output.parse(await admin.call('/wheels/clearup', {}))
  expect(jobs.filter(({ counted }) => counted).map(({ kind, stock_rack }) => [kind, stock_rack])).toEqual([
    ['strange', 'Count-1'],
  ])
  expect(jobs.filter(({ kind }) => kind === 'missing').flatMap(({ tyres }) => tyres)).toContain(first[3])
  admin.expectNoPageErrors(/ERR_INTERNET_DISCONNECTED/)
})

test('one place is counted after the other, and the report is a workbook', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin', handheld)
  const { page } = admin
  await page.goto('/admin/counts')
  await page.getByRole('link', { name: 'Count one place' }).tap()
  const next = page.locator('[data-count]').getByRole('region', { name: 'Next place' })
  await next.getByText('never counted').waitFor()
  const [place] = counts.next.output.parse(await admin.call('/counts/next', {}))
  await next.getByText(place?.stock_rack ?? '').waitFor()
  await admin.scan(encodeLocation({ location: place?._id ?? 0, site: 1 }))
  await page.getByRole('region', { name: 'Being counted' }).waitFor()
  await page.getByRole('button', { name: 'Tyre without a label' }).tap()
  await page.getByRole('button', { name: 'Place done' }).tap()
  const last = page.locator('[data-last]')
  await last.getByText('no readable label').waitFor()
  await last.getByRole('button', { name: 'Resolved another way' }).tap()
  // the input stays when it could not be sent
  await page.route(`**${counts.solve.path}`, route => route.abort())
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Sold to a friend')
  await dialog.getByRole('button', { name: 'Resolved another way' }).tap()
  await dialog.getByRole('alert').waitFor()
  expect(await dialog.getByRole('textbox').inputValue()).toBe('Sold to a friend')
  await page.unroute(`**${counts.solve.path}`)
  await dialog.getByRole('button', { name: 'Resolved another way' }).tap()
  await last.getByText('resolved another way', { exact: true }).waitFor()
  // another place is asked for
  expect(await next.innerText()).not.toContain(`${place?.stock_rack}\n`)

  await page.goto('/admin/counts')
  await page.getByRole('link', { name: /^One place at a time/ }).tap()
  const { headings, rows } = await savedWorkbook(
    page,
    page.getByRole('region', { name: 'All differences' }).getByRole('button', { name: 'XLSX' }),
  )
  expect(headings).toEqual(expect.arrayContaining(['Zone', 'Counted on', 'Outcome', 'Resolved', 'Reason']))
  expect(rows).toContainEqual(
    expect.objectContaining({ Outcome: 'Unknown', Resolved: 'resolved another way', Reason: 'Sold to a friend' }),
  )

  // another one nobody has dealt with: it is registered where it was found
  await page.goto('/admin/counts')
  await page.getByRole('link', { name: 'Count one place' }).tap()
  await next.getByText('never counted').waitFor()
  const [second] = counts.next.output.parse(await admin.call('/counts/next', {}))
  await admin.scan(encodeLocation({ location: second?._id ?? 0, site: 1 }))
  await page.getByRole('region', { name: 'Being counted' }).waitFor()
  await page.getByRole('button', { name: 'Tyre without a label' }).tap()
  await page.getByRole('button', { name: 'Place done' }).tap()
  await last.getByText('no readable label').waitFor()
  await page.goto('/admin/clearup')
  const unlabelled = page
    .getByRole('region', { name: 'Counted, not identified' })
    .getByRole('row')
    .filter({ hasText: 'Without a label' })
  await unlabelled.getByRole('button', { name: 'Register tyre' }).tap()
  const stands = dialog.getByRole('combobox', { name: 'Place' })
  await expect.poll(() => stands.inputValue()).toContain(second?.stock_rack ?? '?')
  await dialog.getByLabel('Size').fill('205/55 R16')
  await dialog.getByRole('button', { name: 'Register tyre' }).tap()
  const orphans = page.getByRole('region', { name: 'Tyres of unknown owner' })
  await orphans.getByText('205/55 R16').waitFor()
  await expect.poll(() => unlabelled.count()).toBe(0)
  admin.expectNoPageErrors(/ERR_FAILED/)
})
