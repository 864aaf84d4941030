import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { commands, encodeCommand } from '#domain/barcode.ts'
import { openPdf, printed, scanned } from '../testing/labelReader.ts'
import { printCommands } from './commands.ts'

test('the sheet of commands is one page with each command once, by its name and a barcode that can be read', async () => {
  const sheet = commands.map(command => ({ name: `Name of ${command}`, barcode: encodeCommand({ command, site: 42 }) }))
  const pdf = await buffer(printCommands({ commands: sheet, title: 'Command barcodes', now: new Date(0) }))
  const [page, ...others] = await printed(pdf)
  if (!page) throw new Error('nothing was printed')
  expect(others).toEqual([])
  expect((await scanned(page)).toSorted()).toEqual(sheet.map(({ barcode }) => barcode).toSorted())
  const { items } = await (await (await openPdf(pdf)).getPage(1)).getTextContent()
  const text = items.map(item => ('str' in item ? item.str : '')).join(' ')
  for (const { name } of sheet) expect(text).toContain(name)
})
