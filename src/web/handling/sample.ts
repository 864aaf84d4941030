/** Operations and tyres for the tests of this folder. */
import type { Operation, OperationTyre } from '#contract/wire.ts'
import type { Kind, RecordOf, ScanRecord } from '../scanning/records.ts'

export function sampleTyre(facts: Partial<OperationTyre> & { db_id: number }): OperationTyre {
  return {
    art_id: 1,
    flt_id: 1,
    position: '1A',
    description: '205/55R16 91V',
    season: null,
    tyre_memo: '',
    profile_depth: 6.5,
    profile_date: '2026-03-02',
    profile_tacho: null,
    status_date: '2026-03-02',
    tyre_status: 'at_customer',
    stock_rack: null,
    stock_site_name: null,
    stock_rims: null,
    stock_bolts: false,
    stock_hubcaps: false,
    tyre_set: 'Winter',
    invoicedAt: null,
    unknownArticle: false,
    operation: 1,
    action: 'to_stock',
    license_plate: '1ABC234',
    vehicle_type: 'car',
    scanned: false,
    scanRegisteredAt: null,
    scanTimes: 0,
    missing: false,
    ...facts,
  }
}

/** An operation; its tyres may be given by their numbers. */
export function sampleOperation(
  facts: Partial<Omit<Operation, 'tyres'>> & { _id: number; tyres?: readonly (number | OperationTyre)[] },
): Operation {
  const { tyres = [facts._id * 10 + 1], ...rest } = facts
  return {
    status: 'submitted',
    type: 'to_stock',
    user: { username: 'customer', fullname: 'A. Customer', companyname: 'Garage Peeters' },
    seq_id: 7,
    flt_id: 1,
    vehicle: { type: 'car', license_plate: '1ABC234' },
    services: [],
    transport: null,
    deliveryDate: null,
    created: '2026-11-02T08:00:00.000Z',
    submitted: '2026-11-02T09:00:00.000Z',
    updated: '2026-11-02T09:00:00.000Z',
    handledAt: null,
    document: null,
    remarks: '',
    withRims: null,
    withBolts: false,
    withHubcaps: false,
    wornTyres: null,
    swap: null,
    tachometer: null,
    ...rest,
    tyres: tyres.map(tyre => (typeof tyre === 'number' ? sampleTyre({ db_id: tyre, operation: facts._id }) : tyre)),
  }
}

/** A record that waits, by default the scan of a tyre; `kind` with its facts makes another one. */
export function sampleScan(
  facts: { [K in Kind]: Partial<RecordOf<K>> }[Kind] & { scanId: string; tyreId: number },
): ScanRecord {
  return {
    kind: 'scan',
    owner: '1/admin',
    at: 1_790_000_000_000 + facts.tyreId,
    type: 'to_stock',
    outcome: 'found',
    state: 'waiting',
    ticsId: 1,
    tyre: sampleTyre({ db_id: facts.tyreId }),
    operation: { _id: 1, companyname: 'Garage Peeters', services: [], tyres: 4 },
    reason: null,
    ...facts,
  } as ScanRecord
}
