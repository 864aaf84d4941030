/** The label reports of a site (docs/product/warehouse.md "Labels"). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { RawInput } from '#contract/call.ts'
import { labelReports } from '#contract/labelReports.ts'
import { site } from '#contract/sites.ts'
import { vehicleConfigs } from '#contract/vehicleConfigs.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
})
afterAll(() => at.close())
beforeEach(async () => {
  await at.query('truncate audit')
  await at.query(`delete from label_report where number > 3`)
  await at.query(`update site set last_label_report = 0`)
  await at.query(`update label_report set name = 'Report ' || number`)
})

const reports = async (who = at.who.admin) => (await at.ask(labelReports.all, who, {})).answer
const saveReport = (input: RawInput<typeof labelReports.save>) => at.ask(labelReports.save, at.who.admin, input)
const audits = () =>
  at.query<{ action: string; facts: Record<string, unknown> }>('select action, facts from audit order by id')

test('reports are added with the next number, renamed and removed, and every account gets the list', async () => {
  const added = await saveReport({ rpt_name: ' Tread wall ', rpt_layout: 'roll_57x32' })
  expect(added.answer).toEqual({ rpt_number: 4, rpt_name: 'Tread wall', rpt_layout: 'roll_57x32' })
  expect((await saveReport({ rpt_number: 4, rpt_name: 'Wall', rpt_layout: 'sheet_a4_2x7' })).answer).toEqual({
    rpt_number: 4,
    rpt_name: 'Wall',
    rpt_layout: 'sheet_a4_2x7',
  })
  const offered = (await at.ask(site.tsconfigdata, at.who.a, {})).answer.labelReports
  expect(offered.at(-1)).toEqual({ rpt_number: 4, rpt_name: 'Wall' })
  expect((await at.ask(labelReports.remove, at.who.admin, { rpt_number: 4 })).answer).toEqual({ rpt_number: 4 })
  expect((await reports()).map(({ rpt_number }) => rpt_number)).toEqual([1, 2, 3])
  expect((await audits()).map(({ action, facts }) => [action, facts])).toEqual([
    ['labelReport.add', { name: 'Tread wall', layout: 'roll_57x32' }],
    ['labelReport.edit', { name: ['Tread wall', 'Wall'], layout: ['roll_57x32', 'sheet_a4_2x7'] }],
    ['labelReport.remove', { name: 'Wall', layout: 'sheet_a4_2x7' }],
  ])
})

test('the number of a removed report is not used again: browsers remember reports by it', async () => {
  const newReport = async (rpt_name: string) =>
    (await saveReport({ rpt_name, rpt_layout: 'roll_57x32' })).answer.rpt_number
  const remove = async (rpt_number: number) =>
    expect((await at.ask(labelReports.remove, at.who.admin, { rpt_number })).status).toBe(200)
  await remove(3)
  const first = await newReport('First')
  expect(first).toBe(4)
  await remove(first)
  expect(await newReport('Second')).toBe(5)
  await at.query(`insert into label_report (site_id, number, name, layout) values ($1, 3, 'Report 3', 'roll_57x32')`, [
    at.sites.home,
  ])
})

test('a report needs a name that no other one has', async () => {
  expect((await saveReport({ rpt_name: 'report 1', rpt_layout: 'roll_57x32' })).refusal.code).toBe('label.name_taken')
  expect((await saveReport({ rpt_number: 2, rpt_name: 'Report 1', rpt_layout: 'roll_57x32' })).refusal.code).toBe(
    'label.name_taken',
  )
  expect((await saveReport({ rpt_number: 1, rpt_name: 'REPORT 1', rpt_layout: 'roll_62x100' })).status).toBe(200)
})

test('the last report cannot be removed, also when all are removed at once', async () => {
  const replies = await Promise.all(
    [1, 2, 3].map(rpt_number => at.ask(labelReports.remove, at.who.otherAdmin, { rpt_number })),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
  expect(replies.find(({ status }) => status === 409)?.refusal.code).toBe('label.last')
  expect(await reports(at.who.otherAdmin)).toHaveLength(1)
  expect(await reports()).toHaveLength(3)
})

test('the calls are refused in the mode fleetonly', async () => {
  await at.setSite(at.sites.home, { mode: 'fleetonly' })
  expect((await at.ask(labelReports.all, at.who.admin, {})).refusal.code).toBe('site.mode')
  expect((await at.ask(vehicleConfigs.all, at.who.admin, {})).status).toBe(200)
  await at.setSite(at.sites.home, { mode: 'both' })
})
