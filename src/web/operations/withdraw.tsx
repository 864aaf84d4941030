import { Button } from '@mantine/core'
import { IconArrowBackUp, IconMail } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { z } from 'zod'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { allows } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useCall } from '../shared/api.ts'
import { useSite, useWho } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { subjectOf } from '../shared/trade.tsx'
import { asDone, useUndoable } from '../shared/undo/undo.ts'
import { showOperation } from '../shared/operationLists.ts'
import { useOtherHalf } from './swap.tsx'

type WithdrawProps = { operation: Operation; onWithdrawn?: (operation: Operation) => void }

/**
 * Takes a submission back, without a question: it can be submitted again. Only while no tyre of it is scanned; then a customer can ask
 * for a change. Of one half of a season swap it is asked first, since the other one stays.
 */
export function WithdrawButton({ operation, onWithdrawn }: WithdrawProps) {
  const { t } = useTranslation('operations')
  const who = useWho()
  const undoable = useUndoable()
  const texts = {
    doing: 'operations:withdrawing',
    done: 'operations:withdrawn',
    about: 'operation',
    offer: (pending: Operation) => undoable('withdraw', { operations: [asDone(pending)] }),
  } as const
  const withdraw = useCall(operations.withdraw, texts)
  const undo = useCall(operations.update, texts)
  const otherHalf = useOtherHalf()
  const byAdministrator = allows(operation, 'undo', who)
  if (!(byAdministrator || allows(operation, 'withdraw', who))) return null
  if (operation.tyres.some(({ scanned }) => scanned))
    return byAdministrator ? null : <AskToChange operation={operation} />

  async function take() {
    const sure =
      !operation.swap ||
      (await confirmFirst({
        title: t('swap.onlyQuestion'),
        about: subjectOf(operation),
        text: otherHalf(operation),
        confirm: t('withdraw'),
        keep: t('swap.keep'),
      }))
    if (!sure) return
    const target = { _id: operation._id }
    try {
      const pending = byAdministrator
        ? await undo.mutateAsync({ operation: { ...target, status: 'pending' } })
        : await withdraw.mutateAsync({ operation: target })
      onWithdrawn?.(pending)
      showOperation(pending)
    } catch {
      // Shown in a toast: the warehouse was faster.
    }
  }
  return (
    <Button
      variant="default"
      size="compact-md"
      fz="sm"
      loading={withdraw.isPending || undo.isPending}
      leftSection={<IconArrowBackUp size={16} aria-hidden />}
      onClick={() => void take()}
      data-withdraw
    >
      {t('withdraw')}
    </Button>
  )
}

/** Begins a message to the tyre hotel that names the request: it has begun with it, so only it can change it. */
function AskToChange({ operation: { _id, vehicle } }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const { adminEmail } = useSite()
  if (!z.email().safeParse(adminEmail).success) return null
  const subject = t('askToChangeSubject', { number: _id, plate: formatPlate(vehicle.license_plate) })
  return (
    <Button
      component="a"
      href={`mailto:${adminEmail}?subject=${encodeURIComponent(subject)}`}
      title={t('begun')}
      variant="default"
      size="compact-md"
      fz="sm"
      leftSection={<IconMail size={16} aria-hidden />}
      data-ask-to-change
    >
      {t('askToChange')}
    </Button>
  )
}
