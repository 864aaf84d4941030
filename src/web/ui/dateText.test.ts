import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDate } from '#domain/texts/date.ts'
import { typedDate, wrongDate } from './dateText.ts'

describe('a typed day', () => {
  it.each([
    ['04/12/2026', '2026-12-04'],
    ['4/12/2026', '2026-12-04'],
    [' 04-12-2026 ', '2026-12-04'],
    ['04.12.2026', '2026-12-04'],
    ['4 1 2027', '2027-01-04'],
    ['04122026', '2026-12-04'],
    ['29/02/2028', '2028-02-29'],
  ])('%s is %s', (text, date) => expect(typedDate(text)).toBe(date))

  it.each([
    '',
    '4',
    '4/12',
    '4/12/2',
    '04/12/20',
    '04/12/202',
    '29/02/2026',
    '31/04/2026',
    '12/31/2026',
    '0/1/2026',
    '2026-12-04',
    'x',
  ])('%j is none', text => expect(typedDate(text)).toBeNull())

  it('reads back every day as it is shown', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        moment => {
          const date = moment.toISOString().slice(0, 10)
          expect(typedDate(formatDate(date))).toBe(date)
        },
      ),
    )
  })
})

it.each([
  ['24/11/2026', null],
  ['25/11/2026', 'late'],
  ['31/10/2026', 'early'],
  ['31/11/2026', 'none'],
  ['24/11', 'none'],
  ['', 'none'],
])('%j typed for a day of November up to the 24th is complained of as %s', (text, wrong) => {
  expect(wrongDate(text, { min: '2026-11-01', max: '2026-11-24' })).toBe(wrong)
})
