import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { csvFile } from '#domain/cell.ts'
import { saveFile } from '../ui/download.ts'
import { notify } from '../ui/notify.ts'

type CsvButtonProps = {
  /** The name of the file, without its ending. */
  file: string
  /** Head and rows. */
  cells: () => Parameters<typeof csvFile>[0]
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
          saveFile(csvFile(cells()), { name: `${file}.csv`, type: 'text/csv;charset=utf-8' })
          notify.success(t('csv.saved'))
        }}
      >
        {t('csv.save')}
      </Button>
    </Group>
  )
}
