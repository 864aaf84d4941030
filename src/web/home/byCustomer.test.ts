import { expect, test } from 'vitest'
import { palette, restColor } from '../ui/palette.ts'
import { colorsOf, type CustomerCounts, partsOf, sorted, totalOf } from './byCustomer.ts'

const row = (seq_id: number, total: number, companyname = `Customer ${seq_id}`): CustomerCounts => ({
  seq_id,
  companyname,
  total,
  to_customer: total - 1,
  to_stock: 1,
  to_waste: 0,
})
const many = Array.from({ length: 28 }, (_, at) => row(at + 1, 100 - at))

test('up to 25 customers have a part each and there are no others', () => {
  const parts = partsOf(many.slice(0, 25), 'Others')
  expect(parts.map(part => part.color)).toEqual([...palette])
  expect(parts.some(part => part.name === 'others')).toBe(false)
})

test('the 26th and those after it are one part, and the parts are still all operations', () => {
  const parts = partsOf(many, 'Others')
  expect(parts).toHaveLength(26)
  expect(parts.at(-1)).toEqual({ name: 'others', label: 'Others', count: 75 + 74 + 73, color: restColor })
  expect(parts.reduce((sum, part) => sum + part.count, 0)).toBe(totalOf(many).total)
})

test('a customer keeps the colour of its part however the table is sorted', () => {
  const colors = colorsOf(many)
  const last = sorted(many, { by: 'total', desc: false, language: 'en' })[0]!
  expect([last.seq_id, colors.get(last.seq_id)]).toEqual([28, restColor])
  expect(colors.get(1)).toBe(palette[0])
})

test('customers are sorted by name as people do, or by a count', () => {
  const rows = [row(1, 9, 'Élan'), row(2, 7, 'Zon'), row(3, 8, 'Delta')]
  const by = (key: 'customer' | 'total', desc: boolean) =>
    sorted(rows, { by: key, desc, language: 'fr' }).map(row => row.companyname)
  expect(by('customer', false)).toEqual(['Delta', 'Élan', 'Zon'])
  expect(by('total', false)).toEqual(['Zon', 'Delta', 'Élan'])
  expect(by('total', true)).toEqual(['Élan', 'Delta', 'Zon'])
})

test('the total adds up every column', () => {
  expect(totalOf([row(1, 3), row(2, 5)])).toEqual({ total: 8, to_customer: 6, to_stock: 2, to_waste: 0 })
  expect(totalOf([])).toEqual({ total: 0, to_customer: 0, to_stock: 0, to_waste: 0 })
})
