import { describe, expect, it } from 'vitest'
import type { EditableField } from '#contract/operations.ts'
import { type Edit, createEdits, editBack } from './edits.ts'

/** A server whose answers the test gives one by one. */
function desk({ rejected = [] as readonly EditableField[], unsaved = {} as Edit } = {}) {
  const sent: Edit[] = []
  const answers: { take: () => void; refuse: (why: unknown) => void }[] = []
  let kept: Edit = {}
  const edits = createEdits(
    {
      send: edit => {
        sent.push(edit)
        return new Promise((take, refuse) => answers.push({ take, refuse }))
      },
      rejected: () => rejected,
      store: edit => {
        kept = edit
      },
    },
    unsaved,
  )
  const answer = async (how: 'take' | 'refuse', why: unknown = new Error('no network')) => {
    const next = answers.shift()
    if (!next) throw new Error('nothing was sent')
    if (how === 'take') next.take()
    else next.refuse(why)
    await new Promise(resolve => setImmediate(resolve))
  }
  return { edits, sent, answer, kept: () => kept }
}

describe('edits of a pending operation', () => {
  it('a choice shows at once and is sent at once', async () => {
    const { edits, sent, answer } = desk()
    edits.change({ withBolts: true })
    expect(edits.now()).toMatchObject({ unsaved: { withBolts: true }, saving: true })
    expect(sent).toEqual([{ withBolts: true }])
    await answer('take')
    expect(edits.now()).toEqual({ unsaved: {}, saving: false, failed: null, saved: true })
  })

  it('typing is sent when the field is left, not before', async () => {
    const { edits, sent, answer, kept } = desk()
    edits.type({ remarks: 'h' })
    edits.type({ remarks: 'hi' })
    expect(sent).toEqual([])
    expect(kept()).toEqual({ remarks: 'hi' })
    edits.leave({ remarks: '' }, 'remarks')
    expect(sent).toEqual([{ remarks: 'hi' }])
    await answer('take')
    expect(kept()).toEqual({})
  })

  it('a choice does not send what is still being typed in another field', () => {
    const { edits, sent } = desk()
    edits.type({ tachometer: 1 })
    edits.change({ withHubcaps: true })
    expect(sent).toEqual([{ withHubcaps: true }])
    expect(edits.now().unsaved).toEqual({ tachometer: 1, withHubcaps: true })
  })

  it('a field that was left as it was sends nothing', () => {
    const { edits, sent } = desk()
    edits.type({ remarks: 'twice' })
    edits.type({ remarks: 'once' })
    edits.leave({ remarks: 'once' }, 'remarks')
    expect(sent).toEqual([])
    expect(edits.now().unsaved).toEqual({})
  })

  it('a field typed back to what the server had, while another text waits, is sent', async () => {
    const { edits, sent, answer } = desk()
    edits.change({ remarks: 'new' })
    edits.type({ remarks: 'old' })
    edits.leave({ remarks: 'old' }, 'remarks')
    await answer('take')
    expect(sent).toEqual([{ remarks: 'new' }, { remarks: 'old' }])
  })

  it('changes made during a save go out after it, the last one of each field only', async () => {
    const { edits, sent, answer } = desk()
    edits.change({ services: [1] })
    edits.change({ services: [1, 2] })
    edits.change({ services: [2] })
    expect(sent).toEqual([{ services: [1] }])
    await answer('take')
    expect(sent).toEqual([{ services: [1] }, { services: [2] }])
    expect(edits.now().unsaved).toEqual({ services: [2] })
    await answer('take')
    expect(edits.now()).toMatchObject({ unsaved: {}, saving: false })
  })

  it('a failed save keeps everything, says why, and is sent again on retry', async () => {
    const { edits, sent, answer, kept } = desk()
    edits.change({ remarks: 'behind the gate' })
    const why = new Error('no network')
    await answer('refuse', why)
    expect(edits.now()).toMatchObject({ unsaved: { remarks: 'behind the gate' }, saving: false, failed: why })
    expect(kept()).toEqual({ remarks: 'behind the gate' })
    edits.retry()
    await answer('take')
    expect(sent).toHaveLength(2)
    expect(edits.now()).toMatchObject({ unsaved: {}, failed: null })
  })

  it('a change after a failure takes the failed one along', async () => {
    const { edits, sent, answer } = desk()
    edits.change({ remarks: 'a' })
    await answer('refuse')
    edits.change({ withBolts: true })
    expect(sent.at(-1)).toEqual({ remarks: 'a', withBolts: true })
  })

  it('what the server will never take is dropped and the rest is sent', async () => {
    const { edits, sent, answer } = desk({ rejected: ['services'] })
    edits.change({ remarks: 'a' })
    edits.change({ services: [] })
    await answer('take')
    expect(sent.at(-1)).toEqual({ services: [] })
    edits.change({ remarks: 'b' })
    await answer('refuse')
    expect(sent.at(-1)).toEqual({ remarks: 'b' })
    await answer('take')
    expect(edits.now()).toMatchObject({ unsaved: {}, saving: false })
  })

  it('a refusal that nothing can be dropped for is not repeated', async () => {
    const { edits, sent, answer } = desk({ rejected: ['services'] })
    edits.change({ remarks: 'a' })
    await answer('refuse')
    expect(sent).toHaveLength(1)
    expect(edits.now().saving).toBe(false)
  })

  it('takes up what the device kept', async () => {
    const { edits, sent, answer } = desk({ unsaved: { remarks: 'from before the reload' } })
    expect(edits.now().unsaved).toEqual({ remarks: 'from before the reload' })
    edits.retry()
    expect(sent).toEqual([{ remarks: 'from before the reload' }])
    await answer('take')
    expect(edits.now().unsaved).toEqual({})
  })

  it('leaving the screen saves every field that was being typed in', () => {
    const { edits, sent } = desk()
    edits.type({ remarks: 'a' })
    edits.type({ tachometer: 120_000 })
    edits.leave({ remarks: '', tachometer: null })
    expect(sent).toEqual([{ remarks: 'a', tachometer: 120_000 }])
  })

  it('idle waits for what is under way', async () => {
    const { edits, answer } = desk()
    edits.change({ withBolts: true })
    const order: string[] = []
    const wait = async () => {
      await edits.idle()
      order.push('idle')
    }
    const waited = wait()
    edits.change({ withBolts: false })
    order.push('first answer')
    await answer('take')
    order.push('second answer')
    await answer('take')
    await waited
    expect(order).toEqual(['first answer', 'second answer', 'idle'])
  })

  it('tells its listeners until they stop listening', () => {
    const { edits } = desk()
    let heard = 0
    const stop = edits.listen(() => {
      heard += 1
    })
    edits.type({ remarks: 'a' })
    stop()
    edits.type({ remarks: 'b' })
    expect(heard).toBe(1)
  })

  it('clear forgets, so that nothing is sent to an operation that was submitted', async () => {
    const { edits, sent, kept } = desk()
    edits.type({ remarks: 'a' })
    edits.clear()
    edits.leave({ remarks: '' })
    await edits.idle()
    expect(sent).toEqual([])
    expect(kept()).toEqual({})
  })
})

describe('what takes a saved edit back', () => {
  const before = { remarks: 'old', services: [1], transport: 1, deliveryDate: '2026-11-20', withBolts: false } as never
  it('is the fields that it changed, as they were and as they are, and none that somebody else changed', () => {
    const saved = {
      remarks: 'new',
      services: [1, 2],
      transport: 1,
      deliveryDate: '2026-11-20',
      withBolts: true,
    } as never
    expect(editBack(before, saved, { remarks: 'new', services: [1, 2] })).toEqual({
      back: { remarks: 'old', services: [1] },
      expected: { remarks: 'new', services: [1, 2] },
    })
  })
  it('is the day, too, that another transport made impossible', () => {
    const saved = { remarks: 'old', services: [1], transport: 2, deliveryDate: null, withBolts: false } as never
    expect(editBack(before, saved, { transport: 2 })).toEqual({
      back: { transport: 1, deliveryDate: '2026-11-20' },
      expected: { transport: 2, deliveryDate: null },
    })
  })
  it('is nothing when nothing became another', () => {
    expect(editBack(before, before, { remarks: 'old', services: [1] })).toBeNull()
  })
})
