import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  axleLetters,
  axleRefusal,
  maxAxles,
  comparePositions,
  configurationTemplates,
  isPosition,
  layoutOf,
  positionsOf,
  sameWheels,
  templateFor,
  tyreGap,
  tyreSize,
  wheelCount,
  maxWheels,
  type Axle,
} from './axle.ts'
import { vehicleKinds } from './vehicle.ts'

const axle = (left: number, right: number, flags: Partial<Axle> = {}): Axle => ({
  type: 'axle',
  lift: false,
  drive: false,
  steering: false,
  left,
  right,
  ...flags,
})
const separator = axle(0, 0, { type: 'separator' })

/** Any configuration that is allowed: units of axles with separators between them. */
const anyAxle = fc
  .tuple(fc.integer({ min: 1, max: maxWheels }), fc.nat({ max: maxWheels }), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([wheels, left, lift, drive, steering]) =>
    axle(Math.min(left, wheels), wheels - Math.min(left, wheels), { lift, drive, steering }),
  )
const configuration = fc
  .array(fc.array(anyAxle, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 })
  .map(units => units.flatMap((unit, at) => (at === 0 ? unit : [separator, ...unit])))

describe('the same wheels', () => {
  test('are those on the same positions and sides, whatever they do and however they are coupled', () => {
    const truck = [axle(1, 1, { steering: true }), axle(2, 2)]
    expect(sameWheels(truck, [axle(1, 1, { drive: true }), separator, axle(2, 2, { lift: true })])).toBe(true)
    expect(sameWheels(truck, [axle(1, 1), axle(2, 2), axle(1, 1)])).toBe(false)
    expect(sameWheels(truck, [axle(2, 2), axle(1, 1)])).toBe(false)
  })
  test('are not those on the same positions and other sides', () => {
    expect(sameWheels([axle(1, 1)], [axle(2, 0)])).toBe(false)
    expect(sameWheels([axle(1, 3)], [axle(2, 2)])).toBe(false)
  })
  test('have the same positions', () => {
    fc.assert(
      fc.property(configuration, configuration, (before, after) => {
        expect(sameWheels(before, before)).toBe(true)
        if (sameWheels(before, after)) expect(positionsOf(before)).toEqual(positionsOf(after))
      }),
    )
  })
})

describe('positions', () => {
  test('are the number of the axle and letters from left to right', () => {
    expect(positionsOf([axle(1, 1), axle(2, 2)])).toEqual(['1A', '1B', '2A', '2B', '2C', '2D'])
    expect(positionsOf([axle(1, 0), axle(1, 0)])).toEqual(['1A', '2A'])
    expect(positionsOf([axle(4, 3)])).toEqual(['1A', '1B', '1C', '1D', '1E', '1F', '1G'])
    expect(positionsOf([])).toEqual([])
  })
  test('of a coupled vehicle count on over the separator', () => {
    expect(positionsOf([axle(1, 1), separator, axle(1, 1)])).toEqual(['1A', '1B', '2A', '2B'])
  })
  test('are as many as the wheels, all different, all positions, and in order', () => {
    fc.assert(
      fc.property(configuration, axles => {
        const positions = positionsOf(axles)
        expect(positions).toHaveLength(wheelCount(axles))
        expect(new Set(positions).size).toBe(positions.length)
        expect(positions.every(isPosition)).toBe(true)
        expect([...positions].reverse().sort(comparePositions)).toEqual(positions)
      }),
    )
  })
  test('a separator never has wheels, whatever it says', () => {
    expect(wheelCount([axle(2, 2, { type: 'separator' })])).toBe(0)
    expect(positionsOf([axle(2, 2, { type: 'separator' })])).toEqual([])
  })
  test.each(['1A', '2G', '10C', '99A'])('%s is one', text => {
    expect(isPosition(text)).toBe(true)
  })
  test.each(['', 'A', '1', '1H', '0A', '01A', '100A', '1a', '1A ', 'A1', '1AB', '1A\n'])('%j is none', text => {
    expect(isPosition(text)).toBe(false)
  })
  test('sort by number, not by text, and what is none comes last', () => {
    expect(['10A', 'spare', '2B', '1C', '2A', 'extra', '2A'].sort(comparePositions)).toEqual([
      '1C',
      '2A',
      '2A',
      '2B',
      '10A',
      'extra',
      'spare',
    ])
  })
})

describe('a configuration', () => {
  test('that is whole is accepted', () => {
    fc.assert(
      fc.property(configuration, axles => {
        expect(axleRefusal(axles)).toBeNull()
      }),
    )
  })
  test.each<[string, Axle[], unknown]>([
    ['without axles', [], { refusal: 'axles.none', at: 0 }],
    ['of a separator', [separator], { refusal: 'separator.place', at: 0 }],
    ['with an axle without wheels', [axle(1, 1), axle(0, 0)], { refusal: 'axle.wheels', at: 1 }],
    ['with eight wheels on an axle', [axle(4, 4)], { refusal: 'axle.wheels', at: 0 }],
    ['with eight wheels on a side', [axle(8, 0)], { refusal: 'axle.wheels', at: 0 }],
    ['with half a wheel', [axle(1, 0.5)], { refusal: 'axle.wheels', at: 0 }],
    ['with half a wheel left', [axle(0.5, 1)], { refusal: 'axle.wheels', at: 0 }],
    ['with less than no wheel left', [axle(-1, 3)], { refusal: 'axle.wheels', at: 0 }],
    ['with less than no wheel right', [axle(3, -1)], { refusal: 'axle.wheels', at: 0 }],
    ['that begins with a separator', [separator, axle(1, 1)], { refusal: 'separator.place', at: 0 }],
    ['that ends with a separator', [axle(1, 1), separator], { refusal: 'separator.place', at: 1 }],
    ['with two separators', [axle(1, 1), separator, separator, axle(1, 1)], { refusal: 'separator.place', at: 1 }],
    [
      'with wheels on a separator, left',
      [axle(1, 1), axle(1, 0, { type: 'separator' }), axle(1, 1)],
      { refusal: 'separator.wheels', at: 1 },
    ],
    [
      'with wheels on a separator, right',
      [axle(1, 1), axle(0, 1, { type: 'separator' }), axle(1, 1)],
      { refusal: 'separator.wheels', at: 1 },
    ],
    [
      'of more axles than a position can name',
      Array.from({ length: maxAxles + 1 }, () => axle(1, 1)),
      { refusal: 'axles.too_many', at: maxAxles },
    ],
  ])('%s is refused', (_, axles, refusal) => {
    expect(axleRefusal(axles)).toEqual(refusal)
  })
  test('of as many axles as a position can name, with seven wheels each, is accepted', () => {
    const axles = Array.from({ length: maxAxles }, () => axle(7, 0))
    expect(axleRefusal(axles)).toBeNull()
    expect(positionsOf(axles).at(-1)).toBe('99G')
  })
})

/** How far down the squares of each axle begin. */
const rows = (axles: Axle[]) => layoutOf(axles).axles.map(({ y }) => y - tyreSize / 2)

describe('the drawing', () => {
  test('of a car has its tyres in the corners', () => {
    const car = layoutOf([axle(1, 1, { steering: true, drive: true }), axle(1, 1)])
    expect(car).toEqual({
      width: 140,
      height: 125,
      tyres: [
        { position: '1A', axle: 1, x: 0, y: 0 },
        { position: '1B', axle: 1, x: 115, y: 0 },
        { position: '2A', axle: 2, x: 0, y: 100 },
        { position: '2B', axle: 2, x: 115, y: 100 },
      ],
      axles: [
        { axle: 1, x1: 25, x2: 115, y: 12.5, lift: false, drive: true, steering: true },
        { axle: 2, x1: 25, x2: 115, y: 112.5, lift: false, drive: false, steering: false },
      ],
      frames: [{ x: 70, y1: 12.5, y2: 112.5 }],
      separators: [],
    })
  })
  test('of dual wheels has them 5 apart, the outer ones at the edge', () => {
    const { tyres, axles } = layoutOf([axle(2, 2)])
    expect(tyres.map(tyre => tyre.x)).toEqual([0, 30, 85, 115])
    expect(axles).toMatchObject([{ x1: 55, x2: 85 }])
  })
  test('of a motorcycle has its wheels in the middle', () => {
    const { tyres, axles } = layoutOf([axle(1, 0, { steering: true }), axle(0, 1, { drive: true })])
    expect(tyres.map(tyre => tyre.x)).toEqual([57.5, 57.5])
    expect(axles.map(({ x1, x2 }) => [x1, x2])).toEqual([
      [70, 70],
      [70, 70],
    ])
  })
  const steering = axle(1, 1, { steering: true })
  const drive = axle(2, 2, { drive: true })
  test('has the wheelbase between the steered axles in front and the group behind', () => {
    expect(rows([steering, drive, axle(1, 1)])).toEqual([0, 100, 140])
    expect(rows([steering, steering, drive, drive])).toEqual([0, 40, 140, 180])
    // a steered axle at the end belongs to the rear group
    expect(rows([steering, drive, steering])).toEqual([0, 100, 140])
    // without steering, a vehicle that drives has its first axle in front, a trailer has one group
    expect(rows([axle(1, 1), drive])).toEqual([0, 100])
    expect(rows([axle(1, 1), axle(1, 1), axle(1, 1)])).toEqual([0, 40, 80])
    // where every axle steers, they are one group
    expect(rows([steering, steering])).toEqual([0, 40])
  })
  test('of a combination has a separator in the gap, and a frame for each vehicle', () => {
    const { separators, frames, height } = layoutOf([steering, drive, separator, axle(1, 1), axle(1, 1)])
    expect(separators).toEqual([{ x1: 0, x2: 140, y: 137.5 }])
    expect(frames).toEqual([
      { x: 70, y1: 12.5, y2: 112.5 },
      { x: 70, y1: 162.5, y2: 202.5 },
    ])
    expect(height).toBe(215)
  })
  test('takes the height and width of the configuration, which grow where the wheels need it', () => {
    expect(layoutOf([steering, drive], { axleHeight: 60, axleWidth: 200 })).toMatchObject({ width: 200, height: 85 })
    expect(layoutOf([steering, drive], { axleHeight: 1, axleWidth: 1 })).toMatchObject({ width: 120, height: 65 })
    expect(layoutOf([axle(7, 0)]).width).toBe(205)
    expect(layoutOf([axle(1, 6)]).width).toBe(210)
    expect(layoutOf([axle(0, 1)], { axleWidth: 10 }).width).toBe(25)
  })
  test('of nothing is empty, and of a misplaced separator still a drawing', () => {
    expect(layoutOf([])).toEqual({ width: 140, height: 0, tyres: [], axles: [], frames: [], separators: [] })
    const odd = layoutOf([separator, axle(1, 1), separator])
    expect(odd.tyres.map(({ y }) => y)).toEqual([25, 25])
    expect(odd.separators.map(({ y }) => y)).toEqual([12.5, 62.5])
    expect(odd.height).toBe(75)
  })
  test('has a square for each position, none over another, all within the extent', () => {
    fc.assert(
      fc.property(configuration, axles => {
        const { width, height, tyres, separators, axles: beams } = layoutOf(axles)
        expect(tyres.map(tyre => tyre.position)).toEqual(positionsOf(axles))
        for (const [at, { x, y }] of tyres.entries()) {
          expect(x >= 0 && x + tyreSize <= width && y >= 0 && y + tyreSize <= height).toBe(true)
          for (const other of tyres.slice(at + 1)) {
            const apart = Math.max(Math.abs(other.x - x), Math.abs(other.y - y))
            expect(apart).toBeGreaterThanOrEqual(tyreSize + tyreGap)
          }
          for (const line of separators) expect(line.y < y || line.y > y + tyreSize).toBe(true)
        }
        for (const beam of beams) expect(beam.x1).toBeLessThanOrEqual(beam.x2)
      }),
    )
  })
  test('is the same in a mirror when left and right are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), wheels => {
        const { width, tyres } = layoutOf([axle(wheels, wheels)])
        const mirrored = tyres.map(({ x }) => width - x - tyreSize).reverse()
        expect(tyres.map(({ x }) => x)).toEqual(mirrored)
      }),
    )
  })
})

const drawn = ({ type, left, right, steering, drive, lift }: Axle) =>
  type === 'separator' ? '|' : `${left}+${right}${steering ? 's' : ''}${drive ? 'd' : ''}${lift ? 'l' : ''}`

describe('the usual configurations', () => {
  test.each(configurationTemplates)('$name can be one, with letters A to D only', ({ axles }) => {
    expect(axleRefusal(axles)).toBeNull()
    const letters: readonly string[] = axleLetters.slice(0, 4)
    expect(positionsOf(axles).every(position => letters.includes(position.slice(-1)))).toBe(true)
  })
  test('stand on these axles: wheels left and right, steered (s), driven (d), lifted (l), separated (|)', () => {
    expect(configurationTemplates.map(({ name, axles }) => `${name}: ${axles.map(drawn).join(' ')}`)).toEqual([
      'Car, 4 wheels: 1+1sd 1+1',
      'Motorcycle, 2 wheels: 1+0s 1+0d',
      'Van, 4 wheels: 1+1sd 1+1',
      'Van, dual rear wheels: 1+1s 2+2d',
      'Truck 4x2, single rear wheels: 1+1s 1+1d',
      'Truck 4x2: 1+1s 2+2d',
      'Truck 6x2, lift axle: 1+1s 2+2d 1+1l',
      'Truck 6x4: 1+1s 2+2d 2+2d',
      'Truck 8x4: 1+1s 1+1s 2+2d 2+2d',
      'Tractor, 4 wheels: 1+1s 1+1d',
      'Tractor 4x2: 1+1s 2+2d',
      'Tractor 6x2, lift axle: 1+1s 1+1l 2+2d',
      'Tractor 6x4: 1+1s 2+2d 2+2d',
      'Semitrailer, 1 axle: 1+1',
      'Semitrailer, 2 axles: 1+1 1+1',
      'Semitrailer, 2 axles, lift axle: 1+1l 1+1',
      'Semitrailer, 3 axles: 1+1 1+1 1+1',
      'Semitrailer, 3 axles, lift axle: 1+1l 1+1 1+1',
      'Trailer, 1 axle: 1+1',
      'Trailer, 2 axles: 1+1 1+1',
      'Drawbar trailer, 2 axles, dual wheels: 2+2s 2+2',
      'Caravan, 1 axle: 1+1',
      'Caravan, 2 axles: 1+1 1+1',
      'Bus, 2 axles, single rear wheels: 1+1s 1+1d',
      'Bus, 2 axles, dual rear wheels: 1+1s 2+2d',
      'Bus, 3 axles: 1+1s 2+2d 1+1',
      'Articulated bus, 3 axles: 1+1s 2+2 | 2+2d',
      'Truck 4x2 with drawbar trailer, 2 axles: 1+1s 2+2d | 2+2s 2+2',
      'Truck 6x2 with centre-axle trailer, 2 axles: 1+1s 2+2d 1+1l | 1+1 1+1',
      'Tractor 4x2 with semitrailer, 3 axles: 1+1s 2+2d | 1+1 1+1 1+1',
      'Car with trailer, 1 axle: 1+1sd 1+1 | 1+1',
      'Car with trailer, 2 axles: 1+1sd 1+1 | 1+1 1+1',
    ])
  })
  test('have names of their own, and every kind of vehicle has one', () => {
    expect(new Set(configurationTemplates.map(({ name }) => name)).size).toBe(configurationTemplates.length)
    for (const kind of vehicleKinds) {
      expect(configurationTemplates.some(({ kinds }) => (kinds as readonly string[]).includes(kind))).toBe(true)
    }
  })
  test.each([
    ['Truck 4x2', 6, 2],
    ['Truck 6x2, lift axle', 8, 3],
    ['Truck 6x4', 10, 3],
    ['Truck 8x4', 12, 4],
    ['Tractor 4x2 with semitrailer, 3 axles', 12, 5],
    ['Articulated bus, 3 axles', 10, 3],
  ])('%s has %i wheels on %i axles', (name, wheels, axles) => {
    const template = configurationTemplates.find(each => each.name === name)!
    expect(wheelCount(template.axles)).toBe(wheels)
    expect(layoutOf(template.axles).axles).toHaveLength(axles)
  })
})

describe('an imported vehicle', () => {
  test.each([
    ['car', 4, 'Car, 4 wheels'],
    ['car', null, 'Car, 4 wheels'],
    ['suv', null, 'Car, 4 wheels'],
    ['suv', 4, 'Car, 4 wheels'],
    ['tractor', 4, 'Tractor, 4 wheels'],
    ['tractor', 8, 'Tractor 6x2, lift axle'],
    ['tractor', 10, 'Tractor 6x4'],
    ['truck', 10, 'Truck 6x4'],
    ['bus', 4, 'Bus, 2 axles, single rear wheels'],
    ['bus', 8, 'Bus, 3 axles'],
    ['trailer', 2, 'Trailer, 1 axle'],
    ['trailer', 4, 'Trailer, 2 axles'],
    ['trailer', 8, 'Drawbar trailer, 2 axles, dual wheels'],
    ['caravan', 2, 'Caravan, 1 axle'],
    ['motorcycle', 2, 'Motorcycle, 2 wheels'],
    ['motorcycle', null, 'Motorcycle, 2 wheels'],
    ['van', 4, 'Van, 4 wheels'],
    ['van', 6, 'Van, dual rear wheels'],
    ['truck', 4, 'Truck 4x2, single rear wheels'],
    ['truck', 6, 'Truck 4x2'],
    ['truck', 8, 'Truck 6x2, lift axle'],
    ['truck', 12, 'Truck 8x4'],
    ['bus', 6, 'Bus, 2 axles, dual rear wheels'],
    ['bus', 10, 'Articulated bus, 3 axles'],
    ['tractor', 6, 'Tractor 4x2'],
    ['trailer', 6, 'Semitrailer, 3 axles'],
    ['caravan', 4, 'Caravan, 2 axles'],
  ] as const)('%s with %s wheels is a %s', (kind, wheels, name) => {
    expect(templateFor(kind, wheels)?.name).toBe(name)
  })
  test.each([
    ['van', null],
    ['truck', null],
    ['trailer', null],
    ['bus', null],
    ['tractor', null],
    ['caravan', null],
    ['car', 3],
    ['motorcycle', 3],
    ['truck', 5],
    ['bus', 0],
    ['unknown', 4],
  ] as const)('%s with %s wheels has none that is usual', (kind, wheels) => {
    expect(templateFor(kind, wheels)).toBeNull()
  })
  test('gets a template of its kind with as many wheels as it has', () => {
    for (const kind of vehicleKinds) {
      for (let wheels = 0; wheels <= 20; wheels += 1) {
        const template = templateFor(kind, wheels)
        if (!template) continue
        expect(wheelCount(template.axles)).toBe(wheels)
        expect(template.kinds).toContain(kind)
      }
    }
  })
})
