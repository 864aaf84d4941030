/** A phone camera's picture of a printed label: a pinhole camera before a sheet of paper, somewhat out of focus. */
import type { ImageData as Picture } from '@napi-rs/canvas'
import sharp from 'sharp'
import { readBarcodes } from 'zxing-wasm/reader'
import { dotsPerMm } from './labelReader.ts'

/** The width of a picture, and how wide the camera of a phone looks, in degrees. */
const width = 1920
const height = 1080
const angle = 65
const focal = width / 2 / Math.tan(radians(angle / 2))

export type Pose = {
  /** From the lens to the code, in mm. */
  readonly distance: number
  /** How the label is turned in the picture, in degrees. */
  readonly turn?: number
  /** How its upper edge leans away from the camera, in degrees. */
  readonly tilt?: number
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** The middle of the code on a printed page, in dots. */
async function middleOfCode(page: Picture): Promise<{ x: number; y: number }> {
  const [code] = await readBarcodes(page as unknown as ImageData, { formats: ['QRCode'] })
  if (!code) throw new Error('the page has no code')
  const { topLeft, bottomRight } = code.position
  return { x: (topLeft.x + bottomRight.x) / 2, y: (topLeft.y + bottomRight.y) / 2 }
}

/** A JPEG of a printed page as a camera that is aimed at its code sees it, on a table that is neither black nor white. */
export async function cameraPicture(page: Picture, { distance, turn = 0, tilt = 0 }: Pose): Promise<Buffer> {
  const middle = await middleOfCode(page)
  const [cosTurn, sinTurn] = [Math.cos(radians(turn)), Math.sin(radians(turn))]
  const [cosTilt, sinTilt] = [Math.cos(radians(tilt)), Math.sin(radians(tilt))]
  /** The grey of a dot of the page, between the four around it. */
  const greyAt = (x: number, y: number): number | null => {
    const [left, top] = [Math.floor(x), Math.floor(y)]
    if (left < 0 || top < 0 || left + 1 >= page.width || top + 1 >= page.height) return null
    const grey = (column: number, row: number) => page.data[4 * (row * page.width + column) + 1] ?? 255
    const [right, below] = [x - left, y - top]
    const upper = grey(left, top) * (1 - right) + grey(left + 1, top) * right
    const lower = grey(left, top + 1) * (1 - right) + grey(left + 1, top + 1) * right
    return upper * (1 - below) + lower * below
  }
  const greys = Buffer.alloc(width * height)
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      // the way from the lens through this pixel, to the plane of the paper
      const [u, v] = [(column - width / 2) / focal, (row - height / 2) / focal]
      const depth = distance / (1 + (v * sinTilt) / cosTilt)
      const [across, down] = [u * depth, (v * depth) / cosTilt]
      const x = middle.x + (across * cosTurn + down * sinTurn) * dotsPerMm
      const y = middle.y + (down * cosTurn - across * sinTurn) * dotsPerMm
      const grey = greyAt(x, y)
      // paper under the lamps of a hall is not white, nor ink black
      greys[row * width + column] = grey === null ? 110 : 40 + grey * 0.72
    }
  return sharp(greys, { raw: { width, height, channels: 1 } })
    .blur(0.8)
    .toColourspace('srgb')
    .jpeg({ quality: 80 })
    .toBuffer()
}
