import { expect, test } from 'vitest'
import { sampleOperation, sampleTyre } from '../handling/sample.ts'
import { partsBefore } from './partsBefore.ts'

const none = { withRims: null, withBolts: false, withHubcaps: false }
const steel = { withRims: 'steel', withBolts: true, withHubcaps: false } as const
const storage = { type: 'to_stock', status: 'confirmed', tyres: [1, 2] } as const
const [one, two] = [sampleTyre({ db_id: 1 }), sampleTyre({ db_id: 2 })]

test('what all tyres still say came with them is proposed, and nothing that only some had', () => {
  const onSteel = { stock_rims: 'steel', stock_bolts: true } as const
  expect(
    partsBefore(
      [
        { ...one, ...onSteel },
        { ...two, ...onSteel, stock_hubcaps: true },
      ],
      [],
    ),
  ).toEqual(steel)
  expect(
    partsBefore(
      [
        { ...one, ...onSteel },
        { ...two, ...onSteel, stock_rims: 'aluminum' },
      ],
      [],
    ),
  ).toEqual({
    ...steel,
    withRims: null,
  })
  expect(partsBefore([{ ...one, ...onSteel }, two], [])).toEqual(none)
})

test('tyres that say nothing have what came with their last storage', () => {
  const last = sampleOperation({ _id: 9, ...storage, ...steel })
  const earlier = sampleOperation({ _id: 8, ...storage, withRims: 'aluminum', withHubcaps: true })
  expect(partsBefore([one, two], [last, earlier])).toEqual(steel)
  expect(partsBefore([one, sampleTyre({ db_id: 3 })], [last])).toEqual(none)
})

test('what was not stored says nothing', () => {
  const missing = sampleTyre({ db_id: 1 })
  for (const other of [
    { ...storage, status: 'cancelled' },
    { ...storage, type: 'to_customer' },
    { ...storage, tyres: [{ ...missing, missing: true }] },
  ] as const)
    expect(partsBefore([one], [sampleOperation({ _id: 9, ...other, ...steel })])).toEqual(none)
})

test('without tyres, or with new ones, nothing is proposed', () => {
  expect(partsBefore([], [])).toEqual(none)
  expect(partsBefore([one, two], [])).toEqual(none)
})
