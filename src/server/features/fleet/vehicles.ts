/** Vehicles with their tyres: lists, one vehicle, and its changes. */
import { Failure } from '#domain/failure.ts'
import { today } from '#domain/texts/date.ts'
import { comparePlates, normalizePlate } from '#domain/vehicles/plate.ts'
import { isHotel } from '#domain/site.ts'
import type { TyreStatus } from '#domain/tyres/tyre.ts'
import { transferRefusal, vehicleKind } from '#domain/vehicles/vehicle.ts'
import type { Input } from '#contract/call.ts'
import { smallFleet } from '#contract/fleet.ts'
import type { Contract } from '#contract/index.ts'
import { Json } from '../../db/database.ts'
import { actorOf } from '../audit/audited.sql.ts'
import { customerOf } from '../customers/customers.ts'
import type { Handlers, Site } from '../handler.ts'
import {
  fleetByPlate,
  fleetByWords,
  fleetOfCustomer,
  fleetOfSite,
  plateOf,
  platesOfCustomer,
  vehiclesOfCustomer,
  vehicleSearch,
} from './vehicleLists.sql.ts'
import {
  addVehicle,
  blockersOfRemoval,
  configByName,
  lockVehicle,
  removeVehicle,
  transferFacts,
  transferVehicle,
  updateVehicle,
  vehicleById,
} from './vehicles.sql.ts'

/**
 * The states whose tyres no answer carries: waste, unless the site shows it. Tyres on vehicles and at customers are left out of the
 * tyre list only, by the screen: the wizard stores just those.
 */
const hiddenStates = (site: Site): TyreStatus[] => (site.showWasteTyres ? [] : ['waste'])

/** Which tyres the site shows, and whether with their depth. */
export const visibilityAt = (site: Site) => ({
  site: site.id,
  withDepth: site.allowProfileDepth,
  hidden: hiddenStates(site),
})

type Entered = Input<Contract['fleet']['update']>['vehicle']

/** The input of a vehicle as parameters; `otherwise` for missing fields. */
function fieldsOf<Otherwise extends '' | null>(entered: Omit<Entered, 'flt_id'>, site: Site, otherwise: Otherwise) {
  const or = <T>(value: T | undefined): T | Otherwise => (value === undefined ? otherwise : value)
  return {
    plate: entered.license_plate === undefined ? otherwise : normalizePlate(entered.license_plate),
    // a tyre hotel doesn't ask for the number that a fleet gives its vehicles
    number: site.mode === 'hotelonly' ? otherwise : or(entered.number),
    chassisNumber: or(entered.chassis_number),
    brand: or(entered.brand),
    description: or(entered.description),
    type: entered.type === undefined ? otherwise : vehicleKind(entered.type),
    driverName: or(entered.driver?.name),
    driverMobile: or(entered.driver?.mobile_no),
    driverTelephone: or(entered.driver?.telephone_no),
    driverEmail: or(entered.driver?.email),
    costCentre: or(entered.cost_centre),
  }
}

/** The fields, under their names in `input`, that no vehicle can have. */
const invalidFields = (input: string, { plate, type }: { plate: string | null; type: string | null }): string[] => [
  ...(plate === '' ? [`${input}.license_plate`] : []),
  ...(type === 'unknown' ? [`${input}.type`] : []),
]

/** The first of these vehicles in the order in which lists show their plates. */
function firstByPlate(ids: readonly number[], plates: readonly string[], count: number): number[] {
  const pairs = ids.map((id, nth) => ({ id, plate: plates[nth] ?? '' }))
  return pairs
    .toSorted((a, b) => comparePlates(a.plate, b.plate))
    .slice(0, count)
    .map(({ id }) => id)
}

type VehicleCalls = 'fetch' | 'vehicle' | 'new' | 'update' | 'inactivate' | 'transfer'

export const vehicles: Pick<Handlers['fleet'], VehicleCalls> = {
  async fetch({ input, tx, who, site }) {
    const customer = customerOf(who, input.seq_id)
    const { first, last_vehicle: last = 0 } = input
    if (customer != null) {
      const fleet = { ...visibilityAt(site), customer }
      if (first === undefined) return tx.single.list(fleetOfCustomer, fleet)
      const { vehicles: ids, plates } = await tx.one(platesOfCustomer, { site: site.id, customer })
      if (ids.length <= smallFleet) return tx.list(fleetOfCustomer, fleet)
      return tx.json(vehiclesOfCustomer, { ...fleet, vehicles: firstByPlate(ids, plates, first) })
    }
    const after = last > 0 ? await tx.single.maybe(plateOf, { site: site.id, vehicle: last }) : null
    const wanted = {
      statuses: input.tyre_status?.length ? input.tyre_status : null,
      seasons: input.tyre_season?.length ? input.tyre_season : null,
      maxDepth: input.tyre_depth ?? null,
    }
    const page = { ...visibilityAt(site), ...wanted, last, lastPlate: after?.plate ?? '' }
    if (input.license_plate)
      return tx.single.json(fleetByPlate, { ...page, plate: normalizePlate(input.license_plate) })
    const search = vehicleSearch(input.search ?? '')
    if (search.words.length > 0) return tx.single.json(fleetByWords, { ...page, ...search })
    return tx.single.json(fleetOfSite, page)
  },

  vehicle: ({ input, tx, who, site }) =>
    tx.single.json(vehicleById, { ...visibilityAt(site), vehicle: input.flt_id, customer: who.customer }),

  async new({ input: { vehicleData: entered, seq_id }, tx, who, site, now, request }) {
    const customer = customerOf(who, seq_id)
    const fields = {
      ...fieldsOf(entered, site, ''),
      yearlyDistance: entered.yearly_distance ?? 0,
      contractEnd: entered.contract_end ?? '',
    }
    const invalid = [...(customer == null ? ['seq_id'] : []), ...invalidFields('vehicleData', fields)]
    if (invalid.length > 0) throw new Failure('request.invalid', { fields: invalid })
    const { configuration } = entered
    const { id } = await tx.one(addVehicle, {
      ...fields,
      site: site.id,
      customer,
      configuration,
      now,
      actor: actorOf(who),
    })
    request.notify(customer)
    return tx.json(vehicleById, { ...visibilityAt(site), vehicle: id, customer })
  },

  async update({ input: { vehicle: entered }, tx, who, site, now, request }) {
    const vehicle = entered.flt_id
    const locked = await tx.one(lockVehicle, { site: site.id, vehicle, customer: who.customer })
    request.notify(locked.customer)
    const { yearly_distance: distance, contract_end: end } = entered
    const fields = {
      ...fieldsOf(entered, site, null),
      yearlyDistance: distance === undefined ? null : (distance ?? 0),
      contractEnd: end === undefined ? null : (end ?? ''),
    }
    const invalid = invalidFields('vehicle', fields)
    if (invalid.length > 0) throw new Failure('request.invalid', { fields: invalid })
    let config: number | null = null
    if (entered.configuration !== undefined) {
      config = (await tx.one(configByName, { site: site.id, description: entered.configuration })).id
      // docs/product/vehicles.md "Vehicle configurations": set once, and only in a tyre hotel
      if (config !== locked.config && (locked.config !== null || !isHotel(site.mode)))
        throw new Failure('vehicle.configuration_fixed')
    }
    await tx.run(updateVehicle, { ...fields, site: site.id, vehicle, config, now, actor: actorOf(who) })
    const { text } = await tx.json(vehicleById, { ...visibilityAt(site), vehicle, customer: who.customer })
    return new Json(`{"updatedVehicle":${text}}`)
  },

  async inactivate({ input, tx, who, site, now, request }) {
    const vehicle = input.flt_id
    const { customer } = await tx.one(lockVehicle, { site: site.id, vehicle, customer: who.customer })
    request.notify(customer)
    const { stock, operations } = await tx.one(blockersOfRemoval, { site: site.id, vehicle })
    if (stock > 0 || operations > 0) throw new Failure('vehicle.in_use', { tyres: stock, operations })
    await tx.run(removeVehicle, { site: site.id, vehicle, now, actor: actorOf(who) })
    return { flt_id: vehicle }
  },

  async transfer({ input: { flt_id: vehicle, seq_id: customer, date }, tx, who, site, now, request }) {
    const former = await tx.one(lockVehicle, { site: site.id, vehicle, customer: null })
    const { operations, types, since } = await tx.one(transferFacts, { site: site.id, vehicle, customer })
    if (operations.length > 0) throw new Failure('vehicle.operations_open', { operations, types })
    if (customer === former.customer) throw new Failure('request.invalid', { fields: ['seq_id'] })
    const refusal = transferRefusal(date, { since, today: today({ now, timeZone: site.timeZone }) })
    if (refusal) throw refusal
    await tx.run(transferVehicle, { site: site.id, vehicle, customer, day: date, now, account: who.account })
    request.notify(former.customer)
    request.notify(customer)
    return tx.json(vehicleById, { ...visibilityAt(site), vehicle, customer: null })
  },
}
