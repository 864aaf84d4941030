/** Reads the codes of pictures: by the browser where it can, else by a program that is loaded into a worker, only then. */
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'
import { codeFormats, codeReaderOf, type FoundCode } from '#domain/warehouse/camera.ts'
import type { ToRead, WasRead } from './codeWorker.ts'
// oxlint-disable-next-line import/default -- Vite answers with its address
import program from './codeWorker.ts?worker&url'

/** One picture at a time. @throws Error when the reader has ended */
export type CodeReader = { read(picture: HTMLCanvasElement): Promise<readonly FoundCode[]> }

/** The Shape Detection API, for which TypeScript has no types. */
type Detector = {
  detect(
    picture: HTMLCanvasElement,
  ): Promise<readonly { readonly rawValue: string; readonly cornerPoints: FoundCode['corners'] }[]>
}
type DetectorClass = {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats(): Promise<readonly string[]>
}

/** @throws Error when the program can't be loaded */
export async function openCodeReader(): Promise<CodeReader> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass }
  const supported = await Promise.resolve(BarcodeDetector?.getSupportedFormats() ?? null).catch(() => null)
  return BarcodeDetector && codeReaderOf(supported) === 'browser'
    ? byBrowser(new BarcodeDetector({ formats: codeFormats }))
    : byWorker()
}

const byBrowser = (detector: Detector): CodeReader => ({
  read: async picture =>
    (await detector.detect(picture)).map(({ rawValue, cornerPoints }) => ({ text: rawValue, corners: cornerPoints })),
})

const absolute = (address: string): string => new URL(address, location.href).href

async function byWorker(): Promise<CodeReader> {
  // a worker from a file would have that file's policy, which allows no WebAssembly; this one has its document's
  const start = URL.createObjectURL(
    new Blob([`import ${JSON.stringify(absolute(program))}`], { type: 'text/javascript' }),
  )
  const worker = new Worker(start, { type: 'module' })
  const ask = async (message: ToRead, transfer: Transferable[] = []) => {
    try {
      const answer = await new Promise<WasRead>((resolve, reject) => {
        const answered = new AbortController()
        const { signal } = answered
        const settle = (done: () => void) => {
          answered.abort()
          done()
        }
        worker.addEventListener('message', ({ data }: MessageEvent<WasRead>) => settle(() => resolve(data)), { signal })
        worker.addEventListener('error', () => settle(() => reject(new Error('the reader of codes has ended'))), {
          signal,
        })
        worker.postMessage(message, transfer)
      })
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer.found
    } catch (error) {
      worker.terminate()
      throw error
    }
  }
  await ask({ wasm: absolute(wasm) }).finally(() => URL.revokeObjectURL(start))
  return {
    async read(picture) {
      const { width, height } = picture
      const pixels = picture.getContext('2d')?.getImageData(0, 0, width, height)
      return pixels ? ask({ pixels }, [pixels.data.buffer]) : []
    },
  }
}
