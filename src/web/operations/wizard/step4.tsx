/** Step 4: the outcome of the operation, and the next actions. */
import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleX, IconHome, IconListDetails, IconPlus, IconPrinter } from '@tabler/icons-react'
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { useOperations } from '../../shared/session.ts'
import { formatDate } from '../../shared/format.ts'
import { dayText } from '../deliveryDays.ts'
import { labelName, useLabels } from '../../labels/labels.ts'
import { OperationTypeIcon, Plate, useOperationTypeLabel } from '../../shared/trade.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { Frame } from './frame.tsx'
import classes from './wizard.module.css'

export function Step4() {
  const { t } = useTranslation(['wizard', 'operations', 'common'])
  const { outcome, operation: id } = useSearch({ from: '/wizard/step4' })
  const { data } = useOperations()
  const operation = outcome === 'submitted' ? data?.find(({ _id }) => _id === id) : undefined
  const heading = useRef<HTMLHeadingElement>(null)
  // The screen has one message, and announces it first to screen readers.
  useEffect(() => heading.current?.focus(), [])
  if (!outcome) return <Navigate to="/wizard/step1" replace />
  const Icon = outcome === 'submitted' ? IconCircleCheck : IconCircleX
  return (
    <Frame step={outcome === 'submitted' ? 4 : null}>
      <Paper className={classes.outcome} data-outcome={outcome}>
        <Icon size={44} stroke={1.5} aria-hidden />
        <Title order={2} ref={heading} tabIndex={-1}>
          {t(`wizard:outcome.${outcome}`)}
        </Title>
        {operation && <Summary operation={operation} />}
        <Text c="dimmed">{t('wizard:next')}</Text>
        <Group gap="sm" justify="center">
          {operation && (
            <LinkButton
              to="/operations"
              search={{ tab: 'submitted' }}
              hash={`operation-${operation._id}`}
              variant="default"
              leftSection={<IconListDetails size={18} aria-hidden />}
            >
              {t('wizard:toOperation')}
            </LinkButton>
          )}
          <Button component={Link} to="/" variant="default" leftSection={<IconHome size={18} aria-hidden />}>
            {t('wizard:home')}
          </Button>
          <Button component={Link} to="/wizard/step1" leftSection={<IconPlus size={18} aria-hidden />}>
            {t('wizard:newOperation')}
          </Button>
        </Group>
      </Paper>
    </Frame>
  )
}

function Summary({ operation }: { operation: Operation }) {
  const { t } = useTranslation(['operations', 'common'])
  const typeOf = useOperationTypeLabel()
  const labels = useLabels()
  return (
    <>
      <Group gap="xs" justify="center">
        <OperationTypeIcon type={operation.type} />
        <Plate plate={operation.vehicle.license_plate} />
        <Text>
          {typeOf(operation.type)} · {t('common:tyres', { count: operation.tyres.length })}
          {operation.deliveryDate && ` · ${t(dayText(operation.type), { date: formatDate(operation.deliveryDate) })}`}
        </Text>
      </Group>
      {operation.type === 'to_stock' && labels.report && (
        <Button
          variant="subtle"
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => void labels.print(operation.tyres, labelName(operation))}
        >
          {t('operations:printLabels')}
        </Button>
      )}
    </>
  )
}
