/** The desk's work on submitted operations: the list, and the steps that an administrator takes. */
import { hashKey } from '@tanstack/react-query'
import { useTranslation } from '../../ui/texts.ts'
import { operations } from '#contract/operations.ts'
import type { Operation, OperationTyre } from '#contract/wire.ts'
import { formatPlate } from '#domain/plate.ts'
import { fullyScanned } from '#domain/operation.ts'
import { insertsDocument } from '#domain/site.ts'
import { subjectOf } from '../trade.tsx'
import { updateCached, keyOf, queryClient, useAnswer, useCall } from '../api.ts'
import { pollInterval, submitted, useSite } from '../session.ts'
import { useOtherHalf } from '../operation/swap.tsx'
import { askFirst, confirmFirst } from '../../ui/confirm.tsx'
import { withMarked } from './lookup.ts'
import { askMissingTyres, type MissingTyres } from './missingTyresDialog.tsx'

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

/** What is known of tyres that were not scanned. Without `document` one is made as the site says. */
export type ConfirmOptions = MissingTyres

/** What the steps need of the page: the calls, the questions, and what becomes of the list. */
export type DeskParts = {
  undo(_id: number): Promise<unknown>
  confirm(_id: number, how: ConfirmOptions): Promise<unknown>
  cancel(_id: number): Promise<unknown>
  markAll(_id: number): Promise<readonly OperationTyre[]>
  /** Whether there is something to ask before confirming: tyres that were not scanned, a document to be made. */
  asksToConfirm(operation: Operation): boolean
  /** Asks how to confirm. `null`: not at all. */
  sureToConfirm(operation: Operation): Promise<ConfirmOptions | null>
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
  (step: (operation: Operation) => Promise<unknown>) =>
  async (operation: Operation): Promise<void> => {
    const { _id } = operation
    if (busyOperations.has(_id)) return
    busyOperations.add(_id)
    try {
      await step(operation)
    } catch {
      // Told in a toast; the operation stays in the list.
    } finally {
      busyOperations.delete(_id)
    }
  }

/**
 * The steps (docs/product.md "Operation states") that an administrator takes on a submitted operation. While one is under way, no other is taken on
 * that operation: the second click of a double click comes before the page has been drawn anew.
 */
export function deskSteps(parts: DeskParts) {
  return {
    undo: oneAtATime(async operation => {
      if (!(await parts.sureToUndo(operation))) return
      await parts.undo(operation._id)
      parts.left(operation._id)
    }),

    confirm: oneAtATime(async operation => {
      const how = parts.asksToConfirm(operation) ? await parts.sureToConfirm(operation) : {}
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

/** The desk's steps, each with its question and its toasts. */
export function useDesk() {
  const { t } = useTranslation(['admin', 'common'])
  const site = useSite()
  const otherHalf = useOtherHalf()
  const undo = useCall(operations.update, {
    doing: 'admin:updating',
    done: ({ user, vehicle }) =>
      t('admin:undone', { plate: formatPlate(vehicle.license_plate), customer: user.companyname }),
  })
  const confirm = useCall(operations.confirm, { doing: 'admin:confirming', done: 'admin:confirmed' })
  const cancel = useCall(operations.cancel, { doing: 'admin:canceling', done: 'admin:cancelled' })
  const scan = useCall(operations.markscan, {
    doing: 'admin:updating',
    done: tyres => t('admin:marked', { count: tyres.length }),
  })
  return deskSteps({
    undo: _id => undo.mutateAsync({ operation: { _id, status: 'pending' } }),
    confirm: (_id, how) => confirm.mutateAsync({ operation: { _id }, ...how }),
    cancel: _id => cancel.mutateAsync({ operation: { _id } }),
    markAll: _id => scan.mutateAsync({ operation: { _id } }),
    asksToConfirm: operation =>
      !fullyScanned(operation) || (site.docInsertAsks && insertsDocument(site, operation.type)),
    async sureToConfirm(operation) {
      const { tyres, type } = operation
      const inserts = insertsDocument(site, type)
      const document = inserts && site.docInsertAsks ? t(`common:documentType.${site.docInsertType}`) : null
      // One question for both: two in a row would be answered without being read.
      if (!fullyScanned(operation))
        return askMissingTyres({ title: t('admin:confirmAnyway'), about: subjectOf(operation), tyres, document })
      const reply = await askFirst({
        title: `${t('admin:documentQuestion')} ${formatPlate(operation.vehicle.license_plate)}, ${t('common:tyres', { count: tyres.length })}`,
        text: t('admin:documentText', { type: document ?? '' }),
        confirm: t('admin:documentInsert'),
        instead: t('admin:documentWithout'),
        keep: t('admin:goBack'),
      })
      return reply === false ? null : { document: reply === true }
    },
    sureToUndo: operation => {
      const { user, tyres } = operation
      return confirmFirst({
        title: t('admin:undoQuestion'),
        about: subjectOf(operation),
        text: [
          t('admin:undoText', { customer: user.companyname }),
          tyres.some(tyre => tyre.scanned) &&
            t('admin:undoScans', { count: tyres.filter(tyre => tyre.scanned).length }),
          otherHalf(operation),
        ]
          .filter(Boolean)
          .join(' '),
        confirm: t('admin:undo'),
        keep: t('admin:goBack'),
      })
    },
    sureToCancel: operation =>
      confirmFirst({
        title: t('admin:cancelQuestion'),
        about: subjectOf(operation),
        text: [t('admin:cancelText'), otherHalf(operation)].filter(Boolean).join(' '),
        confirm: t('admin:cancel'),
        keep: t('admin:keep'),
        danger: true,
      }),
    left: removeFromList,
    marked: applyMarked,
  })
}
