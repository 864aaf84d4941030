/** The progress of a batch, with the result of each item. */
import { Loader, Progress, Text } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconCircleX } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { OperationType } from '#domain/tyres/tyre.ts'
import { OperationTypeIcon, Plate, useOperationTypeLabel } from '../shared/trade.tsx'
import classes from './several.module.css'
import { countOf, type Several } from './useSeveral.ts'

type LinesProps<T> = {
  several: Several<T>
  /** The name of the action, for the bar. */
  title: string
  keyOf: (item: T) => number
  /** The vehicle that a line is about. */
  plateOf: (item: T) => string
  /** Tells operations of the same vehicle apart. */
  typeOf?: (item: T) => OperationType
}

const order = { refused: 0, sending: 1, waiting: 2, done: 3 } as const

export function Lines<T>({ several: { lines, busy }, title, keyOf, plateOf, typeOf }: LinesProps<T>) {
  const { t } = useTranslation('several')
  const labelOf = useOperationTypeLabel()
  const ended = countOf(lines, 'done') + countOf(lines, 'refused')
  // while it runs every line stays where it is; then those that want something come first
  const shown = busy ? lines : lines.toSorted((a, b) => order[a.state] - order[b.state])
  return (
    <>
      <div>
        <Text size="sm" mb={6} role="status">
          {t('progress', { done: ended, count: lines.length })}
        </Text>
        <Progress value={lines.length === 0 ? 0 : (ended / lines.length) * 100} aria-label={title} animated={busy} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <ul className={classes.lines} aria-label={t('results')} tabIndex={0}>
        {shown.map(({ item, state, why }) => (
          <li key={keyOf(item)} data-line={state}>
            <span className={classes.what}>
              {typeOf && <OperationTypeIcon type={typeOf(item)} size={20} />}
              <Plate plate={plateOf(item)} size="sm" />
              {typeOf && <span className={classes.type}>{labelOf(typeOf(item))}</span>}
            </span>
            <Text
              size="sm"
              span
              className={classes.result}
              {...(state === 'refused' && { c: 'var(--mantine-color-error)' })}
            >
              <Mark state={state} /> {state === 'refused' ? why : t(`state.${state}`)}
            </Text>
          </li>
        ))}
      </ul>
    </>
  )
}

function Mark({ state }: { state: keyof typeof order }) {
  const same = { size: 16, 'aria-hidden': true, style: { verticalAlign: 'text-bottom' } } as const
  if (state === 'sending') return <Loader size={14} aria-hidden />
  if (state === 'done') return <IconCircleCheck {...same} color="var(--mantine-color-teal-filled)" />
  return state === 'refused' ? <IconCircleX {...same} /> : <IconCircleDashed {...same} />
}
