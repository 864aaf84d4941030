/**
 * Vehicle configurations: axles, the positions of their wheels, and the drawing of both (docs/product/vehicles.md "Vehicle
 * configurations"). Browser and label draw the same picture from `layoutOf`.
 */
import type { VehicleKind } from './vehicle.ts'

/**
 * An axle from the front, with its wheels left and right as seen from above; or the separator between two vehicles that
 * are coupled, or between the halves of an articulated bus. A separator has no wheels.
 */
export type Axle = {
  type: 'axle' | 'separator'
  lift: boolean
  drive: boolean
  steering: boolean
  left: number
  right: number
}

/** A wheel's letter on its axle, from the left outermost to the right outermost (docs/decisions/0008). */
export const axleLetters = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const
type AxleLetter = (typeof axleLetters)[number]

/** The most wheels of an axle, both sides together: there is a letter for each. */
export const maxWheels = axleLetters.length
/** A position has at most two digits; a combination of truck and trailers for the heaviest loads has about thirty axles. */
export const maxAxles = 99
/** The most axles and separators of a configuration that is drawn here; one from another system may have more. */
export const maxLocalAxles = 20
/** The longest description of a configuration, in characters. */
export const maxConfigurationNameLength = 100
/** The ranges of `axle_height` and `axle_width`, in units of the drawing (`tyreSize`). */
export const drawingLimits = { axleHeight: [40, 300], axleWidth: [25, 400] } as const

/** A wheel's place: the number of its axle, counted from the front without separators, and its letter: `2C`. */
export type Position = `${number}${AxleLetter}`

const positionPattern = /^[1-9][0-9]?[A-G]$/

/** Whether a text is a position of any vehicle. */
export const isPosition = (text: string): text is Position => positionPattern.test(text)

const axleOf = (text: string): number => (isPosition(text) ? Number.parseInt(text, 10) : maxAxles + 1)

/** Orders positions by axle, then from left to right; a text that is no position comes last. */
export function comparePositions(a: string, b: string): number {
  return axleOf(a) - axleOf(b) || (a < b ? -1 : Number(a > b))
}

const wheelsOf = (axle: Axle): number => (axle.type === 'axle' ? axle.left + axle.right : 0)

/** The number of wheels of a configuration. */
export const wheelCount = (axles: readonly Axle[]): number => axles.reduce((sum, axle) => sum + wheelsOf(axle), 0)

/** Every position of a configuration, axle by axle, each from left to right. */
export function positionsOf(axles: readonly Axle[]): Position[] {
  return axles
    .filter(axle => axle.type === 'axle')
    .flatMap((axle, at) => axleLetters.slice(0, wheelsOf(axle)).map((letter): Position => `${at + 1}${letter}`))
}

/** Whether a wheel at this position is driven; `null` where the vehicle has no such wheel, or none is known to be driven. */
export function isDriven(axles: readonly Axle[], position: string): boolean | null {
  const own = axles.filter(axle => axle.type === 'axle')
  const axle = own[axleOf(position) - 1]
  return axle && own.some(({ drive }) => drive) ? axle.drive : null
}

/**
 * Whether two configurations have the same positions on the same sides. Lifting, driving, steering and separators move no tyre. A
 * configuration that vehicles have may only be changed into one with the same wheels.
 */
export function sameWheels(before: readonly Axle[], after: readonly Axle[]): boolean {
  const wheels = (axles: readonly Axle[]) =>
    axles.filter(axle => axle.type === 'axle').map(({ left, right }) => `${left}+${right}`)
  return wheels(before).join() === wheels(after).join()
}

export type AxleRefusal =
  /** There is no axle with wheels. */
  | 'axles.none'
  | 'axles.too_many'
  /** An axle has no wheel, more than seven, or part of one. */
  | 'axle.wheels'
  /** A separator has wheels. */
  | 'separator.wheels'
  /** A separator has no axle before or after it. */
  | 'separator.place'

/** Why a configuration is impossible, and at which of its axles and separators (from 0); `null` when it is possible. */
export function axleRefusal(axles: readonly Axle[]): { refusal: AxleRefusal; at: number } | null {
  for (const [at, axle] of axles.entries()) {
    const { type, left, right } = axle
    if (type === 'separator') {
      if (left !== 0 || right !== 0) return { refusal: 'separator.wheels', at }
      if (axles[at - 1]?.type !== 'axle' || axles[at + 1]?.type !== 'axle') return { refusal: 'separator.place', at }
    } else {
      const whole = Number.isInteger(left) && Number.isInteger(right) && left >= 0 && right >= 0
      if (!whole || left + right < 1 || left + right > maxWheels) return { refusal: 'axle.wheels', at }
    }
  }
  const count = axles.filter(axle => axle.type === 'axle').length
  if (count === 0) return { refusal: 'axles.none', at: 0 }
  if (count > maxAxles) return { refusal: 'axles.too_many', at: maxAxles }
  return null
}

// The drawing ---------------------------------------------------------------------------------------------------------

/** A tyre is drawn as a square 25 wide, with 5 to the next one. */
export const tyreSize = 25
export const tyreGap = 5

/** From an axle to the next one in its group, from centre to centre. */
const groupPitch = tyreSize + 3 * tyreGap
/** The height that a separator adds between the squares of the axles around it. */
const separatorHeight = 5 * tyreGap
/** The shortest visible part of an axle between its wheels. */
const shortestBeam = 2 * tyreGap

/** The `axle_width` of a new configuration: dual wheels need more. */
export const defaultAxleWidth = (axles: readonly Axle[]): number =>
  axles.some(({ left, right }) => left + right > 2) ? 180 : 140

export type Layout = {
  /** The extent of the drawing; its left upper corner is 0, 0 and there is no margin. */
  width: number
  height: number
  /** The left upper corner of each tyre's square of `tyreSize`, in the order of `positionsOf`. */
  tyres: { position: Position; axle: number; x: number; y: number }[]
  /** Each axle as a line from `x1` to `x2` at height `y`, between its wheels. A single wheel has a line of no length. */
  axles: { axle: number; x1: number; x2: number; y: number; lift: boolean; drive: boolean; steering: boolean }[]
  /** The frame of each coupled vehicle, as a line from its first to its last axle. */
  frames: { x: number; y1: number; y2: number }[]
  /** Separators as lines over the whole width. */
  separators: { x1: number; x2: number; y: number }[]
}

/**
 * The picture of a configuration from above, front at the top: the left block of wheels begins at the left
 * edge, the right block ends at the right edge, the axle lies between them. An axle with wheels on one side only, as a
 * motorcycle's, has them in the middle.
 *
 * `axleHeight` is the distance from the steered axles at the front to the group behind; axles within a group stand
 * close. `axleWidth` is the width over all; it grows when an axle's wheels need more.
 */
export function layoutOf(axles: readonly Axle[], { axleHeight = 100, axleWidth = 140 } = {}): Layout {
  const real = axles.filter(axle => axle.type === 'axle')
  const width = Math.max(axleWidth, ...real.map(leastWidth))
  const layout: Layout = { width, height: 0, tyres: [], axles: [], frames: [], separators: [] }
  const half = tyreSize / 2

  let number = 0
  let y = 0
  for (const [at, axle] of axles.entries()) {
    if (axle.type === 'separator') {
      layout.separators.push({ x1: 0, x2: width, y: y + (at > 0 ? half : 0) + separatorHeight / 2 })
      continue
    }
    const before = axles[at - 1]
    y += number === 0 ? half + (before ? separatorHeight : 0) : distanceBefore(axles, at, axleHeight)
    number += 1

    const { lift, drive, steering } = axle
    const xs = wheelXs(axle, width)
    for (const [nth, letter] of axleLetters.slice(0, xs.length).entries())
      layout.tyres.push({ position: `${number}${letter}`, axle: number, x: xs[nth] ?? 0, y: y - half })
    layout.axles.push({ axle: number, ...beamOf(axle, width), y, lift, drive, steering })
    const frame = layout.frames.at(-1)
    if (frame && before?.type === 'axle') frame.y2 = y
    else layout.frames.push({ x: width / 2, y1: y, y2: y })
  }
  const endsWithSeparator = axles.at(-1)?.type === 'separator'
  layout.height = real.length === 0 ? 0 : y + half + (endsWithSeparator ? separatorHeight : 0)
  return layout
}

/** The width of a block of wheels. */
const spanOf = (wheels: number): number => wheels * tyreSize + Math.max(0, wheels - 1) * tyreGap

/** Whether an axle has wheels on one side only, as a motorcycle's; they are drawn in the middle. */
const isCentred = ({ left, right }: Axle): boolean => left === 0 || right === 0

const leastWidth = (axle: Axle): number =>
  isCentred(axle) ? spanOf(wheelsOf(axle)) : spanOf(axle.left) + shortestBeam + spanOf(axle.right)

/** The left edges of an axle's wheels, from left to right. */
function wheelXs(axle: Axle, width: number): number[] {
  const pitch = tyreSize + tyreGap
  const block = (wheels: number, x: number) => Array.from({ length: wheels }, (_, nth) => x + nth * pitch)
  return isCentred(axle)
    ? block(wheelsOf(axle), (width - spanOf(wheelsOf(axle))) / 2)
    : [...block(axle.left, 0), ...block(axle.right, width - spanOf(axle.right))]
}

/** The visible part of an axle between its wheels. */
const beamOf = (axle: Axle, width: number): { x1: number; x2: number } =>
  isCentred(axle) ? { x1: width / 2, x2: width / 2 } : { x1: spanOf(axle.left), x2: width - spanOf(axle.right) }

/** How far an axle stands behind the axle before it, from centre to centre. */
function distanceBefore(axles: readonly Axle[], at: number, axleHeight: number): number {
  if (axles[at - 1]?.type !== 'axle') return tyreSize + separatorHeight
  return stepBetween(axles, at - 1, at) === 'far' ? Math.max(axleHeight, groupPitch) : groupPitch
}

/** Whether two neighbouring axles stand in one group, or have the wheelbase of their vehicle between them. */
function stepBetween(axles: readonly Axle[], front: number, rear: number): 'near' | 'far' {
  let first = front
  while (axles[first - 1]?.type === 'axle') first -= 1
  let last = rear
  while (axles[last + 1]?.type === 'axle') last += 1
  const unit = axles.slice(first, last + 1)
  // The steered axles at the front are a group. Without any, a vehicle that drives still has its first axle in front,
  // and a trailer has one group.
  const rest = unit.findIndex(axle => !axle.steering)
  const inFront = rest > 0 ? rest : Number(rest === 0 && unit.some(axle => axle.drive))
  return rear - first === inFront ? 'far' : 'near'
}

// The usual vehicles --------------------------------------------------------------------------------------------------

const axle = (left: number, right: number, flags: Partial<Axle> = {}): Axle => ({
  type: 'axle',
  lift: false,
  drive: false,
  steering: false,
  left,
  right,
  ...flags,
})
const steered = axle(1, 1, { steering: true })
const single = axle(1, 1)
const dual = axle(2, 2)
const driven = axle(1, 1, { drive: true })
const drivenDual = axle(2, 2, { drive: true })
const lifted = axle(1, 1, { lift: true })
const separator = axle(0, 0, { type: 'separator' })

type ConfigurationTemplate = {
  /** In English; a new site gets it under its name in the site's language (`templateKeys`), to be changed there. */
  name: string
  kinds: readonly VehicleKind[]
  axles: readonly Axle[]
}

const car = [axle(1, 1, { steering: true, drive: true }), single]
const tractor4x2 = [steered, drivenDual]
const tractor6x2 = [steered, lifted, drivenDual]
const truck6x2 = [steered, drivenDual, lifted]

/** The usual configurations, with which a site starts. No two have the same name. */
export const configurationTemplates = [
  { name: 'Car, 4 wheels', kinds: ['car', 'suv'], axles: car },
  {
    name: 'Motorcycle, 2 wheels',
    kinds: ['motorcycle'],
    axles: [axle(1, 0, { steering: true }), axle(1, 0, { drive: true })],
  },
  { name: 'Van, 4 wheels', kinds: ['van'], axles: [axle(1, 1, { steering: true, drive: true }), single] },
  { name: 'Van, dual rear wheels', kinds: ['van'], axles: [steered, drivenDual] },
  { name: 'Truck 4x2, single rear wheels', kinds: ['truck'], axles: [steered, driven] },
  { name: 'Truck 4x2', kinds: ['truck'], axles: [steered, drivenDual] },
  { name: 'Truck 6x2, lift axle', kinds: ['truck'], axles: truck6x2 },
  { name: 'Truck 6x4', kinds: ['truck'], axles: [steered, drivenDual, drivenDual] },
  { name: 'Truck 8x4', kinds: ['truck'], axles: [steered, steered, drivenDual, drivenDual] },
  { name: 'Tractor, 4 wheels', kinds: ['tractor'], axles: [steered, driven] },
  { name: 'Tractor 4x2', kinds: ['tractor'], axles: tractor4x2 },
  { name: 'Tractor 6x2, lift axle', kinds: ['tractor'], axles: tractor6x2 },
  { name: 'Tractor 6x4', kinds: ['tractor'], axles: [steered, drivenDual, drivenDual] },
  { name: 'Semitrailer, 1 axle', kinds: ['trailer'], axles: [single] },
  { name: 'Semitrailer, 2 axles', kinds: ['trailer'], axles: [single, single] },
  { name: 'Semitrailer, 2 axles, lift axle', kinds: ['trailer'], axles: [lifted, single] },
  { name: 'Semitrailer, 3 axles', kinds: ['trailer'], axles: [single, single, single] },
  { name: 'Semitrailer, 3 axles, lift axle', kinds: ['trailer'], axles: [lifted, single, single] },
  { name: 'Trailer, 1 axle', kinds: ['trailer'], axles: [single] },
  { name: 'Trailer, 2 axles', kinds: ['trailer'], axles: [single, single] },
  { name: 'Drawbar trailer, 2 axles, dual wheels', kinds: ['trailer'], axles: [axle(2, 2, { steering: true }), dual] },
  { name: 'Caravan, 1 axle', kinds: ['caravan'], axles: [single] },
  { name: 'Caravan, 2 axles', kinds: ['caravan'], axles: [single, single] },
  { name: 'Bus, 2 axles, single rear wheels', kinds: ['bus'], axles: [steered, driven] },
  { name: 'Bus, 2 axles, dual rear wheels', kinds: ['bus'], axles: [steered, drivenDual] },
  { name: 'Bus, 3 axles', kinds: ['bus'], axles: [steered, drivenDual, single] },
  { name: 'Articulated bus, 3 axles', kinds: ['bus'], axles: [steered, dual, separator, drivenDual] },
  {
    name: 'Truck 4x2 with drawbar trailer, 2 axles',
    kinds: ['truck'],
    axles: [steered, drivenDual, separator, axle(2, 2, { steering: true }), dual],
  },
  {
    name: 'Truck 6x2 with centre-axle trailer, 2 axles',
    kinds: ['truck'],
    axles: [...truck6x2, separator, single, single],
  },
  {
    name: 'Tractor 4x2 with semitrailer, 3 axles',
    kinds: ['tractor'],
    axles: [...tractor4x2, separator, single, single, single],
  },
  // a light trailer without a plate of its own belongs to its car
  { name: 'Car with trailer, 1 axle', kinds: ['car', 'suv'], axles: [...car, separator, single] },
  { name: 'Car with trailer, 2 axles', kinds: ['car', 'suv'], axles: [...car, separator, single, single] },
] as const satisfies readonly ConfigurationTemplate[]

export type UsualConfiguration = (typeof configurationTemplates)[number]
export type TemplateName = UsualConfiguration['name']

/** By kind and number of wheels, the one template that nearly every such vehicle has. `any` only where all are alike. */
const usual: Readonly<Record<VehicleKind, Readonly<Record<number | 'any', TemplateName | undefined>>>> = {
  car: { any: 'Car, 4 wheels', 4: 'Car, 4 wheels' },
  suv: { any: 'Car, 4 wheels', 4: 'Car, 4 wheels' },
  motorcycle: { any: 'Motorcycle, 2 wheels', 2: 'Motorcycle, 2 wheels' },
  van: { any: undefined, 4: 'Van, 4 wheels', 6: 'Van, dual rear wheels' },
  truck: {
    any: undefined,
    4: 'Truck 4x2, single rear wheels',
    6: 'Truck 4x2',
    8: 'Truck 6x2, lift axle',
    10: 'Truck 6x4',
    12: 'Truck 8x4',
  },
  tractor: {
    any: undefined,
    4: 'Tractor, 4 wheels',
    6: 'Tractor 4x2',
    8: 'Tractor 6x2, lift axle',
    10: 'Tractor 6x4',
  },
  trailer: {
    any: undefined,
    2: 'Trailer, 1 axle',
    4: 'Trailer, 2 axles',
    6: 'Semitrailer, 3 axles',
    8: 'Drawbar trailer, 2 axles, dual wheels',
  },
  caravan: { any: undefined, 2: 'Caravan, 1 axle', 4: 'Caravan, 2 axles' },
  bus: {
    any: undefined,
    4: 'Bus, 2 axles, single rear wheels',
    6: 'Bus, 2 axles, dual rear wheels',
    8: 'Bus, 3 axles',
    10: 'Articulated bus, 3 axles',
  },
}

/**
 * The configuration of an imported vehicle, from its kind and its number of wheels (`null` when the source doesn't say);
 * `null` when that leaves more than one that is usual, or none.
 */
export function templateFor(kind: VehicleKind | 'unknown', wheels: number | null): UsualConfiguration | null {
  if (kind === 'unknown') return null
  const name = usual[kind][wheels ?? 'any']
  return configurationTemplates.find(template => template.name === name) ?? null
}
