/** A new tyre hotel: created by a superuser, configured, used, and its first storage charged, marked and cleared. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { decodeBarcode } from '#domain/warehouse/barcode.ts'
import { addDays, formatDate, today } from '#domain/texts/date.ts'
import { printed, scanned } from '../src/server/testing/labelReader.ts'
import { openPdf } from '../src/server/testing/pdf.ts'
import { nextPdf, shareJourneys, type Visitor } from './browser.ts'
import { answer, choose } from './fleet.ts'

const journeys = shareJourneys()

const hotel = 'Bandenhotel Derde Haven'
const code = 'third'
const company = 'Koeriers Van Hove'
const password = 'a courier and his van'
const plate = '1-JRN-004'
/** Each image has a single colour that identifies it. */
const images = {
  'Logo of the login screen': { width: 600, height: 400, colour: [176, 16, 32] },
  'Logo of the navigation': { width: 200, height: 60, colour: [16, 128, 64] },
  Favicon: { width: 64, height: 64, colour: [32, 48, 192] },
} as const
const services = [
  { name: 'Washing', method: 'Per tyre', article: '9001', price: '2,50', is: ['Preselected'] },
  { name: 'Season check', method: 'Once', article: '9002', price: '15', is: ['Preselected', 'Blocked'] },
  { name: 'Keep upright', method: 'Line of text', article: '', price: '', is: [] },
] as const

const box = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })

/** The colour of a displayed image. */
const colourOf = (page: Page, address: string | null) =>
  page.evaluate(async from => {
    const picture = await createImageBitmap(await (await fetch(from ?? '')).blob())
    const paper = new OffscreenCanvas(1, 1).getContext('2d')
    paper?.drawImage(picture, 0, 0, 1, 1)
    return [...(paper?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [])]
  }, address)

/** Makes a call from within the page, where `third.localhost` resolves. */
const callFrom = (page: Page, path: string, body: unknown) =>
  page.evaluate(
    async ([to, sent]) => {
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch(to, { method: 'POST', headers, body: sent })
      return { status: reply.status, body: (await reply.json()) as { code?: string } }
    },
    [path, JSON.stringify(body)] as const,
  )

/** The lines of a document from its first heading on, in reading order. */
async function linesOf(pdf: Buffer): Promise<string[]> {
  const document = await openPdf(pdf)
  const { items } = await (await document.getPage(1)).getTextContent()
  const pieces = items.flatMap(item => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [, , , , left = 0, bottom = 0] = item.transform as number[]
    return [{ text: item.str.trim(), left, bottom: Math.round(bottom) }]
  })
  const rows = [...Map.groupBy(pieces, piece => piece.bottom)].toSorted(([a], [b]) => b - a)
  const lines = rows.map(([, row]) =>
    row
      .toSorted((a, b) => a.left - b.left)
      .map(piece => piece.text)
      .join(' '),
  )
  return lines.slice(lines.findIndex(line => line.startsWith('Article')))
}

/** The document that the page fetches during the action. */
async function documentFrom(page: Page, action: () => Promise<void>): Promise<string[]> {
  const pdf = nextPdf(page, fleet.historydocument.path)
  await action()
  return linesOf(await pdf)
}

/** Signs in for the first time with an administrator's password, and sets another one. */
async function signIn({ page }: Visitor, username: string, secret: string): Promise<void> {
  await box(page, 'Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await button(page, 'Sign in').click()
  await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
  await page.getByLabel('New password').fill('kettle under ladder')
  await button(page, 'Save and sign in').click()
  await page.getByRole('navigation', { name: 'Main navigation' }).waitFor()
}

const goTo = (page: Page, place: string, within = 'Main navigation') =>
  page.getByRole('navigation', { name: within }).getByRole('link', { name: place, exact: true }).click()

/** Fills in the descriptions in each language. */
async function describe(dialog: Locator, text: string): Promise<void> {
  for (const [language, word] of [
    ['Nederlands', 'in het Nederlands'],
    ['Français', 'en français'],
    ['English', ''],
    ['Deutsch', 'auf Deutsch'],
  ] as const)
    await box(dialog, language).fill(`${text} ${word}`.trim())
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save').click()
  await page.getByText('Shop config updated successfully.').waitFor()
  await page.getByText('Everything is saved.').waitFor()
}

test('sites are sorted by name, customers and tyres; the address keeps the order', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('superuser')
  const { page } = visitor
  const rows = page.locator('tr[data-site] strong')
  const expectSites = async (...names: string[]) => {
    await expect.poll(() => rows.allInnerTexts()).toEqual(names)
  }
  const [first, second] = ['Bandenhotel Zevenwegen', 'Trois Vallées Pneus']
  await page.goto('/superuser')
  await expectSites(first, second)
  await button(page, 'Name').click()
  await expectSites(second, first)
  await button(page, 'Customers').click()
  await expectSites(first, second)
  await button(page, 'Tyres').click()
  await button(page, 'Tyres').click()
  await expectSites(second, first)
  await page.reload()
  await expectSites(second, first)
  // nobody has named a folder for the backups of the demo
  const alert = await page.getByText(/^The portal takes no backups/).boundingBox()
  expect(alert!.y).toBeLessThan((await rows.first().boundingBox())!.y)
  visitor.expectNoPageErrors()
})

test('a new site: created, configured, used, and its storage charged', { tags: 'whole' }, async () => {
  const { portal } = journeys
  const address = portal.url.replace('//localhost', '//third.localhost')

  // The site with its images and its address, and its first administrator.
  const superuser = await journeys.signedIn('superuser')
  await superuser.page.goto('/')
  let secret: string
  {
    const { page } = superuser
    await button(page, 'New site').first().click()
    const form = page.getByRole('dialog', { name: 'New site' })
    await box(form, 'Name').fill(hotel)
    await box(form, 'Administrator’s e-mail').fill('beheer@derdehaven.example')
    await box(form, 'Account').fill('HAVEN3')
    await box(form, 'Default site code').fill(code)
    await box(form, 'URL 1').fill('Third.localhost')
    await choose(page, 'Mode', 'Tyre hotel and fleet')
    await choose(page, 'Country', 'Start empty')
    for (const [name, { width, height, colour }] of Object.entries(images)) {
      const [r, g, b] = colour
      const picture = sharp({ create: { width, height, channels: 3, background: { r, g, b } } }).png()
      await form
        .getByRole('group', { name })
        .locator('input[type="file"]')
        .setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer: await picture.toBuffer() })
    }
    await button(form, 'Create site').click()
    await page.getByText(`The site ${hotel} has been created.`).waitFor()
    await page.getByRole('heading', { name: `${hotel}: Team and sign-in`, level: 1 }).waitFor()

    const administrators = page.getByRole('region', { name: 'Administrators' })
    await administrators.getByText('This site has no administrator yet.').waitFor()
    await box(administrators, 'Username').fill('haven')
    await box(administrators, 'Full name').fill('Hanne Haven')
    // without an address the password is made up, and shown
    expect(await box(administrators, 'E-mail').inputValue()).toBe('beheer@derdehaven.example')
    await box(administrators, 'E-mail').fill('')
    await button(administrators, 'Create first administrator').click()
    const passwordNotice = administrators.getByRole('status').filter({ hasText: 'The password of haven' })
    secret = (await passwordNotice.locator('code').innerText()).trim()
    expect(secret.length).toBeGreaterThanOrEqual(10)
    await button(passwordNotice, 'I have it').click()
    await passwordNotice.waitFor({ state: 'detached' })

    await goTo(page, 'Sites')
    const row = page.getByRole('row').filter({ hasText: hotel })
    for (const fact of ['third.localhost', 'HAVEN3', 'Tyre hotel and fleet'])
      await row.getByRole('cell', { name: fact, exact: true }).waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
  }

  // Its images show at its own address, before and after signing in.
  const admin = await journeys.visit({ baseURL: address })
  {
    const { page } = admin
    await page.getByRole('heading', { name: `Sign in to ${hotel}` }).waitFor()
    await expect.poll(() => page.title()).toBe(`Sign in · ${hotel}`)
    const colours = async (logo: Locator) => [
      await colourOf(page, await logo.getAttribute('src')),
      await colourOf(page, await page.locator('link[rel="icon"]').getAttribute('href')),
    ]
    const logo = page.getByRole('main').locator('img')
    await expect.poll(() => logo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(600)
    const { 'Logo of the login screen': landing, 'Logo of the navigation': nav, Favicon: favicon } = images
    expect(await colours(logo)).toEqual([landing.colour, favicon.colour])
    await signIn(admin, 'haven', secret)
    const bar = page.getByRole('navigation', { name: 'Main navigation' })
    await bar.getByText(hotel).waitFor()
    expect(await colours(bar.locator('img'))).toEqual([nav.colour, favicon.colour])
  }

  // How it delivers, what can be ordered, and that confirming makes a document.
  {
    const { page } = admin
    await goTo(page, 'Settings')
    await page.getByRole('link', { name: /^Transport and closed days/ }).click()
    await button(page, 'Add transport method').click()
    const method = page.getByRole('dialog', { name: 'New transport method' })
    await box(method, 'Name').fill('Own van')
    await box(method, 'Code').fill('VAN')
    await method.getByRole('checkbox', { name: 'Wednesday' }).uncheck()
    await method.getByRole('checkbox', { name: 'Saturday' }).check()
    await box(method, 'Cut-off time').fill('9h30')
    await box(method, 'Days in advance').fill('2')
    await box(method, 'Operations per day').fill('6')
    await box(method, 'Tyres per day').fill('24')
    await describe(method, 'With our own van')
    await button(method, 'Add').click()
    const transports = page.getByRole('region', { name: 'Transport methods' })
    const van = transports.getByRole('row').filter({ hasText: 'Own van' })
    const facts = ['Mon, Tue, Thu – Sat Cut-off time: 09:30', '2', '6', '24']
    for (const fact of facts) await van.getByRole('cell', { name: fact, exact: true }).waitFor()

    await goTo(page, 'Settings')
    await page.getByRole('link', { name: /^Services and prices/ }).click()
    for (const service of services) {
      await button(page, 'Add service').click()
      const dialog = page.getByRole('dialog', { name: 'New service' })
      await box(dialog, 'Name').fill(service.name)
      await choose(page, 'Operation type', 'Storage')
      await choose(page, 'Article insertion', service.method)
      await box(dialog, 'Article number').fill(service.article)
      await box(dialog, 'Price excl. VAT').fill(service.price)
      for (const mark of service.is) await dialog.getByRole('switch', { name: mark }).check()
      await describe(dialog, service.name)
      await button(dialog, 'Add').click()
      await dialog.waitFor({ state: 'hidden' })
    }
    const documents = page.getByRole('region', { name: 'Documents' })
    await documents.getByRole('switch', { name: 'Insert a document on confirmation' }).check()
    await documents.getByRole('checkbox', { name: 'Disposal' }).check()
    await save(page)
    await page.reload()
    const kept = page.getByRole('region', { name: 'Services' })
    await kept.getByRole('row').filter({ hasText: 'Season check' }).getByText('Blocked').waitFor()
    expect(await kept.getByRole('row').count()).toBe(1 + services.length)
  }

  // The catalogue is imported by the command; storage is charged with one of its articles.
  {
    const list = join(portal.dataDir, 'third.csv')
    const rows = [
      'brand,pattern,description,dimension,load_index,speed_index,season',
      'Polderband,Vorst,,205/55R16,91,V,winter',
      'Haven,Storage,Storage of tyres,205/55R16,,,',
    ]
    await writeFile(list, rows.join('\n'))
    expect(await portal.run('src/server/cli/import.ts', 'articles', list, '--site', code)).toContain('2 added')
    const { page } = admin
    const invoicing = page.getByRole('region', { name: 'Invoicing' })
    await button(invoicing, 'Search: Article ID for storage').click()
    const finding = page.getByRole('dialog', { name: 'Article ID for storage' })
    await finding.getByRole('searchbox', { name: 'Article' }).fill('storage')
    await finding.getByRole('button', { name: 'Storage of tyres' }).click()
    await box(invoicing, 'Period').fill('30')
    await box(invoicing, 'Price excl. VAT').fill('12,50')
    await save(page)
  }

  // A customer, and who may sign in for it.
  {
    const { page } = admin
    await goTo(page, 'Customers')
    await button(page, 'New customer').first().click()
    const form = page.getByRole('dialog', { name: 'New customer' })
    await box(form, 'Name').fill('Joris Van Hove')
    await box(form, 'Company name').fill(company)
    await box(form, 'Postcode').fill('9000')
    await box(form, 'City').fill('Gent')
    await button(form, 'Create').click()
    await page.getByRole('heading', { name: company, level: 1 }).waitFor()
    await button(page, 'New account').click()
    const account = page.getByRole('dialog', { name: 'New account' })
    await box(account, 'Username').fill('koerier')
    await box(account, 'Full name').fill('Joris Van Hove')
    await account.getByLabel('Password', { exact: true }).fill(password)
    await button(account, 'Create').click()
    await page.getByText('Account created.').waitFor()
  }

  // A warehouse of two racks with three places each.
  {
    const { page } = admin
    await goTo(page, 'Warehouse')
    await goTo(page, 'Places', 'Warehouse')
    await button(page, 'New location').first().click()
    const form = page.getByRole('dialog', { name: 'New locations' })
    await box(form, 'Site name').fill('Haven')
    await box(form, 'Racks').fill('R1 to R2')
    await box(form, 'Places').fill('1 to 3')
    await form.getByText('9 locations will be created, 6 of them for tyres.').waitFor()
    await button(form, 'Create').click()
    await page.getByText('9 locations created.').waitFor()
    await page.getByRole('treeitem', { name: /Haven/ }).waitFor()

    await goTo(page, 'Orders')
    await page.getByRole('tab', { name: /^Storage/ }).click()
    await page.getByText('No submitted operations').waitFor()
  }

  // The customer stores a set; the desk sees it come.
  const customer = await journeys.visit({ baseURL: address })
  let barcodes: string[]
  {
    const { page } = customer
    await signIn(customer, 'koerier', password)
    await goTo(page, 'Vehicles')
    await button(page, 'New vehicle').first().click()
    const form = page.getByRole('dialog', { name: 'New vehicle' })
    await box(form, 'License plate').fill(plate.toLowerCase())
    await box(form, 'Brand').fill('Volkswagen')
    await box(form, 'Description').fill('Caddy')
    await choose(page, 'Type', 'Car')
    await choose(page, 'Configuration', 'Car, 4 wheels')
    await button(form, 'Add vehicle').click()
    await page.getByRole('heading', { name: `Vehicle ${plate}` }).waitFor()
    await button(page, 'Add tyres').first().click()
    const tyres = page.getByRole('dialog', { name: 'Add tyres' })
    await tyres.getByLabel('Search article').fill('205/55 R16 V * polder')
    await tyres.getByRole('list', { name: 'Articles found' }).getByRole('button').first().click()
    await button(tyres, 'All (4)').click()
    await tyres.getByRole('combobox', { name: 'Tyre set name' }).fill('Winter')
    await button(tyres, 'Add 4 tyres').click()
    await page.getByRole('region', { name: 'Winter', exact: true }).waitFor()

    await goTo(page, 'Operations')
    await page.getByRole('main').getByRole('link', { name: 'New operation' }).click()
    await page.getByLabel('Insert license plate').fill(plate)
    await page.keyboard.press('Enter')
    await button(page, 'Tyres to stock').click()
    await button(page, 'All (4)').click()
    await button(page, 'Proceed').click()
    await page.getByText('Add final information and confirm').waitFor()

    // Services that the site preselects are there; a blocked one stays, on the screen and at the server.
    const ordered = page.getByRole('group', { name: 'Services' }).getByRole('listitem')
    expect(await ordered.allInnerTexts()).toEqual(['Washing', 'Season check'])
    const blocked = ordered.filter({ hasText: 'Season check' })
    await blocked.getByRole('img', { name: 'This service is fixed and can’t be removed.' }).waitFor()
    expect(await blocked.getByRole('button').count()).toBe(0)
    await button(page, 'Remove: Washing').click()
    await expect.poll(() => ordered.allInnerTexts()).toEqual(['Season check'])
    for (const name of ['Keep upright', 'Washing']) {
      await button(page, 'Add service').click()
      await page.getByRole('menuitem', { name }).click()
      await ordered.filter({ hasText: name }).waitFor()
    }
    await page.getByText('Operation updated').first().waitFor()
    const operation = Number(new URL(page.url()).searchParams.get('operation'))
    expect(await callFrom(page, operations.update.path, { operation: { _id: operation, services: [] } })).toMatchObject(
      {
        body: { code: 'operation.service_blocked' },
      },
    )

    const labels = nextPdf(page, fleet.getTyreLabels.path)
    await button(page, 'Process').click()
    // nobody touches the desk
    await admin.page.getByText(plate).first().waitFor()
    await page.getByText('The operation is submitted.').waitFor()
    const pages = await printed(await labels)
    barcodes = (await Promise.all(pages.map(scanned))).flat()
    expect(barcodes).toHaveLength(4)
  }
  const tyreIds = barcodes.map(barcode => decodeBarcode(barcode)?.tyre ?? 0).toSorted((a, b) => a - b)

  // Scanned in, the last tyre first, and confirmed with its document.
  {
    const { page } = admin
    await goTo(page, 'Warehouse')
    await page.getByText('Pick an operation type').waitFor()
    await button(page, /^Storage/).click()
    // ready, and with the list that tells a tyre without the server
    await page.getByText('Ready to scan').first().waitFor()
    await page
      .getByText(/tyres? left/)
      .first()
      .waitFor()
    for (const barcode of barcodes.toReversed()) {
      await admin.scan(barcode)
      await page
        .locator('article')
        .first()
        .getByText(`Tyre ${decodeBarcode(barcode)?.tyre}`)
        .waitFor()
    }
    await page.getByText('All 4 tyres of this operation are scanned.').first().waitFor()
    await button(page, 'Confirm').first().click()
    const question = 'Insert a document into the invoicing system?'
    await page
      .getByRole('dialog', { name: question })
      .getByText('Work note with the services of this operation.')
      .waitFor()
    await answer(page, question, 'Insert document')
    await page.getByText('Operation confirmed').first().waitFor()

    await goTo(page, 'Orders')
    await page.getByRole('tab', { name: /^Completed/ }).click()
    const done = page.getByRole('row').filter({ hasText: plate })
    expect(await documentFrom(page, () => button(done, /^PDF/).click())).toEqual([
      'Article Description Quantity Price Amount',
      '9002 Season check 1 €15.00 €15.00',
      'Keep upright',
      '9001 Washing 4 €2.50 €10.00',
      'Total excl. VAT €25.00',
      'Tyres',
      'Position Description Depth With Remarks',
      ...['1A', '1B', '2A', '2B'].map((position, nth) => `${position} Polderband Vorst 205/55R16 91V #${tyreIds[nth]}`),
      'This document is not an invoice. Page 1 of 1',
    ])
  }

  // Half a year later: the portal asks no more than how many days lie between the day of storing and today, so the tyres
  // are given an older day. A clock of its own for the server would be another one than the browser's and the database's.
  const days = 200
  await portal.sql(
    `update tyre set status_date = status_date - $2::int
     from site where site.id = tyre.site_id and site.code = $1 and tyre.status = 'in_stock'`,
    [code, days],
  )
  {
    const { page } = admin
    const day = today({ now: new Date(), timeZone: 'Europe/Brussels' })
    await goTo(page, 'Billing')
    expect(await box(page, 'Days').inputValue()).toBe('30')
    const overdueCustomer = page
      .getByRole('region', { name: 'Overdue customers' })
      .getByRole('button', { name: company })
    const overdueTyres = page.getByRole('region', { name: 'Overdue tyres' })
    const rows = overdueTyres.getByRole('row').filter({ hasText: plate })
    const idsListed = async () =>
      (await rows.locator('td:nth-child(2)').allInnerTexts()).map(text => Number(text.replace(/\D/g, '')))
    await button(page, 'Fetch').click()
    await overdueCustomer.click()
    await rows.first().waitFor()
    expect(await idsListed()).toEqual(tyreIds)
    for (const fact of [String(days), formatDate(addDays(day, -days)), 'R1-1'])
      expect(await rows.getByRole('cell', { name: fact, exact: true }).count()).toBe(4)

    // Seven periods of 30 days have begun, and a set is one.
    const [from, to] = [formatDate(addDays(day, -days)), formatDate(day)]
    const line = `Storage of tyres: ${plate}, Winter, from ${from} to ${to} (200 days), 4 tyres`
    await overdueTyres.getByRole('checkbox', { name: 'Select all tyres' }).check()
    await button(overdueTyres, 'Create document').click()
    const preview = page.getByRole('dialog', { name: 'Insert a document into the invoicing system?' })
    const previewed = preview.getByRole('row').filter({ hasText: line })
    for (const cell of ['7', '€12.50', '€87.50'])
      await previewed.getByRole('cell', { name: cell, exact: true }).waitFor()
    expect(await documentFrom(page, () => button(preview, 'Create document').click())).toEqual([
      'Article Description Quantity Price Amount',
      expect.stringMatching(/^\d+ Storage of tyres: 1-JRN-004, Winter, from 7 €12.50 €87.50$/),
      `${from} to ${to} (200 days), 4 tyres`,
      'Total excl. VAT €87.50',
      'Tyres',
      'Position Description Tyre ID',
      `${plate} 1A, 1B, 2A, 2B Polderband Vorst 205/55R16 91V ${tyreIds.join(', ')}`,
      'This document is not an invoice. Page 1 of 1',
    ])
    const createdDialog = page.getByRole('dialog', { name: 'Document created successfully' })
    await button(createdDialog, 'Later').click()
    await overdueTyres.getByText(/^4 tyres are charged up to .* by document R-\d{4}-00001, and not marked/).waitFor()

    // Marked, they leave the list; cleared, they return.
    await button(overdueTyres, 'Mark as invoiced').click()
    const marking = page.getByRole('dialog', { name: 'Mark 4 tyres as invoiced' })
    expect(await marking.getByLabel('Invoice date').inputValue()).toBe(formatDate(day))
    await button(marking, 'Mark as invoiced').click()
    await page.getByText('4 tyres marked as invoiced').waitFor()
    await overdueTyres.getByText('No overdue tyres to display.').waitFor()
    await page.getByText('No overdue records fetched.').waitFor()
    await overdueTyres.getByRole('switch', { name: 'Show all tyres in storage' }).check()
    await rows.nth(3).waitFor()
    expect(await rows.getByRole('cell', { name: formatDate(day), exact: true }).count()).toBe(4)
    await overdueTyres.getByRole('checkbox', { name: 'Select all tyres' }).check()
    await button(overdueTyres, 'Clear last invoice date').click()
    await answer(page, 'Clear the last invoice date of 4 tyres?', 'Clear last invoice date')
    await page.getByText('Last invoice date removed').waitFor()
    await overdueTyres.getByRole('switch', { name: 'Show all tyres in storage' }).uncheck()
    await overdueCustomer.waitFor()
    await rows.nth(3).waitFor()
    expect(await idsListed()).toEqual(tyreIds)
  }

  // A changed text shows at once on an open page; a missing text is counted.
  {
    const { page } = superuser
    for (let time = 0; time < 2; time++)
      await callFrom(customer.page, '/locales/add/en/fleet', { 'journey.wheelSpoon': 'journey.wheelSpoon' })
    const entry = (name: string) => customer.page.getByRole('navigation').getByRole('link', { name, exact: true })
    await entry('Vehicles').waitFor()
    await goTo(page, 'Texts')
    await choose(page, 'Namespace', 'nav')
    await page.getByRole('gridcell', { name: 'English: Vehicles', exact: true }).click()
    const editor = page.getByRole('dialog', { name: 'Edit text' })
    await box(editor, 'English').fill('Rolling stock')
    await button(editor, 'Save').click()
    await page.getByText('Translation updated.').waitFor()
    await entry('Rolling stock').waitFor()
    expect(await entry('Vehicles').count()).toBe(0)
    await page.getByRole('gridcell', { name: 'English, changed: Rolling stock' }).click()
    await button(editor, 'Delete translation').click()
    await answer(page, 'Delete translation?', 'Delete translation')
    await page.getByText('Translation deleted').waitFor()
    await entry('Vehicles').waitFor()

    await page.getByRole('tab', { name: /^Missing keys/ }).click()
    const missing = page.getByRole('row').filter({ hasText: 'journey.wheelSpoon' })
    for (const fact of ['English', '2 times', '/wizard/step4'])
      await missing.getByRole('cell', { name: fact, exact: true }).waitFor()
  }

  superuser.expectNoPageErrors()
  admin.expectNoPageErrors()
  // The removed blocked service and the missing text were provoked.
  customer.expectNoPageErrors(/409|422|wheelSpoon/)
})
