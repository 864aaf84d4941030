import { describe, expect, it } from 'vitest'
import { copyColumns, copyOf, type CopyWords } from './copyColumns.ts'
import { sampleOperation, sampleTyre } from '../handling/sample.ts'

const headings: Record<(typeof copyColumns)[number], string> = {
  tyre: 'Tyre ID',
  position: 'Position',
  description: 'Description',
  rack: 'Rack',
  depth: 'Profile depth',
  set: 'Tyre set',
  plate: 'License plate',
  customer: 'Customer',
  type: 'Operation type',
  services: 'Services',
  delivery: 'Delivery date',
  transport: 'Transport',
  submitted: 'Submission date',
  remarks: 'Remarks',
}
const words: CopyWords = {
  heading: column => headings[column],
  type: () => 'Recall',
  service: id => `service ${id}`,
  transport: id => `transport ${id}`,
  depth: depth => depth.toFixed(1),
  date: date => date.split('-').reverse().join('/'),
  moment: () => '02/11/2026 10:00:00',
}

const shown = { withDepth: true }

describe('the copy of operations', () => {
  const recall = sampleOperation({
    _id: 5,
    type: 'to_customer',
    tyres: [
      sampleTyre({ db_id: 51, position: '1A', stock_rack: 'A-03-2-14' }),
      sampleTyre({ db_id: 52, position: '1B', profile_depth: null, tyre_set: null }),
    ],
    services: [3, 4],
    transport: 2,
    deliveryDate: '2026-11-25',
    remarks: 'ring\tfirst\nthen wait',
  })

  it('has the 14 columns of the portal in their order', () => {
    expect(copyOf([], words, shown)).toBe(
      'Tyre ID\tPosition\tDescription\tRack\tProfile depth\tTyre set\tLicense plate\tCustomer\tOperation type\tServices\tDelivery date\tTransport\tSubmission date\tRemarks',
    )
    expect(copyColumns).toHaveLength(14)
  })

  it('has one row per tyre, with 14 cells, whatever was typed into it', () => {
    const [, ...rows] = copyOf([recall, sampleOperation({ _id: 6, tyres: [61] })], words, shown).split('\n')
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row.split('\t')).toHaveLength(14)
    expect(rows[0]).toBe(
      '51\t1A\t205/55R16 91V\tA-03-2-14\t6.5\tWinter\t1ABC234\tGarage Peeters\tRecall\tservice 3, service 4\t25/11/2026\ttransport 2\t02/11/2026 10:00:00\tring first then wait',
    )
  })

  it('leaves empty what there is none of', () => {
    expect(copyOf([recall], words, shown).split('\n')[2]?.split('\t').slice(3, 6)).toEqual(['', '', ''])
  })

  it('has no depth where depths are hidden, whatever an answer from before still says', () => {
    const [headings, ...hidden] = copyOf([recall], words, { withDepth: false }).split('\n')
    expect(headings?.split('\t')).toHaveLength(14)
    expect(hidden.map(row => row.split('\t')[4])).toEqual(['', ''])
    expect(hidden.join()).not.toContain('6.5')
    expect(copyOf([recall], words, shown)).toContain('6.5')
  })

  it('holds no formula', () => {
    const trap = { ...recall, remarks: '=HYPERLINK("http://x")', user: { ...recall.user, companyname: '@cmd' } }
    const cells = copyOf([trap], words, shown).split('\n')[1]?.split('\t')
    expect(cells?.[13]).toBe('\'=HYPERLINK("http://x")')
    expect(cells?.[7]).toBe("'@cmd")
  })
})
