/**
 * A site's images as they are kept: whatever somebody uploads is decoded and made anew, small and without anything that was
 * in the file beside the picture (QUALITY 19).
 */
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { Failure } from '#domain/failure.ts'
import type { SiteImage } from '#domain/site.ts'

/** The largest file that is taken, and the longest side of a picture. */
export const imageBytes = 5 * 1024 * 1024
const imageSide = 4096

export type Picture = { readonly mediaType: string; readonly digest: string; readonly content: Buffer }

// One thread for a picture, nothing kept of it, and no decoder within reach but the three that are needed.
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })

/** How large each is shown at most, twice over for sharp screens. */
const bounds = {
  navlogo: { width: 400, height: 120 },
  landinglogo: { width: 1200, height: 800 },
  favicon: { width: 256, height: 256 },
} as const satisfies Record<SiteImage, { width: number; height: number }>

const begins = {
  png: (file: Buffer) => file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  jpeg: (file: Buffer) => file.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1')),
  webp: (file: Buffer) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP',
} as const
const formats = Object.keys(begins) as (keyof typeof begins)[]

/** That a file is too large, by its bytes or by its pixels. */
export const imageTooLarge = (): Failure =>
  new Failure('image.too_large', { mb: imageBytes / 1024 / 1024, pixels: imageSide })

/**
 * The picture of a file as the site keeps it: within the bounds of its kind, never enlarged, in sRGB, upright, without
 * metadata. What a file is says its content, not its name.
 * @throws Failure `image.unreadable` for anything but a whole, still PNG, JPEG or WebP picture; `image.too_large`.
 */
export async function remade(kind: SiteImage, bytes: Uint8Array): Promise<Picture> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.byteLength > imageBytes) throw imageTooLarge()
  const format = formats.find(name => begins[name](file))
  if (!format) throw new Failure('image.unreadable')
  try {
    // the head alone is read, so the limit can be ours and say so
    const head = await sharp(file, { limitInputPixels: false }).metadata()
    if (head.format !== format || (head.pages ?? 1) > 1 || isAnimatedPng(file)) throw new Failure('image.unreadable')
    if (head.width > imageSide || head.height > imageSide) throw imageTooLarge()
    const picture = sharp(file, { limitInputPixels: imageSide ** 2, failOn: 'error', sequentialRead: true })
      .autoOrient()
      .resize({ ...bounds[kind], fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 10 })
    // photographs are small as WebP; drawings and favicons are sharpest as PNG, which every browser shows in a tab
    const asWebp = kind !== 'favicon' && format !== 'png'
    const made = asWebp ? picture.webp({ quality: 88 }) : picture.png({ compressionLevel: 9 })
    const content = await made.toBuffer()
    return {
      mediaType: asWebp ? 'image/webp' : 'image/png',
      digest: createHash('sha256').update(content).digest('hex'),
      content,
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('image.unreadable')
  }
}

/** Whether a PNG says before its picture that more of them follow (PNG third edition, 11.3.6 `acTL`). */
function isAnimatedPng(file: Buffer): boolean {
  if (!begins.png(file)) return false
  for (let at = 8; at + 8 <= file.byteLength;) {
    const chunk = file.toString('latin1', at + 4, at + 8)
    if (chunk === 'acTL') return true
    if (chunk === 'IDAT') return false
    at += 12 + file.readUInt32BE(at)
  }
  return false
}
