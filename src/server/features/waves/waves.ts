/** Waves (docs/product/warehouse.md "Waves"): planned here, picked line by line, and staged. */
import type { Input, Wire } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import type { RoundOutcome } from '#contract/waves.ts'
import { Failure } from '#domain/failure.ts'
import { maxWave, nextLine, pickOutcome, planWave, stageOutcome } from '#domain/warehouse/wave.ts'
import { type Context, type Handlers, within } from '../handler.ts'
import { locations } from '../locations/locations.ts'
import { wheels } from '../wheels/wheels.ts'
import * as sql from './waves.sql.ts'

type Round = Wire<typeof contract.waves.round>
type At<I> = Context<I, readonly ['admin']>
type OfWave = { readonly wave: number }

export const waves: Handlers['waves'] = {
  all: ({ tx, site, now }) => tx.single.json(sql.allWaves, { site: site.id, now }),

  async plan(at) {
    const { input, tx, site } = at
    await tx.one(sql.lockTransport, { site: site.id, transport: input.transport })
    const planned = await addWave(at)
    if (!planned) throw new Failure('wave.empty')
    return planned
  },

  async planday(at) {
    const { input, tx, site } = at
    const planned = []
    for (const { transport } of await tx.rows(sql.lockTransportsOf, { site: site.id, day: input.day })) {
      const all = { ...input, transport, most: maxWave, unit: 'wheels' as const }
      for (let wave = await addWave(within(at, all)); wave; wave = await addWave(within(at, all)))
        planned.push({ ...wave, transport })
    }
    if (planned.length === 0) throw new Failure('wave.empty')
    return { waves: planned }
  },

  async round(at) {
    await lockWave(at)
    return roundOf(at, null)
  },

  async scan(at) {
    const { input, site } = at
    const load = await lockWave(at)
    const line = await claim(at)
    if (input.ticsId != null && input.ticsId !== site.id) return roundOf(at, 'other_site')
    return input.location === undefined
      ? scanWheel(at, input.db_id ?? 0, line)
      : scanLocation(at, { location: input.location, line, load })
  },

  async miss(at) {
    const { tx, site, input } = at
    await lockWave(at)
    const line = await claim(at)
    const left = line === null ? [] : await tx.rows(sql.leftOfLine, { site: site.id, wave: input.wave, line })
    const tyres = left.map(({ tyre }) => tyre)
    if (tyres.length === 0) return roundOf(at, 'nothing_to_do')
    await wheels.step(within(at, { tyres, step: 'miss' }))
    return roundOf(at, 'missed', tyres)
  },

  async undo(at) {
    const { tx, site, input } = at
    await lockWave(at)
    const parameters = { site: site.id, wave: input.wave, tyres: [...new Set(input.tyres)] }
    const back = await tx.rows(sql.returnable, parameters)
    if (back.length === 0) return roundOf(at, 'nothing_to_do')
    for (const [location, some] of Map.groupBy(back, wheel => wheel.location)) {
      const tyres = some.map(({ tyre }) => tyre)
      if (location !== null) await locations.move(within(at, { tyres, location }))
      else await wheels.step(within(at, { tyres, step: 'find' }))
    }
    const tyres = back.map(({ tyre }) => tyre)
    await tx.run(sql.notePicker, { ...parameters, tyres, actor: null })
    return roundOf(at, 'undone', tyres)
  },

  async end({ input: { wave }, tx, site, who, now }) {
    await tx.one(sql.lockWave, { site: site.id, wave })
    await tx.run(sql.endWave, { site: site.id, wave, actor: who.account, now })
    return { wave }
  },
}

/** Adds a wave of the free wheels of a transport's day, which the caller has locked; `null`: there are none, or none fit. */
async function addWave({
  input: { transport, day, ...limit },
  tx,
  site,
  who,
  now,
}: At<Input<typeof contract.waves.plan>>) {
  const lines = planWave(await tx.rows(sql.recalledWheels, { site: site.id, transport, day }), limit)
  if (lines.length === 0) return null
  const tyres = lines.flatMap((line, nth) => line.tyres.map(tyre => ({ tyre, line: nth + 1 })))
  const { wave } = await tx.one(sql.addWave, {
    site: site.id,
    transport,
    day,
    actor: who.account,
    now,
    operations: lines.map(({ operation }) => operation),
    aisles: lines.map(({ aisle }) => aisle),
    tyres: tyres.map(({ tyre }) => tyre),
    lines: tyres.map(({ line }) => line),
  })
  return { wave, line_count: lines.length, wheel_count: tyres.length }
}

/** Locks the wave: its pickers' scans are taken one after the other. @throws Failure `record.missing`, also for one that has ended */
const lockWave = ({ tx, site, input }: At<OfWave>) => tx.one(sql.lockWave, { site: site.id, wave: input.wave })

/** The line of this picker, which is claimed where they had none; `null` when all are done or claimed by others. */
async function claim({ tx, site, who, now, input: { wave } }: At<OfWave>): Promise<number | null> {
  const picker = { site: site.id, wave, actor: who.account }
  const lines = await tx.rows(sql.openLines, { ...picker, now })
  const line = nextLine(lines, 'me', await tx.maybe(sql.lastLine, picker))
  if (line !== null && !lines.some(entry => entry.line === line && entry.by === 'me'))
    await tx.run(sql.claimLine, { ...picker, line, now })
  return line
}

/** This picker's round after an outcome. */
async function roundOf(at: At<OfWave>, outcome: RoundOutcome | null, tyres: number[] = []): Promise<Round> {
  const { tx, site, who, now, input } = at
  const line = await claim(at)
  const parameters = { site: site.id, wave: input.wave, line, actor: who.account, now }
  const { json } = await tx.one(sql.roundOf, parameters)
  const round = JSON.parse(json ?? '') as Omit<Round, 'outcome' | 'tyres'>
  return { ...round, outcome, tyres }
}

async function scanWheel(at: At<OfWave>, tyre: number, line: number | null): Promise<Round> {
  const { tx, site, who, now, input } = at
  const wheel = await tx.maybe(sql.wheelInWave, { site: site.id, wave: input.wave, tyre })
  const outcome = pickOutcome(wheel, line)
  if (outcome !== 'picked' || line === null) return roundOf(at, outcome)
  await wheels.step(within(at, { tyres: [tyre], step: 'pick' }))
  const picked = { site: site.id, wave: input.wave, actor: who.account }
  await tx.run(sql.notePicker, { ...picked, tyres: [tyre] })
  await tx.run(sql.claimLine, { ...picked, line, now })
  return roundOf(at, outcome, [tyre])
}

type Scanned = {
  readonly location: number
  readonly line: number | null
  readonly load: { transport: number; day: string }
}

async function scanLocation(at: At<OfWave>, { location, line, load }: Scanned): Promise<Round> {
  const { tx, site, who, input } = at
  const picker = { site: site.id, wave: input.wave }
  const row = await tx.one(sql.locationOfRound, { ...picker, location, line })
  const tyres = (await tx.rows(sql.carriedWheels, { ...picker, actor: who.account })).map(({ tyre }) => tyre)
  const outcome = stageOutcome(row, { carried: tyres.length, load })
  if (outcome !== 'staged') return roundOf(at, outcome)
  await locations.move(within(at, { tyres, location }))
  return roundOf(at, outcome, tyres)
}
