/** The actions that a billing run allows in its state. */
import { Button, Group } from '@mantine/core'
import {
  IconArrowBackUp,
  IconFilePlus,
  IconFileZip,
  IconMail,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { billing, type OpenRun } from '#contract/billing.ts'
import { mayStep, sendsDocuments } from '#domain/money/billingRun.ts'
import { hundredths } from '#domain/money/invoice.ts'
import { moneyIn } from '#domain/texts/number.ts'
import { ask, messageOf, useCall } from '../../shared/api.ts'
import { useSendsMail } from '../../shared/session.ts'
import { saveFile } from '../../ui/download.ts'
import { notify } from '../../ui/notify.ts'
import { bytesOf } from '../../ui/pdfBytes.ts'
import { ReasonDialog } from '../../shared/form/reasonDialog.tsx'
import { PdfButton } from '../../shared/pdf.tsx'
import { confirmFirst } from '../../ui/confirm.tsx'
import { InvoiceRun } from '../invoices/invoiceRun.tsx'

export function RunActions({ run, without }: { run: OpenRun; without: ReadonlySet<number> }) {
  const { t, i18n } = useTranslation('billing')
  const navigate = useNavigate({ from: '/admin/invoicing' })
  const { _id, state } = run
  const make = useCall(billing.make, { done: 'billing:making' })
  const cancel = useCall(billing.cancel, {
    done: answer => t(answer.state === 'discarded' ? 'discarded' : 'stopped'),
  })
  const resume = useCall(billing.resume, { done: 'billing:resumed' })
  const undo = useCall(billing.undo, { done: 'billing:undoing' })
  const mail = useCall(billing.mail, {
    done: ({ messages, unsent_count }) =>
      [t('mailed', { count: messages }), unsent_count > 0 && t('mailedWithout', { count: unsent_count })]
        .filter(Boolean)
        .join(' '),
  })
  const sendsMail = useSendsMail()
  const [zipping, setZipping] = useState(false)
  const [undoing, setUndoing] = useState(false)
  const chosen = run.rows.filter(({ seq_id }) => !without.has(seq_id))

  async function makeAll() {
    const money = moneyIn(i18n.language)
    const cents = chosen.reduce((sum, { amount_excl }) => sum + hundredths(amount_excl), 0)
    const sure = await confirmFirst({
      title: t('makeQuestion', { count: chosen.length }),
      text: t('makeText', { amount: money.format(cents / 100) }),
      confirm: t('make', { count: chosen.length }),
    })
    if (sure) make.mutate({ _id, without: [...without] })
  }
  async function discard() {
    const sure = await confirmFirst({ title: t('discardQuestion'), text: t('discardText'), confirm: t('discard') })
    if (sure) cancel.mutate({ _id }, { onSuccess: () => void navigate({ search: { tab: 'runs' } }) })
  }
  async function zip() {
    setZipping(true)
    try {
      const bytes = bytesOf(await ask(billing.zip, { _id }))
      saveFile(new Blob([bytes], { type: 'application/zip' }), { name: `${t('pdfName')}-${run.until}.zip` })
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setZipping(false)
    }
  }
  async function mailAll() {
    const sure = await confirmFirst({
      title: t('mailQuestion', { count: run.done - run.mailed }),
      text: t('mailText'),
      confirm: t('mail'),
    })
    if (sure) mail.mutate({ _id })
  }
  return (
    <Group gap="xs">
      {mayStep(state, 'make') && (
        <Button
          leftSection={<IconFilePlus size={18} aria-hidden />}
          loading={make.isPending}
          disabled={chosen.length === 0}
          onClick={() => void makeAll()}
        >
          {t('make', { count: chosen.length })}
        </Button>
      )}
      {mayStep(state, 'discard') && (
        <Button
          variant="default"
          leftSection={<IconX size={18} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => void discard()}
        >
          {t('discard')}
        </Button>
      )}
      {mayStep(state, 'stop') && (
        <Button
          variant="default"
          leftSection={<IconPlayerStop size={18} aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate({ _id })}
        >
          {t('stop')}
        </Button>
      )}
      {mayStep(state, 'resume') && (
        <Button
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          loading={resume.isPending}
          onClick={() => resume.mutate({ _id })}
        >
          {t('resume')}
        </Button>
      )}
      {mayStep(state, 'retry') && run.failed > 0 && (
        <Button
          leftSection={<IconRefresh size={18} aria-hidden />}
          loading={resume.isPending}
          onClick={() => resume.mutate({ _id })}
        >
          {t('retry')}
        </Button>
      )}
      {run.done > 0 && (
        <PdfButton name={`${t('pdfName')}-${run.until}`} pdf={() => ask(billing.pdf, { _id })}>
          {t('pdf')}
        </PdfButton>
      )}
      {run.done > 0 && (state === 'made' || state === 'stopped') && <InvoiceRun run={_id} documents={run.done} />}
      {run.done > 0 && (
        <Button
          variant="default"
          leftSection={<IconFileZip size={18} aria-hidden />}
          loading={zipping}
          onClick={() => void zip()}
        >
          {t('zip')}
        </Button>
      )}
      {sendsMail && sendsDocuments(state) && run.done > run.mailed && (
        <Button
          variant="default"
          leftSection={<IconMail size={18} aria-hidden />}
          loading={mail.isPending}
          onClick={() => void mailAll()}
        >
          {t('mail')}
        </Button>
      )}
      {mayStep(state, 'undo') && run.done > 0 && (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={18} aria-hidden />}
          onClick={() => setUndoing(true)}
        >
          {t('undo')}
        </Button>
      )}
      {undoing && (
        <ReasonDialog
          title={t('undoQuestion')}
          text={t('undoText')}
          confirm={t('undo')}
          danger
          send={reason => undo.mutateAsync({ _id, reason })}
          onClose={() => setUndoing(false)}
        />
      )}
    </Group>
  )
}
