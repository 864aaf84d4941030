import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countries } from '../operations/closedDays.ts'
import { tyreLaws, lawSources, vehicleClasses } from './tyreLaw.ts'

const page = readFileSync(new URL('../../../docs/tyre-law.md', import.meta.url), 'utf8')
const table = page
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| country') && !line.startsWith('| ---'))
  .map(line =>
    line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim()),
  )

const millimetres = (depth: number | null) => (depth === null ? '–' : depth.toFixed(1))

test('docs/tyre-law.md says what the table says', () => {
  const rows = countries.flatMap(country => vehicleClasses.map(vehicleClass => tyreLaws[country][vehicleClass]))
  expect(table).toHaveLength(rows.length)
  for (const [nth, law] of rows.entries()) {
    const [, , min, winterMin, , window, marks, axles, confidence, sources, note] = table[nth] ?? []
    expect([min, winterMin, confidence]).toEqual([millimetres(law.min), millimetres(law.winterMin), law.confidence])
    expect(window).toBe(law.window?.join(' to ').replace('easter+7', 'the Sunday after Easter') ?? '–')
    expect([marks, sources]).toEqual([law.marks.join(', ') || '–', law.sources.join(', ') || '–'])
    expect([axles, note]).toEqual([law.axles || '–', law.note || '–'])
  }
})

test('a row is sure of nothing that it has no source for', () => {
  for (const country of countries)
    for (const vehicleClass of vehicleClasses) {
      const { confidence, sources, min } = tyreLaws[country][vehicleClass]
      if (sources.length === 0) expect([country, vehicleClass, confidence]).toEqual([country, vehicleClass, 'U'])
      if (min === null) expect([country, vehicleClass, confidence]).toEqual([country, vehicleClass, 'U'])
    }
})

test('every source is on the page', () => {
  for (const key of Object.keys(lawSources)) expect(page).toContain(`- \`${key}\`: `)
})
