import { describe, expect, it } from 'vitest'
import type { DeliveryNote, GateAnswer, LoadingRecall } from '#contract/gate.ts'
import type { Label } from '#domain/warehouse/barcode.ts'
import { type GateRequest, inLoadingOrder, isBegun, isLoaded, requestOf, unloaded, verdictOf } from './gateReducer.ts'

type State = LoadingRecall['wheels'][number]['state']
/** A recall whose wheels are in these states; their numbers begin with that of the operation. */
const recall = (operation: number, states: readonly State[], confirmed = false) =>
  ({
    operation,
    license_plate: `PLATE${operation}`,
    confirmed,
    wheels: states.map((state, nth) => ({ db_id: operation * 10 + nth, state })),
  }) as unknown as LoadingRecall
const note = (db_id: number, left: string | null, signed: string | null = null) =>
  ({ db_id, left, signed }) as unknown as DeliveryNote
const answer = (outcome: GateAnswer['outcome'], recalls: LoadingRecall[], notes: DeliveryNote[] = []) =>
  ({ outcome, recalls, notes }) as unknown as GateAnswer

describe('a scan', () => {
  const recalls = [recall(1, ['loaded', 'staged', 'missing', 'at_place']), recall(2, ['loaded', 'loaded'])]
  it.each<[string, Label, number | null, object]>([
    ['of a wheel loads it', { tyre: 11, site: 1 }, null, { kind: 'load', db_id: 11, ticsId: 1 }],
    [
      'of a place is none here',
      { location: 5, site: 1 },
      null,
      { kind: 'refuse', sound: 'misplaced', text: 'scanWheel' },
    ],
    ['of Gate lets the transport leave', { command: 'gate', site: 1 }, null, { kind: 'leave' }],
    [
      'of Missing is about the set loaded last',
      { command: 'missing', site: 1 },
      10,
      { kind: 'miss', tyres: [11, 13], plate: 'PLATE1' },
    ],
    [
      'of Missing after a whole set is about nothing',
      { command: 'missing', site: 1 },
      20,
      { kind: 'refuse', sound: 'not_now', text: 'nothingMissing' },
    ],
    [
      'of Missing before any wheel is about nothing',
      { command: 'missing', site: 1 },
      null,
      { kind: 'refuse', sound: 'not_now', text: 'nothingMissing' },
    ],
    [
      'of another command is none here',
      { command: 'undo', site: 1 },
      10,
      { kind: 'refuse', sound: 'not_now', text: 'noCommand' },
    ],
  ])('%s', (_, label, last, request) => {
    expect(requestOf(label, { last, recalls })).toEqual(request)
  })
})

describe('the answer', () => {
  const load = { kind: 'load', db_id: 10, ticsId: 1 } as const satisfies GateRequest
  it.each<[GateAnswer['outcome'], string]>([
    ['again', 'duplicate'],
    ['other_site', 'other_site'],
    ['not_recalled', 'missing'],
    ['other_transport', 'elsewhere'],
    ['other_day', 'elsewhere'],
    ['worn', 'refused'],
    ['nothing_loaded', 'not_now'],
    ['incomplete', 'refused'],
    ['missing', 'refused'],
    ['left_behind', 'refused'],
  ])('%s sounds like %s, and nothing is signed', (outcome, sound) => {
    const notes = [note(1, null)]
    expect(verdictOf(load, answer(outcome, [recall(1, ['loaded'])], notes))).toEqual({
      sound,
      set: null,
      behind: 0,
      sign: [],
    })
  })

  it.each<[State[], string, string | null]>([
    [['loaded', 'staged'], 'found', null],
    [['loaded', 'loaded'], 'complete', 'PLATE1'],
  ])('loaded, of a set with %j', (states, sound, set) => {
    expect(verdictOf(load, answer('loaded', [recall(1, states), recall(2, ['at_place'])]))).toMatchObject({
      sound,
      set,
    })
  })

  it('left has the notes of this departure to sign, and says how many wheels stay', () => {
    const notes = [note(3, 'today'), note(2, 'today', 'Ada'), note(1, 'before')]
    const verdict = verdictOf(
      { kind: 'leave' },
      answer('left', [recall(1, ['loaded']), recall(2, ['at_place', 'staged'])], notes),
    )
    expect(verdict).toEqual({ sound: 'complete', set: null, behind: 2, sign: [notes[0]] })
  })
})

describe('the recalls of a load', () => {
  const untouched = recall(1, ['at_place'])
  const loaded = recall(2, ['loaded'])
  const begun = recall(3, ['staged', 'at_place'])
  const withoutTheMissing = recall(4, ['loaded', 'missing'], true)
  it('are listed begun ones first, loaded ones last', () => {
    expect(inLoadingOrder([untouched, loaded, begun]).map(({ operation }) => operation)).toEqual([3, 1, 2])
  })

  it('are loaded once nothing of them is elsewhere, and confirmed ones without what was missing', () => {
    expect([untouched, loaded, begun, withoutTheMissing].map(isLoaded)).toEqual([false, true, false, true])
    expect([untouched, loaded, begun, withoutTheMissing].map(isBegun)).toEqual([false, true, true, true])
    expect(unloaded([untouched, loaded, begun, withoutTheMissing])).toBe(3)
  })
})
