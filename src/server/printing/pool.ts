/**
 * A pool of worker threads that draw PDFs without blocking the event loop (docs/decisions/0010). A handler returns the
 * print; drawing begins after its transaction.
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Language } from '#domain/people/account.ts'
import { Failure } from '#domain/failure.ts'
import { commandsPerPage, labelPapers } from '#domain/warehouse/label.ts'
import { openFairQueue, type Requester } from '../fairQueue.ts'
import type { ArchivedDocument } from './archive.ts'
import type { PrintedProof } from './disposal.ts'
import type { PrintedDocument } from './documents.ts'
import type { DocumentTexts, OverviewTexts, ProofTexts, ReceiptTexts, StatementTexts } from './documentTexts.ts'
import type { PrintedCommand } from './commands.ts'
import type { InvoiceTexts, PrintedInvoice } from './invoices.ts'
import type { LabelledLocation, LabelledTyre, LabelPrint } from './labels.ts'
import type { PrintedOverview, PrintedReceipt } from './receipt.ts'
import type { AccountTexts, PrintedAccount } from './account.ts'
import type { PrintedStatement } from './statement.ts'

/** A print, as it is sent to a worker. */
export type PrintJob =
  | { readonly kind: 'labels'; readonly tyres: readonly LabelledTyre[]; readonly print: LabelPrint }
  | { readonly kind: 'locations'; readonly locations: readonly LabelledLocation[]; readonly print: LabelPrint }
  | {
      readonly kind: 'commands'
      readonly commands: readonly PrintedCommand[]
      readonly title: string
      readonly now: Date
    }
  | {
      readonly kind: 'document'
      readonly document: PrintedDocument
      readonly texts: DocumentTexts
      readonly lang: Language
    }
  | {
      readonly kind: 'invoice'
      readonly invoice: PrintedInvoice
      readonly texts: InvoiceTexts
      readonly lang: Language
    }
  | {
      readonly kind: 'account'
      readonly account: PrintedAccount
      readonly texts: AccountTexts
      readonly lang: Language
    }
  | { readonly kind: 'documents' | 'zip'; readonly documents: readonly ArchivedDocument[]; readonly lang: Language }
  | {
      readonly kind: 'receipt'
      readonly receipt: PrintedReceipt
      readonly texts: ReceiptTexts
      readonly lang: Language
    }
  | {
      readonly kind: 'overview'
      readonly overview: PrintedOverview
      readonly texts: OverviewTexts
      readonly lang: Language
    }
  | { readonly kind: 'statement'; readonly statement: PrintedStatement; readonly texts: StatementTexts }
  | { readonly kind: 'proof'; readonly proof: PrintedProof; readonly texts: ProofTexts }

/** An answer that is a PDF, drawn when its transaction is over and its connection is free. */
export class Print {
  readonly job: PrintJob
  constructor(job: PrintJob) {
    this.job = job
  }
}

/** How many pages a print has; `null` where only the drawing shows it. */
export function pageCount(job: PrintJob): number | null {
  if (job.kind === 'commands') return Math.ceil(job.commands.length / commandsPerPage)
  if (job.kind !== 'labels' && job.kind !== 'locations') return null
  const { across, down } = labelPapers[job.print.layout]
  return Math.ceil((job.kind === 'labels' ? job.tyres : job.locations).length / (across * down))
}

/** A message of a worker: a chunk of the PDF in base64, its end, or a failure. */
export type WorkerMessage =
  | { readonly chunk: string }
  | { readonly done: true }
  | { readonly error: string; readonly stack: string | undefined }

export type PrintPool = {
  /**
   * The PDF in base64, in chunks as they are drawn, when the queue grants a slot (`server.busy`: see fairQueue.ts). The stream is
   * destroyed with an error when drawing fails, and with `server.unavailable` when its thread dies or sends nothing for half a
   * minute. When its reader destroys it, drawing stops.
   */
  print(party: Requester, job: PrintJob): Readable
  /** Starts the first worker with a dummy print, so that the first real one is as fast as the next. */
  warmUp(): void
  /** Ends the workers; running prints fail. */
  close(): Promise<void>
}

/** An order to a worker, between two jobs or while it draws: break the drawing off, or end. */
export type WorkerOrder = 'cancel' | 'end'

/** One core is for the portal itself; with more than a few, the database has the others. */
const maxThreads = 4
/** A worker that sends nothing for this long does not respond. */
const inactivityTimeoutMs = 30_000
/** A worker that is told to end does so within this time, or is terminated. */
const endTimeoutMs = 2_000
/** The maximum waiting time of a print: a page waits for a minute. */
const printTimeoutMs = 50_000
/** Per thread, in MB. A thousand labels take a tenth; a print that grows without end kills its thread, not the portal. */
const memoryLimitMb = 512
/**
 * The limit of V8's young generation, in MB: it has three spaces, each as large as the portal's own (bin/lib/portalProcess.json). Survivors
 * join the old generation at once, and where that goes far beyond the limit Node aborts the process in place of the thread.
 */
const newMemoryMb = 6

/** Enough for the thread to load its fonts and for its code to be compiled. */
const warmUpJob: PrintJob = {
  kind: 'labels',
  tyres: Array.from({ length: 40 }, (_, index) => ({
    id: 1 + index,
    plate: `1ABC${100 + index}`,
    position: '1A',
    size: '205/55R16 91V',
    description: 'Michelin Alpin 6',
    set: 'Winter',
    customer: 'Garage',
    depth: 6.5,
    axles: [1, 2].map(() => ({ type: 'axle', lift: false, drive: false, steering: false, left: 1, right: 1 })),
  })),
  print: { layout: 'roll_62x100', site: 1, lang: 'eng', now: new Date(0) },
}

export function openPrintPool({
  threads = Math.min(maxThreads, Math.max(1, availableParallelism() - 1)),
  workerUrl = new URL('./worker.ts', import.meta.url),
  hangTimeout = inactivityTimeoutMs,
  memoryLimit = memoryLimitMb,
}: { threads?: number; workerUrl?: URL; hangTimeout?: number; memoryLimit?: number } = {}): PrintPool {
  const printQueue = openFairQueue({
    kinds: { print: { maxTotal: threads, timeoutMs: printTimeoutMs } },
    siteShare: 1,
    accountShare: 1,
    maxWaiting: { maxPerAccount: 3, maxPerSite: 20, total: 100 },
  })
  const idle: Worker[] = []
  const all = new Set<Worker>()

  const startWorker = (): Worker => {
    const worker = new Worker(workerUrl, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryLimit, maxYoungGenerationSizeMb: newMemoryMb },
    })
    // a request that waits for a print keeps the process alive; an idle thread does not
    worker.unref()
    all.add(worker)
    worker.once('exit', () => {
      all.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
    })
    // one that dies while idle is replaced at the next print; one that dies while drawing fails its print, in `draw`
    worker.on('error', () => {})
    return worker
  }

  const print = (party: Requester, job: PrintJob): Readable => {
    const pdf = new Readable({ encoding: 'latin1', read() {} })
    const draws = async (): Promise<void> => {
      if (pdf.destroyed) return
      const worker = idle.pop() ?? startWorker()
      await draw(worker, job, pdf, hangTimeout, () => idle.push(worker))
    }
    printQueue.run('print', party, draws).then(
      () => pdf.push(null),
      (error: Error) => pdf.destroy(error),
    )
    return pdf
  }
  return {
    print,
    warmUp() {
      // a worker that can't draw fails the first real print
      print({ site: 'none', account: 'none' }, warmUpJob)
        .on('error', () => {})
        .resume()
    },
    async close() {
      await Promise.all([...all].map(end))
    },
  }
}

const order = (worker: Worker, what: WorkerOrder): void => worker.postMessage(what)

/**
 * Ends a worker between two steps of its work. Node aborts the whole process when a thread is terminated while it opens a stream of
 * zlib, which each page of a PDF does: `terminate` is for one that no longer listens.
 */
async function end(worker: Worker): Promise<void> {
  const ended = new Promise(resolve => worker.once('exit', resolve))
  const timer = setTimeout(() => void worker.terminate(), endTimeoutMs)
  order(worker, 'end')
  await ended
  clearTimeout(timer)
}

/** Lets a thread draw one job into `pdf`. `onIdle` is called when the thread can take the next one, before the promise settles. */
function draw(worker: Worker, job: PrintJob, pdf: Readable, hangTimeout: number, onIdle: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const cleanUp = (): void => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', fail).off('exit', onExit)
      pdf.off('close', onClose)
    }
    const fail = (cause: Error): void => {
      cleanUp()
      void worker.terminate()
      const failure = new Failure('server.unavailable')
      failure.cause = cause
      reject(failure)
    }
    const onExit = (): void => fail(new Error('the thread that draws has ended'))
    const restartTimer = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => fail(new Error('the print worker does not respond')), hangTimeout)
    }
    // the reader was destroyed
    const onClose = (): void => order(worker, 'cancel')
    const onMessage = (message: WorkerMessage): void => {
      if ('chunk' in message) {
        restartTimer()
        if (!pdf.destroyed) pdf.push(message.chunk)
        return
      }
      cleanUp()
      onIdle()
      if ('done' in message) resolve()
      else reject(Object.assign(new Error(message.error), message.stack !== undefined && { stack: message.stack }))
    }
    worker.on('message', onMessage).once('error', fail).once('exit', onExit)
    pdf.once('close', onClose)
    restartTimer()
    worker.postMessage(job)
  })
}
