/** The scans of this device, newest first; the latest is the one to read from afar (docs/product/warehouse.md "Intake"). */
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import styles from '../handling/workList.module.css'
import classes from './intake.module.css'
import type { IntakeWork } from './intakeWork.ts'
import { operationOfScan } from '../handling/lookup.ts'
import { isRejected, ScanCard, useReason, useOutcomeText } from './scanCard.tsx'
import { placeOf, type ScanRecord } from '../scanning/records.ts'

const pageSize = 20

type HistoryProps = { work: IntakeWork; confirm: (operation: Operation) => void }
type LatestProps = HistoryProps & { choose: (type: OfferedType) => void; byHand: () => void }

/** The latest scan, large; before the first, that the scanner can begin. */
export function Latest({ work, confirm, choose, byHand }: LatestProps) {
  const { t } = useTranslation('intake')
  const [latest] = work.state.history
  const { placeRemaining, placeSome } = work
  const box = useRef<HTMLDivElement>(null)
  const narrow = useMediaQuery('(max-width: 48em)')
  const shown = useRef(latest?.scanId)
  useEffect(() => {
    if (shown.current === latest?.scanId) return
    shown.current = latest?.scanId
    // on a phone the content above the card would take half of the screen
    if (narrow) box.current?.scrollIntoView({ block: 'start' })
  }, [latest?.scanId, narrow])
  return (
    <div ref={box} className={classes.latest}>
      {latest ? (
        <ScanCard
          key={latest.scanId}
          record={latest}
          {...operationOfScan(work, latest)}
          {...(!isRejected(latest) && { confirm })}
          corrections={{ register: record => work.register(record, choose), placeRemaining, placeSome, byHand }}
          large
        />
      ) : (
        <p className={classes.nothingYet}>{t('firstScan')}</p>
      )}
    </div>
  )
}

/** The scans before the latest one, a page at a time, and a button that takes them off. */
export function History({ work, confirm }: HistoryProps) {
  const { t } = useTranslation('intake')
  const [shown, setShown] = useState(pageSize)
  const [latest, ...older] = work.state.history
  // Confirm is offered once, on the newest card of its operation.
  const offered = new Set<number>()
  const newest = (record: ScanRecord) => {
    const _id = record.operation?._id
    if (_id === undefined || isRejected(record) || offered.has(_id)) return false
    offered.add(_id)
    return true
  }
  if (latest) newest(latest)
  const clearable = work.state.history.some(record => record.state !== 'waiting')
  return (
    <section aria-labelledby="scan-history">
      <div className={classes.historyHead}>
        <h2 id="scan-history" className={styles.heading}>
          {t('history')} <span className={styles.count}>{work.state.history.length}</span>
        </h2>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconTrash size={15} aria-hidden />}
          disabled={!clearable}
          onClick={() => void work.queue.clear()}
        >
          {t('clear')}
        </Button>
      </div>
      <ol className={styles.list} reversed>
        {older.slice(0, shown).map(record => (
          <li key={record.scanId}>
            <ScanCard record={record} {...operationOfScan(work, record)} {...(newest(record) && { confirm })} />
          </li>
        ))}
      </ol>
      {older.length > shown && (
        <Button variant="default" fullWidth onClick={() => setShown(shown + pageSize)}>
          {t('showMore', { count: Math.min(pageSize, older.length - shown) })}
        </Button>
      )}
    </section>
  )
}

/** Announces each new scan to screen readers. */
export function Announcer({ work }: { work: IntakeWork }) {
  const { t } = useTranslation('intake')
  const verdict = useOutcomeText()
  const reason = useReason()
  // The last change: a refusal comes after the scan's own card, and so does a scan by another device.
  const [latest] = work.state.history
  const refused = work.state.history.find(({ state, reason }) => state === 'refused' || reason?.kind === 'conflict')
  const announcement = (record: ScanRecord | undefined) =>
    record &&
    [
      verdict(record),
      reason(record),
      record.tyre && `${formatPlate(record.tyre.license_plate)} ${record.tyre.position}`,
      placeOf(record)?.rack && `${t('rack')} ${placeOf(record)?.rack}`,
      record.tyre?.stock_rack && `${t('rack')} ${record.tyre.stock_rack}`,
      record.known && `${formatPlate(record.known.license_plate)} ${record.known.position} ${record.known.companyname}`,
      record.known?.stock_rack && `${t('rack')} ${record.known.stock_rack}`,
      ...(placeOf(record)?.rest ?? []).map(({ tyres, plate }) =>
        t('restUnplaced', { count: tyres.length, plate: formatPlate(plate ?? '') }),
      ),
    ]
      .filter(Boolean)
      .join('. ')
  return (
    <>
      <div className="wh-hidden" role="status" aria-live="polite" aria-atomic>
        {/* a new element for each scan: the same words twice are still news */}
        {latest && <span key={latest.scanId}>{announcement(latest)}</span>}
      </div>
      <div className="wh-hidden" role="alert" aria-atomic>
        {refused && <span key={refused.scanId}>{announcement(refused)}</span>}
      </div>
    </>
  )
}
