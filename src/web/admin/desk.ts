/** The desk's work on submitted operations: the list, and the steps that an administrator takes (SPEC §2, §4). */
import { useTranslation } from 'react-i18next'
import { operations } from '#contract/operations.ts'
import type { Operation, OperationTyre } from '#contract/wire.ts'
import { fullyScanned } from '#domain/operation.ts'
import { keyOf, queryClient, useAnswer, useCall } from '../api.ts'
import { confirmFirst } from '../ui/index.ts'
import { withMarked } from './lookup.ts'

const submitted = { status: 'submitted' } as const

/**
 * All submitted operations of the site; what others submit comes in by itself. `muted` for a screen that an expired
 * session must not throw anybody out of while they scan.
 */
export const useSubmitted = ({ muted = false }: { muted?: boolean } = {}) =>
  useAnswer(operations.admin, submitted, { muted, refetchInterval: 60_000 })

/** Changes the list that screens hold, before the server is asked for it again. A list on its way is older than that. */
function changeSubmitted(change: (list: Operation[]) => Operation[]) {
  const queryKey = keyOf(operations.admin, submitted)
  void queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData<Operation[]>(queryKey, list => list && change(list))
}

/** A submitted operation as the list holds it now. */
export const submittedNow = (_id: number) =>
  queryClient.getQueryData<Operation[]>(keyOf(operations.admin, submitted))?.find(operation => operation._id === _id)

/** Takes over the tyres that the server has marked as scanned. */
export const takeMarked = (tyres: readonly OperationTyre[]) => changeSubmitted(list => withMarked(list, tyres))

const leave = (_id: number) => changeSubmitted(list => list.filter(operation => operation._id !== _id))

/** The steps of SPEC §4 that an administrator takes on a submitted operation, each with its question and its toasts. */
export function useDesk() {
  const { t } = useTranslation('admin')
  const undo = useCall(operations.update, { doing: 'admin:updating', done: 'admin:updated' })
  const confirm = useCall(operations.confirm, { doing: 'admin:confirming', done: 'admin:confirmed' })
  const cancel = useCall(operations.cancel, { doing: 'admin:canceling', done: 'admin:cancelled' })
  const scan = useCall(operations.markscan, {
    doing: 'admin:updating',
    done: tyres => t('marked', { count: tyres.length }),
  })
  return {
    undo: ({ _id }: Operation) =>
      undo.mutate({ operation: { _id, status: 'pending' } }, { onSuccess: () => leave(_id) }),

    /** Asks first when tyres were not scanned. */
    async confirm(operation: Operation) {
      const { _id } = operation
      const all = fullyScanned(operation)
      const scanned = operation.tyres.filter(tyre => tyre.scanned).length
      const text = t('confirmAnywayText', { scanned, total: operation.tyres.length })
      if (!all && !(await confirmFirst({ title: t('confirmAnyway'), text, confirm: t('confirm') }))) return
      // A second click while the first is under way means the same.
      if (confirm.isPending && confirm.variables.operation._id === _id) return
      confirm.mutate({ operation: { _id }, ...(!all && { anyway: true }) }, { onSuccess: () => leave(_id) })
    },

    async cancel({ _id }: Operation) {
      const question = { title: t('cancelQuestion'), text: t('cancelText'), confirm: t('cancel'), keep: t('keep') }
      if (!(await confirmFirst({ ...question, danger: true }))) return
      cancel.mutate({ operation: { _id } }, { onSuccess: () => leave(_id) })
    },

    markAll: ({ _id }: Operation) => scan.mutate({ operation: { _id } }, { onSuccess: takeMarked }),
  }
}
