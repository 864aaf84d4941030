/** The worker that reads codes by WebAssembly, so that the page stays responsive. It takes one request at a time. */
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'
import type { CodeFormat, FoundCode } from '#domain/warehouse/camera.ts'

/** At first where the program is, then pictures. */
export type ToRead = { readonly wasm: string } | { readonly pixels: ImageData }
export type WasRead = { readonly found: readonly FoundCode[]; readonly error?: undefined } | { readonly error: string }

const formats = {
  qr_code: 'QRCode',
  code_128: 'Code128',
  code_39: 'Code39',
  ean_13: 'EAN13',
  ean_8: 'EAN8',
} as const satisfies Record<CodeFormat, string>

const options: ReaderOptions = { formats: Object.values(formats), maxNumberOfSymbols: 24 }

async function answer(request: ToRead): Promise<WasRead> {
  if ('wasm' in request) {
    await prepareZXingModule({ overrides: { locateFile: () => request.wasm }, fireImmediately: true })
    return { found: [] }
  }
  const codes = await readBarcodes(request.pixels, options)
  return {
    found: codes.map(({ text, position: { topLeft, topRight, bottomRight, bottomLeft } }) => ({
      text,
      corners: [topLeft, topRight, bottomRight, bottomLeft],
    })),
  }
}

addEventListener('message', ({ data }: MessageEvent<ToRead>) => {
  answer(data)
    .catch((error: unknown): WasRead => ({ error: String(error) }))
    .then(read => postMessage(read))
})
