/** A new vehicle from its plate, by a register that a server of the test plays. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { screens, shareJourneys, type Visitor } from './browser.ts'

const vehicles: Record<string, object> = {
  BZHR04: {
    merk: 'APTS',
    handelsbenaming: 'PHILEAS 18,5M FUEL CELL',
    voertuigsoort: 'Bus',
    europese_voertuigcategorie: 'M3',
    datum_eerste_toelating: '20111004',
    aantal_wielen: '6',
  },
  '12ABC3': {
    merk: 'VOLKSWAGEN',
    handelsbenaming: 'VOLKSWAGEN GOLF',
    voertuigsoort: 'Personenauto',
    europese_voertuigcategorie: 'M1',
  },
}
let fails = false
const register = createServer((request, response) => {
  const plate = new URL(request.url ?? '', 'http://register').searchParams.get('kenteken') ?? ''
  const rows = vehicles[plate] ? [vehicles[plate]] : []
  response.writeHead(fails ? 503 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(rows))
})
register.listen(0, '127.0.0.1')
await once(register, 'listening')
afterAll(() => {
  register.closeAllConnections()
  register.close()
})

const journeys = shareJourneys({
  settings: {
    ALLOW_PRIVATE_ADDRESSES: 'yes',
    VEHICLE_REGISTER: `http://127.0.0.1:${(register.address() as AddressInfo).port}/rows.json`,
  },
})

const openForm = async (visitor: Visitor) => {
  await visitor.page.goto('/fleet')
  await visitor.page.getByRole('heading', { level: 1, name: 'Vehicles' }).waitFor()
  // on a phone it is among the rare actions
  const more = visitor.page.getByRole('button', { name: 'More', exact: true })
  if (await more.isVisible()) await more.click()
  await visitor.page.getByRole('button', { name: 'New vehicle' }).click()
  const dialog = visitor.page.getByRole('dialog', { name: 'New vehicle' })
  const field = (label: string) => dialog.getByRole('textbox', { name: label, exact: true })
  const values = async () => Promise.all([field('Brand'), field('Description')].map(input => input.inputValue()))
  const type = dialog.getByRole('combobox', { name: 'Type' })
  return { dialog, plate: field('License plate'), brand: field('Brand'), values, type }
}

test.each(Object.keys(screens) as (keyof typeof screens)[])(
  'on the %s a Dutch plate fills what is empty, and what was typed stays',
  { tags: 'whole' },
  async device => {
    const visitor = await journeys.signedIn('customer', screens[device])
    const { dialog, plate, brand, values, type } = await openForm(visitor)
    await plate.fill('bz-hr-04')
    await dialog
      .getByText(
        'From the Dutch register (RDW): APTS PHILEAS 18,5M FUEL CELL · Bus · first admitted 04/10/2011 · 6 wheels',
      )
      .waitFor()
    expect(await values()).toEqual(['APTS', 'PHILEAS 18,5M FUEL CELL'])
    expect(await type.inputValue()).toBe('Bus')

    // another plate: what the register filled goes, what somebody typed stays
    await brand.fill('Advanced Public Transport')
    await plate.fill('12-ABC-3')
    await dialog.getByText('VOLKSWAGEN GOLF').waitFor()
    expect(await values()).toEqual(['Advanced Public Transport', 'GOLF'])
    expect(await type.inputValue()).toBe('Car')
    await plate.fill('99-ZZ-99')
    await dialog.getByText('The Dutch register (RDW) doesn’t know this plate.').waitFor()
    expect(await values()).toEqual(['Advanced Public Transport', ''])

    // a lost answer leaves nothing of another plate
    await plate.fill('12-ABC-3')
    await dialog.getByText('VOLKSWAGEN GOLF').waitFor()
    await visitor.page.route('**/fleet/registered', route => route.fulfill({ status: 429, json: {} }))
    await plate.fill('2-CAM-33')
    await dialog
      .getByText('The Dutch register (RDW) does not answer at the moment. Fill in the vehicle yourself.')
      .waitFor()
    expect(await values()).toEqual(['Advanced Public Transport', ''])

    // a Belgian plate is not asked for
    await plate.fill('1-ABC-234')
    await dialog.getByText('The Dutch register (RDW)').waitFor({ state: 'hidden' })
    visitor.expectNoPageErrors(/429/)
  },
)

test('a register that fails is said, and the form is filled in by hand', { tags: 'whole' }, async () => {
  fails = true
  const visitor = await journeys.signedIn('customer')
  const { dialog, plate, brand, values } = await openForm(visitor)
  await plate.fill('1-XYZ-22')
  await dialog
    .getByText('The Dutch register (RDW) does not answer at the moment. Fill in the vehicle yourself.')
    .waitFor()
  await brand.fill('DAF')
  expect(await values()).toEqual(['DAF', ''])
  visitor.expectNoPageErrors()
})
