import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from '../ui/texts.ts'
import { today } from '#domain/date.ts'
import { messageOf } from '../shared/api.ts'
import { saveCsvText } from '../shared/saveCsv.ts'
import { notify } from '../ui/notify.ts'
import { useZone } from './zone.ts'

export type ExportButtonProps = {
  fetch: () => Promise<{ csv: string; more: boolean }>
  /** The name of the file, before its day. */
  file: string
  /** The text when there are more entries than a file holds. */
  some: string
  disabled: boolean
}

/** Saves the filtered entries as a CSV file that the server makes. */
export function ExportButton({ fetch, file, some, disabled }: ExportButtonProps) {
  const { t } = useTranslation('common')
  const timeZone = useZone()
  const fetched = useMutation({
    mutationFn: fetch,
    onSuccess: ({ csv, more }) => {
      const day = today({ now: new Date(), timeZone })
      saveCsvText(`${file}-${day}`, csv)
      notify.success(more ? some : t('csv.saved'))
    },
    onError: error => notify.error(messageOf(error)),
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      disabled={disabled}
      loading={fetched.isPending}
      onClick={() => fetched.mutate()}
    >
      {t('csv.save')}
    </Button>
  )
}
