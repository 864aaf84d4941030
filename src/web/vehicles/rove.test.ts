import { describe, expect, it } from 'vitest'
import { configurationTemplates, layoutOf } from '#domain/vehicles/axle.ts'
import { nextByArrow } from './diagram/rovingFocus.ts'

const { tyres } = layoutOf(configurationTemplates.find(({ name }) => name === 'Truck 6x2, lift axle')!.axles)
const at = (position: string) => tyres.findIndex(tyre => tyre.position === position)
const go = (from: string, key: string) => {
  const to = nextByArrow(tyres, at(from), key)
  return to === null ? null : tyres[to]?.position
}

describe('arrow keys in the picture', () => {
  it.each([
    ['1A', 'ArrowRight', '1B'],
    ['1A', 'ArrowLeft', null],
    ['1A', 'ArrowUp', null],
    ['1A', 'ArrowDown', '2A'],
    ['2B', 'ArrowRight', '2C'],
    ['2C', 'ArrowUp', '1B'],
    ['2B', 'ArrowDown', '3A'],
    ['3B', 'ArrowUp', '2D'],
    ['3B', 'ArrowDown', null],
    ['2C', 'Home', '1A'],
    ['2C', 'End', '3B'],
    ['1A', 'Home', null],
    ['3B', 'End', null],
    ['2C', 'Enter', null],
  ])('from %s, %s leads to %s', (from, key, to) => expect(go(from, key)).toBe(to))

  it('leads nowhere from a place that is not there', () => expect(nextByArrow(tyres, 99, 'ArrowUp')).toBeNull())

  it('reaches every wheel of every usual vehicle', () => {
    for (const { name, axles } of configurationTemplates) {
      const { tyres: places } = layoutOf(axles)
      const reached = new Set([0])
      for (const from of reached)
        for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) {
          const to = nextByArrow(places, from, key)
          if (to !== null) reached.add(to)
        }
      expect([name, reached.size]).toEqual([name, places.length])
    }
  })
})
