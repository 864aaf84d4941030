import { describe, expect, it } from 'vitest'
import { type Chosen, needsSetName, placed, positionsFor, setNamed, takenIn, tyresToAdd, without } from './adding.ts'

const steer: Chosen = { key: 'article 7', description: '315/80 R22.5', article: 7 }
const drive: Chosen = {
  key: 'unknown 1',
  description: 'Remould',
  unknown: { type: 'winter', description: 'Remould' },
}
const none = new Map<string, string>()
const tyre = (position: string, tyre_set: string | null, tyre_status: 'in_stock' | 'waste' = 'in_stock') => ({
  db_id: position.charCodeAt(0) * 100 + position.charCodeAt(1),
  position,
  tyre_set,
  tyre_status,
})

describe('positions for articles', () => {
  it('go to the article that asks for them last', () => {
    const both = placed(placed(none, ['1A', '1B'], steer.key), ['1B', '2A'], drive.key)
    expect(positionsFor(both, steer.key)).toEqual(['1A'])
    expect(positionsFor(both, drive.key)).toEqual(['1B', '2A'])
  })

  it('are taken back only when the article has all that are asked for', () => {
    const first = placed(none, ['1A'], steer.key)
    expect(positionsFor(placed(first, ['1A', '1B'], steer.key), steer.key)).toEqual(['1A', '1B'])
    expect(placed(first, ['1A'], steer.key).size).toBe(0)
  })

  it('are free again when their article is no longer chosen', () => {
    const both = placed(placed(none, ['1A'], steer.key), ['2A'], drive.key)
    expect([...without(both, steer.key)]).toEqual([['2A', drive.key]])
  })

  it('are in the order of the axles, the tenth after the second', () => {
    expect(positionsFor(placed(none, ['10A', '2B', '2A'], steer.key), steer.key)).toEqual(['2A', '2B', '10A'])
  })
})

describe('the set', () => {
  it('has no name when nothing or spaces are typed', () => {
    expect(['', '  ', ' Winter '].map(setNamed)).toEqual([null, null, 'Winter'])
  })

  it('called by the word for no set is not dropped in silence', () => {
    expect(setNamed('setless')).toBe('setless')
  })

  it('needs a name once there is a setless tyre for each position; waste does not count', () => {
    const two = [tyre('1A', null), tyre('1B', null)]
    expect(needsSetName(two, 2)).toBe(true)
    expect(needsSetName(two, 3)).toBe(false)
    expect(needsSetName([tyre('1A', null), tyre('1B', null, 'waste')], 2)).toBe(false)
    expect(needsSetName([tyre('1A', 'Winter'), tyre('1B', 'Winter')], 2)).toBe(false)
  })

  it('refuses positions that it holds, and only those', () => {
    const tyres = [tyre('1A', 'Winter'), tyre('1B', 'Winter', 'waste'), tyre('2A', 'Summer'), tyre('2B', null)]
    expect(takenIn(tyres, 'Winter', ['2B', '2A', '1B', '1A'])).toEqual(['1A'])
    expect(takenIn(tyres, null, ['1A', '2B'])).toEqual([])
    expect(takenIn(tyres, ' WINTER ', ['1A', '2A'])).toEqual(['1A'])
  })
})

it('a tyre is asked for on each position, of the catalogue or unknown', () => {
  const both = placed(placed(none, ['2A'], drive.key), ['1B', '1A'], steer.key)
  expect(tyresToAdd([steer, drive], both)).toEqual([
    { position: '1A', art_id: 7 },
    { position: '1B', art_id: 7 },
    { position: '2A', unknown: { type: 'winter', description: 'Remould' } },
  ])
})
