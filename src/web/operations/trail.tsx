/** How far a recall is on its way out, live, and its documents (docs/product/operations.md "Operation card"). */
import { Badge, Group } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { fleet } from '#contract/fleet.ts'
import { operations } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { ask, useAnswer } from '../shared/api.ts'
import { PdfButton } from '../shared/pdf.tsx'
import { ofCustomer, pollInterval, useActing } from '../shared/session.ts'

const steps = ['picked', 'staged', 'loaded', 'delivered', 'missing'] as const
const colors = { picked: 'petrol', staged: 'cyan', loaded: 'grape', delivered: 'green', missing: 'red' } as const

/** One answer for all cards of a screen. A pending recall, and other types of operations, have no trail. */
function useTrail({ _id, type, status }: Operation) {
  const { data } = useAnswer(operations.trail, ofCustomer(useActing()), {
    refetchInterval: pollInterval,
    enabled: type === 'to_customer' && status !== 'pending',
    muted: true,
  })
  return data?.find(({ operation }) => operation === _id)
}

export function TrailOf({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const trail = useTrail(operation)
  if (!trail) return null
  return steps.map(
    step =>
      trail[`${step}_count`] > 0 && (
        <Badge key={step} size="sm" variant="light" color={colors[step]} data-trail={step}>
          {trail[`${step}_count`]}/{trail.tyre_count} {t(`trail.${step}`)}
        </Badge>
      ),
  )
}

/** The delivery note of a recall, and its other documents. */
export function DocumentsOf({ operation }: { operation: Operation }) {
  const { t } = useTranslation('operations')
  const trail = useTrail(operation)
  if (!trail || trail.documents.length === 0) return null
  return (
    <Group gap="xs" role="group" aria-label={t('trail.documents')}>
      {trail.documents.map(({ db_id, document_number_text: number }) => (
        <PdfButton key={db_id} size="xs" name={number} pdf={() => ask(fleet.historydocument, { db_id })}>
          {number}
        </PdfButton>
      ))}
    </Group>
  )
}
