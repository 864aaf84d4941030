/** The walk of a picker through a wave: the next place, the set, the lane (docs/product/warehouse.md "Waves"). All of it works by scanner. */
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconX } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type Round, type RoundOutcome, waves as calls } from '#contract/waves.ts'
import { type Command, isCommand, isLocation, type Label } from '#domain/warehouse/barcode.ts'
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
import type { Sound } from '../scanning/sounds.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { Plate } from '../shared/trade.tsx'
import { TextLink } from '../ui/link.tsx'
import classes from '../scanning/round.module.css'

const sounds = {
  picked: 'found',
  again: 'duplicate',
  other_set: 'elsewhere',
  not_in_wave: 'missing',
  other_site: 'other_site',
  staged: 'location',
  here: 'stepped',
  no_lane: 'misplaced',
  lane_other: 'misplaced',
  nothing_carried: 'not_now',
  missed: 'stepped',
  undone: 'stepped',
  nothing_to_do: 'not_now',
} as const satisfies Record<RoundOutcome, Sound>

const isLeft = ({ state }: { state: string }): boolean => (toPick as readonly string[]).includes(state)

export function PickScreen() {
  const { t } = useTranslation('waves')
  const { wave } = useSearch({ from: '/admin/waves/pick' })
  return wave === undefined ? (
    <Screen title={t('pick')}>
      <Empty text={t('noWave')} />
    </Screen>
  ) : (
    <Walk key={wave} wave={wave} />
  )
}

function Walk({ wave }: { wave: number }) {
  const { t } = useTranslation('waves')
  const { site_number: site } = useSite()
  const round = useAnswer(calls.round, { wave }, { refetchInterval: pollInterval })
  /** The wheels that Undo applies to: those of the last pick, or those declared missing. */
  const done = useRef<number[]>([])
  useAwake()

  const spoken = (answer: Round): Spoken => {
    const { outcome, tyres, line } = answer
    setAnswer(calls.round, { wave }, answer)
    void invalidate(['waves.all'])
    if (outcome === 'picked' || outcome === 'missed') done.current = tyres
    if (outcome === 'undone' || outcome === 'staged') done.current = []
    const complete = outcome === 'picked' && !line?.wheels.some(({ db_id }) => tyres.includes(db_id))
    if (complete) return { sound: 'complete', words: t('lineDone') }
    return {
      sound: sounds[outcome ?? 'nothing_to_do'],
      words: t(`outcome.${outcome ?? 'nothing_to_do'}`, { count: Math.max(1, tyres.length) }),
    }
  }
  const command = async (what: Command): Promise<Spoken> => {
    if (what === 'missing') return spoken(await askTwice(calls.miss, { wave }))
    if (what === 'undo' && done.current.length > 0)
      return spoken(await askTwice(calls.undo, { wave, tyres: done.current }))
    return { sound: sounds.nothing_to_do, words: t('outcome.nothing_to_do', { count: 1 }) }
  }
  const handle = async (label: Label): Promise<Spoken> => {
    if (isCommand(label)) return command(label.command)
    const what = isLocation(label) ? { location: label.location } : { db_id: label.tyre }
    return spoken(await askTwice(calls.scan, { wave, ticsId: label.site, ...what }))
  }
  const { message, take } = useScanWork(handle)
  const { data } = round

  return (
    <Screen title={t('pick')}>
      <Announcer message={message} />
      <div className={classes.round} data-lets-go data-round>
        {message && <Verdict message={message} />}
        {!data ? (
          round.error ? (
            <Failed error={round.error} retry={round.refetch} />
          ) : (
            <Placeholders rows={4} height={72} />
          )
        ) : (
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
