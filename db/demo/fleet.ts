/** Whose vehicles there are and which tyres belong to them, before anything has happened to them. */
import { configurationTemplates, positionsOf, type Axle, type TemplateName } from '#domain/vehicles/axle.ts'
import type { Rim, TyreStatus } from '#domain/tyres/tyre.ts'
import type { Calendar } from './calendar.ts'
import type { Article, Season, Use } from './catalogue.ts'
import { chance, type Chance } from './chance.ts'
import { modelNamed, pickModel, type Family, type Model } from './models.ts'
import { plates } from './plates.ts'
import type { CustomerPlan, SitePlan } from './sites.ts'
import type { Place } from './warehouse.ts'

export type Customer = { readonly id: number; readonly plan: CustomerPlan }

export type Tyre = {
  readonly id: number
  readonly vehicle: Vehicle
  readonly article: Article
  readonly position: string
  /** Its place in the set it belongs to; none for a tyre without a set. */
  readonly setName: string | null
  readonly season: Season
  /** The site's description, where the catalogue doesn't know the tyre. */
  unknownAs: string | null
  memo: string
  depth: number
  // from here on the story writes
  status: TyreStatus | null
  statusDate: string
  profileDepth: number | null
  profileDate: string | null
  profileTacho: number | null
  place: Place | null
  rims: Rim | null
  bolts: boolean
  hubcaps: boolean
  invoicedOn: string | null
  /** The day up to which documents charge its storage. */
  paidTo: string | null
  /** Odometer when it last went on the road. */
  roadFrom: number
  /** When it was last let go by an operation, or came; the next one begins later. */
  freeSince: number
}

/**
 * The role of a group of tyres. `summer` and `winter` change places twice a year; `always` stays on the vehicle;
 * `forgotten` lies in a rack since long; `worn` waits there for its end; `casing` was replaced on a heavy vehicle;
 * `spare` became the spare wheel; `loose` lies there alone.
 */
type Role = 'summer' | 'winter' | 'always' | 'forgotten' | 'worn' | 'casing' | 'spare' | 'loose'

export type TyreGroup = {
  readonly role: Role
  readonly tyres: readonly Tyre[]
  readonly onRims: Rim | null
  /** The group that comes after it when it is worn out. */
  readonly heir?: TyreGroup
}

export type Vehicle = {
  readonly id: number
  readonly customer: Customer
  readonly family: Family
  readonly model: Model
  readonly plate: string
  readonly number: string
  readonly chassis: string
  /** None for the one vehicle that nobody has given a configuration. */
  readonly template: TemplateName | null
  readonly driver: {
    readonly name: string
    readonly mobile: string
    readonly telephone: string
    readonly email: string
  }
  /** So many days ago the site was told of it. */
  readonly joined: number
  /** Its driver puts the tyres on at once, and says so. */
  readonly mounts: boolean
  readonly odometer: { readonly start: number; readonly perDay: number } | null
  readonly groups: readonly TyreGroup[]
}

/** Takes the next number of a table. */
export type Ids = { readonly customer: () => number; readonly vehicle: () => number; readonly tyre: () => number }

type Habit = 'both' | 'renewed' | 'summer' | 'winter' | 'road' | 'forgotten' | 'worn' | 'newcomer' | 'none'

/** The habits of a hundred cars and vans; the shares are dealt out, so every site has them all. */
const habits: Readonly<Record<Habit, number>> = {
  both: 9,
  renewed: 2,
  winter: 28,
  summer: 14,
  road: 8,
  forgotten: 6,
  worn: 6,
  newcomer: 9,
  none: 18,
}

export function buildFleet(
  plan: SitePlan,
  articles: readonly Article[],
  ids: Ids,
  calendar: Calendar,
): { customers: Customer[]; vehicles: Vehicle[] } {
  const draw = chance(`fleet of ${plan.code}`)
  const givePlate = plates(chance(`plates of ${plan.code}`), Number(calendar.today.slice(0, 4)))
  const customers = plan.customers.map((customer): Customer => ({ id: ids.customer(), plan: customer }))
  const wanted = customers.flatMap(customer =>
    (Object.entries(customer.plan.fleet) as [Family, number][]).flatMap(([family, count]) =>
      Array.from({ length: count }, () => ({ customer, family })),
    ),
  )
  const dealt = dealHabits(wanted.filter(({ family }) => isLight(family)).length, draw)
  const spares = new Set(draw.shuffled([...wanted.keys()]).slice(0, Math.round(wanted.length / 20)))
  const vehicles: Vehicle[] = []
  const addLoose: (() => void)[] = []
  let unreadable = 0

  for (const [place, { customer, family }] of wanted.entries()) {
    const own = vehicles.filter(vehicle => vehicle.customer === customer)
    const country = draw.likely((customer.plan.dutch ?? 0) / 100) ? 'NL' : 'B'
    const habit = isLight(family) ? (dealt.pop() ?? 'both') : habitOf(family)
    const hasSpare = spares.has(place)
    const identity = identityOf(family, customer.plan, own, draw, () => givePlate(family, country))
    const groups: TyreGroup[] = []
    const vehicle: Vehicle = {
      id: ids.vehicle(),
      customer,
      family,
      ...identity,
      driver: driverOf(customer, plan, family, draw),
      joined: joinedOf(habit, hasSpare, draw),
      mounts: draw.likely(mountingShare(habit, plan)),
      odometer: odometerOf(family, identity.model, draw),
      groups,
    }
    vehicles.push(vehicle)
    if (vehicle.template === null) continue
    const fit = tyreFitter(vehicle, plan, articles, ids, draw)
    groups.push(...(habit === 'heavy' ? heavyGroups(vehicle, fit, plan, draw) : lightGroups(habit, fit, plan, draw)))
    if (groups.length === 0) continue
    if (hasSpare) groups.push(fit.single('spare'))
    addLoose.push(() => groups.push(fit.single('loose')))
    // a dealer can't read everything that is on an old tyre
    const text = plan.words.unknownTyre[unreadable]
    const winter = groups.find(({ role }) => role === 'winter')
    if (text && winter && family === 'car' && customer.plan.person) {
      unreadable++
      for (const tyre of winter.tyres) tyre.unknownAs = text.replace('{size}', tyre.article.size)
    }
  }
  fillUp(plan, vehicles, addLoose, draw)
  return { customers, vehicles }
}

/** One habit for each light vehicle, in the shares of `habits`. */
const dealHabits = (light: number, draw: Chance): Habit[] =>
  draw.shuffled(
    (Object.entries(habits) as [Habit, number][])
      .flatMap(([habit, share]) => Array.from({ length: Math.ceil((share * light) / 100) }, () => habit))
      .slice(0, light),
  )

/** The plate, name and model of a vehicle; `own` are the customer's vehicles so far. */
function identityOf(
  family: Family,
  owner: CustomerPlan,
  own: readonly Vehicle[],
  draw: Chance,
  newPlate: () => string,
): Pick<Vehicle, 'model' | 'plate' | 'number' | 'chassis' | 'template'> {
  // what every demo has, at the customer who shows the portal: a vehicle that still lacks its configuration, and a
  // light trailer, which in Belgium carries the plate of its car
  const shows = owner.account?.username === 'customer'
  const bare = shows && family === 'van' && !own.some(vehicle => vehicle.template === null)
  const borrowing = shows && family === 'trailer'
  const model = borrowing
    ? modelNamed('trailer', 'HA 132513')
    : pickModel(family, draw, { small: owner.small ?? false })
  return {
    model,
    plate: (borrowing && own.find(({ family: other }) => other === 'car')?.plate) || newPlate(),
    number: owner.numbers ? `${owner.numbers}-${String(own.length + 1).padStart(3, '0')}` : '',
    chassis: draw.likely(0.7) ? chassis(draw) : '',
    template: bare ? null : model.template,
  }
}

/** How likely a driver puts the tyres on at once, 0 to 1. */
const mountingShare = (habit: Habit | 'heavy', plan: SitePlan): number =>
  habit === 'road' || habit === 'heavy' ? Math.min(1, plan.mounts * 2.4) : plan.mounts

const odometerOf = (family: Family, model: Model, draw: Chance): Vehicle['odometer'] =>
  isTowed(family) ? null : { start: draw.between(4000, 90_000), perDay: (draw.between(...model.yearly) * 1000) / 365 }

/** Adds loose tyres until the site has as many tyres as planned. */
function fillUp(plan: SitePlan, vehicles: readonly Vehicle[], addLoose: readonly (() => void)[], draw: Chance): void {
  const inSets = vehicles.reduce(
    (sum, { groups }) => sum + groups.reduce((count, { tyres }) => count + tyres.length, 0),
    0,
  )
  const missing = plan.tyres - inSets
  if (missing < 0 || missing > addLoose.length) throw new Error(`${plan.name} has ${inSets} tyres in sets`)
  for (const add of draw.shuffled(addLoose).slice(0, missing)) add()
}

const isLight = (family: Family): boolean => family === 'car' || family === 'suv' || family === 'van'
const isTowed = (family: Family): boolean => ['semitrailer', 'trailer', 'caravan'].includes(family)

function habitOf(family: Family): Habit | 'heavy' {
  if (family === 'motorcycle') return 'summer'
  return family === 'trailer' || family === 'caravan' ? 'road' : 'heavy'
}

/** The portal opened two years ago and took most vehicles over in its first weeks. */
function joinedOf(habit: Habit | 'heavy', hasSpare: boolean, draw: Chance): number {
  if (habit === 'newcomer') return draw.between(3, 24)
  if (habit === 'renewed' || habit === 'heavy' || hasSpare) return draw.between(690, 729)
  if (habit === 'forgotten') return draw.between(230, 720)
  if (habit === 'worn' || habit === 'road') return draw.between(60, 400)
  return draw.likely(0.55) ? draw.between(690, 729) : draw.between(40, 690)
}

type Fitter = {
  /** New tyres for the axles that are asked for; all axles without asking. */
  group(
    role: Role,
    wish: {
      season: Season
      name: string | null
      depth: readonly [number, number]
      axles?: (use: Use) => boolean
      positions?: readonly string[]
      heir?: TyreGroup
    },
  ): TyreGroup
  /** One tyre without a set. */
  single(role: 'spare' | 'loose'): TyreGroup
}

function tyreFitter(vehicle: Vehicle, plan: SitePlan, articles: readonly Article[], ids: Ids, draw: Chance): Fitter {
  const configuration = configurationTemplates.find(({ name }) => name === vehicle.model.template)
  const positions = positionsOf((configuration?.axles ?? []) satisfies readonly Axle[])
  const wear = (position: string) => vehicle.model.axles[Number.parseInt(position, 10) - 1]
  const maker = draw.next()

  const make = (position: string, season: Season, setName: string | null, depth: number, taste: number): Tyre => {
    const wanted = wear(position)
    const sized = articles.filter(({ use, size }) => use === wanted?.use && size === wanted.size)
    const seasonal = sized.filter(article => article.season === season)
    const fitting = seasonal.length > 0 ? seasonal : sized
    const article = fitting[Math.floor(taste * fitting.length)]
    if (!article) throw new Error(`no tyre ${wanted?.size} for ${vehicle.model.description}`)
    const front = position.startsWith('1') ? 0 : 0.4
    return {
      id: ids.tyre(),
      vehicle,
      article,
      position,
      setName,
      season,
      unknownAs: null,
      memo: draw.likely(0.03) ? draw.pick(plan.words.memos) : '',
      depth: Math.round((depth + front + draw.between(0, 4) / 10) * 10) / 10,
      status: null,
      statusDate: '',
      profileDepth: null,
      profileDate: null,
      profileTacho: null,
      place: null,
      rims: null,
      bolts: false,
      hubcaps: false,
      invoicedOn: null,
      paidTo: null,
      roadFrom: 0,
      freeSince: 0,
    }
  }

  return {
    group(role, { season, name, depth, axles = () => true, positions: only, heir }) {
      const taste = draw.likely(0.6) ? maker : draw.next()
      const start = draw.between(depth[0] * 10, depth[1] * 10) / 10
      const wanted = positions.filter(position => {
        const use = wear(position)?.use
        return use && axles(use) && (only?.includes(position) ?? true)
      })
      return {
        role,
        tyres: wanted.map(position => make(position, season, name, start, taste)),
        onRims: rimsOf(vehicle.family, season, draw),
        ...(heir && { heir }),
      }
    },
    single(role) {
      const position = draw.pick(positions)
      const season = wear(position)?.use === 'car' ? 'summer' : 'all_season'
      return {
        role,
        tyres: [make(position, season, null, draw.between(40, 75) / 10, draw.next())],
        onRims: isLight(vehicle.family) ? 'steel' : null,
      }
    },
  }
}

/** Winter tyres lie on steel rims, as a second set does; summer tyres on the car's own. Heavy tyres come without. */
function rimsOf(family: Family, season: Season, draw: Chance): Rim | null {
  if (family === 'van') return draw.likely(0.7) ? 'steel' : null
  if (family !== 'car' && family !== 'suv') return null
  const share = draw.next()
  if (season === 'winter') return share < 0.45 ? 'steel' : share < 0.8 ? 'aluminum' : null
  return share < 0.72 ? 'aluminum' : null
}

function lightGroups(habit: Habit, fit: Fitter, { words }: SitePlan, draw: Chance): TyreGroup[] {
  const seasonal = (role: 'summer' | 'winter', depth: readonly [number, number] = [4.6, 7.8], heir?: TyreGroup) =>
    fit.group(role, { season: role, name: words.sets[role], depth, ...(heir && { heir }) })
  switch (habit) {
    case 'none':
      return []
    case 'both':
      return [seasonal('summer'), seasonal('winter')]
    case 'summer':
    case 'winter':
      return [seasonal(habit)]
    case 'newcomer':
      return draw.likely(0.7) ? [seasonal('summer'), seasonal('winter')] : [seasonal('winter')]
    case 'renewed': {
      const [kept, replaced] = draw.likely(0.5) ? (['summer', 'winter'] as const) : (['winter', 'summer'] as const)
      const heir = seasonal(replaced, [7.8, 8.2])
      return [seasonal(kept), seasonal(replaced, [3.2, 3.6], heir), heir]
    }
    case 'road':
      return [fit.group('always', { season: 'all_season', name: words.sets.all_season, depth: [5, 7.6] })]
    case 'forgotten':
    case 'worn': {
      const season = draw.likely(0.6) ? 'winter' : 'summer'
      return [fit.group(habit, { season, name: words.sets[season], depth: habit === 'worn' ? [1.6, 2.4] : [3.5, 7] })]
    }
  }
}

const driven = (use: Use): boolean => use === 'drive'

/** Heavy vehicles keep their tyres all the year; some change those of the driven axles when winter comes. */
function heavyGroups(vehicle: Vehicle, fit: Fitter, { words }: SitePlan, draw: Chance): TyreGroup[] {
  const changes = (vehicle.family === 'tractor' && draw.likely(0.5)) || (vehicle.family === 'truck' && draw.likely(0.3))
  const groups = [
    fit.group('always', {
      season: 'all_season',
      name: words.wholeYear,
      depth: [6.5, 8.8],
      axles: use => !changes || !driven(use),
    }),
  ]
  if (changes) {
    for (const season of ['summer', 'winter'] as const)
      groups.push(fit.group(season, { season, name: words.driven[season], depth: [6, 8.8], axles: driven }))
  }
  if (draw.likely(0.35))
    groups.push(fit.group('casing', { season: 'all_season', name: null, depth: [3, 4], positions: ['1A', '1B'] }))
  return groups
}

function driverOf(customer: Customer, plan: SitePlan, family: Family, draw: Chance): Vehicle['driver'] {
  const nobody = { name: '', mobile: '', telephone: '', email: '' }
  if (isTowed(family) && !customer.plan.person) return nobody
  // vans and heavy vehicles often have any driver on duty
  if (!customer.plan.person && draw.likely(family === 'car' || family === 'suv' ? 0.08 : 0.45)) return nobody
  const name = customer.plan.person
    ? customer.plan.name
    : `${draw.pick(plan.names.first)} ${draw.pick(plan.names.last)}`
  const ascii = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z ]/g, '')
    .toLowerCase()
  const pair = (): string => String(draw.between(0, 99)).padStart(2, '0')
  return {
    name,
    mobile: draw.likely(0.85) ? `${plan.phone.mobile}${pair()} ${pair()}` : '',
    telephone: draw.likely(0.25) ? `${plan.phone.fixed}${pair()} ${pair()}` : '',
    email: draw.likely(0.8) ? `${ascii.replaceAll(' ', '.')}@example.org` : '',
  }
}

/** A chassis number of no maker: none has been given the letters XXX. */
const chassis = (draw: Chance): string =>
  `XXX${Array.from({ length: 14 }, () => draw.pick([...'0123456789ABCDEFGHJKLMNPRSTUVWXYZ'])).join('')}`
