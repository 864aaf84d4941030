/** Questions that the records leave open about a vehicle, to be answered with one button (docs/product/vehicles.md "Presumed mounts"). */
import { Alert, Button, Group, Text } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { type MountedQuestion, mounts as calls } from '#contract/mounts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { formatDate } from '#domain/texts/date.ts'
import { useAnswer } from '../../shared/api.ts'
import { useTranslation } from '../../ui/texts.ts'
import { useChangeMounts, useDenyMounts } from './useMounts.ts'

type MountQuestionsProps = {
  vehicle: Vehicle
  /** Opens the dialog in which another day is given. */
  otherDay: (tyres: readonly Tyre[]) => void
  /** Opens the tab with the readings of the odometer. */
  showHistory: () => void
}

export function MountQuestions({ vehicle, otherDay, showHistory }: MountQuestionsProps) {
  const { data } = useAnswer(calls.fleet, { seq_id: vehicle.seq_id }, { muted: true })
  const questions = data?.questions.filter(({ flt_id }) => flt_id === vehicle.flt_id) ?? []
  return questions.map(question => (
    <Question
      key={`${question.kind} ${question.tyres.join()}`}
      vehicle={vehicle}
      question={question}
      otherDay={otherDay}
      showHistory={showHistory}
    />
  ))
}

function Question({ vehicle, question, otherDay, showHistory }: MountQuestionsProps & { question: MountedQuestion }) {
  const { t } = useTranslation(['fleet', 'common'])
  const change = useChangeMounts(vehicle)
  const deny = useDenyMounts(vehicle)
  const { flt_id } = vehicle
  const { kind, tyres, date } = question
  const set = question.tyre_set ?? t('common:tyre.setless')
  const other = question.other_set ?? t('common:tyre.setless')
  const isBusy = change.isPending || deny.isPending
  // once mounted, it was taken off; what was only presumed never was
  const no = () =>
    kind === 'other_arrived' || kind === 'wrong_season'
      ? change.mutate({ flt_id, off: [...tyres] })
      : deny.mutate({ flt_id, tyres: [...tyres] })
  return (
    <Alert color="blue" icon={<IconHelpCircle aria-hidden />} data-question={kind}>
      <Group justify="space-between" gap="xs">
        <Text size="sm">{t(`fleet:mount.question.${kind}`, { set, other, date: formatDate(date) })}</Text>
        {kind === 'odometer' ? (
          <Button size="compact-sm" variant="default" onClick={showHistory}>
            {t('fleet:odometerLog.check')}
          </Button>
        ) : (
          <Group gap="xs">
            <Button
              size="compact-sm"
              disabled={isBusy}
              onClick={() => change.mutate({ flt_id, date, put: tyres.map(db_id => ({ db_id })), swap: true })}
            >
              {t('common:yes')}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              disabled={isBusy}
              onClick={() => otherDay(vehicle.tyres.filter(({ db_id }) => tyres.includes(db_id)))}
            >
              {t('fleet:mount.otherDay')}
            </Button>
            <Button size="compact-sm" variant="default" disabled={isBusy} onClick={no}>
              {t(kind === 'presumed' || kind === 'delivered' ? 'fleet:mount.inGarage' : 'common:no')}
            </Button>
          </Group>
        )}
      </Group>
    </Alert>
  )
}
