/** A user is invited by a message, sets a password, and resets it. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { screens, shareJourneys, type Visitor } from './browser.ts'

const journeys = shareJourneys()

const username = 'koen.vandenbroucke-delaere'
const first = 'winter wheels in october'
const second = 'summer wheels in april'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The link in the latest message of a kind, as the superuser of the demo sees it. */
async function latestLink(superuser: Visitor, kind: string): Promise<string> {
  const { page } = superuser
  const row = page.getByRole('row').filter({ hasText: kind }).filter({ hasText: username })
  // the screen refetches every 15 s; the test does not wait for that
  await expect
    .poll(
      async () => {
        await page.goto('/superuser/mails')
        await page.getByRole('heading', { name: 'E-mail' }).waitFor()
        return row.filter({ hasText: 'Sent' }).count()
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0)
  await row.first().getByText('Show message').click()
  return (await row.first().getByRole('link').first().getAttribute('href')) ?? ''
}

/** Sets a password by a link on a phone, and signs in with it. */
async function choose(visitor: Visitor, link: string, password: string) {
  const { page } = visitor
  await page.goto(link)
  await page.getByText(`For the account ${username}.`).waitFor()
  // the token is not visible
  expect(new URL(page.url()).hash).toBe('')
  await page.getByLabel('New password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('Your password is set. Sign in with it.').waitFor()
  expect(await page.getByLabel('Username').inputValue()).toBe(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('navigation').first().waitFor()
}

test('an invitation and a password reset each set a password', async () => {
  const admin = await journeys.visit()
  await admin.signIn('admin')
  const { page } = admin
  await page.goto('/admin/customers')
  await page.locator('[data-customer], tbody tr').first().getByRole('link').first().click()
  await button(page, 'New account').click()
  const dialog = page.getByRole('dialog', { name: 'New account' })
  await dialog.getByLabel('Username').fill(username)
  // without an address the password is generated, with one its owner sets it
  await dialog.getByLabel('Password', { exact: true }).waitFor()
  await dialog.getByLabel('E-mail').fill('koen@example.org')
  await dialog.getByLabel('Send an invitation').waitFor()
  expect(await dialog.getByLabel('Password', { exact: true }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('row').filter({ hasText: username })
  await row.getByText(/Message waits to be sent|Invited/).waitFor()

  const superuser = await journeys.visit()
  await superuser.signIn('superuser')
  const invitation = await latestLink(superuser, 'Invitation')
  const koen = await journeys.visit(screens.phone)
  await choose(koen, invitation, first)

  // used once
  const again = await journeys.visit(screens.phone)
  await again.page.goto(invitation)
  await again.page.getByText('This link was used already or has expired.').waitFor()
  await button(again.page, 'Ask for a new link').click()
  const field = again.page.getByLabel('Username or e-mail address')
  await field.fill('KOEN@example.org')
  await field.press('Enter')
  await again.page.getByText('If an account with an e-mail address belongs to this').waitFor()
  await choose(again, await latestLink(superuser, 'New password asked for'), second)
  admin.expectNoPageErrors()
  superuser.expectNoPageErrors()
  again.expectNoPageErrors(/404/)

  // the session of the old password is over
  await koen.page.reload()
  await koen.page.locator('input[name="password"]').waitFor()
})
