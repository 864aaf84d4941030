/** Papers as attachments of messages: read and drawn when the message is sent, in the language of its reader. */
import { buffer } from 'node:stream/consumers'
import { Failure } from '#domain/failure.ts'
import type { Database } from '../../db/database.ts'
import { documentNumber } from '../../printing/documents.ts'
import type { PrintJob, PrintPool } from '../../printing/pool.ts'
import { documentToSend } from '../fleet/documents.ts'
import type { AskedPaper, Attachment } from '../mail/compose.ts'
import { receiptJob } from '../papers/printed.ts'
import { letterJob } from '../reminders/letter.ts'

/** Draws papers for messages. `null` when there is nothing to send any more: a document was withdrawn, or is another customer's. */
export const attachPapers =
  (database: Database, pool: Pick<PrintPool, 'print'>) =>
  async (request: AskedPaper): Promise<Attachment | null> => {
    const { site, account } = request
    const job = await database.transaction({ site }, async tx => {
      if (request.document !== undefined)
        return documentToSend(tx, { site, document: request.document, customer: request.customer }, request.lang)
      const paper =
        request.reminder !== undefined
          ? letterJob(tx, { ...request, reminder: request.reminder })
          : receiptJob(tx, { ...request, operation: request.receipt ?? 0 })
      return paper.catch(error => {
        if (error instanceof Failure && error.code === 'record.missing') return null
        throw error
      })
    })
    if (!job) return null
    const base64 = (await buffer(pool.print({ site: String(site), account: String(account) }, job))).toString('latin1')
    const title = titleOf(job)
    const filename = `${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')}.pdf`
    return { title, filename, content: Buffer.from(base64, 'base64') }
  }

function titleOf(job: PrintJob): string {
  if (job.kind === 'document') return `${job.texts.title} ${documentNumber(job.document)}`
  if (job.kind === 'account') return `${job.texts.title} ${job.account.number}`
  return job.kind === 'receipt' ? `${job.texts.title} ${job.texts.number}` : ''
}
