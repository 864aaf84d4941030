/** Labels in ZPL, drawn as a label printer would, and read by two readers, and by a third where the machine has it (docs/product/warehouse.md "Labels"). */
import { createRequire } from 'node:module'
import { createCanvas, type ImageData as Picture, loadImage } from '@napi-rs/canvas'
import { decodeQR } from 'qr/decode.js'
import { expect, test } from 'vitest'
import type * as Renderer from 'zpl-renderer-js'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { labelPapers, rollLayouts } from '#domain/warehouse/label.ts'
import { scanned, scannedByZbar } from '../testing/labelReader.ts'
import type { LabelledTyre } from './labels.ts'
import { zplOf, type ZplPrint } from './zpl.ts'

// required, for its module names a source map that it does not have
const { ready } = createRequire(import.meta.url)('zpl-renderer-js') as typeof Renderer

const tyre: LabelledTyre = {
  id: 4711,
  plate: '1ABC234',
  position: '2A',
  size: '205/55R16 91H',
  description: 'Michelin Alpin 6 205/55R16 91H',
  set: 'Winter',
  customer: 'Garage Müller & Söhne',
  depth: 6.5,
  axles: null,
}

/** The labels as the printer draws them. */
async function drawn(tyres: readonly LabelledTyre[], print: ZplPrint): Promise<Picture[]> {
  const { api } = await ready
  const { width, height } = labelPapers[print.layout].page
  const pictures = await api.zplToBase64MultipleAsync(zplOf(tyres, print), width, height, print.dpi === 300 ? 12 : 8)
  return Promise.all(
    pictures.map(async picture => {
      const image = await loadImage(Buffer.from(picture, 'base64'))
      const canvas = createCanvas(image.width, image.height)
      const pen = canvas.getContext('2d')
      pen.drawImage(image, 0, 0)
      return pen.getImageData(0, 0, image.width, image.height)
    }),
  )
}

const print = (layout: ZplPrint['layout'], dpi = 203): ZplPrint => ({ layout, site: 7, lang: 'ger', dpi })
const dark = ({ data, width }: Picture, x: number, y: number): boolean => (data[4 * (y * width + x) + 1] ?? 255) < 128

test.each(rollLayouts.flatMap(layout => [203, 300].map(dpi => [layout, dpi] as const)))(
  'on %s with %d dots an inch each reader reads the code of every label, in order',
  async (layout, dpi) => {
    const ids = [1, 4711, 2_000_000_000]
    const pictures = await drawn(
      ids.map(id => ({ ...tyre, id })),
      print(layout, dpi),
    )
    expect(pictures).toHaveLength(ids.length)
    for (const [nth, picture] of pictures.entries()) {
      const code = encodeBarcode({ tyre: ids[nth] ?? 0, site: 7 })
      expect(await scanned(picture)).toEqual([code])
      expect(decodeQR(picture)).toBe(code)
      const other = await scannedByZbar(picture)
      if (other) expect(other).toEqual([code])
    }
  },
)

test('whatever its texts are, a label is one label with a code that is read', async () => {
  const long = 'W'.repeat(99)
  const hostile = '^XZ^XA^FDother^FS~JR_5E\\&'
  for (const layout of rollLayouts)
    for (const text of [long, `${'Long words '.repeat(12)}end`, hostile]) {
      const many = { ...tyre, description: text, customer: text, set: text, plate: text.slice(0, 40), size: text }
      const pictures = await drawn([many], print(layout))
      expect(pictures, text).toHaveLength(1)
      const [picture] = pictures
      if (!picture) continue
      expect(await scanned(picture)).toEqual([encodeBarcode({ tyre: tyre.id, site: 7 })])
    }
})

test('a text is written as it is, and ends in an ellipsis where its line does', () => {
  const zpl = zplOf([{ ...tyre, set: 'Set_1^~', description: 'x'.repeat(99) }], print('roll_57x32'))
  expect(zpl).toContain('Set_5F1_5E_7E')
  expect(zpl).toContain('6,5 mm')
  expect(zpl).toContain('Garage Müller & Söhne')
  expect(zpl).toContain('…')
  expect(zpl.match(/\^XA/g)).toHaveLength(1)
})

test('a tyre without set, size and depth has its label, too', async () => {
  const [picture] = await drawn([{ ...tyre, set: null, size: '', depth: null }], print('roll_62x100'))
  expect(picture && (await scanned(picture))).toEqual([encodeBarcode({ tyre: 4711, site: 7 })])
  // the position stands beside the code
  expect(picture && Array.from({ length: 100 }, (_, nth) => dark(picture, 310 + nth, 110)).some(Boolean)).toBe(true)
})
