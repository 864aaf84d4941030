import { describe, expect, it } from 'vitest'
import { configurationTemplates } from '#domain/vehicles/axle.ts'
import { firstShown, occupantsOf, type PictureTyre, setsToSwitch, stateOf } from './occupants.ts'

const { axles } = configurationTemplates.find(({ name }) => name === 'Car, 4 wheels')!
let id = 0
const tyre = (position: string, set: string | null = 'Winter', state: PictureTyre['state'] = 'free'): PictureTyre => ({
  id: ++id,
  position,
  set,
  description: '',
  state,
})

describe('the picture of a vehicle with several sets', () => {
  it('shows all together while no position holds two', () => {
    expect(setsToSwitch([tyre('1A', 'Winter'), tyre('1B', 'Summer'), tyre('2A', null)])).toEqual([])
    expect(setsToSwitch([])).toEqual([])
  })

  it('shows one set at a time as soon as two sets meet at a position, setless last', () => {
    expect(setsToSwitch([tyre('1A', null), tyre('1A', 'Winter'), tyre('2A', 'Summer')])).toEqual([
      'Summer',
      'Winter',
      null,
    ])
  })

  it('begins with the first set in which something can be selected', () => {
    const tyres = [tyre('1A', 'Summer', 'blocked'), tyre('1A', 'Winter'), tyre('1A', null)]
    expect(firstShown(['Summer', 'Winter', null], tyres)).toBe('Winter')
    expect(firstShown(['Summer', null], tyres)).toBeNull()
    expect(firstShown(['Summer'], tyres)).toBe('Summer')
    expect(firstShown([], [])).toBeNull()
  })

  it('two setless tyres at one position are no reason to switch', () => {
    expect(setsToSwitch([tyre('1A', null), tyre('1A', null)])).toEqual([])
  })

  it('names the positions that the configuration does not have', () => {
    const { at, elsewhere } = occupantsOf(axles, [
      tyre('1A'),
      tyre('10A'),
      tyre('3B'),
      tyre('3A'),
      tyre('3A', 'Summer'),
    ])
    expect(elsewhere).toEqual(['3A', '3B', '10A'])
    expect(at('1A')).toHaveLength(1)
    expect(at('1B')).toEqual([])
  })

  it.each<[readonly PictureTyre['state'][], ReturnType<typeof stateOf>]>([
    [[], 'empty'],
    [['free'], 'free'],
    [['blocked'], 'blocked'],
    [['selected'], 'selected'],
    [['preselected'], 'preselected'],
    [['selected', 'blocked'], 'selected'],
    [['selected', 'free'], 'partly'],
    [['preselected', 'selected'], 'preselected'],
    [['free', 'blocked'], 'free'],
  ])('a position with %j is %s', (states, shown) => {
    expect(stateOf(states.map(state => tyre('1A', null, state)))).toBe(shown)
  })
})
