/** Repeated actions on the screens of a fleet. */
import type { Locator, Page } from 'playwright-core'

export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/**
 * Answers a question by one of its buttons. A question closes after some seconds without interaction; a key stops that,
 * so that it is still open when a busy machine clicks.
 */
export async function answer(page: Page, question: string, verb: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: question })
  await dialog.press('F2')
  await dialog.getByRole('button', { name: verb, exact: true }).click()
}

/** Shows tyres of these statuses in the tyre list, instead of those in stock. */
export async function showStatuses(page: Page, ...names: string[]): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Status' })
  await field.press('Backspace')
  await field.press('ArrowDown')
  for (const name of names) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
}

/** Opens what filters the list of the screen. */
export const openFilters = (page: Page): Promise<void> =>
  page.getByRole('main').getByRole('button', { name: 'Filter', exact: true }).click()

/** An item of the menu of the screen's list, which is opened. */
export async function itemOfList(page: Page, name: string): Promise<Locator> {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
  return page.getByRole('menuitem', { name, exact: true })
}
