/** The labels of today's storages in one print (docs/product/warehouse.md "Labels"). */
import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { labels as calls } from '#contract/labels.ts'
import { invalidate, useAnswer } from '../shared/api.ts'
import { useToday } from '../shared/hooks.ts'
import { useLabels } from '../labels/labels.ts'
import { PrinterChoice } from '../labels/printerChoice.tsx'
import { pollInterval } from '../shared/session.ts'

/** Nothing on a day without storages. Labels already printed are printed again only on request. */
export function DayLabels() {
  const { t } = useTranslation()
  const today = useToday()
  const { data } = useAnswer(calls.day, { day: today }, { refetchInterval: pollInterval, muted: true })
  const labels = useLabels()
  const [busy, setBusy] = useState<'new' | 'again' | null>(null)
  if (!data || !labels.report || data.waiting + data.printed === 0) return null
  const all = data.waiting + data.printed
  async function print(again: boolean, count: number) {
    setBusy(again ? 'again' : 'new')
    await labels.printDay(today, { again, count, name: `${t('dayLabels.file')}-${today}` })
    await invalidate(calls.print.invalidates)
    setBusy(null)
  }
  return (
    <>
      <PrinterChoice labels={labels} compact />
      {data.waiting > 0 && (
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          loading={busy === 'new'}
          onClick={() => void print(false, data.waiting)}
        >
          {t('dayLabels.print', { count: data.waiting })}
        </Button>
      )}
      {data.printed > 0 && (
        <Button
          variant="subtle"
          leftSection={data.waiting === 0 && <IconPrinter size={18} aria-hidden />}
          loading={busy === 'again'}
          onClick={() => void print(true, all)}
        >
          {t('dayLabels.again', { count: all })}
        </Button>
      )}
    </>
  )
}
