import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { commands, encodeCommand } from '#domain/warehouse/barcode.ts'
import { printed, scanned } from '../testing/labelReader.ts'
import { textOf } from '../testing/pdf.ts'
import { commandsPerPage } from '#domain/warehouse/label.ts'
import { printCommands } from './commands.ts'

test('the sheet of commands has each command once, by its name and a barcode that can be read', async () => {
  const sheet = commands.map(command => ({ name: `Name of ${command}`, barcode: encodeCommand({ command, site: 42 }) }))
  const pdf = await buffer(printCommands({ commands: sheet, title: 'Command barcodes', now: new Date(0) }))
  const pages = await printed(pdf)
  expect(pages).toHaveLength(Math.ceil(commands.length / commandsPerPage))
  const codes = (await Promise.all(pages.map(page => scanned(page)))).flat()
  expect(codes.toSorted()).toEqual(sheet.map(({ barcode }) => barcode).toSorted())
  const text = await textOf(pdf)
  for (const { name } of sheet) expect(text).toContain(name)
})
