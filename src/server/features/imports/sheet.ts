/**
 * Files of people as rows of cells: workbooks (XLSX) and texts with separators. A file is read in a process of its own, whose memory and
 * time are limited: one that is made to hurt ends that process and is refused. A thread would not do: what allocates far more than it
 * may ends the whole process.
 */
import { fork } from 'node:child_process'
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { SheetCell } from '#domain/texts/sheetCell.ts'
import type { Encoding, ReadEncoding } from './encoding.ts'
import { FileRefused, type Message } from './import.refused.ts'

/** A sheet as rows of cells. Row numbers are those of the program, or the lines of a text file; a row ends with its last cell. */
export type Sheet = {
  /** The sheets of the workbook that have rows; a text file has none. */
  readonly names: readonly string[]
  /** Those of them that the workbook hides. */
  readonly hidden: readonly number[]
  /** Which of them this is. */
  readonly at: number
  readonly rows: readonly (readonly SheetCell[])[]
  readonly notes: readonly Message[]
  /** How the letters of a text file were read, unless it says so itself or is in UTF-8. */
  readonly encoding: ReadEncoding | null
  /** Whether it is a text with separators: no row then has more cells than its header. */
  readonly separated: boolean
}

export type SheetRequest = {
  readonly bytes: Uint8Array
  /** The sheet that is asked for; by default the first one with rows that is shown. */
  readonly sheet: number | null
  /** The encoding that somebody chose for a text; by default it is found. */
  readonly encoding: Encoding | null
}
/** A part of the rows, or the end of the file with its facts: 50,000 rows at once would block other requests. */
export type SheetReply =
  | { readonly rows: Sheet['rows'] }
  | { readonly read: Omit<Sheet, 'rows'> }
  | { readonly refused: Message }
  | { readonly failed: string }

export type SheetLimits = { readonly rows: number; readonly columns: number; readonly unpacked: number }

/** How a file of somebody may be at most. */
export const sheetLimits = {
  rows: 60_000,
  columns: 200,
  /** Bytes of a workbook once it is unpacked: 50,000 tyres are 19 MB. */
  unpacked: 32 * 1024 * 1024,
} as const satisfies SheetLimits

/** Of the process: what a file of the limits takes. Its time is that of the processor: a busy machine is no fault of the file. */
const memoryLimitMb = 104
const timeLimitMs = 10_000
/** How often the process is checked, and its maximum lifetime, in ms. */
const lookEveryMs = 250
const longestMs = 120_000

const tooLarge = (): FileRefused => new FileRefused('too_large', { rows: sheetLimits.rows })

const reader = fileURLToPath(new URL('sheet.process.ts', import.meta.url))

/** Reads a file. @throws FileRefused with what to do about it */
export function readSheet(
  bytes: Uint8Array,
  { sheet = null, encoding = null }: Partial<Omit<SheetRequest, 'bytes'>> = {},
  { memory = memoryLimitMb, time = timeLimitMs }: { memory?: number; time?: number } = {},
): Promise<Sheet> {
  return new Promise((resolve, reject) => {
    // what reads a stranger's file knows no secret; where code is kept compiled, it starts in half of the time
    const child = fork(reader, {
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      // a small young generation is collected often: the rows of a file live long, and a pause of a millisecond does no harm
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
    const rows: (readonly SheetCell[])[] = []
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
    child.send({ bytes, sheet, encoding } satisfies SheetRequest)
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
