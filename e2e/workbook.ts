import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import readWorkbook from 'read-excel-file/node'

/** The workbook that a click saves: the name of its file and of its sheet, and its rows by their headings. */
export async function savedWorkbook(page: Page, button: Locator) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const [sheet] = await readWorkbook(await readFile(await download.path()))
  if (!sheet) throw new Error('the workbook has no sheet')
  const [headings = [], ...lines] = sheet.data
  return {
    name: download.suggestedFilename(),
    title: sheet.sheet,
    headings,
    rows: lines.map(line => Object.fromEntries(headings.map((heading, at) => [String(heading), line[at] ?? null]))),
  }
}
