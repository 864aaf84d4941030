/** Photos of wheels with their damage, on receipts and delivery notes. All lengths are points. */
import type { DamageCode } from '#domain/warehouse/damage.ts'
import { formatDate } from '#domain/texts/date.ts'
import { clean, gap, margin, type Page, right, room, write } from './paper.ts'

export type PrintedPhoto = {
  readonly position: string
  /** The kind of damage; null of a wheel without damage. */
  readonly code: DamageCode | null
  readonly note: string
  readonly date: string
  /** The small copy: a print with many photos takes little memory, also while it waits. WebP, once it is drawn JPEG. */
  readonly picture: Uint8Array
}

export type PhotoTexts = {
  readonly title: string
  /** How many there are that are not printed; null when all are. */
  readonly more: string | null
  readonly damage: Readonly<Record<DamageCode, string>>
}

/** A PDF has no WebP. One after the other: only one is decoded at a time. The library is loaded at the first one. */
export async function withJpeg<P extends { readonly photos: readonly PrintedPhoto[] }>(paper: P): Promise<P> {
  if (paper.photos.length === 0) return paper
  const { default: sharp } = await import('sharp')
  const photos: PrintedPhoto[] = []
  for (const photo of paper.photos) {
    const picture = await sharp(photo.picture).flatten({ background: 'white' }).jpeg({ quality: 85 }).toBuffer()
    photos.push({ ...photo, picture })
  }
  return { ...paper, photos }
}

const across = 4
const width = (right - margin - gap * (across - 1)) / across
const height = width * 0.75

/** Below what stands above them. */
const above = 16

/** The photos in rows below `end`, each with its caption, on as many pages as they need. Returns where they end. */
export function writePhotos(page: Page, photos: readonly PrintedPhoto[], texts: PhotoTexts, end: number): number {
  if (photos.length === 0) return end
  const captions = photos.map(({ position, code, date }) =>
    [position, code && texts.damage[code], formatDate(date)].filter(Boolean).join(' · '),
  )
  const heightOf = (nth: number): number => {
    const caption = page
      .font('bold')
      .fontSize(7)
      .heightOfString(clean(captions[nth] ?? ''), { width })
    const note = photos[nth]?.note ?? ''
    return caption + (note === '' ? 0 : page.font('plain').heightOfString(clean(note), { width }))
  }
  let y = end + above
  for (let first = 0; first < photos.length; first += across) {
    const row = photos.slice(first, first + across)
    const tall = height + 4 + Math.max(...row.map((_, nth) => heightOf(first + nth)))
    const titled = first === 0 ? 18 : 0
    y = room(page, y, titled + tall)
    if (first === 0) {
      page.font('bold').fontSize(11)
      write(page, texts.title, margin, y, right - margin)
      y += titled
    }
    for (const [nth, { picture, note }] of row.entries()) {
      const x = margin + nth * (width + gap)
      page.image(Buffer.from(picture), x, y, { fit: [width, height], align: 'center', valign: 'center' })
      page.font('bold').fontSize(7)
      const below = write(page, captions[first + nth] ?? '', x, y + height + 4, width)
      page.font('plain')
      if (note !== '') write(page, note, x, below, width)
    }
    y += tall + 12
  }
  if (texts.more === null) return y
  page.font('plain').fontSize(8)
  y = room(page, y, 12)
  return write(page, texts.more, margin, y, right - margin)
}
