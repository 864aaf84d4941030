import { ActionIcon, Button, Checkbox, Paper, Text, VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, use, useId, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { handledTyres } from '#domain/operations/operation.ts'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { formatDate } from '../shared/format.ts'
import { useSeesSite } from '../shared/session.ts'
import { labelled } from '../i18n.ts'
import { OperationTypeIcon, useOperationName, useOperationTypeLabel } from '../shared/trade.tsx'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import classes from './card.module.css'
import { ChoosingContext } from './choosing.ts'
import { ClosedDayMark } from './closedDayMark.tsx'
import { dayText } from './deliveryDays.ts'
import { useServiceName } from './services.tsx'
import { SwapNote } from './swap.tsx'
import { TrailOf } from './trail.tsx'
import { TyreList } from './tyreList.tsx'

type CardFrameProps = {
  operation: Operation
  open: boolean
  fold: (() => void) | undefined
  inGroup: boolean
  inSwap: boolean
  /** It can't be submitted before a day is chosen. */
  lacksDay?: boolean
  note: ReactNode
  /** At the end of its head, and at the end of a card that can't be folded: below all that is to be filled in. */
  actions: ReactNode
  children: ReactNode
}

/** The card's head: whose, which vehicle, how many tyres; under it the tyres and everything else, when they are unfolded. */
export function CardFrame({
  operation,
  open,
  fold,
  inGroup,
  inSwap,
  lacksDay = false,
  note,
  actions,
  children,
}: CardFrameProps) {
  const { t } = useTranslation(['operations', 'common'])
  const choosing = use(ChoosingContext)
  const seesSite = useSeesSite()
  const typeOf = useOperationTypeLabel()
  const [tyresShown, setTyresShown] = useState(false)
  const nameOf = useServiceName()
  const operationName = useOperationName()
  const id = useId()
  const { license_plate: plate } = operation.vehicle
  const what = t('operations:which', { type: typeOf(operation.type), plate: formatPlate(plate) })
  return (
    <Paper
      component="article"
      id={`operation-${operation._id}`}
      className={classes.card}
      aria-label={what}
      data-operation={operation._id}
    >
      <div className={classes.head}>
        {choosing?.offers(operation) && (
          <Checkbox
            className={classes.choose}
            checked={choosing.chosen.has(operation._id)}
            onChange={() => choosing.toggle(operation)}
            aria-label={labelled(t('operations:choose'), operationName(operation))}
          />
        )}
        {fold && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={32}
            aria-expanded={open}
            aria-controls={`${id}-body`}
            aria-label={t('operations:details', { which: what })}
            onClick={fold}
            className={classes.fold}
          >
            <IconChevronDown size={18} aria-hidden data-open={open || undefined} />
          </ActionIcon>
        )}
        <span className={classes.icon}>
          <OperationTypeIcon type={operation.type} />
        </span>
        <span className={classes.plate}>
          <VehiclePlate plate={plate} id={operation.flt_id} />
        </span>
        {!(inGroup && !inSwap) && (
          <Text span fw={600} size="sm" className={classes.type}>
            {typeOf(operation.type)}
          </Text>
        )}
        <span className={classes.tyres}>
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={tyresShown}
            aria-controls={`${id}-tyres`}
            onClick={() => setTyresShown(!tyresShown)}
          >
            {t('common:tyres', { count: handledTyres(operation).length })}
          </Button>
        </span>
        {operation.deliveryDate ? (
          <Text span size="sm" className={classes.when}>
            <Day operation={operation} bare={inGroup} />
            <ClosedDayMark operation={operation} />
          </Text>
        ) : (
          lacksDay && (
            <Text span size="sm" className={classes.when} data-missing>
              {t('operations:noDay')}
            </Text>
          )
        )}
        <div className={classes.more}>
          {seesSite && (
            <Text span size="sm" className={classes.customer}>
              {operation.user.companyname}
            </Text>
          )}
          <div className={classes.aside}>
            <TrailOf operation={operation} />
            {!inSwap && <SwapNote swap={operation.swap} />}
            {!open && operation.services.length > 0 && (
              <Text span size="xs" c="dimmed" className={classes.summary}>
                {operation.services.map(nameOf).join(' · ')}
              </Text>
            )}
            {note}
          </div>
        </div>
        {actions && fold && <div className={classes.actions}>{actions}</div>}
      </div>
      <div id={`${id}-tyres`} className={classes.under} hidden={!tyresShown}>
        {tyresShown && <TyreList tyres={operation.tyres} />}
      </div>
      <div id={`${id}-body`} className={classes.under} hidden={!open}>
        {open && children}
      </div>
      {actions && !fold && <div className={classes.end}>{actions}</div>}
    </Paper>
  )
}

type DayProps = {
  operation: Pick<Operation, 'type' | 'deliveryDate'>
  /** The head above already names the day. */
  bare: boolean
}

function Day({ operation: { type, deliveryDate }, bare }: DayProps) {
  const { t } = useTranslation(['operations', 'common'])
  const date = formatDate(deliveryDate)
  const text = t(dayText(type), { date })
  if (!bare) return text
  return (
    <>
      <VisuallyHidden>{text}</VisuallyHidden>
      <span aria-hidden>{date}</span>
    </>
  )
}
