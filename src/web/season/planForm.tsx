/** From when to when, and how, the chosen vehicles get their tyres. */
import { Button, Switch, Text } from '@mantine/core'
import { IconAdjustments, IconCalendarPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { maxSwaps } from '#contract/operations.ts'
import { addDays, type IsoDate, today } from '#domain/texts/date.ts'
import { firstDeliveryDate, lastDeliveryDate } from '#domain/operations/delivery.ts'
import { type ChangeSeason, proposedStart } from '#domain/season/seasonChange.ts'
import { formatDate } from '../shared/format.ts'
import { messageOf } from '../shared/api.ts'
import { useMoment } from '../operations/delivery.tsx'
import { describedIn } from '../operations/deliveryDays.ts'
import { useSite } from '../shared/session.ts'
import { DateField } from '../ui/dateField.tsx'
import { SelectionBar } from '../ui/selectionBar.tsx'
import { CollapsedOnPhone } from '../ui/collapsedOnPhone.tsx'
import { usePhone } from '../ui/usePhone.ts'
import { notify } from '../ui/notify.ts'
import { Choice } from '../ui/select.tsx'
import { focusWrongField } from '../ui/wrongField.ts'
import type { ChangeRow } from './rows.ts'
import classes from './season.module.css'
import type { usePlan } from './usePlan.ts'

/** The default length of a plan: four weeks. */
const firstDays = 27

type PlanFormProps = {
  season: ChangeSeason
  chosen: readonly ChangeRow[]
  clear: () => void
  planning: ReturnType<typeof usePlan>
  wished: Wish
  onWish: (wished: Wish) => void
}

/** The choices made; the others keep their defaults. */
export type Wish = { transport?: number; from?: IsoDate; until?: IsoDate; returns: boolean }

/** The delivery of a plan: the choices made, with defaults for the others. */
function useWish(season: ChangeSeason, wish: Wish, onWish: (wished: Wish) => void) {
  const { transportMethods: methods } = useSite()
  const at = useMoment()
  const transport =
    methods.find(({ _id }) => _id === wish.transport) ??
    methods.find(method => method.default) ??
    (methods.length === 1 ? methods[0] : undefined)
  const [first, last] = [transport ? firstDeliveryDate(transport, at) : null, lastDeliveryDate(at)]
  const from = wish.from ?? (first && proposedStart(season, { today: today(at), first, last }))
  const weeks = from === null ? null : addDays(from, firstDays)
  const until = wish.until ?? (weeks !== null && weeks > last ? last : weeks)
  const isWhole = transport !== undefined && from !== null && until !== null
  return {
    first,
    last,
    transport,
    from,
    until,
    returns: wish.returns,
    /** `null`: something is missing. */
    request: isWhole ? { transport: transport._id, from, until, returns: wish.returns } : null,
    change: (next: Partial<Wish>) => onWish({ ...wish, ...next }),
  }
}

function Fields({ first, last, transport, from, until, returns, change }: ReturnType<typeof useWish>) {
  const { t, i18n } = useTranslation('season')
  const { transportMethods: methods } = useSite()
  return (
    <>
      <Choice
        label={t('transport')}
        data={methods.map(method => ({ value: String(method._id), label: describedIn(i18n.language, method) }))}
        value={transport ? String(transport._id) : null}
        onChange={id => id !== null && change({ transport: Number(id) })}
        className={classes.choice}
      />
      <DateField
        label={t('from')}
        value={from}
        minDate={first ?? undefined}
        maxDate={last}
        onChange={day => day !== null && change({ from: day })}
        className={classes.day}
      />
      <DateField
        label={t('until')}
        value={until}
        minDate={from ?? undefined}
        maxDate={last}
        onChange={day => day !== null && change({ until: day })}
        className={classes.day}
      />
      <Switch
        label={t('returns')}
        checked={returns}
        onChange={event => change({ returns: event.currentTarget.checked })}
        className={classes.returns}
      />
    </>
  )
}

/** The plan unless its fields are edited. */
function Summary({ wish: { transport, request } }: { wish: ReturnType<typeof useWish> }) {
  const { t, i18n } = useTranslation('failures')
  return (
    <Text size="xs" c="dimmed">
      {transport && request
        ? `${describedIn(i18n.language, transport)} · ${formatDate(request.from)} – ${formatDate(request.until)}`
        : t('delivery.transport_missing')}
    </Text>
  )
}

/** Plans the chosen vehicles: the first ones, where more are chosen than go at a time. It comes with the first of them. */
export function PlanForm({ season, chosen, clear, planning: { busy, make }, wished, onWish }: PlanFormProps) {
  const rows = chosen.slice(0, maxSwaps)
  // with the texts of the summary and the plan: waiting for them once something is chosen would take the list away for a moment
  const { t } = useTranslation(['season', 'failures', 'operations'])
  const phone = usePhone()
  const wish = useWish(season, wished, onWish)
  const { request } = wish
  const fields = useRef<HTMLDivElement>(null)
  const comeBack = rows.reduce((sum, { returns }) => sum + returns.length, 0)
  const without = rows.filter(({ returns }) => returns.length === 0).length
  function plan() {
    if (!request || focusWrongField(fields.current)) return
    void make(rows, request).catch((error: unknown) => notify.error(messageOf(error)))
  }
  const submit = (
    <Button
      data-plan
      leftSection={<IconCalendarPlus size={18} aria-hidden />}
      loading={busy}
      disabled={rows.length === 0 || !request}
      onClick={plan}
    >
      {t('plan', { count: rows.length })}
    </Button>
  )
  const summary = [
    t('chosen', { count: chosen.length }),
    chosen.length > rows.length && t('firstOfChosen', { count: rows.length }),
    wish.returns && comeBack > 0 && t('comeBack', { count: comeBack }),
    wish.returns && without > 0 && t('nothingFor', { count: without }),
  ]
    .filter(Boolean)
    .join(' ')
  if (chosen.length === 0) return null
  return (
    <SelectionBar label={t('planning')} chosen={summary} note={phone && <Summary wish={wish} />} clear={clear}>
      <CollapsedOnPhone label={t('planning')} icon={<IconAdjustments size={20} aria-hidden />}>
        <div ref={fields} className={classes.planFields}>
          <Fields {...wish} />
        </div>
      </CollapsedOnPhone>
      {submit}
    </SelectionBar>
  )
}
