/**
 * Files of people as rows of texts: workbooks (XLSX) and texts with separators. A file is read in a process of its own, whose memory and
 * time are limited: one that is made to hurt ends that process and is refused. A thread would not do: what allocates far more than it
 * may ends the whole process.
 */
import { fork } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { FileRefused, type Message } from './import.refused.ts'

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
  | { readonly failed: string }

/** How a file may be at most. */
export const sheetLimits = {
  rows: 60_000,
  columns: 200,
  /** Bytes of a workbook once it is unpacked: 50,000 tyres are 19 MB. */
  unpacked: 32 * 1024 * 1024,
} as const

/** Of the process: what a file of the limits takes. Its time is that of the processor: a busy machine is no fault of the file. */
const memoryLimitMb = 104
const timeLimitMs = 10_000
/** How often its time is looked at, and when it ends whatever it has used, in ms. */
const lookEveryMs = 250
const longestMs = 120_000

const tooLarge = (): FileRefused => new FileRefused('too_large', { rows: sheetLimits.rows })

const reader = fileURLToPath(new URL('sheet.process.ts', import.meta.url))

/** Reads a file. @throws FileRefused with what to do about it */
export function readSheet(
  bytes: Uint8Array,
  sheet: number | null = null,
  { memory = memoryLimitMb, time = timeLimitMs }: { memory?: number; time?: number } = {},
): Promise<Sheet> {
  return new Promise((resolve, reject) => {
    // what reads a stranger's file knows no secret; where code is kept compiled, it starts in half of the time
    const child = fork(reader, {
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      // what is new is collected often: the rows of a file live long, and nobody waits for a millisecond
      execArgv: [`--max-old-space-size=${memory}`, '--max-semi-space-size=2'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const end = (settle: () => void): void => {
      clearInterval(timer)
      clearTimeout(last)
      child.removeAllListeners('exit').kill('SIGKILL')
      settle()
    }
    const refuse = (): void => end(() => reject(tooLarge()))
    const timer = setInterval(() => processorTime(child.pid) > time && refuse(), Math.min(lookEveryMs, time))
    const last = setTimeout(refuse, longestMs)
    const rows: Sheet['rows'][number][] = []
    child.on('message', (reply: SheetReply) => {
      if ('rows' in reply) {
        rows.push(...reply.rows)
        setImmediate(() => child.connected && child.send('next'))
      } else if ('read' in reply) end(() => resolve({ ...reply.read, rows }))
      else if ('refused' in reply) end(() => reject(new FileRefused(reply.refused.text, reply.refused.facts)))
      else end(() => reject(new Error(reply.failed)))
    })
    // more than once, when it ends while it is still being told
    child.on('error', error => end(() => reject(error)))
    // it ran out of memory
    child.once('exit', refuse)
    child.send({ bytes, sheet } satisfies SheetRequest)
  })
}

/** The processor time that a process has taken, in ms; where the system does not tell, only the clock ends it. */
function processorTime(pid: number | undefined): number {
  try {
    const [, fields = ''] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(11, 13).map(Number)
    // in hundredths of a second
    return 10 * ((user ?? 0) + (system ?? 0))
  } catch {
    return 0
  }
}
