import { describe, expect, it } from 'vitest'
import type { Round, RoundOutcome } from '#contract/waves.ts'
import type { Label } from '#domain/warehouse/barcode.ts'
import { requestOf, takeRound } from './pickReducer.ts'

describe('a scan', () => {
  it.each<[Label, readonly number[], object | null]>([
    [{ tyre: 11, site: 2 }, [], { kind: 'pick', ticsId: 2, db_id: 11 }],
    [{ location: 5, site: 1 }, [], { kind: 'stand', ticsId: 1, location: 5 }],
    [{ command: 'missing', site: 1 }, [], { kind: 'miss' }],
    [{ command: 'undo', site: 1 }, [11, 12], { kind: 'undo', tyres: [11, 12] }],
    [{ command: 'undo', site: 1 }, [], null],
    [{ command: 'confirm', site: 1 }, [11], null],
  ])('%j after %j asks for %j', (label, done, request) => {
    expect(requestOf(label, done)).toEqual(request)
  })
})

describe('the answer', () => {
  const round = (outcome: RoundOutcome | null, tyres: number[], left: number[] = [99]) =>
    ({ outcome, tyres, line: { wheels: left.map(db_id => ({ db_id })) } }) as unknown as Round
  it.each<[RoundOutcome | null, number[], number[], string, number[]]>([
    ['picked', [11], [11, 12], 'found picked 1', [11]],
    ['picked', [11], [12], 'complete complete 1', [11]],
    ['missed', [11, 12], [13], 'stepped missed 2', [11, 12]],
    ['undone', [7], [7], 'stepped undone 1', []],
    ['staged', [1, 2, 3], [], 'location staged 3', []],
    ['again', [11], [11], 'duplicate again 1', [7]],
    ['other_set', [], [], 'elsewhere other_set 1', [7]],
    ['not_in_wave', [], [], 'missing not_in_wave 1', [7]],
    ['other_site', [], [], 'other_site other_site 1', [7]],
    ['here', [], [], 'stepped here 1', [7]],
    ['no_lane', [], [], 'misplaced no_lane 1', [7]],
    ['lane_other', [], [], 'misplaced lane_other 1', [7]],
    ['nothing_carried', [], [], 'not_now nothing_carried 1', [7]],
    ['nothing_to_do', [], [], 'not_now nothing_to_do 1', [7]],
    [null, [], [], 'not_now nothing_to_do 1', [7]],
  ])('%s of %j, with %j left in the line', (outcome, tyres, left, verdict, done) => {
    const after = takeRound([7], round(outcome, tyres, left))
    expect(`${after.verdict.sound} ${after.verdict.outcome} ${after.verdict.count}`).toBe(verdict)
    expect(after.done).toEqual(done)
  })
})
