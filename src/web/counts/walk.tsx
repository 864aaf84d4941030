/** The screen of a count: the next place in large type, the place being counted, and the differences (docs/product/warehouse.md "Counting"). */
import { Button } from '@mantine/core'
import { IconArrowBackUp, IconCheck, IconTag } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { type CountDifference, counts as calls } from '#contract/counts.ts'
import { useAnswer } from '../shared/api.ts'
import { useLost } from '../shared/connection.ts'
import { formatDate, locationName } from '../shared/format.ts'
import { ReasonDialog } from '../shared/form/reasonDialog.tsx'
import { AsOf } from '../shared/offline/asOf.tsx'
import { useAwake } from '../scanning/awake.ts'
import { LargePlace } from '../scanning/largePlace.tsx'
import round from '../scanning/round.module.css'
import { Announcer, Verdict } from '../scanning/scanMessage.tsx'
import { Empty, Screen, Unanswered } from '../shared/screen.tsx'
import { pollInterval, useSite } from '../shared/session.ts'
import { LinkButton, TextLink } from '../ui/link.tsx'
import { placeName } from './countReducer.ts'
import { type CountWork, useCountWork } from './countWork.ts'
import classes from './counts.module.css'
import { Differences } from './differences.tsx'

/** The walk of the count at the address, or one place after the other. */
export function CountScreen() {
  const { count } = useSearch({ from: '/admin/counts/walk' })
  return count === undefined ? <OneByOne /> : <Whole key={count} count={count} />
}

/** All places of a rack or a zone. */
function Whole({ count }: { count: number }) {
  const { t } = useTranslation('counts')
  const places = useAnswer(calls.places, { count }, { refetchInterval: pollInterval })
  const { data, error, refetch, dataUpdatedAt } = places
  const work = useCountWork({ count, places: data?.places ?? [], whole: data !== undefined && data.day === null })
  if (!data)
    return (
      <Screen title={t('title')}>
        <Unanswered error={error} retry={refetch} rows={4} height={72} />
      </Screen>
    )
  const left = data.places.filter(({ _id, counted }) => !counted && !work.counted.has(_id))
  const from = data.places.findIndex(({ _id }) => _id === work.last?.counted.location)
  // on from the current place, and then from the beginning
  const next = left.find(place => data.places.indexOf(place) > from) ?? left[0]
  return (
    <Walk work={work} count={count} at={dataUpdatedAt}>
      {next ? (
        <LargePlace above={next.stock_site_name} name={locationName(next)} />
      ) : (
        <p className={round.message}>{t('allDone')}</p>
      )}
      <p className={round.head}>
        <TextLink to="/admin/counts/report" search={{ count }}>
          {data.day ? t('ofDay', { day: formatDate(data.day) }) : data.place}
        </TextLink>
        <span>{t('left', { count: left.length })}</span>
      </p>
    </Walk>
  )
}

/** One place after the other, as the risk says. */
function OneByOne() {
  const { t } = useTranslation('counts')
  const lost = useLost()
  const { data, error, refetch, dataUpdatedAt } = useAnswer(calls.next, {}, { refetchInterval: pollInterval })
  const work = useCountWork({ count: null, places: data ?? [], whole: false })
  // without a network any place can be scanned, at any risk level
  if (!data && !lost)
    return (
      <Screen title={t('title')}>
        <Unanswered error={error} retry={refetch} rows={4} height={72} />
      </Screen>
    )
  const next = data?.find(({ _id }) => !work.unsent.has(_id) && _id !== work.last?.counted.location)
  return (
    <Walk work={work} count={null} at={dataUpdatedAt}>
      {next ? (
        <>
          <LargePlace above={next.stock_site_name} name={locationName(next)} />
          <Why place={next} />
        </>
      ) : (
        <p className={round.message}>{t('scanPlace')}</p>
      )}
    </Walk>
  )
}

function Why({ place: { why, days } }: { place: Answer<typeof calls.next>[number] }) {
  const { t } = useTranslation('counts')
  const since = days === null ? t('never') : t('daysAgo', { count: days })
  return (
    <p className={round.head}>
      {why
        .filter(risk => risk !== 'days')
        .map(risk => (
          <span key={risk}>{t(`why.${risk}`)}</span>
        ))}
      <span>{since}</span>
    </p>
  )
}

type WalkProps = {
  work: CountWork
  count: number | null
  /** When its places were answered, in ms; 0 when they were not. */
  at: number
  children: ReactNode
}

function Walk({ work, count, at, children }: WalkProps) {
  const { t } = useTranslation('counts')
  const { site_number: site } = useSite()
  const [asking, setAsking] = useState<CountDifference | null>(null)
  const { open, message } = work
  useAwake()
  return (
    <Screen
      title={count === null ? t('oneByOne') : t('title')}
      actions={
        <LinkButton variant="default" to="/admin/counts">
          {t('counts')}
        </LinkButton>
      }
    >
      <Announcer message={message} />
      <AsOf at={at} />
      <div className={round.round} data-lets-go data-count>
        {message && <Verdict message={message} waits={work.waiting} />}
        {open ? (
          <section className={round.next} aria-label={t('nowHere')}>
            <LargePlace above={t('nowHere')} name={placeName(open.counted)} />
            <p className={round.set}>
              <span className={round.times} data-counted={open.counted.wheels.length}>
                {t('counted', { count: open.counted.wheels.length })}
              </span>
            </p>
            <p className={round.head}>{t('scanWheels')}</p>
          </section>
        ) : (
          <section className={round.next} aria-label={t('next')}>
            {children}
            <p className={round.head}>{t('scanNext')}</p>
          </section>
        )}
        <div className={round.actions}>
          <Button
            size="md"
            leftSection={<IconCheck size={20} aria-hidden />}
            disabled={!open}
            onClick={() => work.take({ command: 'next', site })}
          >
            {t('done')}
          </Button>
          <Button
            variant="default"
            size="md"
            leftSection={<IconArrowBackUp size={20} aria-hidden />}
            disabled={!open}
            onClick={() => work.take({ command: 'undo', site })}
          >
            {t('undo')}
          </Button>
          <Button
            variant="default"
            size="md"
            className={classes.wide}
            leftSection={<IconTag size={20} aria-hidden />}
            disabled={!open}
            onClick={work.addBare}
          >
            {t('noLabel')}
          </Button>
        </div>
        {!open && <Last work={work} ask={setAsking} />}
      </div>
      {asking && (
        <ReasonDialog
          title={t('how.done')}
          text={t('reasonText')}
          confirm={t('how.done')}
          tellsWhy
          send={reason => work.settle(asking, reason)}
          onClose={() => setAsking(null)}
        />
      )}
    </Screen>
  )
}

/** The outcome of the place counted last. */
function Last({ work, ask }: { work: CountWork; ask: (difference: CountDifference) => void }) {
  const { t } = useTranslation('counts')
  const { last } = work
  if (!last) return null
  const { result } = last.counted
  const place = result?.stock_rack ?? placeName(last.counted)
  if (last.state === 'waiting') return <p className={round.head}>{t('waiting', { place })}</p>
  if (!result) {
    const why = last.reason?.kind === 'refused' ? last.reason.message : ''
    return <Empty text={t('refused', { place, why })} />
  }
  return (
    <section aria-label={t('last', { place })} data-last>
      <h2 className={classes.heading}>{t('last', { place })}</h2>
      <p className={round.head}>
        <span>{t('lastFound', { count: result.found_count })}</span>
        <span>
          {result.differences.length === 0 ? t('noDifference') : t('differences', { count: result.differences.length })}
        </span>
      </p>
      {result.differences.length > 0 && (
        <Differences
          differences={result.differences}
          busy={work.solving}
          solve={(difference, how) => (how === 'done' ? ask(difference) : work.solve(difference, how))}
        />
      )}
    </section>
  )
}
