import { Button, type ButtonProps, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { notify } from '../ui/notify.ts'
import { saveCsv } from './saveCsv.ts'
import { useTask } from './useTask.ts'
import { linesOf, type SheetColumns } from './workbook.ts'

type CsvButtonProps = {
  /** The name of the file, without its ending. */
  file: string
  /** Head and rows. */
  cells: () => Parameters<typeof saveCsv>[1]
}

/** Saves a table as a CSV file, below it at its end. */
export function CsvButton({ file, cells }: CsvButtonProps) {
  const { t } = useTranslation('common')
  return (
    <Group justify="flex-end" mt="sm">
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => {
          saveCsv(file, cells())
          notify.success(t('csv.saved'))
        }}
      >
        {t('csv.save')}
      </Button>
    </Group>
  )
}

type SheetCsvProps<Row> = {
  /** The name of the file, without its ending. */
  file: string
  columns: SheetColumns<Row>
  /** The rows, or what fetches those that are not here yet. */
  rows: readonly Row[] | (() => Promise<readonly Row[]>)
} & Pick<ButtonProps, 'size'>

/** Saves what its workbook has as a CSV file, beside the button of the workbook. */
export function SheetCsvButton<Row>({ file, columns, rows, size }: SheetCsvProps<Row>) {
  const { t } = useTranslation('common')
  const { busy, run } = useTask()
  async function save() {
    saveCsv(file, linesOf(columns, typeof rows === 'function' ? await rows() : rows))
    notify.success(t('csv.saved'))
  }
  return (
    <Button
      {...(size !== undefined && { size })}
      variant="default"
      leftSection={<IconDownload size={size === 'xs' ? 16 : 18} aria-hidden />}
      disabled={typeof rows !== 'function' && rows.length === 0}
      loading={busy}
      onClick={() => void run(save)}
    >
      {t('csv.short')}
    </Button>
  )
}
