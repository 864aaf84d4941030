/**
 * A superuser sees a message while changing its text; an administrator sees at which address none arrives, and corrects it.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import type { Language } from '#domain/people/account.ts'
import { screens, shareJourneys } from './browser.ts'
import { languagesOf, named } from './texts.ts'

const problem = '550 5.1.1 no such user'
const journeys = shareJourneys()

const phone = { ...screens.phone, viewport: { width: 360, height: 740 } }

test.each(languagesOf('dut'))('%s: a message shows with its text as it is typed, and nothing is saved', async lang => {
  const superuser = await journeys.signedIn('superuser', { ...phone, lang })
  const { page } = superuser
  await page.goto(`/superuser/translations?ns=mail&filter=where.device&lang=${lang}`)
  await page.getByRole('gridcell').first().click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox')
  await dialog.getByRole('button', { name: named(lang, 'translations:preview') }).press('Enter')
  const preview = dialog.getByRole('region', { name: named(lang, 'translations:preview') })
  const message = preview.frameLocator('iframe')
  await message.getByText('Firefox, Windows').waitFor()
  // styled as in a mail reader, and without a link that leads somewhere; read from the page, as nothing runs in the frame
  const drawn = await preview.locator('iframe').evaluate((frame: HTMLIFrameElement) => {
    const body = frame.contentDocument?.body ?? document.body
    return { paper: getComputedStyle(body).backgroundColor, links: body.querySelectorAll('a[href]').length }
  })
  expect(drawn).toEqual({ paper: 'rgb(241, 243, 245)', links: 0 })

  await field.fill('<b>Typed</b> {{devise}}.')
  const wrong = preview.getByRole('status')
  await wrong.getByText(named(lang, 'translations:lost')).filter({ hasText: '{{device}}' }).waitFor()
  await wrong.getByText(named(lang, 'translations:unknownPlaceholders')).filter({ hasText: '{{devise}}' }).waitFor()
  await field.fill('<b>Typed</b> {{device}}.')
  await message.getByText('<b>Typed</b> Firefox, Windows.').waitFor()
  await wrong.waitFor({ state: 'detached' })

  // another message that the text is part of, as text
  await preview.getByRole('combobox').selectOption('locked')
  await preview
    .getByRole('paragraph')
    .filter({ hasText: named(lang, 'mail:locked.subject') })
    .waitFor()
  await preview.getByText(named(lang, 'translations:plainText')).click()
  await preview.locator('pre').filter({ hasText: '<b>Typed</b> Firefox, Windows.' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

  const stored = await journeys.portal.sql(`select from translation where key = 'where.device'`)
  expect(stored).toEqual([])
  superuser.expectNoPageErrors()
})

test('a text of screens has no preview', { tags: 'whole' }, async () => {
  const { page } = await journeys.signedIn('superuser')
  await page.goto('/superuser/translations?ns=notices&filter=settings.title')
  await page.getByRole('gridcell').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').waitFor()
  expect(await dialog.getByRole('button', { name: named('eng', 'translations:preview') }).count()).toBe(0)
})

test.each(languagesOf('ger'))(
  '%s: an address at which nothing arrives is corrected where it shows',
  { tags: 'whole' },
  async lang => {
    const [account] = await journeys.portal.sql<{ customer: number }>(
      `update account set email = 'mistyped@example.org' where username = 'customer' and site_id = (select min(id) from site)
     returning customer_id as customer`,
    )
    const weekend = `weekend-${lang}`
    await journeys.portal.sql(
      `insert into account (site_id, username, type, password, email)
     select min(id), $1, 'admin', '', $1 || '@example.org' from site`,
      [weekend],
    )
    await journeys.portal.sql(
      `update account set bounced_at = '2026-11-20T10:00:00Z', bounce = $1 where username in ('customer', $2)`,
      [problem, weekend],
    )
    const admin = await journeys.signedIn('admin', { ...phone, lang })
    const { page } = admin
    await page.goto(`/admin/customers?id=${account?.customer}`)
    const row = page.locator('tbody').filter({ hasText: 'mistyped@example.org' })
    const notice = row.getByText(named(lang, 'common:bounced'))
    await notice.filter({ hasText: '20/11/2026 11:00' }).waitFor()
    await row.getByText(named(lang, 'customers:correctAddress')).waitFor()
    await row.getByText(problem).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

    await row.getByRole('button', { name: named(lang, 'customers:editWhich') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(named(lang, 'customers:email')).fill('corrected@example.org')
    await dialog.getByRole('button', { name: named(lang, 'customers:save') }).click()
    const corrected = page.locator('tbody').filter({ hasText: 'corrected@example.org' })
    await corrected.waitFor()
    expect(await corrected.getByText(problem).count()).toBe(0)
    admin.expectNoPageErrors()

    await superuserSees(lang)
  },
)

/** The superuser sees it of the administrators of a site, who can correct it. */
async function superuserSees(lang: Language) {
  const superuser = await journeys.signedIn('superuser', { lang })
  const { page } = superuser
  const [site] = await journeys.portal.sql<{ id: number }>(`select min(id) as id from site`)
  await page.goto(`/superuser/config?id=${site?.id}&page=team`)
  const row = page.locator('tbody').filter({ hasText: `weekend-${lang}@example.org` })
  await row.getByText(named(lang, 'sites:correctAddress')).waitFor()
  await row.getByText(problem).waitFor()
  superuser.expectNoPageErrors()
}
