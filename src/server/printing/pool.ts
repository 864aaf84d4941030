/**
 * The press: PDFs are drawn in threads of their own, so that scans are answered beside them (docs/decisions/0010). What a
 * handler answers is only what is to be printed; the drawing begins when its transaction is over.
 */
import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { Language } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import { labelPapers } from '#domain/label.ts'
import type { PrintedDocument } from './documents.ts'
import type { DocumentWords } from './documentTexts.ts'
import type { LabelledLocation, LabelledTyre, LabelPrint } from './labels.ts'
import { openTurns } from '../concurrency.ts'

/** What is to be printed, as it travels to the thread that draws it. */
export type Job =
  | { readonly kind: 'labels'; readonly tyres: readonly LabelledTyre[]; readonly print: LabelPrint }
  | { readonly kind: 'locations'; readonly locations: readonly LabelledLocation[]; readonly print: LabelPrint }
  | {
      readonly kind: 'document'
      readonly document: PrintedDocument
      readonly words: DocumentWords
      readonly lang: Language
    }

/** An answer that is a PDF, drawn when its transaction is over and its connection is free. */
export class Print {
  readonly job: Job
  constructor(job: Job) {
    this.job = job
  }
}

/** How many pages a print has, `null` where only the drawing shows it. */
export function pagesOf(job: Job): number | null {
  if (job.kind === 'document') return null
  const { across, down } = labelPapers[job.print.layout]
  return Math.ceil((job.kind === 'labels' ? job.tyres : job.locations).length / (across * down))
}

/** What a thread says of the job it draws: a piece of the PDF in base64, its end, or what it failed at. */
export type Said =
  | { readonly piece: string }
  | { readonly drawn: true }
  | { readonly failed: string; readonly stack: string | undefined }

export type Press = {
  /**
   * The PDF in base64, in pieces as they are drawn, when it is the account's turn (`request.too_many`: see turns.ts). The stream
   * is destroyed with an error when the drawing fails, and with `server.unavailable` when its thread dies or says nothing for
   * half a minute. Destroyed by its reader, it ends the drawing.
   */
  print(account: number, job: Job): Readable
  /** Makes the first thread and lets it draw for nobody, so that the first print need not wait for that. */
  warm(): void
  /** Ends the threads; what is being drawn fails. */
  close(): Promise<void>
}

/** One core is for the portal itself; with more than a few, the database has the others. */
const threadsAtMost = 4
/** A thread that says nothing for so long will not say anything. */
const patience = 30_000
/** Memory of a thread in MB, of which a thousand labels take a tenth: a print that grows without end takes its thread along, not the portal. */
const memoryAtMost = 512

/** Enough for the thread to know its fonts, and for its code to be compiled. */
const trial: Job = {
  kind: 'labels',
  tyres: Array.from({ length: 40 }, (_, nth) => ({
    id: 1 + nth,
    plate: `1ABC${100 + nth}`,
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

export function openPress({
  threads = Math.min(threadsAtMost, Math.max(1, availableParallelism() - 1)),
  program = new URL('./worker.ts', import.meta.url),
  silence = patience,
  memory = memoryAtMost,
}: { threads?: number; program?: URL; silence?: number; memory?: number } = {}): Press {
  const inTurn = openTurns(threads)
  const idle: Worker[] = []
  const all = new Set<Worker>()

  /** A thread that waits for work, or a new one: the first print makes the first. */
  const thread = (): Worker => {
    const waiting = idle.pop()
    if (waiting) return waiting
    const made = new Worker(program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memory } })
    // whoever waits for a print keeps the process; a thread that waits for one does not
    made.unref()
    all.add(made)
    made.once('exit', () => {
      all.delete(made)
      if (idle.includes(made)) idle.splice(idle.indexOf(made), 1)
    })
    // one that dies while it waits is replaced at the next print; in use, see below
    made.on('error', () => {})
    return made
  }

  const draw = (job: Job, paper: Readable): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = thread()
      let quiet: ReturnType<typeof setTimeout> | undefined
      const over = (): void => {
        clearTimeout(quiet)
        worker.off('message', hear).off('error', died).off('exit', ended)
        paper.off('close', stop)
      }
      const died = (cause?: Error): void => {
        over()
        void worker.terminate()
        const failure = new Failure('server.unavailable')
        failure.cause = cause ?? new Error('the thread that draws has ended')
        reject(failure)
      }
      const ended = (): void => died()
      const wait = (): void => {
        clearTimeout(quiet)
        quiet = setTimeout(() => died(new Error('the thread that draws says nothing')), silence)
      }
      // nobody reads it any more
      const stop = (): void => worker.postMessage('stop')
      const hear = (said: Said): void => {
        if ('piece' in said) {
          wait()
          if (!paper.destroyed) paper.push(said.piece)
          return
        }
        over()
        idle.push(worker)
        if ('drawn' in said) resolve()
        else reject(Object.assign(new Error(said.failed), said.stack !== undefined && { stack: said.stack }))
      }
      worker.on('message', hear).once('error', died).once('exit', ended)
      paper.once('close', stop)
      wait()
      worker.postMessage(job)
    })

  const print = (account: number, job: Job): Readable => {
    const paper = new Readable({ encoding: 'latin1', read() {} })
    inTurn(account, () => (paper.destroyed ? Promise.resolve() : draw(job, paper))).then(
      () => paper.push(null),
      (error: Error) => paper.destroy(error),
    )
    return paper
  }
  return {
    print,
    // one that does not draw will be found out by a print that somebody waits for
    warm: () =>
      void print(0, trial)
        .on('error', () => {})
        .resume(),
    async close() {
      await Promise.all([...all].map(worker => worker.terminate()))
    },
  }
}
