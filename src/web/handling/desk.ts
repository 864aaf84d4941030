/** The desk's work on submitted operations: the list, and the steps that an administrator takes. */
import { hashKey } from '@tanstack/react-query'
import { useTranslation } from '../ui/texts.ts'
import { cards } from '#contract/cards.ts'
import { operations } from '#contract/operations.ts'
import type { Operation, OperationTyre } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { mayConfirmMissing } from '#domain/operations/operation.ts'
import { insertsDocument } from '#domain/site.ts'
import { subjectOf } from '../shared/trade.tsx'
import { ask, updateCached, keyOf, queryClient, useAnswer, useCall } from '../shared/api.ts'
import { inTime } from '../shared/inTime.ts'
import { pollInterval, submitted, useSite, useWho } from '../shared/session.ts'
import { useOtherHalf } from '../operations/swap.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { askDocument, useDocumentToday } from './documentQuestion.tsx'
import { withMarked } from './lookup.ts'
import { askMissingTyres, type MissingTyres, unaccounted } from './missingTyresDialog.tsx'
import { putOff, takeUp } from './putOff.ts'

/**
 * All submitted operations of the site; what others submit comes in by itself. `muted` for a screen that an expired
 * session must not throw anybody out of while they scan, `ahead` for one that can be used without them (`useAnswer`).
 */
export const useSubmitted = (options: { muted?: boolean; ahead?: boolean } = {}) =>
  useAnswer(operations.admin, submitted, { ...options, refetchInterval: pollInterval })

const submittedHash = hashKey(keyOf(operations.admin, submitted))
const changeSubmitted = (change: (list: Operation[]) => Operation[]) =>
  updateCached(({ queryHash }) => queryHash === submittedHash, change)

/** A submitted operation as the list holds it now. */
export const cachedOperation = (_id: number) =>
  queryClient.getQueryData<Operation[]>(keyOf(operations.admin, submitted))?.find(operation => operation._id === _id)

/** Takes over the tyres that the server has marked as scanned. */
export const applyMarked = (tyres: readonly OperationTyre[]) => changeSubmitted(list => withMarked(list, tyres))

const removeFromList = (_id: number) => changeSubmitted(list => list.filter(operation => operation._id !== _id))

/** How unscanned tyres are accounted for. Without `document`, the site's setting decides whether one is made. */
export type ConfirmOptions = MissingTyres

/** The parts of the page that the steps use: calls, questions, and updates of the list. */
export type DeskParts = {
  undo(_id: number): Promise<unknown>
  confirm(_id: number, how: ConfirmOptions): Promise<unknown>
  cancel(_id: number): Promise<unknown>
  markAll(_id: number): Promise<readonly OperationTyre[]>
  /** How to confirm where there is nothing to ask; `null`: tyres were not scanned, or a document is to be made. */
  unasked(operation: Operation, missing: readonly number[]): ConfirmOptions | null
  /** Asks how to confirm. `null`: don't confirm. `missing`: the tyres already declared missing. */
  sureToConfirm(operation: Operation, missing: readonly number[]): Promise<ConfirmOptions | null>
  sureToCancel(operation: Operation): Promise<boolean>
  sureToUndo(operation: Operation): Promise<boolean>
  /** The operation is submitted no more. */
  left(_id: number): void
  marked(tyres: readonly OperationTyre[]): void
}

/** Operations with a step under way, from its question to its answer, wherever on the page it was taken. */
const busyOperations = new Set<number>()

/** A step that is not taken while one is under way on that operation. Never rejects. */
const oneAtATime =
  <Details extends readonly unknown[]>(step: (operation: Operation, ...details: Details) => Promise<unknown>) =>
  async (operation: Operation, ...details: Details): Promise<void> => {
    const { _id } = operation
    if (busyOperations.has(_id)) return
    busyOperations.add(_id)
    try {
      await step(operation, ...details)
    } catch {
      // Shown in a toast; the operation stays in the list.
    } finally {
      busyOperations.delete(_id)
    }
  }

/**
 * The steps (docs/product/operations.md "Operation states") that an administrator takes on a submitted operation. While one is under way, no other is taken on
 * that operation: the second click of a double click comes before the page has been drawn anew.
 */
export function deskSteps(parts: DeskParts) {
  return {
    undo: oneAtATime(async operation => {
      if (!(await parts.sureToUndo(operation))) return
      await parts.undo(operation._id)
      parts.left(operation._id)
    }),

    confirm: oneAtATime(async (operation, missing: readonly number[] = []) => {
      const how = parts.unasked(operation, missing) ?? (await parts.sureToConfirm(operation, missing))
      if (!how) return
      await parts.confirm(operation._id, how)
      parts.left(operation._id)
    }),

    cancel: oneAtATime(async operation => {
      if (!(await parts.sureToCancel(operation))) return
      await parts.cancel(operation._id)
      parts.left(operation._id)
    }),

    markAll: oneAtATime(async ({ _id }) => parts.marked(await parts.markAll(_id))),
  }
}

/** The missing tyres of an operation, as the server knows them: a declaration made on a card is not asked for again. */
async function missingOf({ tyres }: Operation): Promise<readonly number[]> {
  const tyre = tyres.find(({ scanned }) => !scanned)?.db_id
  const card = tyre === undefined ? null : ask(cards.read, { tyre }, { muted: true }).catch(() => null)
  return (card && (await inTime(card)))?.wheels[0]?.operation?.missing ?? []
}

/** The desk's steps, each with its question and its toasts. */
export function useDesk() {
  const { t } = useTranslation(['desk', 'common'])
  const site = useSite()
  const who = useWho()
  const otherHalf = useOtherHalf()
  const today = useDocumentToday()
  const undo = useCall(operations.update, {
    doing: 'desk:updating',
    done: ({ user, vehicle }) =>
      t('desk:undone', { plate: formatPlate(vehicle.license_plate), customer: user.companyname }),
  })
  const confirm = useCall(operations.confirm, { doing: 'desk:confirming', done: 'desk:confirmed' })
  const cancel = useCall(operations.cancel, { doing: 'desk:canceling', done: 'desk:cancelled' })
  const scan = useCall(operations.markscan, {
    doing: 'desk:updating',
    done: tyres => t('desk:marked', { count: tyres.length }),
  })
  return deskSteps({
    undo: _id => undo.mutateAsync({ operation: { _id, status: 'pending' } }),
    confirm: (_id, how) => confirm.mutateAsync({ operation: { _id }, ...how }),
    cancel: _id => cancel.mutateAsync({ operation: { _id } }),
    markAll: _id => scan.mutateAsync({ operation: { _id } }),
    unasked({ tyres, type }, missing) {
      if (unaccounted(tyres, missing).length > 0) return null
      if (!site.docInsertAsks || !insertsDocument(site, type)) return {}
      return today.document === null ? null : { document: today.document }
    },
    async sureToConfirm(operation, missing) {
      const { _id, tyres, type } = operation
      const document = t(`common:documentType.${site.docInsertType}`)
      takeUp(_id)
      const onPutOff = () => putOff(_id)
      // One question for both: two in a row would be answered without being read.
      if (unaccounted(tyres, missing).length > 0) {
        return askMissingTyres({
          title: t('desk:confirmAnyway'),
          about: subjectOf(operation),
          tyres,
          missing: missing.length > 0 ? missing : await missingOf(operation),
          mayMiss: mayConfirmMissing(who, site),
          document:
            site.docInsertAsks && insertsDocument(site, type)
              ? { type: document, insert: today.document ?? true }
              : null,
          onPutOff,
        })
      }
      const reply = await askDocument({
        title: `${t('desk:documentQuestion')} ${formatPlate(operation.vehicle.license_plate)}, ${t('common:tyres', { count: tyres.length })}`,
        document,
        onPutOff,
      })
      if (reply?.forToday) today.answerToday(reply.document)
      return reply && { document: reply.document }
    },
    sureToUndo: operation => {
      const { user, tyres } = operation
      return confirmFirst({
        title: t('desk:undoQuestion'),
        about: subjectOf(operation),
        text: [
          t('desk:undoText', { customer: user.companyname }),
          tyres.some(tyre => tyre.scanned) && t('desk:undoScans', { count: tyres.filter(tyre => tyre.scanned).length }),
          otherHalf(operation),
        ]
          .filter(Boolean)
          .join(' '),
        confirm: t('desk:undo'),
        keep: t('desk:goBack'),
      })
    },
    sureToCancel: operation =>
      confirmFirst({
        title: t('desk:cancelQuestion'),
        about: subjectOf(operation),
        text: [t('desk:cancelText'), otherHalf(operation)].filter(Boolean).join(' '),
        confirm: t('desk:cancel'),
        keep: t('desk:keep'),
        danger: true,
      }),
    left: removeFromList,
    marked: applyMarked,
  })
}
