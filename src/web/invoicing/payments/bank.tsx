/** Bank files, and their lines: what each pays, and those that ask (docs/product/money.md "Bank files"). */
import { Badge, Button, FileButton, Group, Stack, Text, Title } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { type BankFile, type BankLine, bankLinesPerPage, lineStates, payments as calls } from '#contract/payments.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { formatDate, formatMinute } from '../../shared/format.ts'
import { usePages } from '../../shared/pages.ts'
import { Failed } from '../../shared/screen.tsx'
import { useSite } from '../../shared/session.ts'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { Choice } from '../../ui/select.tsx'
import classes from '../invoicing.module.css'
import { AssignDialog } from './assign.tsx'
import { PaymentSettings } from './settings.tsx'

export function Bank() {
  return (
    <>
      <PaymentSettings />
      <Lines />
      <Files />
    </>
  )
}

/** Chooses a file, imports it, and says what became of its lines. */
export function BankFileButton() {
  const { t } = useTranslation('payments')
  const reset = useRef<() => void>(null)
  const take = useCall(calls.take, {
    done: ({ line_count: lines, imported_before, matched, open }) =>
      lines > 0
        ? t('bank.taken', { lines, matched, open })
        : imported_before > 0
          ? t('bank.known', { count: imported_before })
          : t('bank.none'),
  })
  return (
    <FileButton
      resetRef={reset}
      accept=".xml,text/xml,application/xml"
      onChange={file => {
        reset.current?.()
        if (file) take.mutate({ file, name: file.name })
      }}
    >
      {({ onClick }) => (
        <Button
          variant="default"
          leftSection={<IconFileImport size={18} aria-hidden />}
          title={t('bank.text')}
          loading={take.isPending}
          onClick={onClick}
        >
          {t('bank.file')}
        </Button>
      )}
    </FileButton>
  )
}

type State = (typeof lineStates)[number]

function Lines() {
  const { t, i18n } = useTranslation(['payments', 'invoicing'])
  const [state, setState] = useState<State>('open')
  const [assigning, setAssigning] = useState<BankLine | null>(null)
  const [aside, setAside] = useState<BankLine | null>(null)
  const [undoing, setUndoing] = useState<BankLine | null>(null)
  const pages = usePages(
    calls.lines,
    { state },
    {
      after: 'last_line',
      lastOf: page => (page.length === bankLinesPerPage ? page.at(-1)?._id : null),
      keep: true,
    },
  )
  const setasideCall = useCall(calls.setaside, { done: 'payments:bank.aside.done' })
  const reopen = useCall(calls.setaside, {})
  const undo = useCall(calls.undo, { done: 'payments:undo.done' })
  const amountOf = useAmount()
  const money = moneyIn(i18n.language)
  const named = (line: BankLine) => ({ amount: amountOf(line), payer: line.payer || t('bank.unnamed') })
  return (
    <>
      <Group justify="space-between" gap="xs" mb="sm">
        <Choice
          aria-label={t('filter.label')}
          value={state}
          onChange={value => setState(lineStates.find(option => option === value) ?? 'open')}
          data={lineStates.map(value => ({ value, label: t(`bank.state.${value}`) }))}
          allowDeselect={false}
        />
        <BankFileButton />
      </Group>
      <DataTable
        columns={[
          {
            id: 'payer',
            header: t('bank.column.payer'),
            render: line => (
              <>
                <span className={classes.strong}>{line.payer || t('bank.unnamed')}</span>
                <Text size="xs" c="dimmed" className={classes.answer}>
                  {[formatDate(line.booked_on), line.payer_account, line.reference, line.message]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </>
            ),
            area: 'payer',
          },
          {
            id: 'for',
            header: t('bank.column.for'),
            render: line =>
              line.payment ? (
                <>
                  {line.payment.companyname}
                  <Text size="xs" c="dimmed">
                    {[
                      ...line.payment.parts.map(part => `${part.number}: ${money.format(part.amount)}`),
                      ...(line.payment.rest > 0 ? [t('rest', { amount: money.format(line.payment.rest) })] : []),
                    ].join(' · ')}
                  </Text>
                </>
              ) : line.set_aside !== null ? (
                <Text size="sm">{line.set_aside}</Text>
              ) : (
                line.question !== null && (
                  <Badge
                    color={line.question === 'reversal' ? 'red' : 'yellow'}
                    size="sm"
                    className={classes.question ?? ''}
                  >
                    {t(`bank.question.${line.question}`)}
                  </Badge>
                )
              ),
            area: 'for',
          },
          {
            id: 'amount',
            header: t('bank.column.amount'),
            render: line => amountOf(line),
            align: 'end',
            nowrap: true,
            area: 'amount',
          },
          {
            id: 'actions',
            header: t('bank.column.actions'),
            headerHidden: true,
            render: line => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                {line.payment ? (
                  <Button size="compact-sm" variant="subtle" color="red" onClick={() => setUndoing(line)}>
                    {t('undo.do')}
                  </Button>
                ) : line.set_aside !== null ? (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => reopen.mutate({ _id: line._id, reason: '' })}
                  >
                    {t('bank.reopen')}
                  </Button>
                ) : (
                  <>
                    <Button
                      size="compact-sm"
                      variant="subtle"
                      aria-label={t('bank.aside.which', named(line))}
                      onClick={() => setAside(line)}
                    >
                      {t('bank.aside.do')}
                    </Button>
                    {!line.reversal && (
                      <Button
                        size="compact-sm"
                        aria-label={t('bank.assign.which', named(line))}
                        onClick={() => setAssigning(line)}
                      >
                        {t('bank.assign.do')}
                      </Button>
                    )}
                  </>
                )}
              </Group>
            ),
            align: 'end',
            area: 'actions',
          },
        ]}
        rows={pages.data?.pages.flat()}
        keyOf={({ _id }) => _id}
        failure={pages.isError && <Failed error={pages.error} retry={pages.refetch} />}
        empty={t(`bank.empty.${state}`)}
        phone={{ areas: ['payer amount', 'for for', 'actions actions'], columns: 'minmax(0, 1fr) auto' }}
        frame
      />
      {pages.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('invoicing:older')}
          </Button>
        </Group>
      )}
      {assigning && <AssignDialog line={assigning} amount={amountOf(assigning)} onClose={() => setAssigning(null)} />}
      {aside && (
        <ReasonDialog
          title={t('bank.aside.title', { amount: amountOf(aside) })}
          text={t('bank.aside.text')}
          confirm={t('bank.aside.do')}
          send={reason => setasideCall.mutateAsync({ _id: aside._id, reason })}
          onClose={() => setAside(null)}
        />
      )}
      {undoing?.payment && (
        <ReasonDialog
          title={t('undo.title', { kind: t('kind.payment'), amount: amountOf(undoing) })}
          text={t('undo.text')}
          confirm={t('undo.do')}
          danger
          send={reason => undo.mutateAsync({ _id: undoing.payment?._id ?? 0, reason })}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  )
}

/** The amount of a line in its currency; one that the bank takes back is negative. */
function useAmount(): (line: Pick<BankLine, 'amount' | 'currency' | 'reversal'>) => string {
  const { i18n } = useTranslation()
  return ({ amount, currency, reversal }) =>
    new Intl.NumberFormat(i18n.language, { style: 'currency', currency }).format(reversal ? -amount : amount)
}

function Files() {
  const { t } = useTranslation('payments')
  const files = useAnswer(calls.files, {})
  const undo = useCall(calls.undofile, { done: 'payments:undo.done' })
  const { time_zone } = useSite()
  const [undoing, setUndoing] = useState<BankFile | null>(null)
  return (
    <Stack gap="xs" mt="xl">
      <Title order={2} size="h4">
        {t('bank.files')}
      </Title>
      <DataTable
        columns={[
          {
            id: 'name',
            header: t('bank.fileColumn.name'),
            render: ({ name, at, by }) => (
              <>
                {name}
                <Text size="xs" c="dimmed">
                  {[formatMinute(at, time_zone), by].filter(Boolean).join(' · ')}
                </Text>
              </>
            ),
          },
          { id: 'lines', header: t('bank.fileColumn.lines'), render: ({ line_count }) => line_count, align: 'end' },
          { id: 'open', header: t('bank.fileColumn.open'), render: ({ open }) => open, align: 'end' },
          {
            id: 'actions',
            header: t('bank.column.actions'),
            headerHidden: true,
            render: file => (
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                aria-label={t('bank.undoFile.which', { name: file.name })}
                onClick={() => setUndoing(file)}
              >
                {t('undo.do')}
              </Button>
            ),
            align: 'end',
          },
        ]}
        rows={files.data}
        keyOf={({ _id }) => _id}
        failure={files.isError && <Failed error={files.error} retry={files.refetch} />}
        empty={t('bank.noFiles')}
        placeholders={2}
        phone={{ heads: 'shown' }}
        frame
      />
      {undoing && (
        <ReasonDialog
          title={t('bank.undoFile.title', { name: undoing.name })}
          text={t('bank.undoFile.text')}
          confirm={t('undo.do')}
          danger
          tellsWhy
          send={reason => undo.mutateAsync({ _id: undoing._id, reason })}
          onClose={() => setUndoing(null)}
        />
      )}
    </Stack>
  )
}
