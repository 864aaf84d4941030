import { csvBytes, csvFile } from '#domain/texts/cell.ts'
import { saveFile } from '../ui/download.ts'

/** Saves the text of a CSV file whose first line names its separator; `name` is without its ending. */
export const saveCsvText = (name: string, text: string): void =>
  saveFile(new Blob([csvBytes(text)], { type: 'text/csv;charset=utf-16le' }), { name: `${name}.csv` })

/** Saves lines of cells as a CSV file; `name` is without its ending. */
export const saveCsv = (name: string, lines: Parameters<typeof csvFile>[0]): void => saveCsvText(name, csvFile(lines))
