/** The racks of a site, and what lies in them while the story is told. */
import type { Chance } from './chance.ts'
import type { SitePlan, ZonePlan } from './sites.ts'

type Location = {
  readonly id: number
  readonly parent: number | null
  readonly kind: 'site' | 'zone' | 'rack' | 'shelf' | 'place'
  readonly name: string
  readonly siteName: string
  readonly path: string
  readonly walk: number
  readonly capacity: number
}

export type Place = Location & { readonly holds: ZonePlan['holds']; taken: number }

export type Warehouse = {
  readonly locations: readonly Location[]
  /** Puts so many tyres on one place, where they fit together. */
  put(tyres: number, holds: ZonePlan['holds']): Place
  take(place: Place): void
}

const two = (number: number): string => String(number).padStart(2, '0')

/**
 * A tree site name → zone → rack → shelf → place. People walk the racks as an ox ploughs: up one, down the next, and
 * reach every shelf of a spot before they take a step, so that is the order of the places.
 */
export function buildWarehouse(plan: SitePlan, nextId: () => number, draw: Chance): Warehouse {
  const locations: Location[] = []
  const places: Place[] = []
  let aisle = 0
  const add = (location: Omit<Location, 'id'>): Location => {
    const created = { id: nextId(), ...location }
    locations.push(created)
    return created
  }
  for (const warehouse of plan.warehouses) {
    const siteName = warehouse.name
    const holder = { siteName, walk: 0, capacity: 0 }
    const root = add({ ...holder, parent: null, kind: 'site', name: siteName, path: '' })
    for (const { name: zoneName, racks, shelves, places: spots, capacity, holds } of warehouse.zones) {
      const zone = add({ ...holder, parent: root.id, kind: 'zone', name: zoneName, path: zoneName })
      for (let rackNumber = 1; rackNumber <= racks; rackNumber++) {
        const rackPath = `${zoneName}-${two(rackNumber)}`
        const rack = add({ ...holder, parent: zone.id, kind: 'rack', name: two(rackNumber), path: rackPath })
        for (let shelfNumber = 1; shelfNumber <= shelves; shelfNumber++) {
          const shelfPath = `${rackPath}-${shelfNumber}`
          const shelf = add({ ...holder, parent: rack.id, kind: 'shelf', name: String(shelfNumber), path: shelfPath })
          for (let spot = 1; spot <= spots; spot++) {
            const step = aisle % 2 === 0 ? spot : spots + 1 - spot
            const walk = aisle * 1000 + step * 10 + shelfNumber
            const path = `${shelfPath}-${two(spot)}`
            const place = add({ siteName, parent: shelf.id, kind: 'place', name: two(spot), path, walk, capacity })
            places.push({ ...place, holds, taken: 0 })
          }
        }
        aisle++
      }
    }
  }
  return {
    locations,
    put(tyres, holds) {
      const fitting = (kind: ZonePlan['holds']): Place[] =>
        places.filter(place => place.holds === kind && place.capacity - place.taken >= tyres)
      const free = [holds, 'sets', 'heavy', 'loose'] as const
      const open = free.map(fitting).find(candidates => candidates.length > 0)
      if (!open) throw new Error(`${plan.name} has no place for ${tyres} tyres`)
      // a place in use is filled first, as a careful person does
      const begun = open.find(place => place.taken > 0)
      const place = begun && draw.likely(0.8) ? begun : draw.pick(open)
      place.taken += tyres
      return place
    },
    take(place) {
      place.taken -= 1
    },
  }
}
