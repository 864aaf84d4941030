/**
 * A site's images. An uploaded file is decoded and encoded again, small and without anything that was in it beside the picture
 * (docs/promises.md "Images").
 */
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { photoSidePx, smallPhotoSidePx } from '#domain/warehouse/damage.ts'
import { Failure } from '#domain/failure.ts'
import type { SiteImage } from '#domain/site.ts'
import { openFairQueue, type Requester } from '../../fairQueue.ts'

/** The largest file that is accepted, and the longest side of its picture, in pixels. */
export const maxImageBytes = 5 * 1024 * 1024
const maxImageSide = 4096

export type Picture = { readonly mediaType: string; readonly digest: string; readonly content: Buffer }

// One thread a picture, no cache, and no decoder but the three that are needed.
sharp.concurrency(1)
sharp.cache(false)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })

/** Images that are encoded again: a site's images, the signature on a delivery note, and photos of wheels. */
type Kind = SiteImage | 'signature' | 'photo'

/** The largest size at which each is shown, doubled for high-density screens. */
const bounds = {
  navlogo: { width: 400, height: 120 },
  landinglogo: { width: 1200, height: 800 },
  favicon: { width: 256, height: 256 },
  signature: { width: 1000, height: 400 },
  photo: { width: photoSidePx, height: photoSidePx },
} as const satisfies Record<Kind, { width: number; height: number }>

/** Of a photo: in it a nail is as plain as at 88, in two thirds of the bytes. */
const photoQuality = 78

/** How the files of each format begin. */
const signatures = {
  png: (file: Buffer) => file.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
  jpeg: (file: Buffer) => file.subarray(0, 3).equals(Buffer.from('\xff\xd8\xff', 'latin1')),
  webp: (file: Buffer) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP',
} as const
const formats = Object.keys(signatures) as (keyof typeof signatures)[]

/** The failure of a file with too many bytes or pixels. */
export const imageTooLarge = (): Failure =>
  new Failure('image.too_large', { mb: maxImageBytes / 1024 / 1024, pixels: maxImageSide })

/**
 * Encodes the picture of a file as the site stores it: within the bounds of its kind, never enlarged, in sRGB, upright, without
 * metadata. The format is told from the content, not from the file's name.
 * @throws Failure `image.unreadable` for anything but a complete, still PNG, JPEG or WebP picture; `image.too_large`
 */
export async function reencodeImage(kind: Kind, bytes: Uint8Array): Promise<Picture> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.byteLength > maxImageBytes) throw imageTooLarge()
  const format = formats.find(name => signatures[name](file))
  if (!format) throw new Failure('image.unreadable')
  try {
    // reads the header only, without sharp's limit: too large a picture has a failure of its own
    const head = await sharp(file, { limitInputPixels: false }).metadata()
    if (head.format !== format || (head.pages ?? 1) > 1 || isAnimatedPng(file)) throw new Failure('image.unreadable')
    if (head.width > maxImageSide || head.height > maxImageSide) throw imageTooLarge()
    const picture = sharp(file, { limitInputPixels: maxImageSide ** 2, failOn: 'error', sequentialRead: true })
      .autoOrient()
      .resize({ ...bounds[kind], fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 10 })
    // photographs are small as WebP; drawings are sharpest as PNG, every browser shows a PNG favicon, and a PDF takes no WebP
    const webp = kind === 'photo' || (kind !== 'favicon' && kind !== 'signature' && format !== 'png')
    const encoded = webp
      ? picture.webp({ quality: kind === 'photo' ? photoQuality : 88 })
      : picture.png({ compressionLevel: 9 })
    const content = await encoded.toBuffer()
    return {
      mediaType: webp ? 'image/webp' : 'image/png',
      digest: createHash('sha256').update(content).digest('hex'),
      content,
    }
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('image.unreadable')
  }
}

/**
 * Encodes a photo of a wheel, and a small copy of it: WebP, upright, in sRGB, without metadata. Like `reencodeInTurn`, one at a time.
 * @throws Failure `image.unreadable`, `image.too_large`, `server.busy`
 */
export const reencodePhoto = (bytes: Uint8Array, party: Requester) =>
  imageQueue.run('picture', party, async () => {
    const { content, digest } = await reencodeImage('photo', bytes)
    const { width, height } = await sharp(content).metadata()
    const small = await sharp(content)
      .resize({ width: smallPhotoSidePx, height: smallPhotoSidePx, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 75 })
      .toBuffer()
    return { content, digest, width, height, small }
  })

/** Encodes one image at a time. */
const imageQueue = openFairQueue({
  kinds: { picture: { maxTotal: 1, timeoutMs: 20_000 } },
  siteShare: 1,
  accountShare: 1,
  maxWaiting: { maxPerAccount: 3, maxPerSite: 10, total: 20 },
})

/** The same, one at a time in this process, which bounds the memory. @throws Failure also `server.busy` */
export const reencodeInTurn = (kind: Kind, bytes: Uint8Array, party: Requester): Promise<Picture> =>
  imageQueue.run('picture', party, () => reencodeImage(kind, bytes))

/** Whether a PNG has more than one picture: an `acTL` chunk before its `IDAT` (PNG third edition, 11.3.6). */
function isAnimatedPng(file: Buffer): boolean {
  if (!signatures.png(file)) return false
  for (let at = 8; at + 8 <= file.byteLength;) {
    const chunk = file.toString('latin1', at + 4, at + 8)
    if (chunk === 'acTL') return true
    if (chunk === 'IDAT') return false
    at += 12 + file.readUInt32BE(at)
  }
  return false
}
