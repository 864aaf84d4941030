/** Intake: pick an operation type, and scan. */
import { Button, Group, SegmentedControl } from '@mantine/core'
import { IconMaximize } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import type { Command } from '#domain/warehouse/barcode.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { commandEffect, cardState } from '#domain/warehouse/cardCommand.ts'
import { questionOfScans } from '../ui/confirm.tsx'
import { notify } from '../ui/notify.ts'
import { isBelowCamera } from '../shared/cameraDocument.ts'
import { OperationTypeIcon } from '../shared/trade.tsx'
import { Insecure } from '../shared/insecure.tsx'
import { AsOf } from '../shared/offline/asOf.tsx'
import { Screen } from '../shared/screen.tsx'
import { useLatest } from '../ui/hooks.ts'
import { usePhone } from '../ui/usePhone.ts'
import { DayLabels } from '../handling/dayLabels.tsx'
import { DocumentToday } from '../handling/documentQuestion.tsx'
import { cachedOperation, useDesk } from '../handling/desk.ts'
import { Announcer, History, Latest } from './history.tsx'
import { operationOfScan } from '../handling/lookup.ts'
import { isRejected } from './scanCard.tsx'
import { typeOrder } from '../operations/typeOrder.ts'
import classes from './intake.module.css'
import { type IntakeWork, useIntake } from './intakeWork.ts'
import { ChooseType } from './chooseType.tsx'
import { Mute } from './mute.tsx'
import { Ready } from './ready.tsx'
import { ScanScreen } from './scanScreen.tsx'
import { SendState, SendProblems } from './sendState.tsx'
import { play } from '../scanning/sounds.ts'
import { ToScan } from './toScan.tsx'

/** Intake of the type in the address; first the choice of a type. */
export function Intake() {
  const { t } = useTranslation(['intake', 'desk'])
  const { type = null, scan: scanRequested = false } = useSearch({ from: '/admin/intake' })
  // the scan screen would cover the camera
  const scan = scanRequested && !isBelowCamera
  const navigate = useNavigate({ from: '/admin/intake' })
  const [untyped, setUntyped] = useState(0)
  const phone = usePhone()
  const work = useIntake(type, {
    isScanScreen: scan,
    onCommand: what => command(what),
    onUntyped() {
      setUntyped(untyped + 1)
      if (!work.muted) play('unreadable')
    },
  })
  const confirm = useConfirm(work)
  const command = useCommands(work, confirm)
  const [byHand, setByHand] = useState(0)
  const [picked, setPicked] = useState(false)
  const choose = (next: OfferedType) => {
    setUntyped(0)
    setPicked(type === null)
    void navigate({
      search: ({ day }) => ({ type: next, ...(scan && { scan }), ...(day && { day }) }),
      replace: type !== null,
    })
  }
  /** Goes back in the history, so that the browser's back button does not open the scan screen again. */
  const opened = useRef(false)
  const openScreen = () => {
    opened.current = true
    void navigate({ search: ({ day }) => ({ ...(type && { type }), scan: true, ...(day && { day }) }) })
  }
  const goBack = () => {
    if (opened.current) history.back()
    else void navigate({ search: ({ day }) => ({ ...(type && { type }), ...(day && { day }) }), replace: true })
    opened.current = false
  }

  return (
    <Screen
      title={t('title')}
      actions={
        type && (
          <>
            {type === 'to_stock' && !phone && <DayLabels />}
            <ChooseType type={type} choose={choose} focused={picked} />
            <Mute work={work} />
            {!isBelowCamera && (
              <Button variant="default" leftSection={<IconMaximize size={18} aria-hidden />} onClick={openScreen}>
                {t('scanScreen')}
              </Button>
            )}
          </>
        )
      }
    >
      <Insecure />
      <AsOf at={work.answeredAt} />
      <Announcer work={work} />
      {!type && <PickType work={work} choose={choose} complain={untyped} />}
      {type && scan && (
        <ScanScreen
          mode={type}
          work={work}
          confirm={confirm}
          choose={choose}
          goBack={goBack}
          byHand={() => {
            goBack()
            setByHand(byHand + 1)
          }}
        />
      )}
      {type && !scan && (
        <Work
          type={type}
          work={work}
          confirm={confirm}
          choose={choose}
          byHand={byHand}
          findByHand={() => setByHand(byHand + 1)}
        />
      )}
    </Screen>
  )
}

/** Confirms from a card: first its scans are sent, for the server counts them. */
function useConfirm(work: IntakeWork) {
  const { t } = useTranslation('intake')
  const desk = useDesk()
  const confirm = useLatest(async ({ _id, tyres }: Operation) => {
    await work.queue.send()
    const waits = new Set(work.queue.snapshot().waiting.map(({ tyreId }) => tyreId))
    if (tyres.some(tyre => waits.has(tyre.db_id))) return void notify.error(t('confirmLater'))
    const now = cachedOperation(_id)
    if (now) await desk.confirm(now)
  })
  return useCallback((operation: Operation) => void confirm.current(operation), [confirm])
}

/** The commands of intake: Confirm, and the answers to its question. The others are for the card of a scan. */
function useCommands(work: IntakeWork, confirm: (operation: Operation) => void) {
  const { t } = useTranslation(['intake', 'cards'])
  return (command: Command) => {
    const refuse = (words: string) => {
      work.sound('not_now')
      notify.error(words)
    }
    const question = questionOfScans()
    const state = cardState({
      question: question && { answerable: question.answer !== null },
      wheel: null,
      readings: null,
      panel: false,
      declared: null,
    })
    const effect = commandEffect(command, state, [])
    if (effect === 'answer') return question?.answer?.()
    if (effect === 'go_back') return question?.goBack()
    if (effect === 'put_off') return question?.putOff()
    if (effect === 'choose_first') return refuse(t('cards:chooseFirst'))
    if (command !== 'confirm') return refuse(t('noCommand'))
    const [latest] = work.state.history
    const { operation } = latest && !isRejected(latest) ? operationOfScan(work, latest) : {}
    return operation ? confirm(operation) : refuse(t('cards:nothingToConfirm'))
  }
}

type PickTypeProps = { work: IntakeWork; choose: (type: OfferedType) => void; complain: number }

function PickType({ work, choose, complain }: PickTypeProps) {
  const { t } = useTranslation(['intake', 'desk'])
  return (
    <>
      <p className={classes.ask} role={complain > 0 ? 'alert' : undefined} data-complain={complain > 0 || undefined}>
        {t(complain > 0 ? 'pickTypeFirst' : 'pickType')}
      </p>
      <div className={classes.types}>
        {typeOrder.map(type => {
          const ofType = work.operations?.filter(operation => operation.type === type)
          const left = ofType?.flatMap(operation => operation.tyres).filter(tyre => !tyre.scanned).length
          return (
            <button key={type} type="button" className={classes.type} onClick={() => choose(type)}>
              <OperationTypeIcon type={type} size={48} />
              <strong>{t(`desk:types.${type}`)}</strong>
              <span>{t(`typeText.${type}`)}</span>
              <span className={classes.typeCount}>
                {ofType && left !== undefined
                  ? `${t('desk:operations', { count: ofType.length })} · ${t('tyresLeft', { count: left })}`
                  : t('loading')}
              </span>
            </button>
          )
        })}
      </div>
      <SendProblems work={work} />
    </>
  )
}

type WorkProps = {
  type: OfferedType
  work: IntakeWork
  confirm: (operation: Operation) => void
  choose: (type: OfferedType) => void
  /** How often the field for an unreadable label was requested, and how to request it. */
  byHand: number
  findByHand: () => void
}

function Work({ type, work, confirm, choose, byHand, findByHand }: WorkProps) {
  const { t } = useTranslation('intake')
  // On a phone one list at a time is below the latest card; beside each other elsewhere.
  const phone = usePhone()
  const [face, setFace] = useState<'toScan' | 'history'>('toScan')
  return (
    <>
      <SendState work={work} />
      <SendProblems work={work} />
      <DocumentToday />
      {/* a scanner's keys must not meet the button of another operation */}
      <div className={classes.work} data-face={face} data-lets-go>
        <div className={classes.column} data-column="latest">
          <Latest
            work={work}
            confirm={confirm}
            choose={choose}
            byHand={() => {
              flushSync(() => setFace('toScan'))
              findByHand()
            }}
          />
          <Ready type={type} work={work} confirm={confirm} />
          <SegmentedControl
            className={classes.faces}
            fullWidth
            value={face}
            onChange={value => setFace(value === 'history' ? 'history' : 'toScan')}
            data={[
              { value: 'toScan', label: t('toScan') },
              { value: 'history', label: t('history') },
            ]}
            aria-label={t('lists')}
          />
          <div data-column="history">
            <History work={work} confirm={confirm} />
          </div>
        </div>
        <div data-column="toScan">
          <ToScan type={type} work={work} byHand={byHand} />
        </div>
      </div>
      {/* beside the title it would push down what one reads */}
      {phone && type === 'to_stock' && (
        <Group gap="xs" mt="lg">
          <DayLabels />
        </Group>
      )}
    </>
  )
}
