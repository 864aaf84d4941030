/** The whole job without a mouse: signing in, storing tyres, scanning them in, confirming. */
import { expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { shareJourneys } from './browser.ts'
import { signInByKeyboard } from './keys.ts'

const journeys = shareJourneys()

test('tyres are stored and confirmed by keyboard alone', async () => {
  const { visitor: customer, page, keys } = await signInByKeyboard(journeys, 'customer2')
  const vehicles = fleet.fetch.output.parse(await customer.call('/fleet/fetch', {}))
  const vehicle = vehicles.find(
    vehicle =>
      vehicle.configuration !== null &&
      vehicles.filter(other => other.license_plate === vehicle.license_plate).length === 1 &&
      vehicle.tyres.some(tyre => tyre.tyre_status === 'at_customer' && tyre.operation === null),
  )
  if (!vehicle) throw new Error('the demo has no vehicle of customer2 with tyres at the customer')
  await keys.goTo('New operation', { field: 'Insert license plate' })
  await keys.type(vehicle.license_plate)
  await keys.press('Enter')
  await page.getByText('Pick a service').waitFor()
  await keys.activate('button', /^Tyres to stock/)
  await page.getByText('Pick tyres to proceed').waitFor()
  await keys.activate('button', /^All \(/)
  await keys.activate('button', /^Proceed/)
  await page.getByText('Add final information and confirm').waitFor()
  await keys.activate('button', /^Process/)
  await page.getByText('The operation is submitted.').waitFor()
  await keys.expectAnyFocus()

  const { visitor: admin, page: desk, keys: worker } = await signInByKeyboard(journeys, 'admin')
  const submitted = operations.admin.output.parse(await admin.call('/operations/admin', { status: 'submitted' }))
  const operation = submitted.find(
    operation =>
      operation.flt_id === vehicle.flt_id &&
      operation.type === 'to_stock' &&
      operation.tyres.every(tyre => !tyre.scanned),
  )
  if (!operation) throw new Error('the operation is not among the submitted ones')
  const { site_number: site } = (await admin.call('/gsc', undefined, 'GET')) as { site_number: number }
  await worker.goTo('Warehouse')
  await desk.getByText('Pick an operation type').waitFor()
  await worker.activate('button', /^Storage/)
  // ready, and with the list that tells a tyre without the server
  await desk.getByText('Ready to scan').first().waitFor()
  await desk
    .getByText(/tyres? left/)
    .first()
    .waitFor()
  await worker.expectAnyFocus()
  for (const tyre of operation.tyres) {
    await admin.scan(encodeBarcode({ tyre: tyre.db_id, site }))
    await desk.getByText('Tyre found').first().waitFor()
  }
  // a toast of one scan may still show when the next is under way
  await desk
    .getByText(/tyres? of this operation (is|are) scanned/)
    .first()
    .waitFor()
  await worker.activate('button', /^Confirm/)
  await worker.insideDialog('Insert a document into the invoicing system?')
  await worker.activate('button', /^Insert document/)
  await desk.getByText('Operation confirmed').first().waitFor()
  await worker.expectAnyFocus()

  customer.expectNoPageErrors()
  admin.expectNoPageErrors()
})

test(
  'negative controls: a lost, invisible, covered or escaped focus and a too long tab order are detected',
  { tags: 'whole' },
  async () => {
    const { page, keys } = await signInByKeyboard(journeys, 'admin')
    await page.goto('about:blank')
    const show = (body: string) => page.setContent(`<style>button:focus { outline: 2px solid }</style>${body}`)

    await show('<button>First</button>'.repeat(61) + '<button>Last</button>')
    await expect(keys.to('button', 'Last')).rejects.toThrow('within 60 × Tab')
    await show('<button>First</button><button style="outline: none">Unmarked</button><button>Last</button>')
    await expect(keys.to('button', 'Last')).rejects.toThrow('showed no mark')
    await show('<button>First</button><button style="position: absolute; left: -999px">Away</button>')
    await expect(keys.to('button', 'Away')).rejects.toThrow('out of sight')
    await show('<div style="position: fixed; inset: 0; background: white"></div><button>Below</button>')
    await expect(keys.to('button', 'Below')).rejects.toThrow('behind')
    await show('<button>Row</button>')
    await keys.to('button', 'Row')
    await page.evaluate(() => document.querySelector('button')?.remove())
    await expect(keys.expectAnyFocus(300)).rejects.toThrow('the page as a whole')
    await show('<button>Beneath</button><div role="dialog" aria-label="Open"><button>Inside</button></div>')
    await expect(keys.insideDialog('Open', { within: 300 })).rejects.toThrow('the focus is in the dialog')
    await keys.to('button', 'Inside')
    await expect(keys.insideDialog('Open')).rejects.toThrow('keeps the focus')
  },
)
