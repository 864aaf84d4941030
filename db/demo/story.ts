/**
 * Two years in a tyre hotel: vehicles come, sets change places in spring and autumn, some are forgotten and some worn out,
 * and today there is work to do. All that the database keeps of it follows from this one telling.
 */
import { addDays, type IsoDate } from '#domain/texts/date.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { isSaturday, openDay } from './calendar.ts'
import { chance } from './chance.ts'
import type { Customer, Tyre, TyreGroup, Vehicle } from './fleet.ts'
import { groupsOf, openHotel, type Scene, type Story } from './hotel.ts'

/** A day on which a vehicle changes its tyres. */
type Change = { day: IsoDate; to: 'summer' | 'winter' }

/** Tells the story of one site, from two years ago to the moment of the calendar; its tyres end up as they are today. */
export function simulateSite(scene: Scene): Story {
  const { plan, calendar, accounts } = scene
  const draw = chance(`story of ${plan.code}`)
  const hotel = openHotel(scene, draw)

  // Deeds, in the order of their hour ----------------------------------------------------------------------------------

  // always in order, so that what happens can put more on it, for later
  const agenda: { at: Date; happens: (at: Date) => void }[] = []
  let done = 0
  const plans = (day: IsoDate, minutes: number, happens: (at: Date) => void): void => {
    if (day > calendar.yesterday) return
    const at = calendar.moment(day, minutes)
    let [low, high] = [done, agenda.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((agenda[middle]?.at ?? at) <= at) low = middle + 1
      else high = middle
    }
    agenda.splice(low, 0, { at, happens })
  }

  const workHour = (day: IsoDate): number => draw.between(510, isSaturday(day) ? 750 : 1010)

  const store = (group: TyreGroup, day: IsoDate, remarks?: string): IsoDate => {
    const open = openDay(day)
    plans(open, workHour(open), at => hotel.confirms('to_stock', group, at, remarks))
    // now and then a rack is tidied
    if (draw.likely(0.08)) {
      const later = openDay(addDays(open, draw.between(8, 90)))
      plans(later, draw.between(480, 500), at => {
        if (group.tyres.some(tyre => tyre.status !== 'in_stock' || tyre.statusDate !== open)) return
        hotel.moves(group.tyres, at)
      })
    }
    return open
  }

  const recall = (group: TyreGroup, day: IsoDate): void => {
    const open = openDay(day)
    plans(open, workHour(open), at => hotel.confirms('to_customer', group, at))
  }

  const join = (vehicle: Vehicle, tyres: readonly Tyre[], day: IsoDate, mounted = vehicle.mounts): void => {
    const open = openDay(day)
    const minutes = draw.between(450, 500)
    plans(open, minutes, at => hotel.joins(tyres, at))
    if (mounted) plans(open, minutes + draw.between(20, 90), at => hotel.mounts(tyres, at))
  }

  /** After a recall: on the vehicle the same afternoon. */
  const mountLater = (vehicle: Vehicle, group: TyreGroup, day: IsoDate): void => {
    if (vehicle.mounts) plans(openDay(day), draw.between(1060, 1120), at => hotel.mounts(group.tyres, at))
  }

  /** The days on which a vehicle changes its tyres, from before it came until two months from now. */
  const changesOf = (): Change[] => {
    const habit = {
      summer: draw.between(0, 30) + draw.between(0, 30),
      winter: draw.between(0, 30) + draw.between(0, 30),
    }
    const last = Number(addDays(calendar.today, 60).slice(0, 4))
    const years = Array.from({ length: 5 }, (_, nth) => last - 4 + nth)
    return years
      .flatMap(year => [
        { day: addDays(`${year}-03-07`, habit.summer + draw.between(0, 8)), to: 'summer' as const },
        { day: addDays(`${year}-10-08`, habit.winter + draw.between(0, 8)), to: 'winter' as const },
      ])
      .map(({ day, to }) => ({ day: openDay(day), to }))
  }
  const changesOfVehicle = new Map<Vehicle, Change[]>()
  const seasonOn = (changes: readonly Change[], day: IsoDate): 'summer' | 'winter' =>
    changes.findLast(change => change.day <= day)?.to ?? 'winter'

  const seasonal = (vehicle: Vehicle, summer: TyreGroup | undefined, winter: TyreGroup | undefined): void => {
    const started = openDay(calendar.ago(vehicle.joined))
    const changes = changesOf()
    changesOfVehicle.set(vehicle, changes)
    const groups = { summer, winter }
    const arrived = new Set<TyreGroup>()
    const newcomer = vehicle.joined < 30
    const comes = (group: TyreGroup, day: IsoDate, mounted?: boolean): void => {
      arrived.add(group)
      join(vehicle, group.tyres, day, mounted)
    }
    // who comes just before the change has made it already
    const first = seasonOn(changes, addDays(started, 14))
    for (const season of ['summer', 'winter'] as const) {
      const group = groups[season]
      if (!group) continue
      comes(group, started, season === first && vehicle.mounts)
      // who came a moment ago still has to bring the other set
      if (season !== first && !newcomer) store(group, addDays(started, draw.between(3, 9)))
    }
    if (newcomer) return
    for (const { day, to } of changes) {
      if (day <= addDays(started, 14) || day > calendar.yesterday) continue
      const on = groups[to]
      if (on && arrived.has(on)) {
        recall(on, day)
        const before = openDay(addDays(day, -draw.between(9, 20)))
        if (draw.likely(0.08)) plans(before, draw.between(520, 900), at => hotel.cancels('to_customer', on, at))
      } else if (on) comes(on, day, false)
      if (on) mountLater(vehicle, on, day)
      const from = to === 'summer' ? 'winter' : 'summer'
      const off = groups[from]
      if (!off) continue
      const stored = store(off, addDays(day, draw.between(2, 8)), off.heir && plan.words.worn)
      if (off.heir) {
        const end = openDay(addDays(stored, draw.between(14, 35)))
        plans(end, workHour(end), at => hotel.confirms('to_waste', off, at))
        groups[from] = off.heir
      }
    }
  }

  const heavy = (vehicle: Vehicle, always: TyreGroup, casing: TyreGroup | undefined): void => {
    const started = openDay(calendar.ago(vehicle.joined))
    const replaced = casing && openDay(addDays(started, draw.between(60, 420)))
    const later = always.tyres.filter(tyre => casing?.tyres.some(({ position }) => position === tyre.position))
    join(
      vehicle,
      always.tyres.filter(tyre => !later.includes(tyre)),
      started,
    )
    if (casing && replaced) {
      join(vehicle, casing.tyres, started)
      const stored = store(casing, replaced)
      join(vehicle, later, addDays(stored, 3))
      if (draw.likely(0.55)) {
        const end = openDay(addDays(stored, draw.between(14, 90)))
        plans(end, workHour(end), at => hotel.confirms('to_waste', casing, at))
      }
    }
    // the person in charge of a fleet measures its tyres every quarter
    if (plan.mode === 'hotelonly') return
    for (
      let day = addDays(started, draw.between(60, 110));
      day <= calendar.yesterday;
      day = addDays(day, draw.between(80, 110))
    ) {
      const open = openDay(day)
      plans(open, draw.between(540, 900), at => hotel.inspects(always.tyres, at))
    }
  }

  const live = (vehicle: Vehicle): void => {
    const started = openDay(calendar.ago(vehicle.joined))
    const group = (role: TyreGroup['role']): TyreGroup | undefined =>
      vehicle.groups.find(
        candidate => candidate.role === role && !vehicle.groups.some(other => other.heir === candidate),
      )
    const always = group('always')
    const [summer, winter] = [group('summer'), group('winter')]
    if (always) heavy(vehicle, always, group('casing'))
    if (summer || winter) seasonal(vehicle, summer, winter)
    for (const role of ['forgotten', 'worn'] as const) {
      const tyreGroup = group(role)
      if (!tyreGroup) continue
      join(vehicle, tyreGroup.tyres, started, false)
      store(tyreGroup, addDays(started, draw.between(3, 8)))
    }
    const spare = group('spare')
    if (spare) {
      join(vehicle, spare.tyres, started, false)
      const stored = store(spare, addDays(started, draw.between(3, 7)))
      const given = openDay(addDays(stored, draw.between(10, 40)))
      plans(given, workHour(given), at => hotel.confirms('to_spare', spare, at))
    }
    const loose = group('loose')
    if (loose) {
      join(vehicle, loose.tyres, started, false)
      if (draw.likely(0.8)) store(loose, addDays(started, draw.between(3, 200)))
    }
  }

  /**
   * A set is asked for out of turn, for a repair, a trip or a photo, and comes back: it keeps the months between the seasons
   * from being empty. Not when its season is about to begin, and not one that has just come.
   */
  const interlude = (about: IsoDate, whose: (customer: Customer) => boolean): void => {
    const day = openDay(about)
    plans(day, 505, () => {
      const settled = calendar.moment(addDays(day, -18), 0).getTime()
      const resting = groupsOf(scene.vehicles).filter(({ vehicle, group, tyres }) => {
        const seasonal = group.role === 'summer' || group.role === 'winter'
        if (!seasonal || group.heir || !whose(vehicle.customer)) return false
        const next = changesOfVehicle.get(vehicle)?.find(change => change.day >= day)?.day
        const soon = next !== undefined && next < addDays(day, 30)
        return !soon && tyres.every(tyre => tyre.status === 'in_stock' && tyre.freeSince < settled)
      })
      if (resting.length === 0) return
      const { group } = draw.pick(resting)
      recall(group, addDays(day, 3))
      store(group, addDays(day, draw.between(7, 14)))
    })
  }

  for (const vehicle of scene.vehicles) live(vehicle)
  for (const days of [640, 520, 400, 280, 160, 45]) {
    for (const [nth, customer] of scene.customers.entries()) {
      // the last two rounds left some customers out: they are overdue
      if ((nth % 3 === 0 && days < 200) || draw.likely(0.15)) continue
      const open = openDay(calendar.ago(days))
      plans(open, 1025 + nth, at => hotel.invoices(customer, at))
    }
  }
  const [main] = scene.customers.filter(customer => accounts.of(customer) !== null)
  for (let days = 724; days > 2; days -= 7) {
    interlude(calendar.ago(days), customer => customer === main)
    interlude(calendar.ago(days - 3), customer => customer !== main)
  }

  for (let next = agenda[done]; next; next = agenda[done]) {
    done++
    next.happens(next.at)
  }

  openOperations()
  return hotel.written()
  // Open today ---------------------------------------------------------------------------------------------------------

  function openOperations(): void {
    const used = new Set<Vehicle>()
    for (const type of ['to_customer', 'to_stock', 'to_waste'] as const) {
      const { pending, submitted } = { pending: plan.open.pending[type], submitted: plan.open.submitted[type] }
      const chosen = chooseOpen(type, pending + submitted, used)
      // spread over all customers; the one who shows the portal has some of each
      const waiting = new Set(Array.from({ length: pending }, (_, nth) => Math.floor((nth * chosen.length) / pending)))
      for (const group of chosen.filter((_, nth) => waiting.has(nth))) hotel.opens('pending', type, group, 0)
      const sent = draw.shuffled(chosen.filter((_, nth) => !waiting.has(nth)))
      for (const [nth, group] of sent.entries()) hotel.opens('submitted', type, group, nth)
    }
  }

  /** The groups that most want this operation, a good part of them of the customers who have an account. */
  function chooseOpen(type: OfferedType, count: number, used: Set<Vehicle>): TyreGroup[] {
    const rated = draw
      .shuffled(groupsOf(scene.vehicles))
      .map(({ vehicle, group }) => ({ vehicle, group, rank: rankOf(type, vehicle, group) }))
      .filter(({ rank }) => rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    const chosen: TyreGroup[] = []
    const take = (limit: number, whose: (customer: Customer) => boolean): void => {
      for (const { vehicle, group } of rated) {
        if (chosen.length >= limit) return
        if (used.has(vehicle) || !whose(vehicle.customer)) continue
        used.add(vehicle)
        chosen.push(group)
      }
    }
    const [main, second] = scene.customers.filter(customer => accounts.of(customer) !== null)
    const ofMain = Math.max(2, Math.round(count * 0.3))
    take(ofMain, customer => customer === main)
    take(chosen.length + Math.max(1, Math.round(count * 0.15)), customer => customer === second)
    take(count, customer => customer !== main && customer !== second)
    take(count, () => true)
    if (chosen.length < count) throw new Error(`${plan.name} has only ${chosen.length} of ${count} open ${type}`)
    return chosen
  }

  /** How well an operation suits a group now, best first; none for what nobody would do. */
  function rankOf(type: OfferedType, vehicle: Vehicle, { role, tyres }: TyreGroup): number | null {
    const [first] = tyres
    if (!first?.status || tyres.some(tyre => tyre.status !== first.status)) return null
    const changes = changesOfVehicle.get(vehicle)
    const coming = changes ? seasonOn(changes, addDays(calendar.today, 18)) : null
    const seasonalRole = role === 'summer' || role === 'winter'
    if (type === 'to_stock') {
      if (first.status !== 'at_customer') return null
      if (seasonalRole) return role === coming ? 2 : 0
      return role === 'loose' ? 1 : 3
    }
    if (first.status !== 'in_stock') return null
    const isWorn = role === 'worn' || role === 'casing'
    if (type === 'to_waste') return isWorn ? first.depth : 10 + first.depth
    if (isWorn) return null
    if (seasonalRole) return role === coming ? 0 : 2
    return role === 'loose' ? 1 : 3
  }
}
