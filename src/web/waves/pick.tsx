/** The walk of a picker through a wave: the next place, the set, the lane (docs/product/warehouse.md "Waves"). All of it works by scanner. */
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type Round, waves as calls } from '#contract/waves.ts'
import { toPick } from '#domain/warehouse/wave.ts'
import { askTwice, type Spoken, useScanWork } from '../scanning/scanWork.ts'
import { invalidate, setAnswer, useAnswer } from '../shared/api.ts'
import { formatDate, locationName } from '../shared/format.ts'
import { SwapNote } from '../operations/swap.tsx'
import { useTransportName } from '../operations/transportName.ts'
import { MissingIcon } from '../scanning/appearance.ts'
import { useAwake } from '../scanning/awake.ts'
import { LargePlace } from '../scanning/largePlace.tsx'
import { Announcer, Verdict } from '../scanning/scanMessage.tsx'
import { Empty, Screen, Unanswered } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { Plate } from '../shared/trade.tsx'
import { LinkButton, TextLink } from '../ui/link.tsx'
import classes from '../scanning/round.module.css'
import { type PickRequest, requestOf, takeRound, verdictOf } from './pickReducer.ts'

const isLeft = ({ state }: { state: string }): boolean => (toPick as readonly string[]).includes(state)

/** The walk of the wave at the address. */
export function PickScreen() {
  const { t } = useTranslation(['waves', 'nav'])
  const { wave } = useSearch({ from: '/admin/waves/pick' })
  return wave === undefined ? (
    <Screen title={t('pick')}>
      <Empty text={t('waves:noWave')}>
        <LinkButton variant="default" to="/admin/waves">
          {t('nav:waves')}
        </LinkButton>
      </Empty>
    </Screen>
  ) : (
    <Walk key={wave} wave={wave} />
  )
}

function Walk({ wave }: { wave: number }) {
  const { t } = useTranslation('waves')
  const { site_number: site } = useSite()
  const round = useAnswer(calls.round, { wave }, { refetchInterval: pollInterval })
  /** The wheels that Undo applies to. */
  const done = useRef<readonly number[]>([])
  useAwake()

  const send = (request: PickRequest): Promise<Round> => {
    switch (request.kind) {
      case 'pick':
      case 'stand': {
        const { kind: _, ...scanned } = request
        return askTwice(calls.scan, { wave, ...scanned })
      }
      case 'miss':
        return askTwice(calls.miss, { wave })
      case 'undo':
        return askTwice(calls.undo, { wave, tyres: [...request.tyres] })
    }
  }
  const spoken = ({ sound, outcome, count }: ReturnType<typeof verdictOf>): Spoken => ({
    sound,
    words: outcome === 'complete' ? t('lineDone') : t(`outcome.${outcome}`, { count }),
  })
  const { message, take } = useScanWork(async label => {
    const request = requestOf(label, done.current)
    if (!request) return spoken(verdictOf('nothing_to_do', 1))
    const answer = await send(request)
    setAnswer(calls.round, { wave }, answer)
    void invalidate(['waves.all'])
    const after = takeRound(done.current, answer)
    done.current = after.done
    return spoken(after.verdict)
  })
  const { data } = round

  return (
    <Screen title={t('pick')}>
      <Announcer message={message} />
      <div className={classes.round} data-lets-go data-round>
        {message && <Verdict message={message} />}
        {data ? (
          <>
            <Next round={data} />
            <div className={classes.actions}>
              <Button
                variant="default"
                size="md"
                leftSection={<MissingIcon size={20} aria-hidden />}
                disabled={!data.line}
                onClick={() => void take({ command: 'missing', site })}
              >
                {t('missing', { count: data.line?.wheels.filter(isLeft).length ?? 0 })}
              </Button>
              <Button
                variant="default"
                size="md"
                leftSection={<IconArrowBackUp size={20} aria-hidden />}
                onClick={() => void take({ command: 'undo', site })}
              >
                {t('undo')}
              </Button>
            </div>
            <Progress round={data} />
          </>
        ) : (
          <Unanswered error={round.error} retry={round.refetch} rows={4} height={72} />
        )}
      </div>
    </Screen>
  )
}

function Progress({ round: { wave } }: { round: Round }) {
  const { t } = useTranslation('waves')
  const transportName = useTransportName()
  return (
    <p className={classes.head}>
      <TextLink to="/admin/waves">{t('waveOf', { wave: wave._id })}</TextLink>
      <span>
        {transportName(wave.transport)} · {formatDate(wave.day)}
      </span>
      <span>{t('linesLeft', { count: wave.left_count })}</span>
      <span>{t('stagedOf', { done: wave.staged_count + wave.loaded_count, count: wave.wheel_count })}</span>
      {wave.missing_count > 0 && <strong>{t('missingCount', { count: wave.missing_count })}</strong>}
    </p>
  )
}

/** The next place in large type; else the destination of the wheels carried; else why there is nothing to do. */
function Next({ round: { line, carried, lane, wave } }: { round: Round }) {
  const { t } = useTranslation('waves')
  const goal = lane ? t('laneFor', { lane: locationName(lane) }) : t('noLane')
  if (!line)
    return (
      <section className={classes.next} aria-label={t('next')}>
        {carried.length > 0 ? (
          <>
            <LargePlace above={t('bring', { count: carried.length })} name={lane && locationName(lane)}>
              {t('anyLane')}
            </LargePlace>
            {!lane && <p className={classes.head}>{t('noLane')}</p>}
          </>
        ) : (
          <p className={classes.message}>{t(wave.left_count > 0 ? 'othersPick' : 'waveDone')}</p>
        )}
      </section>
    )
  return (
    <section className={classes.next} aria-label={t('next')}>
      <LargePlace above={line.stock_site_name} name={line.stock_rack}>
        {t('inHall')}
      </LargePlace>
      <p className={classes.set}>
        <span className={classes.times}>{t('times', { count: line.wheels.filter(isLeft).length })}</span>
        <Plate plate={line.license_plate} size="lg" />
        <strong>{line.companyname}</strong>
      </p>
      <ul className={classes.wheels} aria-label={t('wheels')}>
        {line.wheels.map(({ db_id, position, state }) => {
          const missing = state === 'missing'
          const left = isLeft({ state })
          return (
            <li key={db_id} data-done={(!left && !missing) || undefined} data-missing={missing || undefined}>
              {!left && (missing ? <IconX size={16} aria-hidden /> : <IconCheck size={16} aria-hidden />)} {position}
              {!left && <span className="wh-hidden">{t(missing ? 'isMissing' : 'isPicked')}</span>}
            </li>
          )
        })}
      </ul>
      <p className={classes.head}>
        <span>{[line.tyre_set, line.description].filter(Boolean).join(' · ')}</span>
        <SwapNote swap={line.swap} />
        {carried.length > 0 && (
          <span>
            {t('carrying', { count: carried.length })} {goal}
          </span>
        )}
      </p>
    </section>
  )
}
