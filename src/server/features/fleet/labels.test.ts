import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fleet } from '#contract/fleet.ts'
import { textOfPages } from '../../testing/pdf.ts'
import { labelledTyres } from './labels.sql.ts'
import { world, type Principal, type World } from '../../testing/world.ts'

let at: World
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-20T09:00:00Z') })
})
afterAll(() => at.close())

const label = (who: Principal, tyres: unknown[], report_id = 1) =>
  at.ask(fleet.getTyreLabels, who, { tyres: tyres as number[], report_id })

describe('labels', () => {
  let tyres: number[]
  let foreign: number
  let elsewhere: number
  beforeAll(async () => {
    tyres = await at.addSet({ vehicle: await at.addVehicle({ plate: '1LBL001' }), set: 'Winter', depth: 6.25 })
    foreign = await at.addTyre({ vehicle: await at.addVehicle({ customer: at.customers.b }) })
    elsewhere = await at.addTyre({ vehicle: await at.addVehicle({ customer: at.customers.other }) })
  })
  beforeEach(() => at.setSite(at.sites.home, { mode: 'both', allow_profile_depth: true }))

  test('come as a PDF, one a tyre in the order asked, with what the label needs', async () => {
    const { status, answer } = await label(at.who.a, [...tyres].reverse())
    expect(status).toBe(200)
    const pages = await textOfPages(answer)
    expect(pages).toHaveLength(4)
    for (const [nth, id] of [...tyres].reverse().entries()) expect(pages[nth]).toContain(`#${id}`)
    for (const text of ['1-LBL-001', '2B', '205/55R16 91H', 'Michelin Alpin 6', 'Winter', 'Garage Alfa', '6.25 mm'])
      expect(pages[0]).toContain(text)
  })

  test('take tyres as numbers, as texts, as one-item lists and as whole tyres; a tyre asked twice is printed once', async () => {
    const [a, b, c, d] = tyres
    const { answer } = await label(at.who.a, [a, String(b), [c], { db_id: [d] }, { db_id: a }])
    expect(await textOfPages(answer)).toHaveLength(4)
  })

  test.each([
    [1, 4],
    [2, 4],
    [3, 1],
  ])('report %i of a set has %i pages', async (report, count) => {
    expect(await textOfPages((await label(at.who.a, tyres, report)).answer)).toHaveLength(count)
  })

  test('say no depth where the site shows none', async () => {
    await at.setSite(at.sites.home, { allow_profile_depth: false })
    expect((await textOfPages((await label(at.who.a, tyres)).answer)).join()).not.toMatch(/mm|6\.25/)
  })

  test('are printed by an administrator for every customer of the site', async () => {
    expect(await textOfPages((await label(at.who.admin, [tyres[0], foreign])).answer)).toHaveLength(2)
  })

  test('a foreign, removed or missing tyre is missing, and no label is printed', async () => {
    const gone = await at.addTyre({ vehicle: await at.addVehicle({}) })
    await at.query('update tyre set removed_at = now() where id = $1', [gone])
    for (const [who, tyre] of [
      [at.who.a, foreign],
      [at.who.a, elsewhere],
      [at.who.a, gone],
      [at.who.a, 2_000_000],
      [at.who.admin, elsewhere],
      [at.who.otherUser, tyres[0]],
    ] as const) {
      const reply = await label(who, [...(who === at.who.otherUser ? [] : tyres), tyre])
      expect([reply.status, reply.refusal.code]).toEqual([404, 'record.missing'])
    }
  })

  test('are those of the customer alone, also where row-level security would let others through', async () => {
    const scope = { site: at.sites.home, tyres: [...tyres, foreign, elsewhere], withDepth: true }
    const idsOf = (customer: number | null) =>
      at.database.transaction({ site: at.sites.home }, async tx =>
        (await tx.rows(labelledTyres, { ...scope, customer })).map(({ id }) => id).toSorted((a, b) => a - b),
      )
    expect(await idsOf(at.customers.a)).toEqual(tyres)
    expect(await idsOf(at.customers.b)).toEqual([foreign])
    expect(await idsOf(null)).toEqual([...tyres, foreign])
  })

  test('an unknown report is missing', async () => {
    const reply = await label(at.who.a, tyres, 99)
    expect([reply.status, reply.refusal.code]).toEqual([404, 'label.report_missing'])
  })

  test('none and more than a thousand are refused', async () => {
    expect((await label(at.who.a, [])).status).toBe(400)
    expect(
      (
        await label(
          at.who.a,
          Array.from({ length: 1001 }, (_, nth) => nth + 1),
        )
      ).refusal,
    ).toMatchObject({ code: 'request.too_much', params: { fields: ['tyres'], most: 1000 } })
  })

  test('exist in a tyre hotel only', async () => {
    await at.setSite(at.sites.home, { mode: 'fleetonly' })
    const reply = await label(at.who.a, tyres)
    expect([reply.status, reply.refusal.code]).toEqual([403, 'site.mode'])
  })
})
