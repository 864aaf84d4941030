/** Reads printed labels as a warehouse does: the PDF as a 203 dpi printer makes it, its barcodes as a scanner sees them. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createCanvas, type ImageData as Picture } from '@napi-rs/canvas'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { openPdf } from './pdf.ts'

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer as ArrayBuffer } })

export const dotsPerMm = 203 / 25.4

/** Every page as a 203 dpi printer would make it. */
export async function printed(pdf: Buffer): Promise<Picture[]> {
  const document = await openPdf(pdf)
  const pages: Picture[] = []
  for (let nth = 1; nth <= document.numPages; nth++) {
    const page = await document.getPage(nth)
    const viewport = page.getViewport({ scale: 203 / 72 })
    const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height))
    await page.render({ canvas: canvas as never, viewport }).promise
    pages.push(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height))
  }
  return pages
}

/** The row of an A4 sheet that a dot is in. */
const row = (y: number): number => Math.floor((y / dotsPerMm - 15.15) / 38.1)

/** The barcodes of a page, row by row. */
export async function scanned(picture: Picture): Promise<string[]> {
  const codes = await readBarcodes(picture as unknown as ImageData, { formats: ['QRCode'], maxNumberOfSymbols: 20 })
  return codes
    .sort(
      (a, b) => row(a.position.topLeft.y) - row(b.position.topLeft.y) || a.position.topLeft.x - b.position.topLeft.x,
    )
    .map(symbol => symbol.text)
}

/** A picture in the format that costs the least to write and to read: a portable greymap. */
function greymap({ width, height, data }: Picture): Buffer {
  const head = Buffer.from(`P5 ${width} ${height} 255\n`)
  const map = Buffer.alloc(head.length + width * height)
  head.copy(map)
  // the print is black and white: its green says as much as its grey
  for (let dot = 0; dot < width * height; dot++) map[head.length + dot] = data[4 * dot + 1] ?? 255
  return map
}

/** The same by another reader, zbarimg, where the machine has it; `null` where it has not. In no order. */
export async function scannedByZbar(picture: Picture): Promise<string[] | null> {
  const place = mkdtempSync(join(tmpdir(), 'wheelhouse-label-'))
  const file = join(place, 'page.pgm')
  try {
    writeFileSync(file, greymap(picture))
    const { stdout } = await promisify(execFile)('zbarimg', ['--quiet', '--raw', file])
    return stdout.split('\n').filter(Boolean)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
