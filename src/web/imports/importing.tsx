/** The import of one file: chosen or pasted, its columns matched, a preview of its rows, and then the import. */
import { Alert, Button, Group, List, NumberInput, Progress, Stack, Text, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconDownload, IconFileSpreadsheet, IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { ImportKind } from '#domain/texts/importColumn.ts'
import type { Answer, RawInput } from '#contract/call.ts'
import { encodings, imports as calls, maxImportBytes } from '#contract/imports.ts'
import { ask, invalidate, messageOf, useAnswer } from '../shared/api.ts'
import { CustomerChoice } from '../customers/customerChoice.tsx'
import { ImportOutcome } from '../shared/importOutcome.tsx'
import { workbookOf } from '../shared/workbook.ts'
import { saveFile } from '../ui/download.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FileDrop } from '../ui/fileDrop.tsx'
import { notify } from '../ui/notify.ts'
import { Choice } from '../ui/select.tsx'
import { Columns } from './columns.tsx'

type Checked = Answer<typeof calls.check>
type Asked = RawInput<typeof calls.check>
/** The choices that replace the detected ones. */
type Chosen = Pick<Asked, 'sheet' | 'header' | 'columns' | 'seq_id' | 'encoding'>

export function Importing({ kind }: { kind: ImportKind }) {
  const { t } = useTranslation(['imports', 'common'])
  const [file, setFile] = useState<File | null>(null)
  const [chosen, setChosen] = useState<Chosen>({})
  const [wrong, setWrong] = useState<string | null>(null)
  // the last result for this file: its fields stay while another choice is tried, or when it is refused
  const [last, setLast] = useState<Checked | null>(null)
  // a dry run saves nothing: it has no toast, and its refusal is shown here
  const check = useMutation({ mutationFn: (input: Asked) => ask(calls.check, input), onSuccess: setLast })
  const take = useTaking(() => {
    setFile(null)
    setChosen({})
    check.reset()
  })

  function look(at: File, how: Chosen) {
    setFile(at)
    if (at !== file) setLast(null)
    setChosen(how)
    setWrong(null)
    if (at.size > maxImportBytes) return setWrong(t('imports:tooLarge', { mb: maxImportBytes / 1024 / 1024 }))
    check.mutate({ kind, file: at, name: at.name, ...how })
  }
  const change = (how: Chosen) => file && look(file, { ...chosen, ...how })
  const paste = (text: string) => look(new File([text], t('imports:pasted'), { type: 'text/plain' }), { ...chosen })
  const checked = file && !wrong ? last : null
  const refused = wrong ?? (file && check.error ? messageOf(check.error) : null)
  return (
    <Stack gap="md">
      <FileDrop
        icon={<IconFileSpreadsheet size={28} stroke={1.4} aria-hidden />}
        title={file ? file.name : t('imports:drop')}
        hint={t(file ? 'imports:other' : 'imports:choose')}
        accept={accepted}
        loading={check.isPending}
        onChoose={chosenFile => look(chosenFile, { seq_id: chosen.seq_id })}
        onRefuse={() => setWrong(t('imports:wrongFile'))}
      />
      <Group grow align="flex-start" preventGrowOverflow={false} gap="md">
        {!file && (
          <Textarea
            label={t('imports:paste')}
            description={t('imports:pasteHint')}
            rows={1}
            value=""
            readOnly={false}
            onChange={event => event.currentTarget.value.trim() && paste(event.currentTarget.value)}
          />
        )}
        {kind === 'vehicles' && (
          <CustomerChoice
            label={t('imports:owner')}
            description={t('imports:ownerHint')}
            placeholder={t('imports:ownerPlaceholder')}
            value={chosen.seq_id as number | undefined}
            onChange={seq_id => (file ? change({ seq_id }) : setChosen({ ...chosen, seq_id }))}
          />
        )}
      </Group>
      {refused && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {refused}
        </Alert>
      )}
      {checked && <Where checked={checked} change={change} />}
      {checked && (
        <Columns
          kind={kind}
          columns={checked.columns}
          onChange={fields => change({ columns: JSON.stringify(fields), header: checked.header })}
        />
      )}
      {checked && checked.missing.length > 0 && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} role="status">
          {t('imports:missing', {
            fields: checked.missing.map(field => t(`imports:field.${field as 'brand'}`)).join(', '),
          })}
        </Alert>
      )}
      {checked && checked.missing.length === 0 && <Outlook checked={checked} />}
      {checked && file && (
        <Actions
          checked={checked}
          file={file}
          busy={!check.isSuccess}
          taking={take}
          onTake={rows => take.start({ kind, file, name: file.name, ...chosen, rows })}
        />
      )}
    </Stack>
  )
}

const accepted = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['.xlsx'],
  'application/vnd.ms-excel.sheet.macroenabled.12': ['.xlsm'],
  'text/csv': ['.csv', '.txt', '.tsv'],
  'text/plain': ['.csv', '.txt', '.tsv'],
  'application/vnd.ms-excel': ['.csv', '.xls'],
}

type Taking = ReturnType<typeof useTaking>

/** The import itself; cancelled, the server saves nothing. */
function useTaking(onDone: () => void) {
  const { t } = useTranslation('imports')
  const broken = useRef<AbortController | null>(null)
  const taking = useMutation({
    mutationFn: (input: RawInput<typeof calls.take>) => {
      broken.current = new AbortController()
      return ask(calls.take, input, { signal: broken.current.signal })
    },
    onSuccess(outcome) {
      notify.success(t('done', outcome))
      void invalidate(calls.take.invalidates)
      onDone()
    },
    onError(error) {
      if (broken.current?.signal.aborted) notify.success(t('cancelled'))
      else notify.error(messageOf(error))
      void invalidate(['imports.list'])
    },
  })
  return { start: taking.mutate, isPending: taking.isPending, cancel: () => broken.current?.abort() }
}

/** The sheet of a workbook, how the letters of a text are read, and the row with the headings. */
function Where({ checked, change }: { checked: Checked; change: (how: Chosen) => void }) {
  const { t } = useTranslation('imports')
  return (
    <Group align="flex-start" gap="md">
      {checked.sheets.length > 1 && (
        <Choice
          label={t('sheet')}
          data={checked.sheets.map((name, at) => ({
            value: String(at),
            label: checked.hidden.includes(at) ? t('hiddenSheet', { name }) : name,
          }))}
          value={String(checked.sheet)}
          onChange={sheet => sheet !== null && change({ sheet: Number(sheet), header: undefined, columns: undefined })}
        />
      )}
      {checked.encoding && (
        <Choice
          label={t('encoding')}
          description={t('encodingHint', { samples: checked.encoding.samples.join(' · ') })}
          inputWrapperOrder={['label', 'input', 'description']}
          data={encodings.map(value => ({ value, label: t(`encodings.${value}`) }))}
          value={checked.encoding.name}
          onChange={encoding =>
            encoding !== null &&
            change({ encoding: encoding as Chosen['encoding'], header: undefined, columns: undefined })
          }
        />
      )}
      <HeadingRow headingRow={checked.header} choose={header => change({ header, columns: undefined })} />
    </Group>
  )
}

/** Chosen when the field is left or by Enter: each digit of a number is none. */
function HeadingRow({ headingRow, choose }: { headingRow: number; choose: (row: number) => void }) {
  const { t } = useTranslation('imports')
  const [row, setRow] = useState<number | string>(headingRow)
  const [lastRow, setLastRow] = useState(headingRow)
  if (headingRow !== lastRow) {
    setLastRow(headingRow)
    setRow(headingRow)
  }
  const done = () => typeof row === 'number' && row !== headingRow && choose(row)
  return (
    <NumberInput
      label={t('header')}
      value={row}
      min={1}
      max={1000}
      allowDecimal={false}
      w="12rem"
      onChange={setRow}
      onBlur={done}
      onKeyDown={event => event.key === 'Enter' && done()}
    />
  )
}

/** The expected result of an import. */
function Outlook({ checked }: { checked: Checked }) {
  const { t } = useTranslation('imports')
  const { added, changed, unchanged, refused, refusals, notes, preview, columns } = checked
  const titleOf = (column: number | null) => (column === null ? '' : (columns[column]?.title ?? ''))
  const used = columns.flatMap(({ field, title }, at) => (field === null ? [] : [{ at, title, field }]))
  return (
    <ImportOutcome
      counts={(['added', 'changed', 'unchanged', 'refused'] as const).map(what => ({
        what,
        label: t(what),
        count: checked[what],
      }))}
      nothingNew={added + changed === 0 && unchanged > 0 && refused === 0 && t('nothingNew')}
      lines={refusals}
      lineColumn={{
        id: 'row',
        header: t('row'),
        render: ({ row, column }) => [row, titleOf(column)].filter(Boolean).join(' · '),
        width: '11rem',
      }}
      keyOf={({ row }) => row}
      reason={t('reason')}
      refusedLines={t('refusedRows')}
      moreRefused={refused > refusals.length && t('more', { count: refused - refusals.length })}
    >
      {notes.length > 0 && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden />}>
          <List size="sm" listStyleType="none">
            {notes.slice(0, 20).map((note, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- two notes may say the same
              <List.Item key={at}>{note}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {preview.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t('preview')}
          </Text>
          <DataTable
            rows={preview.slice(0, 10)}
            keyOf={({ row }) => row}
            frame={{ label: t('preview'), maxHeight: '20rem', minWidth: 160 + previewColumnPx * used.length }}
            columns={[
              { id: 'row', header: t('row'), render: ({ row }) => row, width: '4rem' },
              { id: 'outcome', header: t('outcome'), render: ({ outcome }) => t(outcome) },
              ...used.map(({ at, title, field }) => ({
                id: field,
                header: title,
                render: (row: Previewed) => <Value row={row} at={at} />,
              })),
            ]}
          />
          <Text size="sm" c="dimmed" mt={4}>
            {t('previewHint')}
          </Text>
        </div>
      )}
    </ImportOutcome>
  )
}

/** The least width of a column of the preview, in px. */
const previewColumnPx = 96

type Previewed = Checked['preview'][number]

/** A value as it will be saved; where the file has it otherwise, it is marked, with the file's text. */
function Value({ row: { values, cells, changed }, at }: { row: Previewed; at: number }) {
  const { t } = useTranslation('imports')
  if (!changed.includes(at)) return values[at] ?? ''
  return (
    <>
      <Text span size="sm" fw={600} td="underline" style={{ textDecorationStyle: 'dotted' }}>
        {values[at] || '–'}
      </Text>
      <Text size="xs" c="dimmed">
        {t('inFile', { text: cells[at] ?? '' })}
      </Text>
    </>
  )
}

type ActionsProps = {
  checked: Checked
  file: File
  busy: boolean
  taking: Taking
  onTake: (rows: 'all' | 'good') => void
}

function Actions({ checked, file, busy, taking, onTake }: ActionsProps) {
  const { t } = useTranslation('imports')
  const { added, changed, refused, refusals, columns } = checked
  const count = added + changed
  if (taking.isPending) return <Working cancel={taking.cancel} />
  async function download() {
    const sheet = await workbookOf({
      name: t('refusedRows'),
      columns: [
        ...columns.map(({ title }, at) => ({
          header: title,
          text: ({ cells }: { cells: string[] }) => cells[at] ?? '',
        })),
        { header: t('reason'), text: ({ reason }) => reason },
      ],
      rows: refusals,
    })
    saveFile(sheet, { name: `${file.name.replace(/\.\w+$/, '')} - ${t('refused')}.xlsx` })
  }
  return (
    <Group justify="flex-end" gap="xs">
      {refusals.length > 0 && (
        <Button variant="default" leftSection={<IconDownload size={18} aria-hidden />} onClick={() => void download()}>
          {t('download')}
        </Button>
      )}
      <Button disabled={count === 0} loading={busy} onClick={() => onTake(refused > 0 ? 'good' : 'all')}>
        {count === 0 ? t('takeNothing') : t(refused > 0 ? 'takeGood' : 'take', { count })}
      </Button>
    </Group>
  )
}

/** How often the progress of an import is fetched, in ms. */
const progressIntervalMs = 1000

function Working({ cancel }: { cancel: () => void }) {
  const { t } = useTranslation('imports')
  const progress = useAnswer(
    calls.progress,
    {},
    {
      refetchInterval: progressIntervalMs,
      muted: true,
      staleTime: 0,
    },
  )
  const { row_count: rows, of: total } = progress.data ?? { row_count: 0, of: 0 }
  const part = total > 0 ? (100 * rows) / total : 0
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">{total > 0 ? t('taking', { rows, of: total }) : t('reading')}</Text>
      <Progress value={part || 100} animated={part === 0} aria-label={t('title')} />
      <Group justify="flex-end">
        <Button variant="default" onClick={cancel}>
          {t('cancel')}
        </Button>
      </Group>
    </Stack>
  )
}
