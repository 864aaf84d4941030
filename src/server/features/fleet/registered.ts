/** The call that asks the public register of vehicles (docs/product/vehicles.md "Vehicle by plate"). */
import { countryOf } from '#domain/operations/closedDays.ts'
import { normalizePlate } from '#domain/vehicles/plate.ts'
import { OutboundFailed } from '../../outbound/outbound.ts'
import type { Handlers } from '../handler.ts'

/**
 * Where a plate of a Dutch shape is one. Elsewhere it is more often of another country: a German KA 1234 reads as a Dutch
 * KA-12-34, and its owner would get somebody else's brand.
 */
const countries = new Set(['NL', 'BE'])

export const registered: Pick<Handlers['fleet'], 'registered'> = {
  async registered({ input, tx, site, request }) {
    const plate = normalizePlate(input.license_plate)
    const { register } = request
    const country = countryOf(site.timeZone)
    if (!register?.has(plate) || country === null || !countries.has(country)) return { state: 'off', vehicle: null }
    await tx.commit()
    try {
      const vehicle = await request.outside(() => register.find(plate))
      if (!vehicle) return { state: 'unknown', vehicle: null }
      const { brand, description, kind: type, firstAdmission: first_admission, wheels: wheel_count } = vehicle
      return { state: 'found', vehicle: { brand, description, type, first_admission, wheel_count } }
    } catch (error) {
      if (error instanceof OutboundFailed) return { state: 'unavailable', vehicle: null }
      throw error
    }
  },
}
