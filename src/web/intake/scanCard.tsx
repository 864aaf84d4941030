/** The card of a scan: its result in colour, icon and text, and its status (docs/product/warehouse.md "Intake"). */
import { Button, Text } from '@mantine/core'
import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locations } from '#contract/locations.ts'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { labelled } from '../i18n.ts'
import { Refused, useAnswer } from '../shared/api.ts'
import { useLost } from '../shared/connection.ts'
import { useSite } from '../shared/session.ts'
import { formatMoment, locationName } from '../shared/format.ts'
import { Plate } from '../shared/trade.tsx'
import classes from './intake.module.css'
import { appearanceOf } from '../scanning/appearance.ts'
import look from '../scanning/appearance.module.css'
import { isHandled, whyNoPlace } from '../handling/lookup.ts'
import { Progress } from '../handling/progress.tsx'
import type { ScannedPlace, ScanRecord } from '../scanning/records.ts'
import { useNames } from '../operations/names.ts'
import { RackName } from './rackName.tsx'
import { type CorrectionActions, Corrections } from './corrections.tsx'

/** Whether the scan did not count for an operation. */
export const isRejected = (record: ScanRecord): boolean =>
  ['bad', 'foreign', 'elsewhere'].includes(appearanceOf(record).tint)

/** The heading of a card; also announced to screen readers. */
export function useOutcomeText() {
  const { t } = useTranslation(['intake', 'desk'])
  return (record: ScanRecord): string => {
    if (record.state === 'refused') return t('outcome.refused')
    if (record.outcome === 'unchecked' && record.state === 'marked') return t('outcome.found')
    return t(`outcome.${record.outcome}`)
  }
}

/** Why it is so, where the verdict alone leaves a question. */
export function useReason() {
  const { t } = useTranslation(['intake', 'desk'])
  const site = useSite()
  return (record: ScanRecord): string | null => {
    const { reason, outcome, state } = record
    if (reason?.kind === 'gone') return t('reason.gone')
    if (reason?.kind === 'refused') return reason.message
    if (reason?.kind === 'conflict') {
      const since = formatMoment(reason.since, site.time_zone)
      const day = formatMoment(new Date(record.at).toISOString(), site.time_zone).slice(0, 10)
      return t('reason.conflict', { time: since.startsWith(day) ? since.slice(11) : since })
    }
    if (reason?.kind === 'read') return t('reason.read', { text: reason.text })
    if (reason?.kind === 'place') return t(`reason.place_${reason.why}`)
    if (reason?.kind === 'elsewhere') return t('reason.elsewhere', { type: t(`desk:types.${reason.type}`) })
    if (outcome === 'missing') return t('reason.missing', { type: t(`desk:types.${record.type}`) })
    if (outcome === 'other_site') return t('reason.other_site', { site: record.ticsId })
    if (outcome === 'duplicate') return t(state === 'noted' ? 'reason.duplicateHere' : 'reason.duplicate')
    return null
  }
}

type ScanCardProps = {
  record: ScanRecord
  /** The current state of its operation; undefined once confirmed. */
  operation: Operation | undefined
  /** How many tyres of it are scanned. */
  scanned: number
  /** Readable from two metres. */
  large?: boolean
  /** Offered on the card of an operation whose last tyre was scanned. */
  confirm?: ((operation: Operation) => void) | undefined
  /** Further actions on the latest scan. */
  corrections?: CorrectionActions
}

/** A card re-renders only when it changes, so that a long history does not slow down scans. */
export const ScanCard = memo(function ScanCard({
  record,
  operation,
  scanned,
  large = false,
  confirm,
  corrections,
}: ScanCardProps) {
  const verdict = useOutcomeText()
  const reason = useReason()
  const site = useSite()
  const { tint, icon: Icon } = appearanceOf(record)
  const why = reason(record)
  return (
    <article className={`${look.card} ${classes.card}`} data-tint={tint} data-large={large || undefined}>
      <header className={`${look.verdict} ${classes.verdict}`}>
        <Icon size={large ? 36 : 18} stroke={2} aria-hidden />
        <span className={`${look.words} ${classes.words}`}>
          <strong>{verdict(record)}</strong>
          {why && <span className={classes.why}>{why}</span>}
        </span>
        {!large && <SendStatus record={record} />}
        <time dateTime={new Date(record.at).toISOString()}>
          {formatMoment(new Date(record.at).toISOString(), site.time_zone).slice(11)}
        </time>
      </header>
      {record.kind === 'place' && <PlaceScanned place={record.place} large={large} />}
      <Facts record={record} operation={operation} scanned={scanned} large={large} />
      {large && <SendStatus record={record} />}
      {corrections && <Corrections record={record} {...corrections} />}
      {confirm && <Complete record={record} operation={operation} scanned={scanned} confirm={confirm} />}
    </article>
  )
})

/** The owner of the tyre, its operation, and the work on it. */
function Facts({ record, operation, scanned, large }: TyreScannedProps) {
  const { t } = useTranslation(['intake', 'common'])
  const names = useNames()
  const { tyre, known: knownTyre, operation: scannedFor, tyreId } = record
  const services = scannedFor?.services ?? operation?.services ?? []
  const facts = [
    tyre?.description ?? knownTyre?.description,
    tyre?.tyre_set,
    scannedFor?.companyname ?? operation?.user.companyname ?? knownTyre?.companyname,
    !tyre && knownTyre && t(`common:tyreStatus.${knownTyre.tyre_status}`),
    services.map(names.service).join(', '),
    tyreId !== null && t('tyreNumber', { id: tyreId }),
  ].filter(Boolean)
  if (facts.length === 0) return null
  return (
    <div className={classes.tyre}>
      {tyre ? (
        <TyreScanned record={record} operation={operation} scanned={scanned} large={large} />
      ) : (
        knownTyre && <TyreHead tyre={knownTyre} large={large} />
      )}
      <p className={classes.facts}>{facts.join(' · ')}</p>
    </div>
  )
}

type TyreHeadProps = {
  tyre: Pick<NonNullable<ScanRecord['tyre']>, 'license_plate' | 'position' | 'stock_rack'>
  large: boolean
  children?: ReactNode
}

/** Whose tyre it is, its position and its rack. */
function TyreHead({ tyre, large, children }: TyreHeadProps) {
  const { t } = useTranslation('intake')
  return (
    <div className={classes.place}>
      <Plate plate={tyre.license_plate} size={large ? 'lg' : 'md'} />
      <span className={classes.position}>
        <span className="wh-hidden">{labelled(t('position'))}</span>
        {tyre.position}
      </span>
      {tyre.stock_rack && <RackName rack={tyre.stock_rack} label={t('rack')} />}
      {children}
    </div>
  )
}

/** A scanned rack, and the tyres that were put there or found there. */
function PlaceScanned({ place, large }: { place: ScannedPlace; large: boolean }) {
  const { t } = useTranslation('intake')
  return (
    <div className={classes.tyre}>
      <div className={classes.place}>
        {place.plate && <Plate plate={place.plate} size={large ? 'lg' : 'md'} />}
        <RackName rack={place.rack ?? `#${place.location}`} label={t('rack')} />
      </div>
      <p className={classes.facts}>
        {place.plate
          ? t('placed', { count: place.tyres.length, plate: formatPlate(place.plate) })
          : t('found', { count: place.tyres.length })}
      </p>
    </div>
  )
}

type TyreScannedProps = Required<Pick<ScanCardProps, 'record' | 'operation' | 'scanned' | 'large'>>

/** A tyre of an operation: its destination, and the progress of its operation. */
function TyreScanned({ record: { tyre, type, operation: scannedFor }, operation, scanned, large }: TyreScannedProps) {
  if (!tyre) return null
  return (
    <TyreHead tyre={tyre} large={large}>
      {large && type === 'to_stock' && !tyre.stock_rack && scannedFor && (
        <PutAwayAt tyre={tyre.db_id} operation={scannedFor._id} />
      )}
      {operation && <Progress scanned={scanned} total={operation.tyres.length} large={large} />}
    </TyreHead>
  )
}

/** The suggested place of a stored tyre, by the rule of put-away, or why there is none. */
function PutAwayAt({ tyre, operation }: { tyre: number; operation: number }) {
  const { t } = useTranslation('intake')
  const lost = useLost()
  const { data, error } = useAnswer(locations.plan, { operation }, { muted: true })
  const { data: warehouse } = useAnswer(locations.all, {}, { muted: true, ahead: true })
  const place = data?.find(({ db_id }) => db_id === tyre)
  if (place) return <RackName rack={locationName(place)} label={t('putAwayAt')} />
  const unknown = lost || (error instanceof Refused && error.code === 'network')
  const why = data ? warehouse && whyNoPlace(warehouse) : unknown ? 'unknown' : !error ? 'looking' : null
  // an operation that was handled meanwhile needs no place any more
  if (!why) return null
  return <span className={classes.noPlace}>{t(`noPlace.${why}`)}</span>
}

/** The state of the scan: on its way, or registered. */
function SendStatus({ record }: { record: ScanRecord }) {
  const { t } = useTranslation('intake')
  if (record.state === 'waiting')
    return (
      <span className={classes.fate}>
        <IconClock size={15} aria-hidden /> <span>{t('waitingToSend')}</span>
      </span>
    )
  if (record.state === 'marked')
    return (
      <span className={classes.fate}>
        <IconChecks size={15} aria-hidden /> <span>{t('registered')}</span>
      </span>
    )
  return null
}

type CompleteProps = Required<Pick<ScanCardProps, 'record' | 'operation' | 'scanned'>> & {
  confirm: (operation: Operation) => void
}

/** After the last scan of an operation: a button to confirm it, or a note that it is confirmed automatically. */
function Complete({ record, operation, scanned, confirm }: CompleteProps) {
  const { t } = useTranslation(['intake', 'desk'])
  const { autoProcessIntakeOnFullScan } = useSite()
  const confirmed = record.state === 'marked' && record.tyre !== null && isHandled(record.tyre, record.type)
  if (confirmed) return <Text className={classes.complete}>{t('operationConfirmed')}</Text>
  if (!operation || scanned < operation.tyres.length) return null
  return (
    <div className={classes.complete}>
      <span>
        {t('allScanned', { count: operation.tyres.length })}
        {autoProcessIntakeOnFullScan && <> {t('confirmsItself')}</>}
      </span>
      {!autoProcessIntakeOnFullScan && (
        <Button leftSection={<IconCheck size={18} aria-hidden />} onClick={() => confirm(operation)}>
          {t('desk:confirm')}
        </Button>
      )}
    </div>
  )
}
