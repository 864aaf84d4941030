import { csvFile } from '#domain/cell.ts'
import { saveFile } from '../ui/download.ts'

/** Saves lines of cells as a CSV file; `name` is without its ending. */
export const saveCsv = (name: string, lines: Parameters<typeof csvFile>[0]): void =>
  saveFile(csvFile(lines), { name: `${name}.csv`, type: 'text/csv;charset=utf-8' })
