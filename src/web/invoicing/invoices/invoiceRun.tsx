/** Creates the invoices for the documents of a billing run, a part at a time until none is left. */
import { Button } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { invoices as calls } from '#contract/invoices.ts'
import { ask, invalidate, messageOf, useAnswer } from '../../shared/api.ts'
import { confirmFirst } from '../../ui/confirm.tsx'
import { notify } from '../../ui/notify.ts'

export function InvoiceRun({ run, documents }: { run: number; documents: number }) {
  const { t } = useTranslation('invoices')
  const settings = useAnswer(calls.settings, {})
  const [busy, setBusy] = useState(false)
  if (settings.data?.invoices !== true) return null

  async function makeAll() {
    const sure = await confirmFirst({ title: t('run.question'), text: t('run.text'), confirm: t('run.create') })
    if (!sure) return
    setBusy(true)
    let createdCount = 0
    try {
      let left = documents
      while (left > 0) {
        notify.doing(t('run.making', { made: createdCount, of: createdCount + left }), { id: calls.makerun.name })
        const part = await ask(calls.makerun, { _id: run })
        createdCount += part.made
        left = part.left
        if (part.made === 0) break
      }
      notify.success(left > 0 ? t('run.left', { count: left }) : t('run.done', { count: createdCount }), {
        id: calls.makerun.name,
      })
    } catch (error) {
      notify.error(messageOf(error), { id: calls.makerun.name })
    } finally {
      setBusy(false)
      void invalidate(calls.makerun.invalidates)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconFileInvoice size={18} aria-hidden />}
      loading={busy}
      onClick={() => void makeAll()}
    >
      {t('run.create')}
    </Button>
  )
}
