/**
 * Draws the pictures of the demo's two sites: `node db/demo/images/draw.ts` writes the PNG files beside this one. They have
 * no ground of their own and only tones of the middle, so that they stand as well on a light page as on a dark one.
 */
import { writeFile } from 'node:fs/promises'
import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas'

type Pen = SKRSContext2D
/** Draws into a square from -1 to 1. `plain` leaves out what nobody sees at the size of a favicon. */
type Emblem = (pen: Pen, plain: boolean) => void

const tones = {
  rubber: '#66757f',
  teal: '#1a9384',
  amber: '#d98a1f',
  brick: '#cf5a3c',
  fir: '#3d8a57',
  moss: '#7f9a3a',
}
const full = Math.PI * 2
const top = -Math.PI / 2

/** A tyre from the side: its carcass and the blocks of its tread. */
function tyre(pen: Pen, { x = 0, y = 0, radius = 0.94, blocks = 28, wall = 0.17, colour = tones.rubber } = {}): void {
  pen.strokeStyle = colour
  pen.lineWidth = radius * wall
  ring(pen, x, y, radius * 0.81)
  if (blocks === 0) return
  pen.lineWidth = radius * 0.1
  const step = full / blocks
  for (let block = 0; block < blocks; block++) {
    pen.beginPath()
    pen.arc(x, y, radius * 0.95, block * step, (block + 0.62) * step)
    pen.stroke()
  }
}

function ring(pen: Pen, x: number, y: number, radius: number): void {
  pen.beginPath()
  pen.arc(x, y, radius, 0, full)
  pen.stroke()
}

function disc(pen: Pen, x: number, y: number, radius: number, colour: string): void {
  pen.fillStyle = colour
  pen.beginPath()
  pen.arc(x, y, radius, 0, full)
  pen.fill()
}

/** Seven ways that meet: the spokes of a wheel, each a road that widens towards the traveller. */
const sevenWays: Emblem = (pen, plain) => {
  tyre(pen, plain ? { blocks: 0, radius: 1.08, wall: 0.2 } : {})
  const reach = plain ? 0.86 : 0.7
  for (let way = 0; way < 7; way++) {
    pen.save()
    pen.rotate(top + (way * full) / 7)
    pen.fillStyle = way === 0 ? tones.amber : tones.teal
    pen.beginPath()
    pen.moveTo(0.12, -0.05)
    pen.lineTo(reach, plain ? -0.17 : -0.14)
    pen.lineTo(reach, plain ? 0.17 : 0.14)
    pen.lineTo(0.12, 0.05)
    pen.fill()
    if (!plain) {
      // the line in the middle of the road is cut out, so that the page shows through
      pen.globalCompositeOperation = 'destination-out'
      pen.lineWidth = 0.035
      pen.setLineDash([0.09, 0.07])
      pen.beginPath()
      pen.moveTo(0.3, 0)
      pen.lineTo(reach, 0)
      pen.stroke()
    }
    pen.restore()
  }
  disc(pen, 0, 0, plain ? 0.2 : 0.15, tones.rubber)
}

/** Three valleys, with a tyre rising over them as the sun does. */
const threeValleys: Emblem = (pen, plain) => {
  const floor = 0.92
  pen.save()
  pen.beginPath()
  pen.rect(-1, -1, 2, 1.5)
  pen.clip()
  if (plain) tyre(pen, { y: 0.02, radius: 1.03, blocks: 0, wall: 0.28, colour: tones.brick })
  else tyre(pen, { y: -0.06, radius: 0.84, blocks: 26, colour: tones.brick })
  disc(pen, 0, plain ? 0.02 : -0.06, plain ? 0.36 : 0.3, tones.amber)
  pen.restore()
  const hills = [
    { colour: tones.rubber, left: -0.98, peak: -0.34, right: 0.5, height: 0.06 },
    { colour: tones.fir, left: -0.3, peak: 0.44, right: 0.98, height: 0.2 },
    { colour: tones.moss, left: -0.98, peak: -0.1, right: 0.82, height: 0.5 },
  ]
  for (const { colour, left, peak, right, height } of hills) {
    // each hill is cut out of what lies behind it with a thin seam, so that the three stay apart on any ground
    for (const [mode, grow] of [
      ['destination-out', 0.05],
      ['source-over', 0],
    ] as const) {
      pen.save()
      pen.globalCompositeOperation = mode
      pen.fillStyle = colour
      pen.beginPath()
      pen.moveTo(left - grow, floor)
      pen.quadraticCurveTo((left + peak) / 2, height - grow * 1.4, peak, height - grow)
      pen.quadraticCurveTo((right + peak) / 2, height - grow * 0.4, right + grow, floor)
      pen.fill()
      pen.restore()
    }
  }
}

/** A shelf on which an emblem lies between tyres, wider than high. */
function shelf(pen: Pen, emblem: Emblem): void {
  for (const side of [-1, 1]) {
    for (const [nth, radius] of [0.62, 0.46].entries()) {
      const x = side * (1.72 + nth * 1.14)
      tyre(pen, { x, y: 0.94 - radius, radius, blocks: 22 - nth * 4 })
      pen.lineWidth = radius * 0.12
      ring(pen, x, 0.94 - radius, radius * 0.38)
    }
  }
  emblem(pen, false)
  pen.fillStyle = tones.rubber
  pen.beginPath()
  pen.roundRect(-3.4, 1.04, 6.8, 0.1, 0.05)
  pen.fill()
}

/** Every dot gets the nearest tone and one of sixteen depths: half as many bytes, and nobody sees it. */
function spare(canvas: Canvas): void {
  const pen = canvas.getContext('2d')
  const picture = pen.getImageData(0, 0, canvas.width, canvas.height)
  const palette = Object.values(tones).map(tone => [1, 3, 5].map(at => Number.parseInt(tone.slice(at, at + 2), 16)))
  const { data } = picture
  for (let dot = 0; dot < data.length; dot += 4) {
    const away = (tone: readonly number[]): number =>
      tone.reduce((sum, part, nth) => sum + (part - (data[dot + nth] ?? 0)) ** 2, 0)
    const nearest = palette.reduce((best, tone) => (away(tone) < away(best) ? tone : best))
    const depth = Math.round((data[dot + 3] ?? 0) / 17) * 17
    data.set(depth === 0 ? [0, 0, 0, 0] : [...nearest, depth], dot)
  }
  pen.putImageData(picture, 0, 0)
}

function picture(width: number, height: number, unit: number, draw: (pen: Pen) => void): Canvas {
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.translate(width / 2, height / 2)
  pen.scale(unit, unit)
  draw(pen)
  spare(canvas)
  return canvas
}

for (const [code, emblem] of [
  ['zevenwegen', sevenWays],
  ['trois-vallees', threeValleys],
] as const) {
  const pictures = {
    navlogo: picture(128, 128, 64, pen => emblem(pen, false)),
    landinglogo: picture(448, 144, 62, pen => {
      pen.translate(0, -0.06)
      shelf(pen, emblem)
    }),
    favicon: picture(64, 64, 32, pen => emblem(pen, true)),
  }
  for (const [kind, canvas] of Object.entries(pictures))
    await writeFile(new URL(`${code}-${kind}.png`, import.meta.url), canvas.toBuffer('image/png'))
}
