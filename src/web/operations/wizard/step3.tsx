/** Step 3: the new operation, unfolded, to complete and process. */
import { Alert, Title } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { Navigate, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { useOperations } from '../../shared/session.ts'
import { TextLink } from '../../ui/link.tsx'
import { OperationCard } from '../operationCard.tsx'
import { Failed, Placeholders } from '../../shared/screen.tsx'
import { Frame } from './frame.tsx'

export function Step3() {
  const { t } = useTranslation('wizard')
  const search = useSearch({ from: '/wizard/step3' })
  const handed = useLocation({ select: location => location.state.operation })
  const id = search.operation ?? handed
  const operations = useOperations()
  const navigate = useNavigate()
  const operation = operations.data?.find(({ _id }) => _id === id)
  // The card stays as it was while the wizard goes on to step 4.
  const [leaving, setLeaving] = useState(false)

  function end(outcome: 'submitted' | 'cancelled') {
    setLeaving(true)
    void navigate({
      to: '/wizard/step4',
      search: { outcome, ...(id !== undefined && { operation: id }) },
      replace: true,
    })
  }

  return (
    <Frame step={3}>
      {operation ? (
        operation.status === 'pending' || leaving ? (
          <>
            <Title order={2}>{t('final')}</Title>
            <OperationCard
              key={operation._id}
              operation={operation}
              unfolded
              printsLabels
              onProcessed={() => end('submitted')}
              onDeleted={() => end('cancelled')}
            />
          </>
        ) : (
          <Navigate
            to="/wizard/step4"
            search={{ outcome: operation.status === 'cancelled' ? 'cancelled' : 'submitted', operation: operation._id }}
            replace
          />
        )
      ) : operations.isError && !operations.data ? (
        <Failed error={operations.error} retry={operations.refetch} />
      ) : operations.isPending || operations.isFetching || leaving ? (
        <Placeholders rows={3} />
      ) : (
        <Alert icon={<IconInfoCircle aria-hidden />} role="alert">
          {t('operationGone')} <TextLink to="/operations">{t('toOverview')}</TextLink>
        </Alert>
      )}
    </Frame>
  )
}
