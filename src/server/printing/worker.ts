/** A thread of the print pool (pool.ts): draws one job after the other, and sends each PDF in chunks. */
import { constants, setPriority } from 'node:os'
import type { Readable } from 'node:stream'
import { parentPort } from 'node:worker_threads'
import { printDocuments } from './archive.ts'
import { printCommands } from './commands.ts'
import { printProof } from './disposal.ts'
import { printDocument } from './documents.ts'
import { printInvoice } from './invoices.ts'
import { printLabels, printLocationLabels } from './labels.ts'
import { withJpeg } from './photos.ts'
import type { PrintJob, WorkerMessage, WorkerOrder } from './pool.ts'
import { printOverview, printReceipt } from './receipt.ts'
import { printAccount } from './account.ts'
import { printStatement } from './statement.ts'
import { zipDocuments } from './zip.ts'

/** In letters of base64. Each chunk costs the portal a moment. */
const minChunkLength = 16 * 1024

// on Linux 0 is the calling thread: scans and lists are answered before labels are drawn
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

const send = (message: WorkerMessage): void => parentPort?.postMessage(message)

async function open(job: PrintJob): Promise<Readable> {
  switch (job.kind) {
    case 'labels':
      return printLabels(job.tyres, job.print)
    case 'locations':
      return printLocationLabels(job.locations, job.print)
    case 'commands':
      return printCommands(job)
    case 'document':
      return printDocument(await withJpeg(job.document), job.texts, job.lang)
    case 'invoice':
      return printInvoice(job.invoice, job.texts, job.lang)
    case 'account':
      return printAccount(job.account, job.texts, job.lang)
    case 'documents':
      return printDocuments(job.documents, job.lang)
    case 'zip':
      return zipDocuments(job.documents, job.lang)
    case 'receipt':
      return printReceipt(await withJpeg(job.receipt), job.texts, job.lang)
    case 'overview':
      return printOverview(job.overview, job.texts, job.lang)
    case 'statement':
      return printStatement(job.statement, job.texts)
    case 'proof':
      return printProof(job.proof, job.texts)
  }
}

let current: Readable | undefined

async function draw(job: PrintJob): Promise<void> {
  try {
    current = (await open(job)).setEncoding('base64')
    let chunk = ''
    for await (const letters of current as AsyncIterable<string>) {
      chunk += letters
      if (chunk.length < minChunkLength) continue
      send({ chunk })
      chunk = ''
    }
    if (chunk !== '') send({ chunk })
    send({ done: true })
  } catch (error) {
    const { message, stack } = error as Error
    send({ error: message, stack })
  } finally {
    current = undefined
  }
}

parentPort?.on('message', (message: PrintJob | WorkerOrder) => {
  if (message === 'end') process.exit()
  if (message === 'cancel') current?.destroy(new Error('the print was cancelled'))
  else void draw(message)
})
