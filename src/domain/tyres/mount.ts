/**
 * Tyres on a vehicle: which sits where, from which day to which, and what a change does to that (docs/product/vehicles.md "Mounted tyres").
 * The screen asks the same rules before it sends.
 */
import { type Axle, axleLetters, comparePositions, type Position } from '../vehicles/axle.ts'
import type { IsoDate } from '../texts/date.ts'
import type { TyreStatus } from './tyre.ts'

/** How it is known: somebody said so, it follows from a delivery or a storage, or a file had it. */
export const mountSources = ['confirmed', 'presumed', 'imported'] as const
type MountSource = (typeof mountSources)[number]

/** Why a period holds no longer. */
export const mountWithdrawals = ['confirmed', 'other_day', 'not_mounted', 'undone'] as const
type MountWithdrawal = (typeof mountWithdrawals)[number]

/** A period of a tyre on a position. It ends on the day on which the tyre is taken off, which belongs to what comes then. */
export type Mount = {
  readonly id: number
  readonly tyre: number
  readonly position: string
  readonly since: IsoDate
  readonly until: IsoDate | null
  readonly source: MountSource
  readonly untilSource: MountSource | null
  /** The changes that opened and closed it: a delivery that is presumed to be mounted closes what sat there. */
  readonly change: number
  readonly untilChange: number | null
}

export const isOpen = (mount: Pick<Mount, 'until'>): boolean => mount.until === null

/** The states in which a tyre can be put on its vehicle. What is in stock is recalled first. */
const mountable: readonly TyreStatus[] = ['at_customer', 'on_vehicle', 'on_spare']
export const mayMount = (tyre: { tyre_status: TyreStatus }): boolean => mountable.includes(tyre.tyre_status)

export type MountChange = {
  readonly date: IsoDate
  /** Tyres and the positions that they get. */
  readonly put: readonly { readonly tyre: number; readonly position: string }[]
  /** Tyres that are taken off. */
  readonly off: readonly number[]
  /** Takes off what sits on the positions, too. */
  readonly swap: boolean
}

/** A period to enter. */
type NewMount = Pick<Mount, 'tyre' | 'position' | 'since' | 'until' | 'source' | 'untilSource'>

export type MountPlan = {
  /** Periods that end on the day. */
  readonly close: readonly number[]
  /** Periods that were said or presumed otherwise, and hold no longer. */
  readonly withdraw: readonly { readonly id: number; readonly why: MountWithdrawal }[]
  readonly open: readonly NewMount[]
}

export type MountRefusal =
  /** Another tyre sits there. */
  | { readonly code: 'mount.position_taken'; readonly positions: readonly string[] }
  /** A period would end before it began, or meet one that was entered for later. */
  | { readonly code: 'mount.date'; readonly tyres: readonly number[] }
  /** Two tyres on one position, or one on two. */
  | { readonly code: 'mount.twice'; readonly positions: readonly string[] }

const meets = (a: Pick<Mount, 'since' | 'until'>, b: Pick<Mount, 'since' | 'until'>): boolean =>
  a.until !== a.since &&
  b.until !== b.since &&
  (a.until === null || a.until > b.since) &&
  (b.until === null || b.until > a.since)

/** The plan, unless a period would end before it began, or two would meet. */
function checked(mounts: readonly Mount[], plan: MountPlan, date: IsoDate): MountPlan | MountRefusal {
  const withdrawn = new Set(plan.withdraw.map(({ id }) => id))
  const closed = mounts.filter(({ id }) => plan.close.includes(id))
  const kept: NewMount[] = [
    ...mounts.filter(({ id }) => !withdrawn.has(id) && !plan.close.includes(id)),
    ...closed.map(mount => ({ ...mount, until: date })),
  ]
  const late = [...closed, ...plan.open.filter(({ until }) => until !== null)].filter(mount =>
    mount.until === null ? mount.since > date : mount.since > mount.until,
  )
  const met = plan.open.filter((mount, nth) =>
    [...kept, ...plan.open.slice(0, nth)].some(
      other => (other.tyre === mount.tyre || other.position === mount.position) && meets(other, mount),
    ),
  )
  const tyres = [...new Set([...late, ...met].map(({ tyre }) => tyre))]
  return tyres.length > 0 ? { code: 'mount.date', tyres } : plan
}

/** The periods that a presumption has closed: when it is corrected, they are as well. */
const closedBy = (mounts: readonly Mount[], change: number): Mount[] =>
  mounts.filter(mount => mount.untilChange === change && mount.untilSource === 'presumed' && mount.change !== change)

/**
 * Plans a change of what sits on a vehicle. `mounts` are the periods that hold, of the vehicle and of the tyres. What was only presumed
 * is corrected: its period is withdrawn, and one with the given day takes its place; so is the day on which what sat there before was presumed
 * to be taken off.
 */
export function planMounts(mounts: readonly Mount[], { date, put, off, swap }: MountChange): MountPlan | MountRefusal {
  const wanted = put.map(({ position }) => position)
  const twice = wanted.filter((position, nth) => wanted.indexOf(position) !== nth)
  const named = [...put.map(({ tyre }) => tyre), ...off]
  if (twice.length > 0 || new Set(named).size !== named.length)
    return { code: 'mount.twice', positions: [...new Set(twice)].toSorted(comparePositions) }

  const open = mounts.filter(isOpen)
  const ofTyre = (tyre: number) => open.find(mount => mount.tyre === tyre)
  const taken = open.filter(mount => wanted.includes(mount.position) && !named.includes(mount.tyre))
  if (taken.length > 0 && !swap)
    return { code: 'mount.position_taken', positions: taken.map(mount => mount.position).toSorted(comparePositions) }

  const close = new Set<number>(taken.map(({ id }) => id))
  const withdraw = new Map<number, MountWithdrawal>()
  const opened: NewMount[] = []
  for (const tyre of off) {
    const mount = ofTyre(tyre)
    if (mount) close.add(mount.id)
  }
  for (const { tyre, position } of put) {
    const mount = ofTyre(tyre)
    const isThere = mount?.position === position
    // it is there already; the same day again says so anew
    if (isThere && mount.source === 'confirmed' && mount.since < date) continue
    if (isThere) {
      withdraw.set(mount.id, mount.since === date ? 'confirmed' : 'other_day')
      for (const former of mount.since === date ? [] : closedBy(mounts, mount.change)) {
        if (former.position !== position || withdraw.has(former.id)) continue
        withdraw.set(former.id, 'other_day')
        opened.push({ ...former, until: date, untilSource: 'confirmed' })
      }
    } else if (mount) close.add(mount.id)
    opened.push({ tyre, position, since: date, until: null, source: 'confirmed', untilSource: null })
  }
  return checked(
    mounts,
    { close: [...close], withdraw: [...withdraw].map(([id, why]) => ({ id, why })), open: opened },
    date,
  )
}

/**
 * Plans that tyres were not mounted after all: their periods are withdrawn, and what was presumed to be taken off for them is on the vehicle
 * still. `null`: somebody has confirmed one of them.
 */
export function planDenial(mounts: readonly Mount[], tyres: readonly number[]): MountPlan | MountRefusal | null {
  const denied = mounts.filter(mount => isOpen(mount) && tyres.includes(mount.tyre))
  if (denied.some(({ source }) => source === 'confirmed')) return null
  const former = [...new Set(denied.map(({ change }) => change))].flatMap(change =>
    closedBy(mounts, change).filter(({ position }) => denied.some(mount => mount.position === position)),
  )
  return checked(
    mounts,
    {
      close: [],
      withdraw: [...denied, ...former].map(({ id }) => ({ id, why: 'not_mounted' as const })),
      open: former.map(mount => ({ ...mount, until: null, untilSource: null })),
    },
    '9999-12-31',
  )
}

/** Plans to take a change back: what it opened goes, what it closed or withdrew is as it was. `null`: something has happened to that since. */
export function planUndo(
  mounts: readonly Mount[],
  withdrawn: readonly Mount[],
  change: number,
): MountPlan | MountRefusal | null {
  const opened = mounts.filter(mount => mount.change === change)
  const closed = mounts.filter(mount => mount.untilChange === change && mount.change !== change)
  if (opened.length + closed.length + withdrawn.length === 0) return null
  if (opened.some(mount => mount.untilChange !== null && mount.untilChange !== change)) return null
  return checked(
    mounts,
    {
      close: [],
      withdraw: [...opened, ...closed].map(({ id }) => ({ id, why: 'undone' as const })),
      open: [...closed.map(mount => ({ ...mount, until: null, untilSource: null })), ...withdrawn],
    },
    '9999-12-31',
  )
}

// Rotating --------------------------------------------------------------------------------------------------------------

/** From which position to which the wheels of an axle go: the number of the axle, and the index of the wheel from the left. */
type Place = { readonly axle: number; readonly at: number }
type Wheels = { readonly axles: readonly { left: number; right: number }[] }
type Pattern = {
  /** Whether a vehicle has what the pattern turns. */
  readonly fits: (wheels: Wheels) => boolean
  readonly to: (place: Place, wheels: Wheels) => Place
}

const wheelsOf = ({ left, right }: { left: number; right: number }): number => left + right
const isPair = ({ left, right }: { left: number; right: number }): boolean => left === 1 && right === 1
const isTwin = ({ left, right }: { left: number; right: number }): boolean => left === 2 && right === 2
/** Two axles with a wheel on each side, as a car has. */
const isCar = ({ axles }: Wheels): boolean => axles.length === 2 && axles.every(isPair)
const other = (place: Place): Place => ({ ...place, axle: place.axle === 0 ? 1 : 0 })
const crossed = (place: Place): Place => ({ axle: place.axle === 0 ? 1 : 0, at: 1 - place.at })

/** How wheels are rotated. Of the axles that a pattern does not name nothing moves. */
const patterns = {
  /** Front and rear change places on each side, as tyres with a direction of rotation must. */
  front_rear: { fits: isCar, to: other },
  /** Front and rear change places crosswise. */
  crossed: { fits: isCar, to: crossed },
  /** The front goes straight to the rear, the rear crosswise to the front: for driven front wheels. */
  rear_crossed: { fits: isCar, to: place => (place.axle === 0 ? other(place) : crossed(place)) },
  /** The rear goes straight to the front, the front crosswise to the rear: for driven rear wheels. */
  front_crossed: { fits: isCar, to: place => (place.axle === 0 ? crossed(place) : other(place)) },
  /** Left and right change places on each axle, outer wheels with outer ones. */
  left_right: {
    fits: ({ axles }) => axles.some(({ left, right }) => left === right && left > 0),
    to: ({ axle, at }, { axles }) => {
      const own = axles[axle] as Wheels['axles'][number]
      return own.left === own.right ? { axle, at: wheelsOf(own) - 1 - at } : { axle, at }
    },
  },
  /** Inner and outer wheel of each twin change places. */
  twins: {
    fits: ({ axles }) => axles.some(isTwin),
    to: ({ axle, at }, { axles }) =>
      isTwin(axles[axle] as Wheels['axles'][number]) ? { axle, at: at ^ 1 } : { axle, at },
  },
} as const satisfies Record<string, Pattern>
export type Rotation = keyof typeof patterns
export const rotations = Object.keys(patterns) as Rotation[]

const realAxles = (axles: readonly Axle[]): Wheels => ({ axles: axles.filter(({ type }) => type === 'axle') })

/** The patterns that fit a vehicle. */
export const rotationsOf = (axles: readonly Axle[]): Rotation[] =>
  rotations.filter(rotation => patterns[rotation].fits(realAxles(axles)))

/** Where a wheel goes by a pattern; the same position where it stays. */
export function rotatedPosition(rotation: Rotation, axles: readonly Axle[], position: string): Position {
  const wheels = realAxles(axles)
  const at = axleLetters.findIndex(letter => letter === position.slice(-1))
  const axle = Number.parseInt(position, 10) - 1
  if (!patterns[rotation].fits(wheels) || !wheels.axles[axle]) return position as Position
  const place = (patterns[rotation] as Pattern).to({ axle, at }, wheels)
  return `${place.axle + 1}${axleLetters[place.at] ?? 'A'}`
}

// Questions -------------------------------------------------------------------------------------------------------------

/** Questions that the records leave open about a vehicle. */
export const mountQuestions = [
  'presumed',
  'delivered',
  'two_sets',
  'other_arrived',
  'wrong_season',
  'odometer',
] as const

/** The months in which tyres for snow on a vehicle are asked about, from June to August. */
const summerMonths = ['06', '07', '08']

/** The day since which somebody must have said that a tyre for snow is still on its vehicle; `null` outside of the summer. */
export const summerBegan = (today: IsoDate): IsoDate | null =>
  summerMonths.includes(today.slice(5, 7)) ? `${today.slice(0, 4)}-${summerMonths[0]}-01` : null
