/**
 * The owner's figures: by keyboard, by kind, and as files.
 *
 * @module-tag whole
 */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { figures } from '#contract/figures.ts'
import { whole } from '../src/server/testing/whole.ts'
import { screens, shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test.each(whole ? (['desk', 'phone'] as const) : (['desk'] as const))(
  'on the %s each figure has its numbers, and its file has all of them',
  async device => {
    const admin = await journeys.signedIn('admin', screens[device])
    const { page } = admin
    const revenue = figures.revenue.output.parse(await admin.call('/figures/revenue', {}))
    const times = figures.deliveries.output.parse(await admin.call('/figures/deliveries', {}))
    await page.goto('/admin/figures')

    const plot = page.getByRole('slider', { name: 'Revenue by month' })
    const month = revenue.months.at(-1)
    const charged = (kind?: string) =>
      revenue.rows
        .filter(row => row.month === month && (kind === undefined || row.kind === kind))
        .reduce((sum, row) => sum + row.charged, 0)
        .toLocaleString('en', { style: 'currency', currency: 'EUR' })
    await plot.waitFor()
    expect(await plot.getAttribute('aria-valuetext')).toContain(`Charged ${charged()},`)
    await page.getByRole('combobox', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'Storage', exact: true }).click()
    expect(await plot.getAttribute('aria-valuetext')).toContain(`Charged ${charged('storage')},`)
    await plot.focus()
    await page.keyboard.press('ArrowLeft')
    expect(await plot.getAttribute('aria-valuenow')).toBe('12')

    const section = page.getByRole('region', { name: 'Days from recall to delivery' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^days-to-delivery-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await download.path(), 'utf16le')).trim().split('\r\n')
    expect(lines[1]).toBe('Month;Recalls;Median;90th percentile')
    expect(lines).toHaveLength(2 + times.months.length)
    const last = times.rows.at(-1)
    expect(lines.at(-1)).toMatch(new RegExp(`;${last?.recall_count};${last?.median};${last?.p90}$`))
    await admin.close()
  },
)
