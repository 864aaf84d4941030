/**
 * Files of people as rows of texts: workbooks (XLSX) and texts with separators. A file is read in a thread of its own, whose memory and
 * time are limited: one that is made to hurt ends the thread and is refused.
 */
import { Worker } from 'node:worker_threads'
import { FileRefused, type Message } from './import.messages.ts'

/** A sheet as rows of texts; a day is `YYYY-MM-DD`. All rows are as long as the longest. */
export type Sheet = {
  /** The sheets of the workbook that have rows; a text file has none. */
  readonly names: readonly string[]
  /** Which of them this is. */
  readonly at: number
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly Message[]
}

export type SheetRequest = {
  readonly bytes: Uint8Array
  /** The sheet that is asked for; by default the first one with rows. */
  readonly sheet: number | null
}
/** A part of the rows, or what else there is to say once all are told: 50,000 rows at once would hold up whoever else asks. */
export type SheetReply =
  | { readonly rows: Sheet['rows'] }
  | { readonly read: Omit<Sheet, 'rows'> }
  | { readonly refused: Message }

/** How a file may be at most. */
export const sheetLimits = {
  rows: 60_000,
  columns: 200,
  /** Bytes of a workbook once it is unpacked: 50,000 tyres are 40 MB. */
  unpacked: 120 * 1024 * 1024,
} as const

/** Of the thread: what a file of the limits takes, twice. Its time is that of the processor: a busy machine is no fault of the file. */
const memoryLimitMb = 384
const timeLimitMs = 20_000
/** How often its time is looked at, and when it ends whatever it has used, in ms. */
const lookEveryMs = 250
const longestMs = 120_000

const tooLarge = (): FileRefused => new FileRefused('too_large', { rows: sheetLimits.rows })

/** Reads a file. @throws FileRefused with what to do about it */
export function readSheet(
  bytes: Uint8Array,
  sheet: number | null = null,
  { memory = memoryLimitMb, time = timeLimitMs }: { memory?: number; time?: number } = {},
): Promise<Sheet> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./sheet.worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memory },
      workerData: { bytes, sheet } satisfies SheetRequest,
    })
    const timer = setInterval(
      () =>
        void worker.cpuUsage().then(
          ({ user, system }) => (user + system) / 1000 > time && end(() => reject(tooLarge())),
          // it has just ended
          () => {},
        ),
      Math.min(lookEveryMs, time),
    )
    const last = setTimeout(() => end(() => reject(tooLarge())), longestMs)
    const end = (settle: () => void): void => {
      clearInterval(timer)
      clearTimeout(last)
      void worker.terminate()
      settle()
    }
    const rows: Sheet['rows'][number][] = []
    worker.on('message', (reply: SheetReply) => {
      if ('rows' in reply) {
        rows.push(...reply.rows)
        setImmediate(() => worker.postMessage('next'))
      } else if ('read' in reply) end(() => resolve({ ...reply.read, rows }))
      else end(() => reject(new FileRefused(reply.refused.text, reply.refused.facts)))
    })
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error)),
    )
  })
}
