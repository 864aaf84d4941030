/**
 * Somebody signs in with an account of their company, at a real provider, once an administrator has set it up.
 *
 * @module-tag whole
 */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Language, languages } from '#domain/people/account.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from '../src/server/testing/provider.ts'
import { screens, shareJourneys } from './browser.ts'
import { languagesOf, named } from './texts.ts'

const journeys = shareJourneys({ settings: { ALLOW_PRIVATE_ADDRESSES: 'yes' }, follows: true })
let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider([journeys.portal.url])
})
afterAll(() => provider.close())

const button = (page: Page, lang: Language, key: string) => page.getByRole('button', { name: named(lang, key) }).first()

/** Types a name at the provider. */
async function enterAt(page: Page, name: string) {
  await page.getByRole('heading', { name: 'Provider' }).waitFor()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('an administrator sets it up, and a customer comes in by it and goes out again', async () => {
  const admin = await journeys.signedIn('admin')
  const { page: desk } = admin
  await desk.goto('/admin/config?page=team')
  await button(desk, 'eng', 'config:signOn.add').click()
  const dialog = desk.getByRole('dialog', { name: 'Set up single sign-on' })
  await dialog.getByLabel('Name', { exact: false }).first().fill('Contoso')
  await dialog.getByLabel('Issuer').fill(`${provider.issuer}/elsewhere`)
  await dialog.getByLabel('Client ID').fill(clientId)
  await dialog.getByLabel('Client secret', { exact: true }).fill(clientSecret)
  await dialog.getByRole('button', { name: 'Save' }).click()
  // the input is kept, and the refusal stands at its field
  await dialog.getByText('No OpenID Connect provider answers').waitFor()
  expect(await dialog.getByLabel('Client ID').inputValue()).toBe(clientId)
  await dialog.getByLabel('Issuer').fill(provider.issuer)
  await dialog.getByRole('combobox', { name: 'Accounts on demand' }).fill('a')
  await dialog.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await desk.getByText(provider.issuer, { exact: true }).waitFor()
  expect(await desk.getByRole('textbox', { name: 'After signing in' }).inputValue()).toBe(
    `${journeys.portal.url}/signon`,
  )

  await journeys.portal.sql(`update account set language = 'eng' where site_id = 1 and username = 'customer'`)
  provider.people.set('jo', { preferred_username: 'customer', name: 'Jo Peeters' })
  const visitor = await journeys.visit()
  const { page } = visitor
  await page.goto('/tyres?tab=tyres')
  await button(page, 'eng', 'login:signInWith').click()
  await enterAt(page, 'jo')
  await page.getByRole('navigation').first().waitFor()
  // back at the address that was asked for, without the code
  expect(page.url()).toBe(`${journeys.portal.url}/tyres?tab=tyres`)

  // out of the portal, and out of the provider
  await page.getByRole('button', { name: /Customer$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign out there, too' }).click()
  await button(page, 'eng', 'login:signInWith').waitFor()
  expect(page.url()).toBe(`${journeys.portal.url}/`)
  await button(page, 'eng', 'login:signInWith').click()
  await page.getByRole('heading', { name: 'Provider' }).waitFor()

  // the administrator sees the link, and takes it away
  const [account] = await journeys.portal.sql<{ customer: number }>(
    `select customer_id as customer from account where site_id = 1 and username = 'customer'`,
  )
  await desk.goto(`/admin/customers?id=${account?.customer}`)
  await desk.getByRole('button', { name: 'New password for customer', exact: true }).click()
  await desk.getByRole('button', { name: 'Remove the link' }).click()
  await desk.getByText('The link of customer is removed.').waitFor()
  admin.expectNoPageErrors(/409/)
  visitor.expectNoPageErrors()
})

test('whoever the claim does not name links the own account, and signs in by it from then on', async () => {
  const admin = await journeys.signedIn('admin')
  await admin.call('/signon/save', {
    name: 'Contoso',
    issuer: provider.issuer,
    client_id: clientId,
    client_secret: clientSecret,
    claim: 'email',
  })
  provider.people.set('mo', { email: 'customer', name: 'Mo Janssens' })
  await journeys.portal.sql(`update account set language = 'eng' where site_id = 1 and username = 'customer'`)
  const owner = await journeys.signedIn('customer')
  await owner.page.goto('/account')
  await button(owner.page, 'eng', 'account:signOn.link').click()
  await enterAt(owner.page, 'mo')
  await owner.page.getByText('Your account is linked to Contoso').waitFor()
  expect(owner.page.url()).toBe(`${journeys.portal.url}/account`)

  const visitor = await journeys.visit()
  await visitor.page.goto('/')
  await button(visitor.page, 'eng', 'login:signInWith').click()
  await enterAt(visitor.page, 'mo')
  await visitor.page.getByRole('navigation').first().waitFor()
  await journeys.portal.sql('delete from sign_on_identity')
  owner.expectNoPageErrors()
  visitor.expectNoPageErrors()
})

test.each(languagesOf('dut'))(
  '%s: on a phone, whoever is refused is told why, and whoever is new gets an account',
  { tags: 'whole' },
  async lang => {
    const name = `koen-${lang}`
    const visitor = await journeys.visit({ ...screens.phone, locale: languages[lang] })
    const { page } = visitor
    const [customer] = await journeys.portal.sql<{ id: number }>(
      `select customer_id as id from account where site_id = 1 and username = 'customer'`,
    )
    await visitor.call('/users/authenticate', { username: 'admin', password: 'wheelhouse' })
    await visitor.call('/signon/save', {
      name: 'Contoso',
      issuer: provider.issuer,
      client_id: clientId,
      client_secret: clientSecret,
      claim: 'preferred_username',
      seq_id: customer?.id,
    })
    await visitor.call('/users/logout', {})
    await page.reload()
    const enter = button(page, lang, 'login:signInWith')
    await enter.click()
    await enterAt(page, 'nobody there')
    await page.getByRole('alert').getByText(named(lang, 'failures:signOn.declined')).waitFor()

    provider.people.set(name, { preferred_username: name, name: 'Koen Vandenbroucke-Delaere' })
    provider.tamper = claims => ({ ...claims, nonce: 'another one' })
    await enter.click()
    await enterAt(page, name)
    await page.getByRole('alert').getByText(named(lang, 'failures:signOn.failed')).waitFor()

    provider.tamper = null
    // signed in at the provider already, nobody is asked again
    await enter.click()
    await page.getByRole('navigation').first().waitFor()
    const accounts = await journeys.portal.sql<{ fullname: string; type: string }>(
      `select fullname, type from account where site_id = 1 and username = $1`,
      [name],
    )
    expect(accounts).toEqual([{ fullname: 'Koen Vandenbroucke-Delaere', type: 'user' }])
    visitor.expectNoPageErrors(/409/)
  },
)
