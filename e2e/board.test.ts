/**
 * The season board: its numbers by keyboard and by touch, and tomorrow's sets to staging with one click.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { board } from '#contract/board.ts'
import { waves } from '#contract/waves.ts'
import { formatDate } from '#domain/texts/date.ts'
import { whole } from '../src/server/testing/whole.ts'
import { screens, shareJourneys } from './browser.ts'

const journeys = shareJourneys()

test.each(whole ? (['desk', 'phone'] as const) : (['desk'] as const))(
  'on the %s the board says each day in numbers, also by keyboard',
  async device => {
    const admin = await journeys.signedIn('admin', screens[device])
    const { page } = admin
    const { days, today } = board.read.output.parse(await admin.call('/board/read', {}))
    await page.goto('/admin/board')
    const plot = page.getByRole('slider', { name: 'Tyres out' })
    await plot.focus()
    expect(await plot.getAttribute('aria-valuetext')).toContain(formatDate(today))
    await page.keyboard.press('Home')
    const [first] = days
    const requestedCount = (first?.done.out ?? 0) + (first?.asked.out ?? 0)
    expect(await plot.getAttribute('aria-valuetext')).toMatch(
      new RegExp(
        `${formatDate(first?.day ?? '')}.*Ordered or done ${requestedCount}, Forecast ${first?.forecast?.out}$`,
      ),
    )
    await page.keyboard.press('End')
    expect(await plot.getAttribute('aria-valuenow')).toBe('56')
    const figure = page.getByRole('figure', { name: 'Tyres out' })
    await figure.getByText('Show the figures').click()
    expect(await figure.getByRole('row').count()).toBe(57)
    await page.getByRole('button', { name: `Week of ${formatDate(first?.day ?? '')}` }).click()
    await page.getByRole('table', { name: `Week of ${formatDate(first?.day ?? '')}` }).waitFor()
    await admin.close()
  },
)

test('tomorrow’s sets go to staging with one click', { tags: 'whole' }, async () => {
  const admin = await journeys.signedIn('admin', screens.desk)
  const { page } = admin
  const all = async () => waves.all.output.parse(await admin.call('/waves/all', {}))
  const { today } = board.read.output.parse(await admin.call('/board/read', {}))
  const next = (await all()).due.find(({ day, free_count }) => day > today && free_count > 0)?.day
  expect(next).toBeDefined()
  await page.goto('/admin/board')
  await page.getByRole('button', { name: /^Stage / }).click()
  await page.waitForURL('**/admin/waves')
  const after = await all()
  expect(after.due.filter(({ day }) => day === next).every(({ free_count }) => free_count === 0)).toBe(true)
  expect(after.waves.some(({ day }) => day === next)).toBe(true)
  await admin.close()
})
