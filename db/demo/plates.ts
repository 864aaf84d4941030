/** Plates as they are given out in Belgium and the Netherlands; which of them exist, nobody looked up. */
import type { Chance } from './chance.ts'
import type { Family } from './models.ts'

// Without vowels, as in the Netherlands, so that chance writes no word; without I, O and Q, which both leave out.
const belgian = [...'BCDFGHJKLNPRSTVXYZ']
// A first letter that stands for a kind of its own (agricultural, motorcycle, moped, taxi, dealer) is none for a car.
const belgianCar = [...'BCDFHJKLNPRVXY']
const dutch = [...'BDFGHJKLNPRSTVXZ']

/** Draws plates that differ from each other. */
export function plates(draw: Chance, year: number): (family: Family, country: 'B' | 'NL') => string {
  const given = new Set<string>()
  return (family, country) => {
    for (;;) {
      const plate = country === 'B' ? belgianPlate(family, draw, year) : dutchPlate(family, draw, year)
      if (given.has(plate)) continue
      given.add(plate)
      return plate
    }
  }
}

const digits = (draw: Chance, count: number): string => String(draw.between(1, 10 ** count - 1)).padStart(count, '0')
const letters = (draw: Chance, from: readonly string[], count: number): string =>
  Array.from({ length: count }, () => draw.pick(from)).join('')

/** 1-ABC-234 since November 2010, 2-ABC-234 since 2021; trailers Q-ABC-123 and motorcycles M-ABC-123. */
function belgianPlate(family: Family, draw: Chance, year: number): string {
  if (family === 'motorcycle') return `M${letters(draw, belgian, 3)}${digits(draw, 3)}`
  if (family === 'trailer' || family === 'semitrailer' || family === 'caravan')
    return `Q${letters(draw, belgian, 3)}${digits(draw, 3)}`
  // People keep their plate when they change cars: some are as old as the plate's shape before 2008.
  if (family === 'car' && draw.likely(0.07))
    return `${draw.pick(belgianCar)}${letters(draw, belgian, 2)}${digits(draw, 3)}`
  const firstYear = 2010
  const given = draw.between(Math.max(firstYear + 2, year - 9), Math.max(firstYear + 2, year - 1))
  const index = given >= 2021 ? 2 : 1
  const along = (given - (index === 2 ? 2021 : firstYear)) / 11
  const first = belgianCar[Math.min(belgianCar.length - 1, Math.floor(along * belgianCar.length))] ?? 'X'
  return `${index}${first}${letters(draw, belgian, 2)}${digits(draw, 3)}`
}

/** The RDW's sidecodes that each kind of vehicle has had in the last years. */
function dutchPlate(family: Family, draw: Chance, year: number): string {
  const some = (count: number): string => letters(draw, dutch, count)
  switch (family) {
    case 'van':
      return draw.likely(0.5) ? `V${digits(draw, 3)}${some(2)}` : `V${some(2)}${digits(draw, 2)}${some(1)}`
    case 'truck':
    case 'tractor':
    case 'bus':
      return `${digits(draw, 2)}B${some(2)}${draw.between(1, 9)}`
    case 'semitrailer':
      return `O${some(1)}${digits(draw, 2)}${some(2)}`
    case 'trailer':
    case 'caravan':
      return `W${some(1)}${digits(draw, 2)}${some(2)}`
    case 'motorcycle':
      return `${digits(draw, 2)}M${some(1)}${some(2)}`
    default: {
      const given = year - draw.between(1, 9)
      if (given >= 2024) return `${draw.pick(['G', 'H'])}${some(2)}${digits(draw, 2)}${some(1)}`
      if (given >= 2019) return `${draw.pick([...'GHJKLNPRSTXZ'])}${digits(draw, 3)}${some(2)}`
      return `${draw.pick([...'NPRSTXZ'])}${some(1)}${digits(draw, 3)}${some(1)}`
    }
  }
}
