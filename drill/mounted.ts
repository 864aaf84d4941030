/**
 * docs/promises.md "Mounted": the tyres of 2,000 simulated vehicles over four seasons. Sets are delivered and stored by scans; drivers mount them on that day, on
 * another one or not at all and say so, or say nothing; half a set is swapped, a puncture takes one wheel, cars are sold. Odometers are read on the way,
 * offline and late, or never. What the portal then says of each tyre is compared with what happened. Control: the constraints off.
 */
import { contract } from '#contract/index.ts'
import { addDays, daysBetween, type IsoDate } from '#domain/texts/date.ts'
import { chance } from '../db/demo/chance.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { addOperation } from '../src/server/testing/operations.ts'
import { world, type Principal, type World } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'

export const promise = 56
export const summary = 'what sits on a vehicle is known to the day, and contradictions are asked'
export const long = true

const { mounts, odometers, operations, fleet } = contract

/** When the sets change: the first day on which a vehicle comes. */
const changes = [
  { from: '2025-10-20', to: 'winter' },
  { from: '2026-03-20', to: 'summer' },
  { from: '2026-10-20', to: 'winter' },
  { from: '2027-03-20', to: 'summer' },
] as const
const begin: IsoDate = '2025-04-01'
const end: IsoDate = '2027-06-20'

type Season = 'summer' | 'winter'
/** A time on the vehicle as it was. */
type Time = { tyre: number; vehicle: number; position: string; since: IsoDate; until: IsoDate | null }
type Car = {
  vehicle: number
  who: Principal
  sets: Record<Season, number[]>
  spare: number
  /** Kilometres a day by month; null: nobody reads its odometer. */
  runs: readonly number[]
  read: boolean
}

const positions = ['1A', '1B', '2A', '2B'] as const

/** How far a car had run on a day, from a beginning. */
function kilometresOn({ runs }: Car, day: IsoDate): number {
  let km = 10_000
  for (let nth = 0, days = daysBetween(begin, day); nth < days; nth++)
    km += runs[Number(addDays(begin, nth).slice(5, 7)) - 1] ?? 0
  return Math.round(km)
}

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { add, check, control, result } = tally(log)
  const count = short ? 12 : 2000
  const server = await openTestServer()
  const w = await world({ server, served: () => ({ queues: null }), now: new Date(`${begin}T08:00:00Z`) })
  try {
    await w.query('update site set presume_mounts = true')
    const by = chance('mounted')
    const truth: Time[] = []
    const cars: Car[] = []
    // what happens on a day, in its order; what follows later is added on the way
    const events = new Map<IsoDate, (() => Promise<void>)[]>()
    const at = (day: IsoDate, act: () => Promise<void>) => {
      const ofDay = events.get(day)
      if (ofDay) ofDay.push(act)
      else events.set(day, [act])
    }
    const seeded: { vehicle: number; kind: string }[] = []
    const answered = new Set<string>()
    const note = async (customer: number) => {
      const { answer } = await w.ask(mounts.fleet, w.who.admin, { seq_id: customer })
      for (const { flt_id, kind } of answer.questions) answered.add(`${flt_id} ${kind}`)
    }
    const isOn = (tyre: number) => truth.find(time => time.tyre === tyre && time.until === null)
    const takeOff = (tyre: number, day: IsoDate) => {
      const time = isOn(tyre)
      if (time) time.until = day
    }
    const putOn = (vehicle: number, tyre: number, position: string, day: IsoDate) => {
      const other = truth.find(time => time.vehicle === vehicle && time.position === position && time.until === null)
      if (other) other.until = day
      truth.push({ tyre, vehicle, position, since: day, until: null })
    }
    const change = async ({ vehicle, who }: Car, wish: object) => {
      const { status, refusal } = await w.ask(mounts.change, who, { flt_id: vehicle, ...wish })
      if (status !== 200) throw new Error(`vehicle ${vehicle}: ${refusal.code} ${JSON.stringify(refusal.params)}`)
    }
    const confirm = (operation: number) =>
      w.ask(operations.confirm, w.who.admin, { operation: { _id: operation }, anyway: true, here: 'all' })

    for (let nth = 0; nth < count; nth++) {
      const vehicle = await w.addVehicle({ plate: `1DRL${String(nth).padStart(4, '0')}`, config: w.configs.home })
      const car: Car = {
        vehicle,
        who: w.who.a,
        sets: {
          summer: await w.addSet({ vehicle, set: 'Summer', statusDate: begin }),
          winter: await w.addSet({ vehicle, set: 'Winter', status: 'in_stock', statusDate: '2025-01-01' }),
        },
        spare: await w.addTyre({ vehicle, set: 'Spare', position: '1A', statusDate: begin }),
        runs: Array.from({ length: 12 }, () => by.between(25, 70)),
        read: by.likely(0.7),
      }
      cars.push(car)
      planCar(car)
    }

    function planCar(car: Car): void {
      at(begin, async () => {
        for (const [nth, tyre] of car.sets.summer.entries()) putOn(car.vehicle, tyre, positions[nth] ?? '', begin)
        await change(car, { date: begin, put: car.sets.summer.map(db_id => ({ db_id })) })
      })
      for (let day = begin; car.read && day < end; day = addDays(day, by.between(15, 30))) {
        // what was read offline comes days later
        const late = by.likely(0.2) ? by.between(1, 6) : 0
        const read = day
        at(addDays(read, late), async () => {
          await w.ask(odometers.record, car.who, {
            readings: [{ flt_id: car.vehicle, date: read, km: kilometresOn(car, read) }],
          })
        })
      }
      const stays = by.likely(0.02) && by.between(1, 3)
      for (const [nth, { from, to }] of changes.entries()) {
        // one that keeps its winter tyres is asked in June, and changes nothing until then
        if (stays !== false && nth >= stays && changes[stays]?.to === 'summer') continue
        planChange(car, to, addDays(from, by.between(0, 30)))
      }
      if (by.likely(0.05)) {
        const day = addDays('2026-06-01', by.between(0, 60))
        at(day, async () => {
          const flat = truth.find(time => time.vehicle === car.vehicle && time.position === '1A' && time.until === null)
          if (!flat || flat.tyre === car.spare) return
          putOn(car.vehicle, car.spare, '1A', day)
          await change(car, { date: day, put: [{ db_id: car.spare, position: '1A' }], swap: true })
          // repaired, and on again
          const back = addDays(day, 3)
          at(back, async () => {
            putOn(car.vehicle, flat.tyre, '1A', back)
            await change(car, { date: back, put: [{ db_id: flat.tyre, position: '1A' }], swap: true })
          })
        })
      }
      if (by.likely(0.02)) {
        const day = addDays('2026-08-15', by.between(0, 30))
        at(day, async () => {
          const { status } = await w.ask(fleet.transfer, w.who.admin, {
            flt_id: car.vehicle,
            seq_id: w.customers.b,
            date: day,
          })
          if (status !== 200) return
          car.who = w.who.b
          for (const time of truth.filter(each => each.vehicle === car.vehicle && each.until === null)) {
            time.until = day
            truth.push({ ...time, since: day, until: null })
          }
        })
      }
    }

    function planChange(car: Car, to: Season, day: IsoDate): void {
      const [how, part] = [by.next(), by.likely(0.06) ? 2 : 0]
      const [answers, sends] = [by.likely(0.9), by.between(0, 9)]
      // two sets at once: nobody asked for what is on the car to come back
      const isAlone = by.likely(0.03)
      at(day, async () => {
        const wanted = car.sets[to].slice(part)
        const tyres = await w.query<{ id: number; status: string }>('select id, status from tyre where id = any ($1)', [
          wanted,
        ])
        if (tyres.some(({ status }) => status !== 'in_stock')) return
        const leaves = car.sets[to === 'winter' ? 'summer' : 'winter'].slice(part)
        const customer = car.who.customer ?? 0
        const recall = await addOperation(w, {
          customer,
          vehicle: car.vehicle,
          tyres: wanted,
          type: 'to_customer',
          status: 'submitted',
        })
        const back = isAlone
          ? null
          : await addOperation(w, {
              customer,
              vehicle: car.vehicle,
              tyres: leaves,
              type: 'to_stock',
              status: 'submitted',
            })
        if (back)
          await w.query(
            'update operation set swap_id = case id when $1::int then $2::int else $1 end where id in ($1, $2)',
            [recall.id, back.id],
          )
        await confirm(recall.id)
        if (isAlone) {
          seeded.push({ vehicle: car.vehicle, kind: 'two_sets' })
          await note(customer)
        }
        // on the day, on another one, or first not at all
        const mounted = how < 0.85 ? day : addDays(day, by.between(1, 5))
        const put = wanted.map(db_id => ({ db_id }))
        const km = car.read ? { km: kilometresOn(car, mounted), unordered: true } : {}
        at(mounted, async () => {
          for (const [nth, tyre] of wanted.entries()) putOn(car.vehicle, tyre, positions[nth + part] ?? '', mounted)
          if (how > 0.95) await w.ask(mounts.deny, car.who, { flt_id: car.vehicle, tyres: wanted })
          if (answers || how >= 0.85 || isAlone) await change(car, { date: mounted, put, swap: true, ...km })
        })
        const sent = addDays(mounted, sends)
        at(sent, async () => {
          for (const tyre of leaves) takeOff(tyre, sent)
          const storage =
            back ??
            (await addOperation(w, {
              customer: car.who.customer ?? 0,
              vehicle: car.vehicle,
              tyres: leaves,
              type: 'to_stock',
              status: 'submitted',
            }))
          if (car.read)
            await w.query('update operation set tachometer = $2 where id = $1', [storage.id, kilometresOn(car, sent)])
          await confirm(storage.id)
        })
      })
    }

    for (let day = begin; day <= end; day = addDays(day, 1)) {
      const ofDay = events.get(day) ?? []
      if (ofDay.length === 0) continue
      w.clock.now = new Date(`${day}T10:00:00Z`)
      await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
      for (let nth = 0; nth < ofDay.length; nth++) await ofDay[nth]?.()
    }

    w.clock.now = new Date(`${end}T10:00:00Z`)
    await w.query('update session set seen_at = $1, created_at = $1', [w.clock.now])
    const [falling] = cars
    if (falling) {
      const reading = (date: IsoDate, km: number) => ({ flt_id: falling.vehicle, date, km })
      await w.ask(odometers.record, falling.who, { readings: [reading(end, 1)], unordered: true })
      await w.ask(odometers.record, falling.who, { readings: [reading(addDays(end, -1), 900_000)], unordered: true })
      seeded.push({ vehicle: falling.vehicle, kind: 'odometer' })
    }
    for (const time of truth)
      if (time.until === null && cars.some(({ sets }) => sets.winter.includes(time.tyre)))
        seeded.push({ vehicle: time.vehicle, kind: 'wrong_season' })
    await w.query(`update tyre set season = case tyre_set when 'Winter' then 'winter' else 'summer' end`)
    for (const customer of [w.customers.a, w.customers.b]) await note(customer)
    const unasked = [...new Set(seeded.map(({ vehicle, kind }) => `${vehicle} ${kind}`))].filter(
      key => !answered.has(key),
    )
    add(seeded.length, unasked)

    const kept = await w.query<{
      tyre: number
      vehicle: number
      position: string
      since: IsoDate
      until: IsoDate | null
    }>(
      `select coalesce(t.copy_of, t.id) as tyre, coalesce(v.copy_of, v.id) as vehicle, m.position, m.since::text, m.until::text
       from mount m join tyre t on t.id = m.tyre_id join vehicle v on v.id = m.vehicle_id
       where m.withdrawn is null and m.until is distinct from m.since`,
    )
    const keyOf = (time: Time) => `${time.tyre} ${time.vehicle} ${time.position} ${time.since} ${time.until}`
    const keys = new Set(kept.map(keyOf))
    const times = truth.filter(({ since, until }) => since !== until)
    const wrong = times.filter(time => !keys.has(keyOf(time)))
    const share = 1 - wrong.length / times.length
    check(
      'periods right to the day',
      share >= 0.99 ? null : `${(share * 100).toFixed(2)} %, as ${wrong.slice(0, 3).map(keyOf).join('; ')}`,
    )
    check('overlaps', (await overlaps(w)) === 0 ? null : `${await overlaps(w)} pairs`)
    const [km, off] = await kilometreError(w, cars, truth)
    check('kilometres', off / km <= 0.02 ? null : `${((100 * off) / km).toFixed(2)} % off`)

    // the control: what the constraints refuse would be found
    const refused = await w
      .query(double)
      .then(() => false)
      .catch(() => true)
    check('a second tyre on a position', refused ? null : 'was taken')
    await w.query('alter table mount drop constraint mount_position_once, drop constraint mount_tyre_once')
    await w.query(double)
    control('two tyres on a position', (await overlaps(w)) > 0)
    return result(
      `${count} vehicles, ${times.length} periods, ${(share * 100).toFixed(2)} % right to the day`,
      `kilometres off by ${((100 * off) / km).toFixed(2)} %`,
      `${new Set(seeded.map(({ vehicle, kind }) => `${vehicle} ${kind}`)).size} contradictions, all asked but ${unasked.length}`,
    )
  } finally {
    await w.close()
    await server.end()
  }
}

/** A period of another tyre on a position that is taken. */
const double = `insert into mount (site_id, tyre_id, customer_id, vehicle_id, position, since, source, change)
  select m.site_id, t.id, m.customer_id, m.vehicle_id, m.position, m.since, 'imported', 1
  from mount m join tyre t on t.vehicle_id = m.vehicle_id and t.customer_id = m.customer_id and t.id <> m.tyre_id
  where m.until is null and m.withdrawn is null order by m.id, t.id limit 1`

/** How many pairs of periods have a tyre at two places, or a position with two tyres, on some day. */
async function overlaps(w: World): Promise<number> {
  const [{ n } = { n: 0 }] = await w.query<{ n: number }>(
    `select count(*)::int as n from mount a join mount b on b.site_id = a.site_id and b.id > a.id
       and (b.tyre_id = a.tyre_id or b.vehicle_id = a.vehicle_id and b.position = a.position)
     where a.withdrawn is null and b.withdrawn is null and daterange(a.since, a.until) && daterange(b.since, b.until)`,
  )
  return n
}

/** The kilometres that tyres ran on vehicles of which the odometer is read, and by how much the portal is off, tyre by tyre. */
async function kilometreError(w: World, cars: readonly Car[], truth: readonly Time[]): Promise<[number, number]> {
  let [all, off] = [0, 0]
  // what was sold begins anew for its new customer, and the one with a wrong odometer is no measure
  for (const car of cars.filter(({ read, who }) => read && who === w.who.a).slice(1)) {
    const { answer } = await w.ask(mounts.vehicle, car.who, { flt_id: car.vehicle })
    const last = answer.readings[0]?.date ?? begin
    for (const tyre of [...car.sets.summer, ...car.sets.winter]) {
      const ran = truth
        .filter(time => time.tyre === tyre)
        .reduce((sum, { since, until }) => {
          const to = until === null || until > last ? last : until
          return sum + (to > since ? kilometresOn(car, to) - kilometresOn(car, since) : 0)
        }, 0)
      all += ran
      off += Math.abs((answer.tyres.find(its => its.tyre === tyre)?.km ?? 0) - ran)
    }
  }
  return [all, off]
}
