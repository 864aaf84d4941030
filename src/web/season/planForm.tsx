/** From when to when, and how, the chosen vehicles get their tyres. */
import { Button, Paper, Switch, Text } from '@mantine/core'
import { IconCalendarPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxSwaps } from '#contract/operations.ts'
import { addDays, type IsoDate } from '#domain/date.ts'
import { firstDeliveryDate, lastDeliveryDate } from '#domain/delivery.ts'
import { messageOf } from '../shared/api.ts'
import { useMoment } from '../shared/operation/delivery.tsx'
import { describedIn } from '../shared/operation/deliveryDays.ts'
import { useSite } from '../shared/session.ts'
import { DateField } from '../ui/dateField.tsx'
import { notify } from '../ui/notify.ts'
import { Choice } from '../ui/select.tsx'
import type { ChangeRow } from './rows.ts'
import classes from './season.module.css'
import type { usePlan } from './usePlan.ts'

/** A plan goes over four weeks at first. */
const firstDays = 27

type PlanFormProps = { chosen: readonly ChangeRow[]; planning: ReturnType<typeof usePlan> }

/** Plans the chosen vehicles: the first ones, where more are chosen than go at a time. */
export function PlanForm({ chosen, planning: { busy, make } }: PlanFormProps) {
  const rows = chosen.slice(0, maxSwaps)
  const { t, i18n } = useTranslation('season')
  const { transportMethods: methods } = useSite()
  const at = useMoment()
  const [wish, setWish] = useState<{ transport?: number; from?: IsoDate; until?: IsoDate; returns: boolean }>({
    returns: true,
  })
  const transport =
    methods.find(({ _id }) => _id === wish.transport) ??
    methods.find(method => method.default) ??
    (methods.length === 1 ? methods[0] : undefined)
  const [first, last] = [transport ? firstDeliveryDate(transport, at) : null, lastDeliveryDate(at)]
  const from = wish.from ?? first
  const weeks = from === null ? null : addDays(from, firstDays)
  const until = wish.until ?? (weeks !== null && weeks > last ? last : weeks)
  const comeBack = rows.reduce((sum, { returns }) => sum + returns.length, 0)

  return (
    <Paper component="section" aria-label={t('planning')} className={`${classes.plan} wh-noprint`}>
      <div className={classes.toolbar}>
        <Choice
          label={t('transport')}
          data={methods.map(method => ({ value: String(method._id), label: describedIn(i18n.language, method) }))}
          value={transport ? String(transport._id) : null}
          onChange={id => setWish(({ returns }) => ({ returns, ...(id !== null && { transport: Number(id) }) }))}
          className={classes.choice}
        />
        <DateField
          label={t('from')}
          value={from}
          minDate={first ?? undefined}
          maxDate={last}
          onChange={day => setWish(now => ({ ...now, ...(day !== null && { from: day }) }))}
          className={classes.day}
        />
        <DateField
          label={t('until')}
          value={until}
          minDate={from ?? undefined}
          maxDate={last}
          onChange={day => setWish(now => ({ ...now, ...(day !== null && { until: day }) }))}
          className={classes.day}
        />
        <Switch
          label={t('returns')}
          checked={wish.returns}
          onChange={event => {
            const { checked: returns } = event.currentTarget
            setWish(now => ({ ...now, returns }))
          }}
          className={classes.returns}
        />
        <Button
          data-plan
          leftSection={<IconCalendarPlus size={18} aria-hidden />}
          loading={busy}
          disabled={rows.length === 0 || !transport || from === null || until === null}
          onClick={() => {
            if (!transport || from === null || until === null) return
            const asked = { transport: transport._id, from, until, returns: wish.returns }
            make(rows, asked).catch((error: unknown) => notify.error(messageOf(error)))
          }}
        >
          {t('plan', { count: rows.length })}
        </Button>
      </div>
      <Chosen count={chosen.length} planned={rows.length} comeBack={wish.returns ? comeBack : 0} />
    </Paper>
  )
}

type ChosenProps = { count: number; planned: number; comeBack: number }

/** How many vehicles are chosen, how many of them are planned first, and how many tyres come back. */
function Chosen({ count, planned, comeBack }: ChosenProps) {
  const { t } = useTranslation('season')
  return (
    <Text size="sm" c="dimmed" role="status">
      {[
        count === 0 ? t('chooseFirst') : t('chosen', { count }),
        count > planned && t('firstOfChosen', { count: planned }),
        comeBack > 0 && t('comeBack', { count: comeBack }),
      ]
        .filter(Boolean)
        .join(' ')}
    </Text>
  )
}
