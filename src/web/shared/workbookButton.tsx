import { Button, type ButtonProps } from '@mantine/core'
import { IconTable } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { saveFile } from '../ui/download.ts'
import { notify } from '../ui/notify.ts'
import { messageOf } from './api.ts'
import type { ListAction } from '../ui/listLine.tsx'
import { useTask } from './useTask.ts'
import { type SheetColumns, workbookOf } from './workbook.ts'

type WorkbookButtonProps<Row> = {
  /** The name of the sheet. */
  title: string
  /** The name of the file, without its ending. */
  file: string
  columns: SheetColumns<Row>
  /** The rows, or a function that fetches those not loaded yet. */
  rows: readonly Row[] | (() => Promise<readonly Row[]>)
  children?: string
} & Pick<ButtonProps, 'size' | 'disabled'>

/** Saves a table as a workbook, as an action of a list's line. */
export function useWorkbook<Row>({
  title,
  file,
  columns,
  rows,
  children,
  disabled,
}: WorkbookButtonProps<Row>): ListAction {
  const { t } = useTranslation()
  // The workbook writer could not be loaded: the browser's own message is in English, with an address.
  const { busy, run } = useTask(error => (error instanceof TypeError ? t('network') : messageOf(error)))
  async function save() {
    const there = typeof rows === 'function' ? await rows() : rows
    saveFile(await workbookOf({ name: title, columns, rows: there }), { name: `${file}.xlsx` })
    notify.success(t('workbook.saved'))
  }
  return {
    label: children ?? t('workbook.save'),
    icon: IconTable,
    disabled: disabled === true || (typeof rows !== 'function' && rows.length === 0),
    busy,
    run: () => run(save),
  }
}

/** The same as a button. */
export function WorkbookButton<Row>({ size, ...workbook }: WorkbookButtonProps<Row>) {
  const { label, disabled, busy, run } = useWorkbook(workbook)
  return (
    <Button
      {...(size !== undefined && { size })}
      variant="default"
      leftSection={<IconTable size={size === 'xs' ? 16 : 18} aria-hidden />}
      disabled={disabled === true}
      loading={busy === true}
      onClick={() => void run()}
    >
      {label}
    </Button>
  )
}
