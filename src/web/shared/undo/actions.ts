/**
 * The actions that can be undone, kind by kind: the facts to store, the name, and the call that undoes it. The server decides whether that is still
 * possible: each call names the state that it expects (docs/product/screens.md "Taking back").
 */
import { z } from 'zod'
import type { Call, RawInput, Answer } from '#contract/call.ts'
import { locations } from '#contract/locations.ts'
import { editableFields, operations } from '#contract/operations.ts'
import { mounts } from '#contract/mounts.ts'
import { moves } from '#contract/moves.ts'
import { tyres } from '#contract/tyres.ts'
import { views } from '#contract/views.ts'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { say } from '../../i18n.ts'
import { ask, invalidate, mayBeDone, messageOf, Refused } from '../api.ts'
import { showOperation } from '../operationLists.ts'

/** An action of several, some of which could not be taken back. */
class Partly extends Error {
  override name = 'Partly'
}

type Kind<F extends z.ZodType> = {
  facts: F
  /** The action as a plain sentence. */
  text: (facts: z.output<F>) => string
  /** Takes it back. `key`: that of the action, so that it is done once however often it is sent. */
  back: (facts: z.output<F>, key: string) => Promise<unknown>
}
const kind = <F extends z.ZodType>(definition: Kind<F>) => definition

/** Sends the call, then invalidates stale answers, also when the page was outdated. */
async function send<C extends Call>(call: C, input: RawInput<C>, key: string): Promise<Answer<C>> {
  try {
    return await ask(call, input, { key })
  } finally {
    void invalidate(call.invalidates)
  }
}

const id = z.number().int()
const plate = z.string()
const operation = z.object({ _id: id, plate, type: z.enum(operationTypes), updated: z.string(), key: z.string() })
const where = z.object({ db_id: id, state: z.string(), location: id.nullable(), kept: id.nullable() })
const codes = z.object({ dot: z.string(), retreaded: z.string() })
const edits = z.record(z.string(), z.unknown())

const kinds = {
  /** Tyres were moved to another set. */
  set: kind({
    facts: z.object({
      plate,
      set: z.string(),
      tyres: z.array(z.object({ db_id: id, tyre_set: z.string().nullable() })),
    }),
    text: ({ plate: vehicle, set, tyres: { length: count } }) =>
      say('undo:did.set', { count, set, plate: formatPlate(vehicle) }),
    back: ({ set, tyres: former }, key) => send(tyres.undoset, { tyres: former, expected: set }, key),
  }),

  /** Depths were measured. */
  depth: kind({
    facts: z.object({
      plate,
      readings: z.array(z.object({ db_id: id, profile_depth: z.number(), profile_date: z.string() })),
    }),
    text: ({ plate: vehicle, readings: { length: count } }) =>
      say('undo:did.depth', { count, plate: formatPlate(vehicle) }),
    back: ({ readings }, key) => send(tyres.unmeasure, { readings }, key),
  }),

  /** Tyres were mounted, taken off, swapped or rotated. */
  mount: kind({
    facts: z.object({ plate, flt_id: id, change: z.number() }),
    text: ({ plate: vehicle }) => say('undo:did.mount', { plate: formatPlate(vehicle) }),
    back: ({ flt_id, change }, key) => send(mounts.undo, { flt_id, change }, key),
  }),

  /** Tyres were moved to another vehicle. */
  move: kind({
    facts: z.object({
      plate,
      from: id,
      to: id,
      set: z.string().nullable(),
      tyres: z.array(z.object({ db_id: id, position: z.string() })).min(1),
    }),
    text: ({ plate: vehicle, tyres: { length: count } }) =>
      say('undo:did.move', { count, plate: formatPlate(vehicle) }),
    back: ({ from, to, set, tyres: placed }, key) =>
      send(moves.tyres, { flt_id: from, tyres: placed, tyre_set: set, expected: to }, key),
  }),

  /** A DOT code was noted. */
  dot: kind({
    facts: z.object({ tyre: id, former: codes, now: codes }),
    text: ({ tyre }) => say('undo:did.dot', { tyre: String(tyre) }),
    back: ({ tyre, former, now }, key) => send(tyres.notedot, { db_id: tyre, ...former, expected: now }, key),
  }),

  /** A pending operation was edited. */
  edit: kind({
    facts: z.object({ _id: id, plate, type: z.enum(operationTypes), back: edits, expected: edits }),
    text: ({ plate: vehicle, type, back }) =>
      say('undo:did.edit', {
        type: say(`common:operationType.${type}`),
        plate: formatPlate(vehicle),
        fields: Object.keys(back).map(fieldName).join(', '),
      }),
    back: async ({ _id, back, expected }, key) =>
      showOperation(
        await send(
          operations.update,
          { operation: { _id, ...back, expected } } as RawInput<typeof operations.update>,
          key,
        ),
      ),
  }),

  /** Operations were submitted. */
  submit: kind({
    facts: z.object({ by: z.enum(['user', 'admin']), operations: z.array(operation).min(1) }),
    text: ({ operations: list }) =>
      list[0] && list.length === 1
        ? say('undo:did.submit', {
            type: say(`common:operationType.${list[0].type}`),
            plate: formatPlate(list[0].plate),
          })
        : say('undo:did.submitSeveral', { count: list.length }),
    back: ({ by, operations: list }) =>
      each(list, async ({ _id, updated, key }) => {
        const expected = { updated }
        const pending =
          by === 'user'
            ? await send(operations.withdraw, { operation: { _id, expected } }, key)
            : await send(operations.update, { operation: { _id, status: 'pending', expected } }, key)
        showOperation(pending)
      }),
  }),

  /** Submissions were withdrawn. */
  withdraw: kind({
    facts: z.object({ operations: z.array(operation).min(1) }),
    text: ({ operations: list }) =>
      list[0] && list.length === 1
        ? say('undo:did.withdraw', {
            type: say(`common:operationType.${list[0].type}`),
            plate: formatPlate(list[0].plate),
          })
        : say('undo:did.withdrawSeveral', { count: list.length }),
    back: ({ operations: list }) =>
      each(list, async ({ _id, updated, key }) => {
        const again = { _id, status: 'submitted' as const, expected: { updated } }
        showOperation(await send(operations.update, { operation: again }, key))
      }),
  }),

  /** Submitted operations were given another day or transport. */
  reschedule: kind({
    facts: z.object({
      operations: z.array(operation.extend({ transport: id.nullable(), deliveryDate: z.string().nullable() })).min(1),
    }),
    text: ({ operations: list }) =>
      list[0] && list.length === 1
        ? say('undo:did.reschedule', {
            type: say(`common:operationType.${list[0].type}`),
            plate: formatPlate(list[0].plate),
          })
        : say('undo:did.rescheduleSeveral', { count: list.length }),
    back: ({ operations: list }) =>
      each(list, async ({ _id, updated, key, transport, deliveryDate }) => {
        const former = { _id, transport, deliveryDate, expected: { updated } }
        showOperation(await send(operations.reschedule, { operation: former }, key))
      }),
  }),

  /** Wheels were put on a location. */
  place: kind({
    facts: z.object({ location: id, rack: z.string(), wheels: z.array(where).min(1) }),
    text: ({ rack, wheels: { length: count } }) => say('undo:did.place', { count, rack }),
    back: ({ location, wheels }, key) =>
      send(locations.unmove, { location, wheels } as RawInput<typeof locations.unmove>, key),
  }),

  /** A named view of one’s own was removed. */
  view: kind({
    facts: z.object({ list: z.string(), name: z.string(), filter: edits, weekly: z.number().nullable() }),
    text: ({ name }) => say('undo:did.view', { name }),
    back: async ({ weekly, ...view }, key) => {
      const { _id } = await send(views.save, { ...view, shared: false } as RawInput<typeof views.save>, key)
      if (weekly !== null) await send(views.mail, { _id, weekday: weekly }, key)
    },
  }),
} as const
export type ActionKind = keyof typeof kinds
export type FactsOf<K extends ActionKind> = z.input<(typeof kinds)[K]['facts']>

const fieldName = (name: string): string => {
  const field = editableFields.find(candidate => candidate === name)
  return field ? say(`undo:field.${field}`) : name
}

/** Runs all of them in sequence; those left open by a lost network can be sent again. */
async function each<T>(all: readonly T[], back: (entry: T) => Promise<void>): Promise<void> {
  const refusals: unknown[] = []
  for (const entry of all) {
    try {
      await back(entry)
    } catch (error) {
      if (mayBeDone(error) || (error instanceof Refused && error.status === 401)) throw error
      refusals.push(error)
    }
  }
  const [first] = refusals
  if (first === undefined) return
  if (all.length === 1) throw first
  throw new Partly(say('undo:partly', { count: all.length, done: all.length - refusals.length, why: messageOf(first) }))
}

/** The kind and facts of a stored action; `null` where this version of the page does not know the kind. */
function parseAction(kindName: string, facts: unknown) {
  if (!Object.hasOwn(kinds, kindName)) return null
  const kind = kinds[kindName as ActionKind] as unknown as Kind<z.ZodType>
  const parsed = kind.facts.safeParse(facts)
  return parsed.success ? { kind, facts: parsed.data } : null
}

/** The action as a sentence; `null` where this version of the page does not know its kind. */
export function textOf(action: { kind: string; facts: unknown }): string | null {
  const parsed = parseAction(action.kind, action.facts)
  return parsed && parsed.kind.text(parsed.facts)
}

/** Takes an action back. Rejects with the reason. */
export async function sendBack(action: { id: string; kind: string; facts: unknown }): Promise<void> {
  const parsed = parseAction(action.kind, action.facts)
  if (!parsed) throw new Partly(say('undo:unknown'))
  await parsed.kind.back(parsed.facts, action.id)
}
