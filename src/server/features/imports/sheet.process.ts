/** The process that reads one file (sheet.ts). */
import { once } from 'node:events'
import { FileRefused } from './import.refused.ts'
import { parseSheet } from './sheet.parse.ts'
import type { SheetReply, SheetRequest } from './sheet.ts'

/** How many rows are told at once. */
const part = 1000

const reply = (message: SheetReply): boolean | undefined => process.send?.(message)

const [{ bytes, ...request }] = (await once(process, 'message')) as [SheetRequest]
try {
  const { rows, ...read } = parseSheet(bytes, request)
  for (let from = 0; from < rows.length; from += part) {
    reply({ rows: rows.slice(from, from + part) })
    // wait until the portal has served other requests
    await once(process, 'message')
  }
  reply({ read })
} catch (error) {
  if (error instanceof FileRefused) reply({ refused: error.reason })
  else reply({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
}
