/** What a person does again and again on the screens of a fleet. */
import type { Page } from 'playwright-core'

export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Shows tyres of these statuses in the tyre list, instead of those in stock. */
export async function showStatuses(page: Page, ...names: string[]): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Status' })
  await field.press('Backspace')
  await field.press('ArrowDown')
  for (const name of names) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
}
