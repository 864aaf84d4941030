/**
 * Files that others have made (docs/product.md "Imports"), with columns as their programs have them. Where each comes from: fixtures/README.md.
 * `REAL_FILES` names a folder with more: `vehicles*.csv` and `articles*.csv`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Wire } from '#contract/call.ts'
import { imports } from '#contract/imports.ts'
import { sendForm } from '../../testing/config.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-24T10:00:00Z') })
})
afterAll(() => at.close())

type Checked = Wire<typeof imports.check>

async function check(kind: 'vehicles' | 'articles', file: string): Promise<Checked> {
  const fields: [string, string][] = [
    ['kind', kind],
    ...(kind === 'vehicles' ? [['seq_id', String(at.customers.a)] as [string, string]] : []),
  ]
  const reply = await sendForm(at, imports.check.path, at.who.admin, [
    ...fields,
    ['file', readFileSync(file), 'file.csv'],
  ])
  expect(reply.status, reply.text.slice(0, 300)).toBe(200)
  return reply.answer as Checked
}

test('the open data of a register go in as they are: its category says which kind of vehicle, where its own word does not', async () => {
  const { columns, added, refused, preview } = await check('vehicles', join(import.meta.dirname, 'fixtures/rdw.csv'))
  expect(columns.filter(({ field }) => field !== null).map(({ title, field, by }) => [title, field, by])).toEqual([
    ['kenteken', 'license_plate', 'name'],
    ['merk', 'brand', 'name'],
    ['handelsbenaming', 'description', 'name'],
    ['aantal_wielen', 'wheels', 'name'],
    ['europese_voertuigcategorie', 'kind', 'content'],
  ])
  expect([added, refused, preview.length]).toEqual([8, 0, 8])
})

const folder = process.env['REAL_FILES']
const others = folder
  ? readdirSync(folder).flatMap(name => {
      const [, kind] = /^(vehicles|articles).*\.csv$/.exec(name) ?? []
      return kind ? [[name, kind as 'vehicles' | 'articles'] as const] : []
    })
  : []

test.skipIf(others.length === 0).each(others)('of %s at most one row in a thousand is refused', async (name, kind) => {
  const { rows, added, refused, refusals } = await check(kind, join(folder ?? '', name))
  expect(added + refused).toBe(rows)
  expect(refusals.map(({ row, reason }) => `${row}: ${reason}`).slice(0, Math.max(0, refused - rows / 1000))).toEqual(
    [],
  )
})
