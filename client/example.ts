/**
 * Stores four tyres of a customer's new vehicle, with an access token of the site (scopes read, operations and warehouse):
 * `node example.ts https://tyres.example.com TOKEN CUSTOMER PLATE`
 */
import { connect } from './index.ts'

const [url = '', token = '', customer = '', license_plate = ''] = process.argv.slice(2)
const call = connect({ url, token })

const seq_id = Number(customer)
const { articles } = await call('/fleet/searcharticles', { search_value: '205/55R16' })
const { vehicleConfigs } = await call('/fleet/getvehicleconfigs', {})
const configuration = vehicleConfigs[0]?.description[0] ?? ''
const car = { license_plate, brand: 'Volvo', description: 'V60', type: 'car', configuration }
const vehicle = await call('/fleet/new', { seq_id, vehicleData: car })
const flt_id = vehicle.flt_id[0]
const wheels = ['1A', '1B', '2A', '2B'].map(position => ({ position, art_id: articles[0]?.art_id[0] ?? 0 }))
const tyres = await call('/fleet/addtyres', { flt_id, tyre_set: 'Winter', tyres: wheels })
const ids = tyres.map(tyre => tyre.db_id[0])
const { _id } = await call('/operations/new', { operation: { flt_id, tyres: ids, operationType: 'to_stock' } })
await call('/operations/update', { operation: { _id, status: 'submitted' } })
await call('/operations/markscan', { operation: { _id }, tyres: ids.map(tyreId => ({ tyreId })) })
const stored = await call('/operations/confirm', { operation: { _id } })
console.log(`${stored.tyres.length} tyres of ${license_plate} are stored: operation ${_id}, ${stored.status}.`)
