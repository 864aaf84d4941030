/** The thread that reads one file. */
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { FileRefused } from './import.messages.ts'
import { parseSheet } from './sheet.parse.ts'
import type { SheetReply, SheetRequest } from './sheet.ts'

/** How many rows are told at once. */
const part = 1000

const reply = (message: SheetReply): void => parentPort?.postMessage(message)
const { bytes, sheet } = workerData as SheetRequest
try {
  const { rows, ...read } = await parseSheet(bytes, sheet)
  for (let from = 0; from < rows.length; from += part) {
    reply({ rows: rows.slice(from, from + part) })
    // until the other thread has seen to whoever else asks
    // oxlint-disable-next-line no-await-in-loop -- a part after the other
    if (parentPort) await once(parentPort, 'message')
  }
  reply({ read })
} catch (error) {
  if (!(error instanceof FileRefused)) throw error
  reply({ refused: error.reason })
}
