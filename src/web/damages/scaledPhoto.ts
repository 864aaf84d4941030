/** Prepares a photo for upload: small enough, upright, and without a camera's metadata, such as the location. */
import { photoSidePx } from '#domain/warehouse/damage.ts'

/** Scales a picture to at most `photoSidePx` pixels a side. `null` for a file that the browser can't show. */
export async function scaledPhoto(file: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null)
  if (!picture) return null
  const scale = Math.min(1, photoSidePx / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const pen = canvas.getContext('2d')
  if (pen) pen.imageSmoothingQuality = 'high'
  pen?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  return new Promise(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.85))
}
