/** Reading labels with the camera of a phone (docs/product/warehouse.md "Camera"): where it may, how, and when a label counts. */

/** The addresses of the document that may use the camera begin with this. */
export const cameraRoot = '/camera'

/** The screens that it has. On the first one every scan opens its card; the others have scans of their own. */
export const cameraScreens = [
  '/admin/find',
  '/admin/intake',
  '/admin/waves/pick',
  '/admin/waves/load',
  '/admin/counts/walk',
] as const
export type CameraScreen = (typeof cameraScreens)[number]

export const isCameraScreen = (path: string): path is CameraScreen => cameraScreens.some(screen => screen === path)

/** Whether a document of this address may use the camera. */
export const isCameraPath = (path: string): boolean =>
  path.startsWith(cameraRoot) && isCameraScreen(path.slice(cameraRoot.length))

/** The screen on which the camera opens when it is started from the screen at `path`. */
export const cameraScreenFor = (path: string): CameraScreen => (isCameraScreen(path) ? path : cameraScreens[0])

/**
 * The kinds of codes that are read, in the names of `BarcodeDetector`: QR on labels of the portal, and what stands on tyres and
 * papers. A UPC-A is an EAN-13 that begins with 0.
 */
export const codeFormats = ['qr_code', 'code_128', 'code_39', 'ean_13', 'ean_8'] as const
export type CodeFormat = (typeof codeFormats)[number]

/**
 * The reader of codes: the browser itself if it supports all of our kinds, otherwise a program that has to be loaded. `supported`: the
 * kinds that the browser supports, `null` if it has no reader.
 */
export const codeReaderOf = (supported: readonly string[] | null): 'browser' | 'loaded' =>
  supported && codeFormats.every(format => supported.includes(format)) ? 'browser' : 'loaded'

/** Why there is no picture. */
export const cameraProblems = ['insecure', 'unsupported', 'refused', 'none', 'in_use', 'failed'] as const
export type CameraProblem = (typeof cameraProblems)[number]

const problems: Readonly<Record<string, CameraProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
  NotReadableError: 'in_use',
  AbortError: 'in_use',
}

/** Why a browser gave no picture, by the name of its error. */
export const cameraProblemOf = (error: string): CameraProblem => problems[error] ?? 'failed'

type Size = { readonly width: number; readonly height: number }

/** A square part of a picture, and how many pixels a side it is read with. */
export type Cut = { readonly x: number; readonly y: number; readonly side: number; readonly pixels: number }

/** As many pixels a side as are read at once: more take a slow phone longer than a hand holds still. */
const maxSidePixels = 720

/**
 * The parts of a picture that are read in turn: its middle as a square, made smaller for labels that are near; and, of a picture
 * that has more pixels than are read, the middle of that as it is, for labels that are far.
 */
export function cutsOf({ width, height }: Size): readonly [Cut, ...Cut[]] {
  const square = Math.min(width, height)
  const middle = (side: number): Cut => ({
    x: Math.round((width - side) / 2),
    y: Math.round((height - side) / 2),
    side,
    pixels: Math.min(side, maxSidePixels),
  })
  return square > maxSidePixels ? [middle(square), middle(maxSidePixels)] : [middle(square)]
}

/** The frame on the screen: so much of the square a side. What has its middle outside is not read. */
export const frameShare = 0.6

type Point = { readonly x: number; readonly y: number }
/** A code in a cut; its corners are in pixels of the image that was read. */
export type FoundCode = { readonly text: string; readonly corners: readonly Point[] }

/** The code that is aimed at: of those with their middle in the frame, the one nearest to its middle. `square`: a side of the whole. */
export function aimedAt(codes: readonly FoundCode[], { side, pixels }: Cut, square: number): string | null {
  const near = codes
    .flatMap(({ text, corners }) => {
      if (text === '' || corners.length === 0) return []
      const off = (axis: 'x' | 'y') => {
        const middle = corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length
        return ((middle / pixels - 0.5) * side) / square
      }
      const [x, y] = [off('x'), off('y')]
      const inside = Math.max(Math.abs(x), Math.abs(y)) <= frameShare / 2
      return inside ? [{ text, far: Math.hypot(x, y) }] : []
    })
    .toSorted((a, b) => a.far - b.far)
  return near[0]?.text ?? null
}

/** A label has left the picture when it was not read for so long, in ms, and in so many pictures: a slow phone reads few. */
export const hasLeft = { ms: 1500, pictures: 4 } as const
/** A label counts when it was read twice within this time, in ms, and no other between: one that the camera passes does not. */
export const confirmWithinMs = 1500

/** The labels that the camera has read so far. */
export type Seen = {
  /** The label that counted last, when it was read last, and how many pictures since then did not have it. */
  readonly counted: { readonly text: string; readonly at: number; readonly missed: number } | null
  /** A label that was read once. */
  readonly candidate: { readonly text: string; readonly at: number } | null
}
export const nothingSeen: Seen = { counted: null, candidate: null }

/**
 * One more picture, with the label that is aimed at. It counts once, however long it stays; again when it has left the picture, or
 * when another one counted after it. `at`: ms on any clock that only goes forward.
 */
export function see({ counted, candidate }: Seen, text: string | null, at: number): { seen: Seen; counts: boolean } {
  const gone =
    counted !== null && at - counted.at > hasLeft.ms && counted.missed >= hasLeft.pictures && counted.text === text
  if (counted && !gone && text === counted.text)
    return { seen: { counted: { text, at, missed: 0 }, candidate: null }, counts: false }
  const missed = counted && { ...counted, missed: counted.missed + 1 }
  if (text === null) return { seen: { counted: missed, candidate }, counts: false }
  if (candidate?.text === text && at - candidate.at <= confirmWithinMs)
    return { seen: { counted: { text, at, missed: 0 }, candidate: null }, counts: true }
  return { seen: { counted: gone ? null : missed, candidate: { text, at } }, counts: false }
}
