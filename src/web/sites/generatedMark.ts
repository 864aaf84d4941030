/** The mark that a new site begins with, drawn from its name: a wheel in a colour of its own, with the initials. */
import { type SiteImage, siteImages } from '#domain/site.ts'

const sizes: Readonly<Record<SiteImage, number>> = { landinglogo: 512, navlogo: 192, favicon: 128 }

/** The initials of a name, two at most. */
export const initialsOf = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map(word => [...word][0]?.toUpperCase() ?? '')
    .join('')

/** An angle on the colour wheel for a name. */
export const hueOf = (name: string): number =>
  [...name].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 360, 7)

function draw(name: string, size: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = size
  canvas.height = size
  const pen = canvas.getContext('2d')
  if (!pen) return canvas
  const middle = size / 2
  const disc = (radius: number, colour: string) => {
    pen.fillStyle = colour
    pen.beginPath()
    pen.arc(middle, middle, radius * size, 0, 2 * Math.PI)
    pen.fill()
  }
  // a tyre, its tread, and the rim
  disc(0.5, `hsl(${hueOf(name)} 45% 28%)`)
  disc(0.4, '#fff')
  disc(0.37, `hsl(${hueOf(name)} 55% 38%)`)
  pen.fillStyle = '#fff'
  pen.font = `600 ${size * 0.34}px system-ui, sans-serif`
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(initialsOf(name), middle, middle * 1.03)
  return canvas
}

/** The three images of a site of this name, as files. */
export async function marksOf(name: string): Promise<Record<SiteImage, File>> {
  const files = await Promise.all(
    siteImages.map(async kind => {
      const drawn = await new Promise<Blob | null>(resolve => draw(name, sizes[kind]).toBlob(resolve, 'image/png'))
      return [kind, new File(drawn ? [drawn] : [], `${kind}.png`, { type: 'image/png' })] as const
    }),
  )
  return Object.fromEntries(files) as Record<SiteImage, File>
}
