/** The thread that reads one file. */
import { parentPort, workerData } from 'node:worker_threads'
import { FileRefused } from './import.messages.ts'
import { parseSheet } from './sheet.parse.ts'
import type { SheetReply, SheetRequest } from './sheet.ts'

const reply = (message: SheetReply): void => parentPort?.postMessage(message)
const { bytes, sheet } = workerData as SheetRequest
try {
  reply({ read: await parseSheet(bytes, sheet) })
} catch (error) {
  if (!(error instanceof FileRefused)) throw error
  reply({ refused: error.reason })
}
