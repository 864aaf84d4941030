import { expect, test } from 'vitest'
import type { TyreStatus } from '#domain/tyres/tyre.ts'
import { bySet, unchangedStock } from './counts.ts'

const tyre = (position: string, status_date: string, tyre_status: TyreStatus = 'in_stock') => ({
  position,
  status_date,
  tyre_status,
})

test('stock counts as unchanged from the day on which 6 months are over', () => {
  const fleet = [{ license_plate: '1ABC234', tyres: [tyre('1A', '2026-05-20'), tyre('1B', '2026-05-21')] }]
  expect(unchangedStock(fleet, '2026-11-20')).toEqual([{ ...tyre('1A', '2026-05-20'), license_plate: '1ABC234' }])
})

test('six months before a day that the other month does not have is its last day', () => {
  const fleet = [{ license_plate: 'X', tyres: [tyre('1A', '2026-02-28'), tyre('1B', '2026-03-01')] }]
  expect(unchangedStock(fleet, '2026-08-31').map(({ position }) => position)).toEqual(['1A'])
})

test('only tyres in stock are warned about', () => {
  const others: TyreStatus[] = ['at_customer', 'on_vehicle', 'on_spare', 'waste']
  expect(
    unchangedStock(
      [{ license_plate: 'X', tyres: others.map(status => tyre('1A', '2020-01-01', status)) }],
      '2026-11-20',
    ),
  ).toEqual([])
})

test('the longest unchanged come first, then by plate and position', () => {
  const fleet = [
    { license_plate: 'B', tyres: [tyre('2A', '2026-01-02'), tyre('1A', '2026-01-02')] },
    { license_plate: 'A', tyres: [tyre('1A', '2026-01-02')] },
    { license_plate: 'C', tyres: [tyre('1A', '2025-01-02')] },
  ]
  expect(unchangedStock(fleet, '2026-11-20').map(tyre => `${tyre.license_plate} ${tyre.position}`)).toEqual([
    'C 1A',
    'A 1A',
    'B 1A',
    'B 2A',
  ])
})

test('the tenth axle comes after the second', () => {
  const fleet = [{ license_plate: 'A', tyres: ['10A', '2A', '1B'].map(position => tyre(position, '2026-01-02')) }]
  expect(unchangedStock(fleet, '2026-11-20').map(({ position }) => position)).toEqual(['1B', '2A', '10A'])
})

test('tyres of a set are one row, where the first of them stood, and those in no set one each', () => {
  const tyre = (db_id: number, flt_id: number, tyre_set: string | null) => ({ db_id, flt_id, tyre_set })
  const tyres = [tyre(1, 7, 'Winter'), tyre(2, 7, null), tyre(3, 8, 'Winter'), tyre(4, 7, null), tyre(5, 7, 'Winter')]
  expect(bySet(tyres).map(set => set.map(({ db_id }) => db_id))).toEqual([[1, 5], [2], [3], [4]])
})
