import { buffer } from 'node:stream/consumers'
import type { ImageData as Picture } from '@napi-rs/canvas'
import { describe, expect, test } from 'vitest'
import { configurationTemplates } from '#domain/vehicles/axle.ts'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { labelLayouts, type LabelLayout } from '#domain/warehouse/label.ts'
import { printLabels, type LabelledTyre } from './labels.ts'
import { dotsPerMm, printed, scanned } from '../testing/labelReader.ts'
import { openPdf as open, textOf } from '../testing/pdf.ts'

const site = 7

const plain: LabelledTyre = {
  id: 48213,
  plate: '1ABC234',
  position: '2A',
  size: '205/55R16 91V',
  description: 'Michelin Alpin 6',
  set: 'Winter',
  customer: 'Garage Peeters & Zonen',
  depth: 6.5,
  axles: configurationTemplates[0].axles,
}

const hostile = [
  'a\nb\r\nc\td',
  'שלום עולם (abc) مجموعة الشتاء',
  '\u202Eright to left\u202C \u200B\u00AD\uFEFF',
  '😀🛞👨‍👩‍👧‍👦 🇧🇪',
  'W'.repeat(300),
  'x '.repeat(150),
  '(((\\)))) <<>> %PDF- endstream endobj /JavaScript',
  String.raw`\n\r\(\)\123 \\`,
  'Łódź Ελληνικά Кириллица ışğÇ ß Ĳ € ½',
  '漢字かな한국어',
  '\u0000\u0007\u001B[31m',
  '\uD800 lone \uDC00',
  'Z͑ͫ̓a̴l̨g͜o '.repeat(20),
  '',
  ' ',
  '-'.repeat(99),
]

const print = (tyres: readonly LabelledTyre[], layout: LabelLayout) =>
  buffer(printLabels(tyres, { layout, site, lang: 'dut', now: new Date('2026-11-20T10:00:00Z') }))

/** In millimetres. */
type Box = { x: number; y: number; width: number; height: number }

/** Whether anything is printed in a box. */
function hasInk({ data, width, height }: Picture, box: Box): boolean {
  const right = Math.min(width, Math.floor((box.x + box.width) * dotsPerMm))
  const bottom = Math.min(height, Math.floor((box.y + box.height) * dotsPerMm))
  for (let y = Math.ceil(box.y * dotsPerMm); y < bottom; y++)
    for (let x = Math.ceil(box.x * dotsPerMm); x < right; x++) if ((data[(y * width + x) * 4] ?? 255) < 128) return true
  return false
}

/** The four strips of the quiet zone around a barcode of 25 modules; the renderer may blur a dot at either side. */
function quietZoneOf(x: number, y: number, dots: number): Box[] {
  const module = dots / dotsPerMm
  const light = 4 * module - 0.3
  const far = 29 * module + 0.3
  const whole = 33 * module
  return [
    { x, y: y + 0.15, width: whole, height: light },
    { x, y: y + far, width: whole, height: light - 0.3 },
    { x: x + 0.15, y, width: light, height: whole },
    { x: x + far, y, width: light - 0.3, height: whole },
  ]
}

function edges(width: number, height: number, edge: number): Box[] {
  return [
    { x: 0, y: 0, width, height: edge },
    { x: 0, y: height - edge, width, height: edge },
    { x: 0, y: 0, width: edge, height },
    { x: width - edge, y: 0, width: edge, height },
  ]
}

/** Where no label may have ink, for any texts. */
const unprinted: Record<LabelLayout, Box[]> = {
  roll_62x100: [...edges(62, 100, 0.5), ...quietZoneOf(0.5, 15.5, 8)],
  roll_57x32: [...edges(57, 32, 0.5), ...quietZoneOf(0.25, 0.5, 6)],
  sheet_a4_2x7: [
    ...edges(210, 297, 5),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map(nth => ({ x: 0, y: 14.15 + nth * 38.1, width: 210, height: 2 })),
    { x: 103.8, y: 0, width: 2.4, height: 297 },
    ...quietZoneOf(5.65, 16.75, 7),
    ...quietZoneOf(107.25, 16.75, 7),
  ],
}

const withoutSpaces = (text: string): string => text.replaceAll(' ', '')

describe.each(labelLayouts)('labels on %s', layout => {
  test('every label has the barcode of its tyre, in the order requested, readable at 203 dpi whatever its texts are', async () => {
    const tyres = hostile.map((text, nth) => ({
      ...plain,
      id: [1, 35, 36, 1_679_615, 2_147_483_647][nth] ?? 90_000 - nth * 777,
      plate: text,
      size: nth % 2 ? text : '',
      description: text,
      set: nth % 3 ? text : null,
      customer: text,
      axles: configurationTemplates[nth % configurationTemplates.length]?.axles ?? null,
    }))
    const pages = await printed(await print(tyres, layout))
    expect(pages).toHaveLength(layout === 'sheet_a4_2x7' ? Math.ceil(tyres.length / 14) : tyres.length)
    const read = []
    for (const page of pages) read.push(...(await scanned(page)))
    expect(read).toEqual(tyres.map(tyre => encodeBarcode({ tyre: tyre.id, site })))
  })

  test('nothing is printed over the edge of a label or into the quiet zone of its barcode', async () => {
    const pages = await printed(
      await print(
        hostile.map(text => ({
          ...plain,
          plate: text,
          position: '99G',
          size: text,
          description: text,
          set: text,
          customer: text,
        })),
        layout,
      ),
    )
    for (const page of pages) expect(unprinted[layout].filter(box => hasInk(page, box))).toEqual([])
    const drawn = pages.every(page => hasInk(page, { x: 0, y: 0, width: 300, height: 300 }))
    expect(drawn).toBe(true)
  })

  test('plate, position, size, description, set, customer, number and depth are in print', async () => {
    const printedText = await textOf(await print([plain], layout))
    for (const text of [
      '1-ABC-234',
      '2A',
      '205/55R16 91V',
      'Michelin Alpin 6',
      'Winter',
      'Garage Peeters',
      '#48213',
      '6,5 mm',
    ])
      expect(printedText).toContain(text)
  })

  test('a description of 99 characters is printed to its end, with or without spaces', async () => {
    const sentence =
      'Pneu hiver clouté, bande de roulement renforcée, provenant du lot numéro quatorze (2019), flanc ok.'
    const long = `${'0123456789'.repeat(9)}abcdefghi`
    expect(sentence).toHaveLength(99)
    for (const description of [sentence, long])
      for (const size of [plain.size, ''])
        expect(withoutSpaces(await textOf(await print([{ ...plain, size, description }], layout)))).toContain(
          withoutSpaces(description),
        )
  })

  test('a text that cannot fit ends in an ellipsis', async () => {
    expect(await textOf(await print([{ ...plain, description: 'long '.repeat(400) }], layout))).toContain('…')
  })

  test('letters beyond Latin-1 are printed as letters, not as boxes', async () => {
    for (const text of ['Łódź', 'Ελλάδα', 'Київ', 'ığş', '€'])
      expect(await textOf(await print([{ ...plain, customer: text }], layout))).toContain(text)
    // a letter that no font has prints the same box as any other, and only it does
    const box = await pixelsOf({ ...plain, description: '한' }, layout)
    expect(await pixelsOf({ ...plain, description: 'ไ' }, layout)).toEqual(box)
    for (const letter of ['Ł', 'Ж', 'ش', 'ש', '漢', '字'])
      expect(await pixelsOf({ ...plain, description: letter }, layout)).not.toEqual(box)
  })

  test('a tyre without set, depth, size and vehicle configuration has its label too', async () => {
    const bare = { ...plain, set: null, depth: null, size: '', axles: null }
    const pdf = await print([bare], layout)
    expect(await textOf(pdf)).not.toContain('mm')
    expect(await scanned((await printed(pdf))[0] as Picture)).toEqual([encodeBarcode({ tyre: bare.id, site })])
  })

  test('a hundred labels take no more than 150 kB, and contain nothing active', async () => {
    const tyres = Array.from({ length: 100 }, (_, nth) => ({
      ...plain,
      id: 70_000 + nth * 13,
      plate: `1XYZ${100 + nth}`,
    }))
    const pdf = await print(tyres, layout)
    expect(pdf.length).toBeLessThan(150_000)
    const document = await open(pdf)
    expect([await document.getJSActions(), await document.getOpenAction(), await document.getAttachments()]).toEqual([
      null,
      null,
      null,
    ])
    expect(await (await document.getPage(1)).getAnnotations()).toEqual([])
  })
})

async function pixelsOf(tyre: LabelledTyre, layout: LabelLayout): Promise<string> {
  const [picture] = await printed(await print([tyre], layout))
  return Buffer.from((picture as Picture).data.buffer).toString('base64')
}

test('other work runs between two labels', async () => {
  let turns = 0
  let going = true
  const count = (): void => {
    turns++
    if (going) setImmediate(count)
  }
  setImmediate(count)
  await print(
    Array.from({ length: 60 }, (_, nth) => ({ ...plain, id: 1 + nth })),
    'roll_57x32',
  )
  going = false
  expect(turns).toBeGreaterThanOrEqual(60)
})

test('an id that no barcode can hold is refused', async () => {
  await expect(print([{ ...plain, id: 36 ** 7 }], 'roll_57x32')).rejects.toThrow(RangeError)
})
