/** The card of a scanned or typed code, over any screen (docs/product/warehouse.md "The card of a scan"). */
import { Button, CloseButton, TextInput } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconCheck,
  IconHandGrab,
  IconPackageImport,
  IconPrinter,
  IconRecycle,
  IconRuler2,
  IconScanEye,
  IconSearch,
  IconTransfer,
  IconTruckLoading,
  type TablerIcon,
} from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Card, CardWheel } from '#contract/cards.ts'
import { type CardAction, cardJobs, cardSteps, mainAction } from '#domain/warehouse/card.ts'
import { damageCodes, isDamageEvent } from '#domain/warehouse/damage.ts'
import { formatDate, fromYmd } from '#domain/texts/date.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { offersArrival } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { tyreEventKinds } from '#domain/tyres/tyre.ts'
import { LastPhoto, TakePhotos } from '../damages/photos.tsx'
import { DamageBadges } from '../damages/reports.tsx'
import { Unanswered } from '../shared/screen.tsx'
import { formatMinute } from '../shared/format.ts'
import { AsOf } from '../shared/offline/asOf.tsx'
import { SwapNote } from '../operations/swap.tsx'
import { DocumentToday } from '../handling/documentQuestion.tsx'
import { useNames } from '../operations/names.ts'
import { ReadyToConfirm } from '../handling/readyToConfirm.tsx'
import { MissingIcon } from '../scanning/appearance.ts'
import { scanFeed } from '../scanning/scanFeed.ts'
import { Announcer, Verdict } from '../scanning/scanMessage.tsx'
import { useSite } from '../shared/session.ts'
import { Dotted, OperationTypeIcon, Plate, Rack, StatusBadge, useOperationTypeLabel } from '../shared/trade.tsx'
import { Unbroken } from '../ui/unbroken.tsx'
import { KnownDot } from '../vehicles/sets/tyreDot.tsx'
import classes from './card.module.css'
import { type CardWork, useCardWork } from './cardWork.ts'
import { DamagePanel } from './damagePanel.tsx'
import { DepthKeypad } from './depthKeypad.tsx'
import { RefitPanel } from './refitPanel.tsx'

/** Listens for scans on every screen without a listener of its own, and shows their card. `finding`: how often the search was opened. */
export function ScanCards({ finding }: { finding: number }) {
  const work = useCardWork()
  const { handlers, openFind } = work
  useEffect(
    () =>
      scanFeed.handle({
        label: label => handlers.current.label(label),
        unreadable: text => handlers.current.unreadable(text),
        typed: text => handlers.current.typed(text),
      }),
    [handlers],
  )
  const lastFinding = useRef(0)
  useEffect(() => {
    if (finding > lastFinding.current) openFind()
    lastFinding.current = finding
  })
  const { shown } = work
  const isOpen = shown.query !== null || shown.message !== null || shown.typed !== null
  return (
    <>
      <Announcer message={shown.message} />
      {isOpen && <CardPanel work={work} />}
    </>
  )
}

function CardPanel({ work }: { work: CardWork }) {
  const { t } = useTranslation('cards')
  const { shown, card } = work
  const { message, hand } = shown
  const wheels = card.data?.wheels ?? []
  const wheel = wheels.find(({ db_id }) => db_id === shown.chosen) ?? (wheels.length === 1 ? wheels[0] : undefined)
  const ready = work.readyBut(wheel?.operation?._id ?? null)
  const plate = hand.wheels.findLast(wheel => wheel.plate !== null)?.plate
  const spot = hand.spot && (hand.spot.rack ?? `#${hand.spot.location}`)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from whatever in it has the focus
    <aside
      className={classes.card}
      aria-label={t('title')}
      data-scan-card
      data-lets-go
      onKeyDown={event => {
        if (event.key === 'Escape') work.close()
      }}
    >
      <div className={classes.head}>
        {/* a gauge types wherever the focus is: while it measures, there is one field only */}
        {shown.readings ? (
          <strong className={classes.measuring}>{t('action.measure')}</strong>
        ) : (
          <FindField work={work} />
        )}
        <CloseButton size="lg" data-closes aria-label={t('close')} onClick={work.close} />
      </div>
      {message && <Verdict message={message} waits={work.state.waiting.length} />}
      <div className={classes.body}>
        {spot && (
          <p className={classes.hand}>
            <Unbroken part={spot}>{t('spotInHand', { place: spot })}</Unbroken>
          </p>
        )}
        {hand.wheels.length > 0 && (
          <p className={classes.hand}>
            {plate
              ? t('inHand', { count: hand.wheels.length, plate: formatPlate(plate) })
              : t('inHandUnknown', { count: hand.wheels.length })}
          </p>
        )}
        <Answer work={work} />
        <ReadyToConfirm operations={ready} waiting={work.waiting} confirm={work.confirmReady} />
        {ready.length > 0 && <DocumentToday />}
      </div>
    </aside>
  )
}

/** The card of the query; before one, a hint. */
function Answer({ work: { card, shown }, work }: { work: CardWork }) {
  const { t } = useTranslation('cards')
  if (!shown.query) return <p className={`${classes.facts} ${classes.dimmed}`}>{t('hint')}</p>
  if (!card.data) return <Unanswered error={card.error} retry={card.refetch} rows={4} height={44} />
  return (
    <>
      <AsOf at={card.dataUpdatedAt} />
      <Content work={work} card={card.data} />
    </>
  )
}

/** Plate, tyre id, document or EAN. It takes the focus only for typing, never after a scan. */
function FindField({ work }: { work: CardWork }) {
  const { t } = useTranslation('cards')
  const field = useRef<HTMLInputElement>(null)
  const { typed } = work.shown
  const wanted = typed !== null
  useEffect(() => {
    if (wanted) field.current?.focus({ preventScroll: true })
  }, [wanted])
  return (
    <form
      role="search"
      onSubmit={event => {
        event.preventDefault()
        field.current?.blur()
        work.find(field.current?.value ?? '')
      }}
    >
      <TextInput
        ref={field}
        aria-label={t('findLabel')}
        placeholder={t('findLabel')}
        leftSection={<IconSearch size={16} aria-hidden />}
        autoComplete="off"
        autoCapitalize="characters"
        value={typed ?? ''}
        onChange={event => work.type(event.currentTarget.value)}
      />
    </form>
  )
}

function Content({ work, card }: { work: CardWork; card: Card }) {
  const { t } = useTranslation('cards')
  const { location, document, article, wheels } = card
  const wheel = wheels.find(({ db_id }) => db_id === work.shown.chosen) ?? (wheels.length === 1 ? wheels[0] : undefined)
  return (
    <>
      {location && (
        <p className={classes.whose}>
          <span className={classes.rack}>
            <small>{location.stock_site_name}</small> <Rack name={location.stock_rack} />
          </span>
          {location.capacity > 0 && (
            <span className={classes.dimmed}>
              {wheels.length}/{location.capacity}
            </span>
          )}
        </p>
      )}
      {document && <p className={classes.whose}>{document.document_number_text}</p>}
      {article && <p className={classes.whose}>{article.description}</p>}
      {location && wheels.length === 0 && <p className={classes.facts}>{t('noWheels')}</p>}
      {(wheels.length > 1 || (location && wheels.length > 0)) && (
        <ul className={classes.wheels} aria-label={t('choose')}>
          {wheels.map(listed => (
            <li key={listed.db_id}>
              <button
                type="button"
                className={classes.wheel}
                aria-pressed={listed === wheel}
                onClick={() => work.choose(listed)}
              >
                <Plate plate={listed.license_plate} size="sm" />
                <strong>{listed.position}</strong>
                <span>{t(`state.${listed.state}`)}</span>
                {listed.stock_rack !== location?.stock_rack && <Rack name={listed.stock_rack} />}
              </button>
            </li>
          ))}
        </ul>
      )}
      {wheel &&
        (work.shown.readings || work.shown.panel ? (
          <WheelHead wheel={wheel} />
        ) : (
          <WheelFacts work={work} wheel={wheel} />
        ))}
      {wheel && <WheelWork work={work} wheel={wheel} />}
      {wheel && <Events wheel={wheel} />}
    </>
  )
}

/** The work on a wheel: the open job, else the list of its jobs. */
function WheelWork({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { readings, panel } = work.shown
  if (readings) return <DepthKeypad work={work} wheel={wheel} />
  if (panel === 'damage') return <DamagePanel key={wheel.db_id} work={work} wheel={wheel} />
  if (panel === 'refit') return <RefitPanel key={wheel.db_id} work={work} wheel={wheel} />
  return <Actions work={work} wheel={wheel} />
}

/** Whose wheel it is. */
function WheelHead({ wheel, children }: { wheel: CardWheel; children?: ReactNode }) {
  return (
    <div className={classes.whose}>
      <Plate plate={wheel.license_plate} size="lg" />
      <span className={classes.position}>{wheel.position}</span>
      {children}
    </div>
  )
}

function WheelFacts({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { t, i18n } = useTranslation('cards')
  const { time_zone: zone } = useSite()
  const names = useNames()
  const typeOf = useOperationTypeLabel()
  const { operation } = wheel
  // a wheel in hand has left its place, where the records still have it
  const isTaken = wheel.state === 'at_place' && work.shown.hand.wheels.some(({ tyre }) => tyre === wheel.db_id)
  const since = wheel.since_day ? formatDate(wheel.since_day) : formatMinute(wheel.since, zone)
  const depth =
    wheel.profile_depth !== null &&
    t('depth', {
      depth: formatNumber(wheel.profile_depth, i18n.language),
      date: wheel.profile_date ? formatDate(fromYmd(wheel.profile_date) ?? '') : '',
    })
  return (
    <>
      <WheelHead wheel={wheel}>
        {wheel.stock_rack && (
          <span className={classes.rack}>
            <small>{t(isTaken ? 'recordedAt' : 'at')}</small> <Rack name={wheel.stock_rack} />
            {isTaken && <small> {t('recordedSince', { time: since })}</small>}
          </span>
        )}
        {wheel.kept_rack && (
          <span className={classes.rack}>
            <small>{t('keptAt')}</small> <Rack name={wheel.kept_rack} />
          </span>
        )}
      </WheelHead>
      {(wheel.damages.length > 0 || wheel.photo !== null) && (
        <div className={classes.whose}>
          {wheel.photo !== null && <LastPhoto photo={wheel.photo} onOpen={work.openDamage} />}
          <DamageBadges damages={wheel.damages} />
        </div>
      )}
      <p className={classes.facts}>
        <strong>{wheel.companyname}</strong>
        <br />
        {wheel.vehicle}
      </p>
      <p className={classes.facts}>
        {[!wheel.description.includes(wheel.size) && wheel.size, wheel.description].filter(Boolean).join(' · ')}
        <br />
        {[wheel.tyre_set, depth, `#${wheel.db_id}`].filter(Boolean).join(' · ')}
        {!isTaken && (
          <>
            <br />
            <strong>
              {wheel.state === 'expected'
                ? t('expectedSince', { time: since })
                : t('since', { state: t(`state.${wheel.state}`), time: since })}
            </strong>
          </>
        )}
      </p>
      <div className={classes.facts}>
        <KnownDot key={wheel.db_id} id={wheel.db_id} dots={wheel} mayChange={wheel.tyre_status !== 'waste'} alone />
      </div>
      {operation ? (
        <div className={classes.whose}>
          <OperationTypeIcon type={operation.type} size={24} />
          <strong>{typeOf(operation.type)}</strong>
          <StatusBadge operation={operation} />
          <span>{t('done', { done: operation.done, count: operation.tyre_count })}</span>
          {operation.deliveryDate && (
            <span>
              {t(offersArrival(operation.type) ? 'arrivesOn' : 'leavesOn', {
                date: formatDate(operation.deliveryDate),
              })}
            </span>
          )}
          <SwapNote swap={operation.swap} />
          {operation.services.length > 0 && (
            <span className={classes.dimmed}>{operation.services.map(names.service).join(', ')}</span>
          )}
        </div>
      ) : (
        <p className={`${classes.facts} ${classes.dimmed}`}>{t('noOperation')}</p>
      )}
    </>
  )
}

const signs = {
  store: IconPackageImport,
  load: IconTruckLoading,
  dispose: IconRecycle,
  pick: IconHandGrab,
  find: IconScanEye,
  measure: IconRuler2,
  damage: IconAlertTriangle,
  label: IconPrinter,
  refit: IconTransfer,
  unscan: IconArrowBackUp,
  miss: MissingIcon,
} as const satisfies Record<Exclude<CardAction, 'place' | 'photo'>, TablerIcon>

/** Buttons never move, even when they are disabled: gloved hands learn where they are. */
function Actions({ work, wheel }: { work: CardWork; wheel: CardWheel }) {
  const { t } = useTranslation('cards')
  const { actions } = wheel
  if (actions.length === 0 && !work.canUndo) return null
  const steps = cardSteps.filter(step => actions.includes(step))
  const jobs = cardJobs.filter(job => actions.includes(job))
  const main = mainAction(actions)
  // the confirm command presses the main button
  const state = work.stateOf(wheel)
  const how = state === 'waiting' ? 'nothing' : work.finish(wheel)
  const confirms = how === 'confirm' || how === 'ask'
  return (
    <div className={classes.actions}>
      {how === 'desk' && (
        <p className={`${classes.hand} ${classes.byDesk}`}>
          {t('deskFinishes', { plate: formatPlate(wheel.license_plate) })}
        </p>
      )}
      <div className={classes.steps}>
        {confirms && (
          <Button
            size="md"
            px="xs"
            leftSection={<IconCheck size={20} aria-hidden />}
            onClick={() => work.confirmOperation(wheel)}
          >
            {t('action.confirm')}
          </Button>
        )}
        {steps.map(step => (
          <ActionButton key={step} action={step} work={work} wheel={wheel} isMain={!confirms && step === main} />
        ))}
        {steps.length === 0 && !confirms && <ActionButton action="pick" work={work} wheel={wheel} />}
      </div>
      {jobs.map(action => (
        <div key={action} className={classes.slot} data-action={action}>
          {action === 'photo' ? (
            <TakePhotos key={wheel.db_id} subject={{ db_id: wheel.db_id }} size="md" px="xs">
              {t('action.photo')}
            </TakePhotos>
          ) : (
            <ActionButton action={action} work={work} wheel={wheel} />
          )}
        </div>
      ))}
      {work.canUndo && (
        <Button
          variant="default"
          size="md"
          px="xs"
          className={classes.undo}
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          onClick={work.undo}
        >
          {t('action.undo')}
        </Button>
      )}
    </div>
  )
}

type ActionButtonProps = { action: keyof typeof signs; work: CardWork; wheel: CardWheel; isMain?: boolean }

function ActionButton({ action, work, wheel, isMain = false }: ActionButtonProps) {
  const { t } = useTranslation('cards')
  const inHand = work.held.some(({ db_id }) => db_id === wheel.db_id)
  const count = isMain && inHand ? work.held.filter(inHandWheel => inHandWheel.actions.includes(action)).length : 1
  const Icon = signs[action]
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      size="md"
      px="xs"
      disabled={!wheel.actions.includes(action)}
      leftSection={<Icon size={18} aria-hidden />}
      onClick={() => work.act(action, wheel)}
    >
      {t(`action.${action}`)}
      {count > 1 && ` (${count})`}
    </Button>
  )
}

function Events({ wheel }: { wheel: CardWheel }) {
  const { t } = useTranslation(['cards', 'fleet', 'common'])
  const { time_zone: zone } = useSite()
  if (wheel.events.length === 0) return null
  return (
    <ol className={classes.events} aria-label={t('lastEvents')}>
      {wheel.events.map(({ kind: what, state, ...event }) => {
        // the steps of the wheel say where they led
        const kind = tyreEventKinds.find(candidate => candidate === what)
        const name = kind ? t(`fleet:event.${kind}`) : state && t(`cards:state.${state}`)
        const damageOf = (note: string) => {
          const code = isDamageEvent(what) && damageCodes.find(candidate => candidate === note)
          return code ? t(`common:damage.${code}`) : ''
        }
        return (
          <li key={`${event.at} ${what} ${state}`}>
            <span>
              <Dotted>
                {name}
                {damageOf(event.note)}
                {event.rack && <Rack name={event.rack} />}
                {event.by}
              </Dotted>
            </span>
            <time dateTime={event.at}>{formatMinute(event.at, zone)}</time>
          </li>
        )
      })}
    </ol>
  )
}
