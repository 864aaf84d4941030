/** Charges besides storage: waive, correct, or put on a document (docs/product/money.md "Charges"). */
import { Badge, Button, Group, Switch, Text } from '@mantine/core'
import { IconCircleX, IconFilePlus } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { charges as calls, type Charge } from '#contract/charges.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { sumOf } from '#domain/money/tariff.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { ask, messageOf, useAnswer, useCall } from '../../shared/api.ts'
import { formatDate } from '../../shared/format.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { Failed } from '../../shared/screen.tsx'
import { Dotted, Plate, Subject } from '../../shared/trade.tsx'
import { confirmFirst } from '../../ui/confirm.tsx'
import type { Columns } from '../../ui/dataTable/column.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { paging } from '../../ui/dataTable/paging.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { SelectionBar } from '../../ui/selectionBar.tsx'
import { usePhone } from '../../ui/usePhone.ts'
import { FilterField } from '../../ui/filterField.tsx'
import { notify } from '../../ui/notify.ts'
import classes from '../invoicing.module.css'
import { matches } from './rows.ts'

/** The sum of charges, in EUR. */
export const amountOf = (charges: readonly Charge[]): number => sumOf(charges)

/** The plate and the position that a charge is for, as far as it is for one. */
const vehicleOf = ({ license_plate: plate, position }: Charge): string =>
  [plate && formatPlate(plate), position].filter(Boolean).join(' ')

/** An action on a settled charge that needs a reason. */
type PendingAction = { kind: 'unwaive' | 'counter'; charge: Charge }

/** The action that a settled charge offers. */
function actionFor(charge: Charge): PendingAction['kind'] | null {
  if (charge.state === 'waived') return 'unwaive'
  return charge.state === 'charged' && !charge.countered && charge.counters === null ? 'counter' : null
}

/** Rows of a page. */
const pageSize = 50

type OwedProps = { all: readonly Charge[] | undefined; shown: readonly Charge[]; chosen: readonly Charge[] }

/** The amount owed: by all shown customers, or by the one whose charges are selected, since a document has all of that customer's charges. */
function Owed({ all = [], shown, chosen: [first, ...others] }: OwedProps) {
  const { t, i18n } = useTranslation('charges')
  const money = moneyIn(i18n.language)
  if (!first || others.some(({ seq_id }) => seq_id !== first.seq_id))
    return t('owed', { amount: money.format(amountOf(shown)) })
  const theirs = all.filter(charge => charge.state === 'owed' && charge.seq_id === first.seq_id)
  return t('owedOf', { customer: first.companyname, amount: money.format(amountOf(theirs)) })
}

/** The names of charges: `nameOf` its service or kind, `whatOf` with its vehicle and position. */
function useChargeNames() {
  const { t } = useTranslation('charges')
  const nameOf = useCallback((charge: Charge) => charge.service ?? t(`kind.${charge.kind}`), [t])
  const whatOf = useCallback(
    (charge: Charge) => [nameOf(charge), vehicleOf(charge)].filter(Boolean).join(' '),
    [nameOf],
  )
  return { nameOf, whatOf }
}

/** The vehicles and customers of charges; for a single one its name, too. */
function ChargeSubject({ charges }: { charges: readonly Charge[] }) {
  const { nameOf } = useChargeNames()
  const [first, another] = charges
  return (
    <Subject plates={charges.flatMap(({ license_plate }) => license_plate ?? [])}>
      <Dotted>
        {!another && first?.position}
        {!another && first && nameOf(first)}
        {[...new Set(charges.map(({ companyname }) => companyname))].join(', ')}
      </Dotted>
    </Subject>
  )
}

/** The selection among owed charges; settled ones can't be selected. */
function useChosen(owed: readonly Charge[]) {
  const { t } = useTranslation('charges')
  const { whatOf } = useChargeNames()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const selected = owed.filter(charge => chosen.has(charge._id))
  const selection = useRowSelection<Charge>({
    head: {
      label: t('selectAll'),
      state: selected.length > 0 && (selected.length === owed.length || 'some'),
      toggle: () => setChosen(new Set(selected.length === owed.length ? [] : owed.map(charge => charge._id))),
    },
    stateOf: charge => chosen.has(charge._id),
    labelOf: useCallback(charge => t('select', { what: whatOf(charge), customer: charge.companyname }), [t, whatOf]),
    toggle: useCallback(
      (charge, on) => {
        if (charge.state !== 'owed') return
        setChosen(before => {
          const next = new Set(before)
          if (on) next.add(charge._id)
          else next.delete(charge._id)
          return next
        })
      },
      [setChosen],
    ),
  })
  return { selected, selection, clear: () => setChosen(new Set()) }
}

/** `all`: settled charges are listed, too, each with its state and the action that it offers. */
function useColumns(all: boolean, act: (action: PendingAction) => void): Columns<Charge> {
  const { t, i18n } = useTranslation('charges')
  const money = moneyIn(i18n.language)
  const { nameOf, whatOf } = useChargeNames()
  return [
    {
      id: 'customer',
      header: t('column.customer'),
      area: 'main',
      render: charge => (
        <>
          {charge.companyname}
          {charge.reason !== '' && (
            <Text size="xs" c="dimmed">
              {charge.reason}
            </Text>
          )}
        </>
      ),
    },
    {
      id: 'what',
      header: t('column.what'),
      area: 'what',
      render: charge => (
        <Group gap={6}>
          <span className={classes.charge}>
            {nameOf(charge)}
            {charge.license_plate !== null && <Plate plate={charge.license_plate} size="sm" />}
            {charge.position}
          </span>
          <BelowCell>{`${whatOf(charge)} · ${formatDate(charge.day)}`}</BelowCell>
          {charge.counters !== null && <Badge size="sm">{t('correction')}</Badge>}
          {charge.countered && (
            <Badge size="sm" color="gray">
              {t('countered')}
            </Badge>
          )}
        </Group>
      ),
    },
    { id: 'day', header: t('column.day'), render: charge => formatDate(charge.day), nowrap: true, from: 'sm' },
    all && {
      id: 'state',
      header: t('column.state'),
      render: charge => t(`state.${charge.state}`, { document: charge.document?.number ?? '' }),
      from: 'sm',
    },
    {
      id: 'amount',
      header: t('column.amount'),
      area: 'amount',
      render: charge => money.format(charge.amount_excl),
      align: 'end',
      nowrap: true,
    },
    all && {
      id: 'do',
      header: t('column.do'),
      headerHidden: true,
      area: 'do',
      render: charge => {
        const kind = actionFor(charge)
        return (
          kind && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('which', { do: t(kind), what: whatOf(charge), customer: charge.companyname })}
              onClick={() => act({ kind, charge })}
            >
              {t(kind)}
            </Button>
          )
        )
      },
      align: 'end',
      width: '1%',
    },
  ]
}

type SelectionActionsProps = {
  selected: readonly Charge[]
  clear: () => void
  waive: (charges: readonly Charge[]) => void
}

/** Puts all charges of the selected customer on a document, after a question, or waives the selected ones. */
function SelectionActions({ selected, clear, waive }: SelectionActionsProps) {
  const { t, i18n } = useTranslation('charges')
  const inject = useCall(calls.inject, {
    done: ({ document_number_text: number }) => t('documentDone', { number }),
  })
  const several = new Set(selected.map(charge => charge.seq_id)).size > 1
  const [first] = selected
  async function makeDocument({ seq_id, companyname }: Charge) {
    const bill = await ask(calls.preview, { seq_id })
    const sure = await confirmFirst({
      title: t('documentTitle', { customer: companyname }),
      text: t('documentText', { amount: moneyIn(i18n.language).format(bill.amount_excl) }),
      confirm: t('document'),
    })
    if (sure) inject.mutate({ seq_id }, { onSuccess: clear })
  }
  return (
    <>
      {several ? (
        <Text size="sm" className={classes.whole}>
          {t('oneCustomer')}
        </Text>
      ) : (
        <Button
          size="xs"
          leftSection={<IconFilePlus size={16} aria-hidden />}
          disabled={!first}
          loading={inject.isPending}
          onClick={() => first && void makeDocument(first).catch((error: unknown) => notify.error(messageOf(error)))}
          className={classes.whole}
        >
          {first ? t('documentOf', { customer: first.companyname }) : t('document')}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCircleX size={16} aria-hidden />}
        disabled={selected.length === 0}
        onClick={() => waive(selected)}
      >
        {t('waive')}
      </Button>
    </>
  )
}

/** Asks for the reason why charges are waived. */
function WaiveDialog({
  charges,
  onDone,
  onClose,
}: {
  charges: readonly Charge[]
  onDone: () => void
  onClose: () => void
}) {
  const { t, i18n } = useTranslation('charges')
  const waive = useCall(calls.waive, { done: 'charges:waived' })
  return (
    <ReasonDialog
      title={t('waiveTitle', { count: charges.length })}
      about={<ChargeSubject charges={charges} />}
      text={t('waiveText', { amount: moneyIn(i18n.language).format(amountOf(charges)) })}
      confirm={t('waive')}
      danger
      send={async reason => {
        await waive.mutateAsync({ charges: charges.map(charge => charge._id), reason })
        onDone()
      }}
      onClose={onClose}
    />
  )
}

/** Asks for the reason of an action on a settled charge. */
function PendingDialog({ kind, charge, onClose }: PendingAction & { onClose: () => void }) {
  const { t, i18n } = useTranslation('charges')
  const unwaive = useCall(calls.unwaive, { done: 'charges:unwaived' })
  const counter = useCall(calls.counter, { done: 'charges:corrected' })
  const dialogs = {
    unwaive: { title: t('unwaiveTitle'), text: t('unwaiveText'), call: unwaive },
    counter: {
      title: t('counterTitle'),
      text: t('counterText', {
        document: charge.document?.number ?? '',
        amount: moneyIn(i18n.language).format(charge.amount_excl),
      }),
      call: counter,
    },
  } as const
  const { title, text, call } = dialogs[kind]
  return (
    <ReasonDialog
      title={title}
      about={<ChargeSubject charges={[charge]} />}
      text={text}
      confirm={t(kind)}
      danger
      send={reason => call.mutateAsync({ _id: charge._id, reason })}
      onClose={onClose}
    />
  )
}

/** The charges besides storage of all customers: what is owed, and with 'all' what was settled. */
export function Charges() {
  const { t, i18n } = useTranslation('charges')
  const phone = usePhone()
  const [all, setAll] = useState(false)
  const [filter, setFilter] = useState('')
  const [waiving, setWaiving] = useState<readonly Charge[] | null>(null)
  const [pending, setPending] = useState<PendingAction | null>(null)
  const [page, setPage] = useState(1)
  const answer = useAnswer(calls.list, { all }, { keep: true })
  const shown = useMemo(
    () => answer.data?.filter(charge => matches(`${charge.companyname}\n${charge.license_plate ?? ''}`, filter)),
    [answer.data, filter],
  )
  const owed = useMemo(() => shown?.filter(charge => charge.state === 'owed') ?? [], [shown])
  const { selected, selection, clear } = useChosen(owed)
  const columns = useColumns(all, setPending)
  const below = phone && selected.length > 0
  const owedText = <Owed all={answer.data} shown={owed} chosen={selected} />
  const selectedText = t('chosen', {
    count: selected.length,
    amount: moneyIn(i18n.language).format(amountOf(selected)),
  })
  const actions = <SelectionActions selected={selected} clear={clear} waive={setWaiving} />
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {t('text')}
      </Text>
      <Group justify="space-between" gap="sm" mb="xs">
        <Group gap="sm">
          <FilterField
            label={t('filter')}
            value={filter}
            settle={next => {
              setFilter(next)
              setPage(1)
            }}
          />
          <Switch label={t('all')} checked={all} onChange={event => setAll(event.currentTarget.checked)} />
        </Group>
        {!below && (
          <Text size="sm" role="status">
            <Dotted>
              {owedText}
              {selected.length > 0 && selectedText}
            </Dotted>
          </Text>
        )}
      </Group>
      {!phone && (
        <Group gap="xs" mb="xs">
          {actions}
        </Group>
      )}
      {below && (
        <SelectionBar
          label={t('selectAll')}
          note={<Text size="sm">{owedText}</Text>}
          chosen={selectedText}
          clear={clear}
        >
          {actions}
        </SelectionBar>
      )}
      <DataTable
        columns={columns}
        rows={shown}
        keyOf={charge => charge._id}
        paging={paging({ page, size: pageSize, onPage: setPage })}
        selection={selection}
        failure={answer.isError && <Failed error={answer.error} retry={answer.refetch} />}
        empty={t('none')}
        phone={{
          areas: ['select main amount', 'select what what', 'select do do'],
          columns: '2.5rem minmax(0, 1fr) auto',
          heads: 'selection',
        }}
        frame
      />
      {waiving && <WaiveDialog charges={waiving} onDone={clear} onClose={() => setWaiving(null)} />}
      {pending && <PendingDialog {...pending} onClose={() => setPending(null)} />}
    </>
  )
}
