/** The overdue tyres of a customer: selected, charged, marked as invoiced, or cleared of their last invoice date. */
import { Alert, Button, Group, Switch, Text, Title } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCalendarCheck,
  IconCalendarX,
  IconCircleX,
  IconCopy,
  IconDots,
  IconFilePlus,
} from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { charges as calls } from '#contract/charges.ts'
import { invoicing, type OverdueTyre } from '#contract/invoicing.ts'
import { tabLines } from '#domain/texts/cell.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { keyOf, queryClient, useAnswer, useCall } from '../../shared/api.ts'
import { confirmFirst } from '../../ui/confirm.tsx'
import { copyText } from '../../ui/copy.ts'
import { CsvButton } from '../../shared/csvButton.tsx'
import { formatDate } from '../../shared/format.ts'
import { useRemembered, useToday } from '../../shared/hooks.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { WorkbookButton } from '../../shared/workbookButton.tsx'
import { SelectionBar } from '../../ui/selectionBar.tsx'
import { CollapsedOnPhone } from '../../ui/collapsedOnPhone.tsx'
import { usePhone } from '../../ui/usePhone.ts'
import { Unbroken } from '../../ui/unbroken.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { paging } from '../../ui/dataTable/paging.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { Empty, Unanswered } from '../../shared/screen.tsx'
import { Subject, useTyreSelectName } from '../../shared/trade.tsx'
import { LinkButton } from '../../ui/link.tsx'
import { amountOf } from './charges.tsx'
import { DocumentDialog, MarkDialog } from '../dialogs.tsx'
import classes from '../invoicing.module.css'
import { useOwedColumns } from './owedColumns.tsx'
import { useOverdueSheet } from '../sheets.ts'
import { cellsOf, daysOwedBy, documentsOf, owingOf, selectedTogether } from './rows.ts'

/** The name of a customer, from the list of overdue customers. */
const nameOf = (seq_id: number, days: number): string => {
  const cached = queryClient
    .getQueryData<{ seq_id: number; companyname: string; name: string }[]>(keyOf(invoicing.customers, { days }))
    ?.find(customer => customer.seq_id === seq_id)
  return cached ? cached.companyname || cached.name : ''
}

/** The tyres of a customer that owe storage, with what a document would charge beside it. */
export function Owed({ customer, days }: { customer: number; days: number }) {
  const { t } = useTranslation('invoicing')
  const [paid, setPaid] = useState(false)
  // it stays when the customer has left the list
  const [name, setName] = useState('')
  const heard = nameOf(customer, days)
  if (heard !== '' && heard !== name) setName(heard)
  const answer = useAnswer(invoicing.tyres, { seq_id: customer, days, ...(paid && { paid }) }, { keep: true })
  const beside = useCharges(customer)
  return (
    <>
      <Group justify="space-between" gap="sm" mih={36} mb="xs">
        <Title order={2}>{name || t('tyres')}</Title>
        <Switch label={t('allInStock')} checked={paid} onChange={event => setPaid(event.currentTarget.checked)} />
      </Group>
      {!answer.data || beside.isPending ? (
        <Unanswered error={answer.error} retry={answer.refetch} rows={8} />
      ) : (
        <>
          <BesideStorage customer={customer} />
          {answer.data.length === 0 ? (
            <Empty text={t('noTyres')} />
          ) : (
            <Tyres customer={customer} name={name} tyres={answer.data} isCurrent={!answer.isFetching} />
          )}
        </>
      )}
    </>
  )
}

const useCharges = (customer: number) => useAnswer(calls.list, { seq_id: customer }, { muted: true })

/** The customer's other charges, which the next document includes, too. */
function BesideStorage({ customer }: { customer: number }) {
  const { t, i18n } = useTranslation('charges')
  const { data: charges } = useCharges(customer)
  if (!charges || charges.length === 0) return null
  const amount = moneyIn(i18n.language).format(amountOf(charges))
  return (
    <Alert mb="xs" py="xs">
      <Group gap="xs" justify="space-between">
        <Text size="sm">{t('beside', { amount })}</Text>
        <LinkButton to="/admin/invoicing" search={{ tab: 'charges' }} size="compact-sm" variant="default">
          {t('show')}
        </LinkButton>
      </Group>
    </Alert>
  )
}

/** The running action on tyres, with a snapshot of them; a document leaves out so many that were selected. */
type PendingAction =
  | { kind: 'mark' | 'waive'; tyres: readonly OverdueTyre[] }
  | { kind: 'document'; tyres: readonly OverdueTyre[]; leftOut: number }

type TyresProps = {
  customer: number
  name: string
  tyres: readonly OverdueTyre[]
  /** Whether the list is not being refetched. */
  isCurrent: boolean
}

/** The selection among overdue tyres: tyres that a document charges together are selected together. */
function useChosen({ customer, tyres, isCurrent }: Omit<TyresProps, 'name'>) {
  const { t } = useTranslation('invoicing')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  // unlisted tyres are deselected
  const selected = useMemo(() => tyres.filter(tyre => chosen.has(tyre.db_id)), [tyres, chosen])
  const { data: whole } = useBill(customer, tyres, isCurrent)
  const together = whole?.together
  const toggle = useCallback(
    (tyre: OverdueTyre) =>
      setChosen(before => {
        const next = new Set(before)
        const ids = selectedTogether(tyre.db_id, together ?? [])
        const leaves = before.has(tyre.db_id)
        for (const id of ids) {
          if (leaves) next.delete(id)
          else next.add(id)
        }
        return next
      }),
    [together],
  )
  const nameOf = useTyreSelectName()
  const selection = useRowSelection<OverdueTyre>({
    head: {
      label: t('selectAll'),
      state: selected.length === tyres.length || (selected.length > 0 && 'some'),
      toggle: () => setChosen(new Set(selected.length === tyres.length ? [] : tyres.map(tyre => tyre.db_id))),
    },
    stateOf: tyre => chosen.has(tyre.db_id),
    labelOf: useCallback(tyre => nameOf(tyre, tyre.license_plate), [nameOf]),
    toggle,
  })
  return {
    together,
    selected,
    selection,
    choose: (ids: readonly number[]) => setChosen(new Set(ids)),
    // otherwise they would still be selected when listed again
    deselect: () => setChosen(new Set()),
  }
}

/** Makes a document of the selected tyres that owe something. */
function CreateDocument({ selected, act }: { selected: readonly OverdueTyre[]; act: (action: PendingAction) => void }) {
  const { t } = useTranslation('invoicing')
  const owing = owingOf(selected)
  return (
    <Button
      size="xs"
      leftSection={<IconFilePlus size={16} aria-hidden />}
      disabled={owing.length === 0}
      onClick={() => act({ kind: 'document', tyres: owing, leftOut: selected.length - owing.length })}
    >
      {t('createDocument')}
    </Button>
  )
}

/** Takes the dates and markings of the selected tyres back. In the list itself: on a phone the buttons are gone before the answer comes. */
function useTakingBack({
  name,
  selected,
  deselect,
}: {
  name: string
  selected: readonly OverdueTyre[]
  deselect: () => void
}) {
  const { t } = useTranslation('invoicing')
  const clear = useCall(invoicing.unmarkinvoiced, { done: 'invoicing:cleared' })
  const undo = useCall(invoicing.undomarking, { done: 'invoicing:undone' })
  const clearDates = async () => {
    const sure = await confirmFirst({
      title: t('clearQuestion', { count: selected.length }),
      about: <Subject plates={selected.map(tyre => tyre.license_plate)}>{name}</Subject>,
      text: t('clearText'),
      confirm: t('clear'),
      danger: true,
    })
    if (sure) clear.mutate({ tyreIds: selected.map(tyre => tyre.db_id) }, { onSuccess: deselect })
  }
  return {
    isClearing: clear.isPending,
    clearDates: () => void clearDates(),
    isUndoing: undo.isPending,
    undo: () => undo.mutate({ tyres: selected.map(tyre => tyre.db_id) }, { onSuccess: deselect }),
  }
}

type OtherActionsProps = {
  selected: readonly OverdueTyre[]
  takingBack: ReturnType<typeof useTakingBack>
  act: (action: PendingAction) => void
}

/** Marks the selected tyres as invoiced, takes that back, clears their dates, or waives what they owe. */
function OtherActions({ selected, takingBack, act }: OtherActionsProps) {
  const { t } = useTranslation('invoicing')
  const owing = owingOf(selected)
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCalendarCheck size={16} aria-hidden />}
        disabled={selected.length === 0}
        onClick={() => act({ kind: 'mark', tyres: selected })}
      >
        {t('mark')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCalendarX size={16} aria-hidden />}
        disabled={!selected.some(tyre => tyre.invoicedAt !== null)}
        loading={takingBack.isClearing}
        onClick={takingBack.clearDates}
      >
        {t('clear')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowBackUp size={16} aria-hidden />}
        disabled={selected.length === 0}
        loading={takingBack.isUndoing}
        onClick={takingBack.undo}
      >
        {t('undo')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCircleX size={16} aria-hidden />}
        disabled={owing.length === 0}
        onClick={() => act({ kind: 'waive', tyres: owing })}
      >
        {t('left.waive')}
      </Button>
    </>
  )
}

function Tyres({ customer, name, tyres, isCurrent }: TyresProps) {
  const { t } = useTranslation(['invoicing', 'common'])
  const phone = usePhone()
  const [size, setSize] = useRemembered<number>('overduePerPage', 100)
  const [page, setPage] = useState(1)
  const [pending, setPending] = useState<PendingAction | null>(null)
  const { together, selected, selection, choose, deselect } = useChosen({ customer, tyres, isCurrent })
  const waive = useCall(invoicing.waive, { done: ({ days }) => t('left.waived', { count: days }) })
  const subjectOf = (these: readonly OverdueTyre[]) => (
    <Subject plates={these.map(tyre => tyre.license_plate)}>{name}</Subject>
  )
  const main = <CreateDocument selected={selected} act={setPending} />
  const takingBack = useTakingBack({ name, selected, deselect })
  const others = <OtherActions selected={selected} takingBack={takingBack} act={setPending} />
  return (
    <>
      <div className={classes.bar}>
        <Sum customer={customer} selected={selected} all={tyres} isCurrent={isCurrent} />
        <ExportButtons tyres={selected.length > 0 ? selected : tyres} />
        {!phone && (
          <Group gap="xs" className={classes.actions}>
            {main}
            {others}
          </Group>
        )}
      </div>
      {phone && selected.length > 0 && (
        <SelectionBar label={t('tyres')} chosen={t('selected', { count: selected.length })} clear={deselect}>
          <CollapsedOnPhone label={t('common:more')} icon={<IconDots size={18} aria-hidden />} closes>
            {others}
          </CollapsedOnPhone>
          {main}
        </SelectionBar>
      )}
      <Documented tyres={selected.length > 0 ? selected : tyres} choose={choose} />
      <DataTable
        columns={useOwedColumns()}
        rows={tyres}
        keyOf={tyre => tyre.db_id}
        selection={selection}
        paging={paging({
          label: t('perPage'),
          page,
          size,
          onPage: setPage,
          onSize: next => {
            setSize(next)
            setPage(1)
          },
        })}
        rowAttributes={(tyre, before) => ({ 'data-begins': !sameSet(tyre, before) || undefined })}
        phone={{
          areas: ['select main days', 'select text text'],
          columns: '2.5rem minmax(0, 1fr) auto',
          heads: 'selection',
        }}
        className={together && together.length > 0 ? `${classes.table} ${classes.sets}` : classes.table}
        frame
      />
      {pending?.kind === 'mark' && (
        <MarkDialog
          about={subjectOf(pending.tyres)}
          tyres={pending.tyres}
          onClose={() => setPending(null)}
          onMarked={deselect}
        />
      )}
      {pending?.kind === 'document' && (
        <DocumentDialog
          customer={customer}
          about={subjectOf(pending.tyres)}
          tyres={pending.tyres}
          leftOut={pending.leftOut}
          onClose={() => setPending(null)}
          onMarked={deselect}
        />
      )}
      {pending?.kind === 'waive' && (
        <ReasonDialog
          title={t('left.waiveTitle', { count: pending.tyres.length })}
          about={subjectOf(pending.tyres)}
          text={t('left.waiveText', { count: daysOwedBy(pending.tyres) })}
          confirm={t('left.waive')}
          danger
          send={async reason => {
            await waive.mutateAsync({ tyres: pending.tyres.map(tyre => tyre.db_id), seq_id: customer, reason })
            deselect()
          }}
          onClose={() => setPending(null)}
        />
      )}
    </>
  )
}

const sameSet = (a: OverdueTyre, b: OverdueTyre | undefined): boolean =>
  b !== undefined && a.flt_id === b.flt_id && a.tyre_set !== null && a.tyre_set === b.tyre_set

/**
 * A preview of a document for the tyres that owe days; nothing where it would be refused. Not requested while the list is refetched: a tyre that was
 * just charged, marked or waived still owes in the old one, and the preview would be refused.
 */
function useBill(customer: number, tyres: readonly OverdueTyre[], isCurrent: boolean) {
  const owing = useMemo(() => owingOf(tyres).map(tyre => tyre.db_id), [tyres])
  const input = { tyres: owing, seq_id: customer }
  return useAnswer(invoicing.preview, input, {
    enabled: isCurrent && owing.length > 0,
    keep: true,
    muted: true,
    staleTime: 0,
  })
}

type SumProps = Pick<TyresProps, 'customer' | 'isCurrent'> & {
  selected: readonly OverdueTyre[]
  all: readonly OverdueTyre[]
}

/** The selected tyres, or all, and the amount that the preview would charge. */
function Sum({ customer, selected, all, isCurrent }: SumProps) {
  const { t, i18n } = useTranslation('invoicing')
  const tyres = selected.length > 0 ? selected : all
  const { data: bill, isPlaceholderData: isOld } = useBill(customer, tyres, isCurrent)
  return (
    <Text size="sm" role="status" className={classes.sum}>
      <b>{selected.length > 0 ? t('selected', { count: tyres.length }) : t('overdueTyres', { count: tyres.length })}</b>
      {bill && !isOld && owingOf(tyres).length > 0 && (
        <>
          <span>{t('quantity', { quantity: formatNumber(bill.quantity, i18n.language) })}</span>
          <span>{moneyIn(i18n.language).format(bill.amount_excl)}</span>
        </>
      )}
    </Text>
  )
}

/** A document that charges tyres which were not marked since: the next step is to mark them. */
function Documented({ tyres, choose }: { tyres: readonly OverdueTyre[]; choose: (ids: readonly number[]) => void }) {
  const { t } = useTranslation('invoicing')
  const documents = documentsOf(tyres)
  if (documents.length === 0) return null
  return (
    <Alert color="orange" mb="xs" py="xs">
      {documents.map(document => (
        <Group key={document.number} gap="xs" justify="space-between">
          <Text size="sm">
            <Unbroken part={document.number}>
              {t('documented', {
                count: document.tyres.length,
                number: document.number,
                date: formatDate(document.date),
              })}
            </Unbroken>
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => choose(document.tyres)}>
            {t('chooseThese')}
          </Button>
        </Group>
      ))}
    </Alert>
  )
}

/** Copies the selected tyres, or all, or saves them as a file. */
function ExportButtons({ tyres }: { tyres: readonly OverdueTyre[] }) {
  const { t } = useTranslation(['invoicing', 'common'])
  const today = useToday()
  const sheet = useOverdueSheet()
  const cells = () => cellsOf(tyres, { heading: column => t(`column.${column}`), setless: t('common:tyre.setless') })
  return (
    <Group gap="xs" ms="auto">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCopy size={16} aria-hidden />}
        onClick={() => void copyText(tabLines(cells()))}
      >
        {t('copy')}
      </Button>
      <CsvButton size="xs" file={`${t('fileName')}-${today}`} cells={cells} />
      <WorkbookButton size="xs" title={t('tyres')} file={`${t('fileName')}-${today}`} columns={sheet} rows={tyres} />
    </Group>
  )
}
