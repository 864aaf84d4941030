/** A user is invited by a message, sets a password, and resets it. */
import { expect, test } from 'vitest'
import { type Language, languages } from '#domain/people/account.ts'
import { screens, shareJourneys, type Visitor } from './browser.ts'
import { languagesOf, named } from './texts.ts'

const journeys = shareJourneys()

const first = 'winter wheels in october'
const second = 'summer wheels in april'

/** The link in the latest message of a kind to somebody, as the superuser of the demo sees it. */
async function latestLink({ page }: Visitor, kind: string, username: string): Promise<string> {
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

/** Sets a password by a link, which signs in. */
async function choose({ page }: Visitor, lang: Language, by: { link: string; username: string; password: string }) {
  await page.goto(by.link)
  const account = page.getByText(named(lang, 'login:choosePasswordFor'))
  expect(await account.innerText()).toContain(by.username)
  // the token is not visible
  expect(new URL(page.url()).hash).toBe('')
  await page.getByLabel(named(lang, 'login:newPassword')).fill(by.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('navigation').first().waitFor()
}

test.each(languagesOf('fre'))(
  '%s: an invitation and a password reset each set a password, on a phone',
  { tags: 'whole' },
  async lang => {
    const username = `koen.vandenbroucke-delaere.${lang}`
    const email = `koen.${lang}@example.org`
    const phone = { ...screens.phone, locale: languages[lang] }
    const admin = await journeys.signedIn('admin', { ...screens.phone, lang })
    const { page } = admin
    await page.goto('/admin/customers')
    await page.locator('[data-customer], tbody tr').first().getByRole('link').first().click()
    await page.getByRole('button', { name: named(lang, 'customers:newAccount') }).click()
    const dialog = page.getByRole('dialog', { name: named(lang, 'customers:newAccount') })
    await dialog.getByLabel(named(lang, 'customers:username')).fill(username)
    // the customer's address is proposed; without one the password is generated, with one its owner sets it
    await dialog.getByLabel(named(lang, 'customers:email')).fill('')
    await dialog.locator('input[type="password"]').waitFor()
    await dialog.getByLabel(named(lang, 'customers:email')).fill(email)
    await dialog.getByLabel(named(lang, 'customers:invite')).waitFor()
    expect(await dialog.locator('input[type="password"]').count()).toBe(0)
    await dialog.getByRole('button', { name: named(lang, 'customers:create') }).click()
    const row = page.getByRole('row').filter({ hasText: username })
    const states = [named(lang, 'customers:link.waiting'), named(lang, 'customers:link.invitation')]
    await row
      .getByText(states[0] as RegExp)
      .or(row.getByText(states[1] as RegExp))
      .first()
      .waitFor()

    const superuser = await journeys.signedIn('superuser')
    const invitation = await latestLink(superuser, 'Invitation', username)
    const koen = await journeys.visit(phone)
    await choose(koen, lang, { link: invitation, username, password: first })

    // used once
    const again = await journeys.visit(phone)
    await again.page.goto(invitation)
    await again.page.getByText(named(lang, 'failures:link.invalid')).waitFor()
    await again.page.getByRole('button', { name: named(lang, 'login:askAgain') }).click()
    const field = again.page.getByLabel(named(lang, 'login:usernameOrEmail'))
    await field.fill(email.toUpperCase())
    await field.press('Enter')
    await again.page.getByText(named(lang, 'login:linkSent')).waitFor()
    const reset = await latestLink(superuser, 'New password requested', username)
    await choose(again, lang, { link: reset, username, password: second })
    admin.expectNoPageErrors()
    superuser.expectNoPageErrors()
    again.expectNoPageErrors(/404/)

    // the session of the old password is over
    await koen.page.reload()
    await koen.page.locator('input[name="password"]').waitFor()
  },
)
