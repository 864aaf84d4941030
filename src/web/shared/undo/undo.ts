/** Undoes an action, from its toast, from the history, or by a key (docs/product/screens.md "Taking back"). */
import { useMemo } from 'react'
import type { Operation } from '#contract/wire.ts'
import { i18n, say } from '../../i18n.ts'
import type { ToastAction } from '../../ui/actionToast.tsx'
import { notify } from '../../ui/notify.ts'
import { uuid } from '../../ui/uuid.ts'
import { messageOf, mayBeDone, Refused } from '../api.ts'
import { useWho } from '../session.ts'
import type { ActionKind, FactsOf } from './actions.ts'
import { doneBy, remember, settle } from './history.ts'

/** Actions that are being taken back. */
const busy = new Set<string>()

/** The facts stored about an operation whose step can be undone as long as nobody changes it. */
export const asDone = ({ _id, vehicle, type, updated }: Operation) => ({
  _id,
  plate: vehicle.license_plate,
  type,
  updated,
  key: uuid(),
})

/** Whether another try leads nowhere: the server has decided. */
const isSettled = (error: unknown): boolean =>
  !mayBeDone(error) && !(error instanceof Refused && (error.status === 401 || error.status === 429))

/** Undoes an action of this account, once, and shows the result in a toast. Never rejects. */
export async function takeBack(owner: string, id: string, toast = `undo-${id}`): Promise<void> {
  const action = doneBy(owner).find(candidate => candidate.id === id)
  if (action?.state !== 'open' || busy.has(id)) return
  busy.add(id)
  notify.doing(say('common:undo.doing'), { id: toast })
  try {
    const [{ sendBack }] = await Promise.all([import('./actions.ts'), i18n.loadNamespaces('undo')])
    await sendBack(action)
    settle(owner, id, 'undone')
    notify.success(say('common:undo.done'), { id: toast })
  } catch (error) {
    const partly = error instanceof Error && error.name === 'Partly'
    if (partly || isSettled(error)) settle(owner, id, 'refused', messageOf(error))
    // an expired session has its own toast
    if (error instanceof Refused && error.status === 401) notify.hide(toast)
    else notify.error(messageOf(error), { id: toast })
  } finally {
    busy.delete(id)
  }
}

/** Stores an action, and returns the undo button for its toast. */
function undoable<K extends ActionKind>(owner: string, kind: K, facts: FactsOf<K>): ToastAction {
  const id = remember(owner, kind, facts)
  return { label: say('common:undo.button'), run: toast => void takeBack(owner, id, toast) }
}

/** `undoable` for the signed-in account. */
export function useUndoable() {
  const { username } = useWho()
  return useMemo(
    () =>
      <K extends ActionKind>(kind: K, facts: FactsOf<K>) =>
        undoable(username, kind, facts),
    [username],
  )
}
