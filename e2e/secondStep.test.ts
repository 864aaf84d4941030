/**
 * A user adds a second factor and signs in with each kind, with Chromium’s virtual authenticator.
 *
 * @module-tag whole
 */
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type Language } from '#domain/people/account.ts'
import { screens, shareJourneys, type Visitor } from './browser.ts'
import { languagesOf, named } from './texts.ts'

const journeys = shareJourneys()

/** A virtual authenticator that creates and uses passkeys with user verification. */
async function addVirtualAuthenticator(page: Page) {
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** An account at the first site of the demo, with a password that its owner set. */
async function makeAccount(username: string, type: 'user' | 'admin') {
  const [account] = await journeys.portal.sql<{ id: number }>(
    `insert into account (site_id, customer_id, username, type, password, language)
     select site_id, customer_id, $1, type, password, 'eng' from account where site_id = 1 and username = $2 returning id`,
    [username, type === 'user' ? 'customer' : 'admin'],
  )
  if (!account) throw new Error(`the demo has no account to make ${username} like`)
}

/** The code of an app; `next` is the following one, of a clock that is fast. */
const codeOf = (seed: string, next = false): string =>
  TOTP.generate({ secret: Secret.fromBase32(seed), timestamp: Date.now() + (next ? 30_000 : 0) })

function pageActions({ page }: Visitor, lang: Language) {
  const button = (key: string) => page.getByRole('button', { name: named(lang, key) }).first()
  return {
    button,
    async enterPassword(username: string) {
      await page.locator('input[autocomplete="username"]').fill(username)
      await page.locator('input[type="password"]').fill('wheelhouse')
      await page.keyboard.press('Enter')
    },
    waitForSignIn: () => page.getByRole('navigation').first().waitFor(),
    async signOut() {
      // a page that is open would ask with the session that has ended
      await page.goto('about:blank')
      await page.request.post('/users/logout', { data: {} })
      await page.goto('/')
      await page.locator('input[autocomplete="username"]').waitFor()
    },
    async openAccount() {
      await page.goto('/account')
      await page.getByRole('heading', { name: named(lang, 'factors:title') }).waitFor()
    },
  }
}

const key = 'Sleutelbos van Koen'

/** Adds a passkey on the screen of the account, and keeps the codes that come with it. */
async function addPasskey(visitor: Visitor, lang: Language): Promise<string[]> {
  const { page } = visitor
  const { button, openAccount } = pageActions(visitor, lang)
  await openAccount()
  await button('factors:addPasskey').click()
  const name = page.getByRole('dialog').getByLabel(named(lang, 'factors:passkeyName'))
  await name.fill(key)
  await name.press('Enter')
  const codesDialog = page.getByRole('dialog', { name: named(lang, 'factors:codes') })
  await codesDialog.getByRole('listitem').first().waitFor()
  const codes = await codesDialog.getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await button('factors:codesKept').click()
  await page.getByRole('row').filter({ hasText: key }).waitFor()
  return codes
}

test.each(languagesOf('ger'))('%s: sign-in with password and passkey, or recovery code, on a phone', async lang => {
  const username = `second-step-${lang}`
  await makeAccount(username, 'user')
  const visitor = await journeys.visit(screens.phone)
  const { page } = visitor
  const { button, enterPassword, waitForSignIn, signOut } = pageActions(visitor, lang)
  await addVirtualAuthenticator(page)
  await visitor.signIn(username, lang)
  const codes = await addPasskey(visitor, lang)

  await signOut()
  await enterPassword(username)
  await page.getByRole('heading', { name: named(lang, 'login:secondStep') }).waitFor()
  await button('factors:showPasskey').click()
  await waitForSignIn()

  await signOut()
  await enterPassword(username)
  await button('factors:use.code').click()
  await page.getByLabel(named(lang, 'factors:label.code')).fill('none of mine')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText(named(lang, 'failures:factor.wrong')).waitFor()
  await page.getByLabel(named(lang, 'factors:label.code')).fill(codes[3] ?? '')
  await page.keyboard.press('Enter')
  await waitForSignIn()

  // a device that is lost is signed out from here
  const lost = await journeys.portal.sql<{ hash: Buffer }>(
    `insert into session (token_hash, account_id, site_id, created_at, seen_at)
     select sha256(username::bytea), id, site_id, now(), now() from account where username = $1 returning token_hash as hash`,
    [username],
  )
  await page.goto('/account')
  await button('account:endOthers').click()
  const sure = page.getByRole('dialog')
  await sure.getByRole('button', { name: named(lang, 'account:end') }).click()
  await page.getByText(named(lang, 'account:othersEnded')).waitFor()
  expect(await journeys.portal.sql('select from session where token_hash = $1', [lost[0]?.hash])).toEqual([])
  expect(await page.getByText(named(lang, 'account:thisDevice')).count()).toBeGreaterThan(0)
  visitor.expectNoPageErrors(/409/)
})

test.each(languagesOf('ger'))(
  '%s: sign-in with a passkey alone and with an app; without factors the password is enough',
  { tags: 'whole' },
  async lang => {
    const username = `two-ways-${lang}`
    await makeAccount(username, 'user')
    const visitor = await journeys.visit(screens.phone)
    const { page } = visitor
    const { button, enterPassword, waitForSignIn, signOut, openAccount } = pageActions(visitor, lang)
    await addVirtualAuthenticator(page)
    await visitor.signIn(username, lang)
    const codes = await addPasskey(visitor, lang)
    const app = new RegExp(named(lang, 'factors:app').source.slice(1))
    await button('factors:addApp').click()
    const dialog = page.getByRole('dialog', { name: named(lang, 'factors:addApp') })
    const seed = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
    await dialog.getByRole('img', { name: named(lang, 'factors:appPicture') }).waitFor()
    await dialog.getByLabel(named(lang, 'factors:appCode')).fill('000000')
    await page.keyboard.press('Enter')
    await dialog.getByText(named(lang, 'failures:factor.wrong')).waitFor()
    await dialog.getByLabel(named(lang, 'factors:appCode')).fill(codeOf(seed))
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: app }).waitFor()

    await signOut()
    await button('login:signInWithPasskey').click()
    await waitForSignIn()

    await signOut()
    await enterPassword(username)
    await button('factors:use.app').click()
    await page.getByLabel(named(lang, 'factors:label.app')).fill(codeOf(seed, true))
    await page.keyboard.press('Enter')
    await waitForSignIn()

    // an hour later, a change asks for as much as a sign-in
    await journeys.portal.sql(
      `update session set confirmed_at = now() - interval '1 hour'
     where account_id = (select id from account where username = $1)`,
      [username],
    )
    // this looks the session up again, which the portal does once a second
    await visitor.call('/users/language', { lang })
    await openAccount()
    const removeApp = page.getByRole('row').filter({ hasText: app }).getByRole('button')
    const remove = page.getByRole('dialog').getByRole('button', { name: named(lang, 'factors:remove') })
    const confirming = page.getByRole('dialog', { name: named(lang, 'account:confirm.title') })
    await removeApp.click()
    await remove.click()
    await confirming.locator('input[type="password"]').fill('wheelhouse')
    const code = confirming.getByLabel(named(lang, 'account:confirm.code'))
    await code.fill('none of mine')
    await page.keyboard.press('Enter')
    await confirming.getByText(named(lang, 'failures:factor.wrong')).waitFor()
    await code.fill(codes[5] ?? '')
    await page.keyboard.press('Enter')
    await removeApp.waitFor({ state: 'detached' })

    const passkey = page.getByRole('row').filter({ hasText: key })
    await passkey.getByRole('button').click()
    await remove.click()
    await passkey.waitFor({ state: 'detached' })
    await signOut()
    await enterPassword(username)
    await waitForSignIn()
    visitor.expectNoPageErrors(/403|409/)
  },
)

test(
  'an administrator who needs a second factor adds one during sign-in, and removes a lost one',
  { tags: 'whole' },
  async () => {
    await makeAccount('second-admin', 'admin')
    await makeAccount('lost-key', 'user')
    const lost = await journeys.visit(screens.phone)
    await addVirtualAuthenticator(lost.page)
    await lost.signIn('lost-key')
    await addPasskey(lost, 'eng')

    await journeys.portal.sql('update site set admins_need_factor = true where id = 1')
    const admin = await journeys.visit()
    const { page } = admin
    const { button, enterPassword, waitForSignIn } = pageActions(admin, 'eng')
    await enterPassword('second-admin')
    await page.getByRole('heading', { name: 'Add a second step' }).waitFor()
    await button('factors:addApp').click()
    const seed = (await page.locator('code').innerText()).replaceAll(/\s/g, '')
    await page.getByLabel('Code of the app').fill(codeOf(seed))
    await page.keyboard.press('Enter')
    await page.getByText('Keep these codes').waitFor()
    await button('factors:codesKept').click()
    await waitForSignIn()
    await journeys.portal.sql('update site set admins_need_factor = false where id = 1')

    const [owner] = await journeys.portal.sql<{ seq_id: number }>(
      `select customer_id as seq_id from account where username = 'lost-key'`,
    )
    await page.goto(`/admin/customers?id=${owner?.seq_id}`)
    const row = page.getByRole('row').filter({ hasText: 'lost-key' })
    await row.getByRole('button', { name: 'New password for lost-key' }).click()
    await page.getByRole('button', { name: 'Remove the second step' }).click()
    await page.getByText('lost-key signs in with the password alone.').waitFor()

    await lost.page.goto('/')
    await pageActions(lost, 'eng').enterPassword('lost-key')
    await pageActions(lost, 'eng').waitForSignIn()
    admin.expectNoPageErrors()
    lost.expectNoPageErrors(/401/)
  },
)
