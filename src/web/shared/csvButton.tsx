import { Button, type ButtonProps, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { notify } from '../ui/notify.ts'
import { saveCsv } from './saveCsv.ts'
import type { ListAction } from '../ui/listLine.tsx'
import { useTask } from './useTask.ts'
import { linesOf, type SheetColumns } from './workbook.ts'

type Lines = Parameters<typeof saveCsv>[1]

type CsvButtonProps = {
  /** The name of the file, without its ending. */
  file: string
  /** Head and rows. */
  cells: () => Lines | Promise<Lines>
} & Pick<ButtonProps, 'size' | 'disabled'>

/** Saves a list as a CSV file, as an action of its line. */
export function useCsv({ file, cells, disabled }: CsvButtonProps): ListAction {
  const { t } = useTranslation('common')
  const { busy, run } = useTask()
  async function save() {
    saveCsv(file, await cells())
    notify.success(t('csv.saved'))
  }
  return { label: t('csv.save'), icon: IconDownload, disabled, busy, run: () => run(save) }
}

/** Saves the content of its workbook as a CSV file, as an action of a list's line. */
export const useSheetCsv = <Row,>({ columns, rows, file }: SheetCsvProps<Row>): ListAction =>
  useCsv({
    file,
    cells: async () => linesOf(columns, typeof rows === 'function' ? await rows() : rows),
    disabled: typeof rows !== 'function' && rows.length === 0,
  })

/** The same as a button, for what has no line of its own: the numbers of a plot, or a report. */
export function CsvButton({ size, ...csv }: CsvButtonProps) {
  const { label, disabled, busy, run } = useCsv(csv)
  return (
    <Button
      {...(size !== undefined && { size })}
      variant="default"
      leftSection={<IconDownload size={size === 'xs' ? 16 : 18} aria-hidden />}
      disabled={disabled === true}
      loading={busy === true}
      onClick={() => void run()}
    >
      {label}
    </Button>
  )
}

/** Saves the numbers of a plot or a report as a CSV file, below it at its end. */
export const CsvBelow = (props: CsvButtonProps) => (
  <Group justify="flex-end" mt="sm">
    <CsvButton {...props} />
  </Group>
)

type SheetCsvProps<Row> = {
  /** The name of the file, without its ending. */
  file: string
  columns: SheetColumns<Row>
  /** The rows, or a function that fetches those not loaded yet. */
  rows: readonly Row[] | (() => Promise<readonly Row[]>)
} & Pick<ButtonProps, 'size'>

/** Saves the content of its workbook as a CSV file. */
export const SheetCsvButton = <Row,>({ columns, rows, ...props }: SheetCsvProps<Row>) => (
  <CsvButton
    {...props}
    cells={async () => linesOf(columns, typeof rows === 'function' ? await rows() : rows)}
    disabled={typeof rows !== 'function' && rows.length === 0}
  />
)
