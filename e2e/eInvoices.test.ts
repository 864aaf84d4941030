/** An invoice on its way to the access point: refused, and sent again. */
import { afterAll, expect, test } from 'vitest'
import { invoices } from '#contract/invoices.ts'
import { startAccessPoint } from '../src/server/testing/accessPointServer.ts'
import { buyerDetails, sellerDetails } from '../src/server/testing/bodies.ts'
import { violations } from './axe.ts'
import { screens, shareJourneys } from './browser.ts'

const accessPoint = await startAccessPoint()
afterAll(() => accessPoint.close())
const journeys = shareJourneys({
  settings: { ACCESS_POINT_URL: accessPoint.url, ACCESS_POINT_TOKEN: 'token of the access point' },
})

test.each(['desk', 'phone'] as const)(
  'on the %s an invoice says what it was refused for, and goes again',
  { tags: 'whole' },
  async device => {
    accessPoint.replies = () => ({ status: 422, text: 'The recipient is not registered.' })
    const admin = await journeys.signedIn('admin', screens[device])
    const { page } = admin
    await admin.call('/invoices/setup', sellerDetails)
    const [document] = await journeys.portal.sql<{ id: number; customer: number }>(
      `select d.id, d.customer_id as customer from document d where d.site_id = 1 and d.amount_excl > 0 and d.withdrawn_at is null
         and not exists (select from invoice_document o where o.document_id = d.id) order by d.id limit 1`,
    )
    expect(document).toBeDefined()
    await admin.call('/invoices/savebuyer', { ...buyerDetails, seq_id: document?.customer })
    const make = () => admin.call('/invoices/make', { seq_id: document?.customer, documents: [document?.id] })

    // the site has to want it
    await page.goto('/admin/config?page=company')
    await page.getByRole('button', { name: 'Edit billing details' }).click()
    const details = page.getByRole('dialog', { name: 'Billing details' })
    await details.getByRole('switch', { name: 'Send e-invoices' }).check()
    await details.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Billing details saved.').waitFor()

    const { number } = invoices.make.output.parse(await make())
    await page.goto('/admin/invoicing?tab=invoices')
    await page.getByRole('button', { name: `Peppol: refused, ${number}` }).click()
    const dialog = page.getByRole('dialog', { name: `E-invoice ${number}` })
    await dialog.getByText('The recipient is not registered.').waitFor()
    expect(await violations(page)).toEqual([])

    accessPoint.replies = () => 'takes'
    await dialog.getByRole('button', { name: 'Send again' }).click()
    await page.getByText(`${number} is on its way.`).waitFor()
    const sent = page.getByRole('button', { name: `Peppol: sent, ${number}` })
    await sent.waitFor()
    await sent.click()
    await dialog.getByText('The access point has accepted this invoice.').waitFor()
    expect(await dialog.getByRole('button', { name: 'Send again' }).count()).toBe(0)
    expect([...accessPoint.taken.values()].filter(xml => xml.includes(`>${number}<`))).toHaveLength(1)

    // the next screen finds the site as this one did
    await admin.call('/invoices/setup', { ...sellerDetails, sends: false })
  },
)
