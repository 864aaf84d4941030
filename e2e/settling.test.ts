/** Storage of tyres that left the store: charged, waived, credited, and taken back again (docs/product/money.md "Stored days"). */
import { expect, test } from 'vitest'
import { shareJourneys } from './browser.ts'
import type { Visitor } from './browser.ts'

const journeys = shareJourneys()

/** So many tyres in the store of the customer who has most there; they owe 100 days. */
async function owing(count: number): Promise<{ tyres: number[]; customer: number }> {
  const rows = await journeys.portal.sql<{ id: number; customer: number }>(
    `select t.id, t.customer_id as customer from tyre t
     where t.status = 'in_stock' and t.removed_at is null and t.site_id = 1 and t.customer_id = (
       select customer_id from tyre where status = 'in_stock' and removed_at is null and site_id = 1 group by 1 order by count(*) desc, 1 limit 1)
       and not exists (select from operation_tyre o where o.tyre_id = t.id and o.open)
       and not exists (select from storage_ledger l where l.tyre_id = t.id)
     order by t.id limit $1`,
    [count],
  )
  const tyres = rows.map(({ id }) => id)
  await journeys.portal.sql(
    `update tyre set status_date = current_date - 100, invoiced_on = null where id = any ($1::int[])`,
    [tyres],
  )
  // in no set: tyres charged together would be credited together
  await journeys.portal.sql(`update stay set tyre_set = null where until is null and tyre_id = any ($1::int[])`, [
    tyres,
  ])
  return { tyres, customer: rows[0]?.customer ?? 0 }
}
const leave = (tyres: readonly number[], daysAgo = 0) =>
  journeys.portal.sql(
    `update tyre set status = 'at_customer', status_date = current_date - $2::int, location_id = null where id = any ($1::int[])`,
    [tyres, daysAgo],
  )

/** Gives a reason in the dialog that is open, and presses its button. */
async function giveReason({ page }: Visitor, reason: string, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test(
  'what tyres owe when they left is charged or waived, and both can be taken back, each with its reason',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const { tyres, customer } = await owing(3)
    const [waived = 0, ...others] = tyres

    // in the store: waived on the screen of overdue storage, where the reason then stands
    await page.goto(`/admin/invoicing?days=100&customer=${customer}`)
    await page.getByRole('checkbox', { name: new RegExp(`, tyre ${waived}$`) }).check()
    await page.getByRole('button', { name: 'Waive', exact: true }).click()
    await giveReason(admin, 'Goodwill after damage', 'Waive')
    await page.getByText('100 days waived: Goodwill after damage').filter({ visible: true }).first().waitFor()

    // what owes nothing any more does not keep the others from a document
    await page.getByRole('checkbox', { name: 'Select all tyres' }).check()
    await page.getByRole('button', { name: 'Create document' }).click()
    await page.getByText(/^\d+ selected tyres? owes? no days and (is|are) left out\.$/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('tab', { name: 'Waived' }).click()
    await page.getByRole('button', { name: /^Take back: .*Goodwill after damage$/ }).click()
    await giveReason(admin, 'Wrong customer', 'Take back')
    await page.getByText(/Wrong customer · /).waitFor()

    await leave([waived, ...others])
    await page.goto('/admin/invoicing?tab=left')
    const left = page.getByRole('region', { name: 'Left storage, not charged' })
    await left.getByRole('button', { name: 'Create document' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create document' }).click()
    await page.getByText('Document created successfully').first().waitFor()
    await page.goto('/admin/invoicing?tab=left')
    await page.getByText('No tyres left storage with days that are not charged.').waitFor()

    // the document is withdrawn: the days are owed again, and waived
    await page.getByRole('tab', { name: 'Invoices' }).first().click()
    await page.getByRole('tab', { name: 'Documents' }).click()
    await page.getByRole('button', { name: 'Withdraw' }).first().click()
    await giveReason(admin, 'Wrong customer', 'Withdraw')
    await page.getByText('Withdrawn', { exact: true }).first().waitFor()
    await page.getByRole('tab', { name: 'To bill' }).click()
    await page.getByRole('tab', { name: 'Left, not charged' }).click()
    await left.getByRole('button', { name: 'Waive' }).click()
    await giveReason(admin, 'Never stored', 'Waive')
    await page.getByText('No tyres left storage with days that are not charged.').waitFor()
    admin.expectNoPageErrors()
  },
)

test(
  'days that were paid are offered as credit when a tyre turns out to have left before',
  { tags: 'whole' },
  async () => {
    const admin = await journeys.signedIn('admin')
    const { page } = admin
    const { tyres, customer } = await owing(1)
    await journeys.portal.sql(`update site set invoicing_mode = 'per_day' where id = 1`)
    await admin.call('/invoicing/inject', { tyres, seq_id: customer })
    await leave(tyres, 3)
    await page.goto('/admin/invoicing?tab=left')
    await page.getByRole('button', { name: 'Mark as credited' }).first().click()
    // one key does not discard the input
    const dialog = page.getByRole('dialog', { name: /^Mark as credited/ })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Credit note')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor({ state: 'detached' })
    expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Credit note')
    await giveReason(admin, 'Credit note 12', 'Mark as credited')
    await page.getByText('Marked as credited').first().waitFor()
    await page.getByRole('region', { name: 'Paid in advance, not used' }).waitFor({ state: 'detached' })
    expect(
      await journeys.portal.sql(
        `select released_reason as reason from storage_ledger where tyre_id = $1 and released_at is not null`,
        tyres,
      ),
    ).toEqual(expect.arrayContaining([{ reason: 'Credit note 12' }]))
    admin.expectNoPageErrors()
  },
)
