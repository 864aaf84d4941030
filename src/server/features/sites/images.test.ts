/** Hostile and ordinary image files, made here (docs/promises.md "Images"). */
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { Failure } from '#domain/failure.ts'
import { maxImageBytes, reencodeImage } from './images.ts'

const photo = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 }, background: '#123' },
  })
const png = (width = 300, height = 100): Promise<Buffer> => photo(width, height).png().toBuffer()

const refusalOf = (file: Uint8Array): Promise<string> =>
  reencodeImage('navlogo', file).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  )

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
/** A PNG of one colour, one bit for each pixel; `before` are chunks in front of its picture. */
function bitmap(width: number, height: number, before: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 1
  const picture = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 1 })
  const parts = [chunk('IHDR', head), ...before, chunk('IDAT', picture), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

describe('a file that is no complete, still PNG, JPEG or WebP picture is refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const animated = async (): Promise<Buffer> =>
    sharp([await png(), await photo(300, 100).negate().png().toBuffer()], { join: { animated: true } })
      .webp()
      .toBuffer()
  test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ['nothing', () => new Uint8Array()],
    ['one byte', () => Buffer.from('x')],
    ['SVG', () => Buffer.from(svg)],
    ['SVG behind the first bytes of a PNG', () => Buffer.from(`\x89PNG\r\n\x1a\n${svg}`, 'latin1')],
    ['HTML behind the first bytes of a JPEG', () => Buffer.from('\xff\xd8\xff<html><script>alert(1)', 'latin1')],
    [
      'HTML behind the first bytes of a WebP',
      () => Buffer.from('RIFF\x20\0\0\0WEBP<html><script>alert(1)</script>', 'latin1'),
    ],
    ['ZIP', () => Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1')],
    ['PDF', () => Buffer.from('%PDF-1.7\n')],
    ['GIF', () => photo(30, 30).gif().toBuffer()],
    ['TIFF', () => photo(30, 30).tiff().toBuffer()],
    ['AVIF', () => photo(30, 30).avif().toBuffer()],
    ['an animated WebP', animated],
    ['an animated PNG', () => bitmap(8, 8, [chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))])],
    ['half a PNG', async () => (await png()).subarray(0, -9000)],
    ['half a JPEG', async () => half(await photo(300, 100).jpeg().toBuffer())],
    ['half a WebP', async () => half(await photo(300, 100).webp().toBuffer())],
    ['a PNG with a broken picture', async () => (await png()).fill(7, 2000, 6000)],
  ])('%s', async (_, file) => {
    expect(await refusalOf(await file())).toBe('image.unreadable')
  })

  const half = (file: Buffer): Buffer => file.subarray(0, file.length / 2)

  test('the control: the same pictures without animation are accepted', async () => {
    expect(await refusalOf(bitmap(8, 8))).toBe('accepted')
    expect((await sharp(await animated(), { animated: true }).metadata()).pages).toBe(2)
  })
})

describe('a picture that is too large is refused before it is decoded', () => {
  test.each([
    [4096, 4096, 'accepted'],
    [4097, 10, 'image.too_large'],
    [10, 4097, 'image.too_large'],
  ])('%i × %i pixels: %s', async (width, height, result) => {
    expect(await refusalOf(bitmap(width, height))).toBe(result)
  })

  test('a bomb of 30,000 × 30,000 pixels costs no memory, ten at once neither', async () => {
    const bomb = bitmap(30_000, 30_000)
    expect(bomb.length).toBeLessThan(maxImageBytes)
    const before = process.memoryUsage.rss()
    const failed = await Promise.all(
      Array.from({ length: 10 }, () => reencodeImage('favicon', bomb).catch((e: Failure) => e)),
    )
    expect(process.memoryUsage.rss() - before).toBeLessThan(60 * 1024 * 1024)
    for (const failure of failed)
      expect(failure).toMatchObject({ code: 'image.too_large', facts: { mb: 5, pixels: 4096 }, status: 413 })
  })

  test('a file of more than 5 MB', async () => {
    expect(await refusalOf(Buffer.concat([await png(), Buffer.alloc(maxImageBytes)]))).toBe('image.too_large')
  })
})

test('of a file that is also something else, only the picture remains', async () => {
  const hidden = Buffer.from('<html><script>alert(1)</script></html>PK\x03\x04', 'latin1')
  const comment = chunk('tEXt', Buffer.concat([Buffer.from('Comment\0', 'latin1'), hidden]))
  const inside = await reencodeImage('navlogo', bitmap(64, 64, [comment]))
  const behind = await reencodeImage('navlogo', Buffer.concat([await photo(64, 64).jpeg().toBuffer(), hidden]))
  for (const { content } of [inside, behind]) {
    expect(content.includes('script')).toBe(false)
    expect(content.includes('PK\x03\x04')).toBe(false)
  }
})

test.each([
  ['navlogo', 4000, 1000, 400, 100],
  ['navlogo', 300, 300, 120, 120],
  ['landinglogo', 2400, 800, 1200, 400],
  ['favicon', 1000, 500, 256, 128],
  ['favicon', 32, 32, 32, 32],
] as const)('a %s of %i × %i is kept as %i × %i', async (kind, width, height, keptWidth, keptHeight) => {
  const { content } = await reencodeImage(kind, bitmap(width, height))
  expect(await sharp(content).metadata()).toMatchObject({ width: keptWidth, height: keptHeight, format: 'png' })
})

test('a photograph is kept upright, in sRGB, as WebP, without metadata; a favicon as PNG', async () => {
  const taken = await photo(300, 100)
    .withExif({ IFD0: { ImageDescription: 'at home', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect((await sharp(taken).metadata()).orientation).toBe(6)
  const kept = await reencodeImage('landinglogo', taken)
  expect(kept.mediaType).toBe('image/webp')
  expect(kept.digest).toBe(createHash('sha256').update(kept.content).digest('hex'))
  const head = await sharp(kept.content).metadata()
  expect(head).toMatchObject({ format: 'webp', width: 100, height: 300, space: 'srgb' })
  expect([head.exif, head.icc, head.xmp, head.orientation]).toEqual([undefined, undefined, undefined, undefined])
  expect((await reencodeImage('favicon', taken)).mediaType).toBe('image/png')
})

test('transparency is kept', async () => {
  const clear = sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0 } } })
  for (const file of [await clear.clone().png().toBuffer(), await clear.clone().webp().toBuffer()]) {
    const { content } = await reencodeImage('navlogo', file)
    expect((await sharp(content).metadata()).hasAlpha).toBe(true)
    expect((await sharp(content).stats()).isOpaque).toBe(false)
  }
})
