/**
 * A customer sees what the warehouse did, chooses what comes by mail, and ends it again by the link in a message.
 *
 * @module-tag whole
 */
import { expect, test } from 'vitest'
import { languageCodes, languages } from '#domain/people/account.ts'
import { notices as calls } from '#contract/notices.ts'
import { operations } from '#contract/operations.ts'
import { screens, shareJourneys, type Visitor } from './browser.ts'
import { languagesOf, named } from './texts.ts'

const email = 'fleet@example.org'
const journeys = shareJourneys({
  prepare: async portal => {
    await portal.sql(`update account set email = $1 where username = 'customer'`, [email])
  },
})

/** A storage of tyres that the customer has, which it submits. */
async function submitStorage(customer: Visitor): Promise<{ id: number; tyres: number[] }> {
  const [candidate] = await journeys.portal.sql<{ vehicle: number; tyres: number[] }>(
    `select t.vehicle_id as vehicle, array_agg(t.id order by t.id) as tyres
     from tyre t join account a on a.site_id = t.site_id and a.customer_id = t.customer_id and a.username = 'customer'
     where t.site_id = (select min(id) from site) and t.status = 'at_customer' and t.removed_at is null
       and not exists (select from operation_tyre o where o.site_id = t.site_id and o.tyre_id = t.id and o.open)
     group by t.vehicle_id order by t.vehicle_id limit 1`,
  )
  if (!candidate) throw new Error('the customer of the demo has no tyres at home')
  const { vehicle, tyres } = candidate
  const created = operations.new.output.parse(
    await customer.call('/operations/new', { operation: { flt_id: vehicle, tyres, operationType: 'to_stock' } }),
  )
  await customer.call('/operations/update', { operation: { _id: created._id, status: 'submitted' } })
  return { id: created._id, tyres }
}

test.each(languagesOf('ger'))(
  '%s: what the warehouse did shows without a reload, and by mail where it is wanted',
  { tags: 'whole' },
  async lang => {
    const phone = languageCodes.indexOf(lang) % 2 === 0
    const customer = await journeys.signedIn('customer', { ...(phone ? screens.phone : {}), lang })
    const { page } = customer
    const notices = async () =>
      journeys.portal.sql<{ kept: { subject: string; text: string } }>(
        `select kept from mail where kind = 'notices' and sent_at is not null order by id desc`,
      )
    const before = (await notices()).length
    const operation = await submitStorage(customer)
    await page.goto('/account')
    const mailed = page.getByRole('checkbox', { name: named(lang, 'notices:settings.mailOf') })
    const done = page
      .getByRole('row')
      .filter({ hasText: named(lang, 'notices:kinds.done') })
      .getByRole('checkbox')
      .last()
    await done.check()
    await expect.poll(() => done.isChecked()).toBe(true)
    expect(await mailed.count()).toBe(10)
    await customer.networkIdle()
    await page.goto('/')

    const admin = await journeys.signedIn('admin')
    await admin.page.goto('/')
    await admin.call('/operations/confirm', { operation: { _id: operation.id }, here: operation.tyres })
    // the count comes by itself
    const entry = page.getByRole('link').filter({ hasText: named(lang, 'nav:notices') })
    await entry.filter({ hasText: /\d/ }).waitFor()
    await entry.click()
    const sentence = page.getByText(named(lang, 'notices:text.done.to_stock'))
    const row = page.getByRole('row').filter({ has: sentence }).first()
    await row.getByRole('img', { name: named(lang, 'notices:unread') }).waitFor()
    await expect
      .poll(async () => calls.list.output.parse(await customer.call('/notices/list', {})).unread, { timeout: 20_000 })
      .toBe(0)

    const superuser = await journeys.signedIn('superuser')
    await journeys.portal.sql(
      `update notice set mail_due_at = now() where mail_due_at is not null and mailed_at is null`,
    )
    await expect.poll(async () => (await notices()).length, { timeout: 30_000 }).toBe(before + 1)
    const [mail] = await notices()
    expect(mail?.kept.text).toMatch(new RegExp(named(lang, 'notices:text.done.to_stock').source.slice(1)))
    const link = /https?:\S+\/unsubscribe#\S+/.exec(mail?.kept.text ?? '')?.[0] ?? ''

    // without a sign-in, on another device
    const stranger = await journeys.visit({ ...(phone ? {} : screens.phone), locale: languages[lang] })
    await stranger.page.goto(link)
    await stranger.page.getByRole('button', { name: named(lang, 'notices:unsubscribe.button') }).click()
    await stranger.page.getByText(named(lang, 'notices:unsubscribe.done')).waitFor()
    expect(new URL(stranger.page.url()).hash).toBe('')
    await page.goto('/account')
    await mailed.first().waitFor()
    await expect
      .poll(() => mailed.evaluateAll(boxes => boxes.filter(box => (box as HTMLInputElement).checked).length))
      .toBe(0)
    customer.expectNoPageErrors()
    stranger.expectNoPageErrors()
    superuser.expectNoPageErrors()
  },
)

test('a link that is not whole says what to do', async () => {
  const { page, signIn } = await journeys.visit(screens.phone)
  await page.goto('/unsubscribe#half')
  await page.getByText(named('eng', 'notices:unsubscribe.wrong')).waitFor()
  await page.getByRole('button', { name: named('eng', 'notices:unsubscribe.open') }).click()
  await signIn('customer', 'eng')
})
