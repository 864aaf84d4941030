/**
 * From nothing to the first wheel: an empty database, a superuser from the command line, and in at most forty clicks and fields, less
 * than ten minutes of work, a customer's tyres lie in their rack, with labels, and the storage is confirmed.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import type { Locator, Page } from 'playwright-core'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { encodeLocation } from '#domain/warehouse/barcode.ts'
import { linkPath } from '#domain/people/mail.ts'
import { freePort } from '../src/server/postgres/connection.ts'
import { printed, scanned } from '../src/server/testing/labelReader.ts'
import { nextPdf, shareJourneys, type Visitor } from './browser.ts'

const mails: { to: string; text: string }[] = []
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, callback) {
    simpleParser(stream, (error, mail) => {
      if (mail) mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', text: mail.text ?? '' })
      callback(error)
    })
  },
})
mailServer.listen(0, '127.0.0.1')
await once(mailServer.server, 'listening')
afterAll(() => mailServer.close())

const port = await freePort()
const superuser = { username: 'boss', password: '' }
const journeys = shareJourneys({
  empty: true,
  settings: {
    PORT: String(port),
    SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
    PUBLIC_URL: `http://localhost:${port}`,
  },
  async prepare(portal) {
    mails.length = 0
    const output = await portal.run('src/server/cli/manage.ts', 'account', superuser.username, '--type', 'superuser')
    superuser.password = /password: (\S+)/.exec(output)?.[1] ?? ''
  },
})

const admin = 'els@bandenhoteleerst.example'
const customer = 'joris@koeriersvanhove.example'
const plate = '1-WHL-001'

/** The effort that the journey takes of people, and their time for it, in s. */
const effort = { clicks: 0, fields: 0, scans: 0 }
const seconds = { clicks: 2, fields: 4, scans: 2 } as const satisfies typeof effort

const click = (what: Locator): Promise<void> => {
  effort.clicks++
  return what.click()
}
/** Closes a form by Enter. */
const enter = (page: Page): Promise<void> => {
  effort.clicks++
  return page.keyboard.press('Enter')
}
const fill = (what: Locator, text: string): Promise<void> => {
  effort.fields++
  return what.fill(text)
}
/** Types the beginning of an option into the field of a list, and takes the first that is left. */
async function choose(within: Page | Locator, label: string, option: string): Promise<void> {
  effort.fields++
  const field = within.getByRole('combobox', { name: label })
  await field.fill(option)
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe(option)
}
const scan = (visitor: Visitor, code: string): Promise<void> => {
  effort.scans++
  return visitor.scan(code)
}

const box = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const signedIn = (page: Page) => page.getByRole('navigation', { name: 'Main navigation' }).waitFor()

/** Follows the link of the invitation to somebody, and sets a password, which signs in. */
async function accept({ page }: Visitor, whose: string, password: string): Promise<void> {
  const link = () => mails.find(({ to }) => to === whose)?.text.match(new RegExp(`http\\S+${linkPath}#\\S+`))?.[0]
  await expect.poll(link).toBeDefined()
  effort.clicks++
  await page.goto(link() ?? '')
  await fill(page.getByLabel('New password'), password)
  await enter(page)
  await signedIn(page)
}

test('from an empty database to a confirmed storage in forty clicks and fields', { tags: 'whole' }, async () => {
  Object.assign(effort, { clicks: 0, fields: 0, scans: 0 })

  // The superuser makes a site from the template of a country, and invites its administrator.
  {
    const visitor = await journeys.visit()
    const { page } = visitor
    await fill(box(page, 'Username'), superuser.username)
    await fill(page.getByLabel('Password', { exact: true }), superuser.password)
    await enter(page)
    await fill(page.getByLabel('New password'), 'kettle under ladder')
    await enter(page)
    await click(button(page, 'New site').first())
    const form = page.getByRole('dialog', { name: 'New site' })
    expect(await form.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('Belgium')
    await fill(box(form, 'Name'), 'Bandenhotel Eerst')
    await fill(box(form, 'Administrator’s e-mail'), admin)
    await click(button(form, 'Create site'))
    await click(button(page, 'Create first administrator'))
    await page.getByRole('cell', { name: admin }).first().waitFor()
    visitor.expectNoPageErrors()
  }

  // The administrator invites a customer.
  const desk = await journeys.visit()
  {
    await accept(desk, admin, 'ladder under kettle')
    const { page } = desk
    // each list that is empty offers its first entry
    for (const [address, text, step] of [
      ['/admin/customers', 'No customers to display.', 'New customer'],
      ['/fleet', 'No vehicles to display.', 'New vehicle'],
      ['/admin/counts', 'Nothing has been counted yet.', 'Start a count'],
    ] as const) {
      await page.goto(address)
      await page.getByText(text).locator('..').getByRole('button', { name: step }).waitFor()
    }
    await page.goto('/')
    await click(page.getByRole('link', { name: 'Add customers' }))
    await click(button(page, 'New customer').first())
    const form = page.getByRole('dialog', { name: 'New customer' })
    await fill(box(form, 'Name'), 'Joris Van Hove')
    await fill(box(form, 'E-mail'), customer)
    await click(button(form, 'Create'))
    await click(button(page, 'New account'))
    const account = page.getByRole('dialog', { name: 'New account' })
    await click(button(account, 'Create'))
    await page.getByRole('row').filter({ hasText: customer }).first().waitFor()
  }

  // The customer has four tyres stored, and prints their labels.
  let barcodes: string[]
  {
    const visitor = await journeys.visit()
    const { page } = visitor
    await accept(visitor, customer, 'a courier and his van')
    await click(page.getByRole('link', { name: 'New operation' }).first())
    await fill(page.getByLabel('Insert license plate'), plate)
    await enter(page)
    await fill(box(page, 'Brand'), 'Volkswagen')
    await fill(box(page, 'Description'), 'Caddy')
    await choose(page, 'Type', 'Car')
    await click(button(page, 'Proceed'))
    const adding = page.getByRole('dialog', { name: 'Add tyres' })
    await click(button(adding, 'The article is not in the list'))
    // a short list, in which nothing is typed
    await click(adding.getByRole('combobox', { name: 'Type' }))
    await click(adding.getByRole('option', { name: 'Winter', exact: true }))
    await fill(box(adding, 'Description'), 'Polderband Vorst 205/55R16 91V')
    await enter(page)
    await click(button(adding, 'All (4)'))
    await click(button(adding, 'Add 4 tyres'))
    await page.getByText('4 tyres selected').waitFor()
    await click(button(page, 'Proceed'))
    await page.getByText('Add final information and confirm').waitFor()
    const labels = nextPdf(page, fleet.getTyreLabels.path)
    await click(button(page, 'Process'))
    await page.getByText('The operation is submitted.').waitFor()
    const pages = await printed(await labels)
    barcodes = (await Promise.all(pages.map(scanned))).flat()
    expect(barcodes).toHaveLength(4)
    visitor.expectNoPageErrors()
  }

  // The administrator scans the four, and the place that they are put on, wherever the portal stands.
  {
    const { page } = desk
    const [place] = await journeys.portal.sql<{ id: number; site: number }>(
      `select id, site_id as site from location where kind = 'place' order by id limit 1`,
    )
    const card = page.getByRole('complementary', { name: 'Card' })
    await page.locator('[data-takes-scans]').waitFor({ state: 'attached' })
    for (const [nth, barcode] of barcodes.entries()) {
      await scan(desk, barcode)
      await card.getByText(`In hand: ${nth + 1} tyre`).waitFor()
    }
    await scan(desk, encodeLocation({ location: place?.id ?? 0, site: place?.site ?? 0 }))
    await card.getByText('4 tyres put on').waitFor()
    // the card of a wheel lists the remaining work
    await scan(desk, barcodes[0] ?? '')
    await click(button(card, 'Confirm operation'))
    await page.getByText('Operation confirmed').first().waitFor()
    const kept = await journeys.portal.sql<{ count: number }>(
      `select count(*)::int as count from operation_tyre ot
         join operation o on o.site_id = ot.site_id and o.id = ot.operation_id and o.status = 'confirmed'
         join tyre t on t.site_id = ot.site_id and t.id = ot.tyre_id and t.status = 'in_stock' and t.location_id = $1`,
      [place?.id],
    )
    expect(kept).toEqual([{ count: 4 }])
    desk.expectNoPageErrors()
  }

  const { clicks, fields, scans } = effort
  const minutes = (clicks * seconds.clicks + fields * seconds.fields + scans * seconds.scans) / 60
  // oxlint-disable-next-line no-console -- the count is wanted
  console.log(`${clicks} clicks, ${fields} fields, ${scans} scans: ${minutes.toFixed(1)} minutes`)
  expect(clicks + fields).toBeLessThanOrEqual(40)
  expect(minutes).toBeLessThanOrEqual(10)
})
