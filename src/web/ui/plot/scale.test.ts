import { expect, test } from 'vitest'
import { labelEvery, scaleOf } from './scale.ts'

test('an axis begins at nothing and has whole marks that are evenly apart, above all values', () => {
  for (const largest of [1, 2, 3, 7, 10, 11, 99, 100, 101, 450, 1234, 50_000, 987_654.5]) {
    const { top, marks } = scaleOf([null, 0, largest / 2, largest])
    expect(marks[0]).toBe(0)
    expect(marks.at(-1)).toBe(top)
    expect(top).toBeGreaterThanOrEqual(largest)
    expect(marks.length).toBeLessThanOrEqual(6)
    expect(marks.every(Number.isInteger)).toBe(true)
    const steps = new Set(marks.slice(1).map((mark, nth) => mark - (marks[nth] ?? 0)))
    expect(steps.size).toBe(1)
  }
})

test('an axis wastes less than half of its height', () => {
  for (let largest = 6; largest < 5000; largest += 7) expect(scaleOf([largest]).top).toBeLessThan(2 * largest)
})

test('an axis of nothing has one mark above it', () => {
  expect(scaleOf([])).toEqual({ top: 1, marks: [0, 1] })
  expect(scaleOf([0, null])).toEqual({ top: 1, marks: [0, 1] })
})

test('as many labels are written as there is room for', () => {
  expect(labelEvery(12, 12)).toBe(1)
  expect(labelEvery(13, 12)).toBe(2)
  expect(labelEvery(53, 8)).toBe(7)
})
