/** The camera of the device: its picture, its light, and the labels that it sees (docs/product/warehouse.md "Camera"). */
import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  aimedAt,
  type CameraProblem,
  cameraProblemOf,
  cutsOf,
  nothingSeen,
  see,
  type Seen,
} from '#domain/warehouse/camera.ts'
import { useLatest } from '../../ui/hooks.ts'
import { useRemembered } from '../../shared/hooks.ts'
import { type CodeReader, openCodeReader } from './codeReader.ts'

type State =
  | { readonly kind: 'starting' }
  /** `torch`: whether its light is on; `null` for a camera without one. */
  | { readonly kind: 'on'; readonly torch: boolean | null }
  | { readonly kind: 'failed'; readonly problem: CameraProblem | 'reader' }

/** At most one picture in this time, in ms, is read; the others are dropped, and so are those that come while one is being read. */
const pictureMs = 100
/** The requested resolution: distant labels need all the pixels that the camera has. */
const wanted = { width: { ideal: 1920 }, height: { ideal: 1080 } } as const

/** One for the document; another one is tried when it could not be opened. */
let reader: Promise<CodeReader> | undefined
const keptReader = (): Promise<CodeReader> => {
  reader ??= openCodeReader()
  reader.catch(() => (reader = undefined))
  return reader
}

class NoPicture extends Error {
  readonly problem: CameraProblem | 'reader'
  constructor(problem: CameraProblem | 'reader') {
    super(problem)
    this.problem = problem
  }
}

const open = (which: MediaTrackConstraints): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({ audio: false, video: { ...which, ...wanted } })

/** @throws NoPicture */
async function openStream(camera: string | null): Promise<MediaStream> {
  // a browser has no cameras at all over plain http
  if (!window.isSecureContext) throw new NoPicture('insecure')
  if (!(navigator.mediaDevices as MediaDevices | undefined)) throw new NoPicture('unsupported')
  try {
    // the one that was chosen may be gone
    const chosen = camera === null ? null : await open({ deviceId: { exact: camera } }).catch(() => null)
    return chosen ?? (await open({ facingMode: { ideal: 'environment' } }))
  } catch (error) {
    throw new NoPicture(cameraProblemOf(error instanceof Error ? error.name : ''))
  }
}

const end = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

const showOn = (screen: HTMLVideoElement, stream: MediaStream | null): void => {
  screen.srcObject = stream
}

/** TypeScript has no type for `torch`. */
const hasTorch = (track: MediaStreamTrack): boolean =>
  (track.getCapabilities?.() as { torch?: boolean } | undefined)?.torch === true
const setTorch = (track: MediaStreamTrack, torch: boolean): Promise<void> =>
  track.applyConstraints({ advanced: [{ torch } as MediaTrackConstraintSet] })

type Watched = {
  readonly video: HTMLVideoElement
  readonly codes: CodeReader
  /** Kept while the page is hidden: a label that is still there afterwards has been counted. */
  readonly seen: RefObject<Seen>
  readonly isOver: () => boolean
  readonly onLabel: (text: string) => void
}

/** Hands over each label that counts, until it is over. @throws Error when the reader has ended */
async function watch({ video, codes, seen, isOver, onLabel }: Watched): Promise<void> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d', { willReadFrequently: true })
  let shown = -1
  for (let nth = 0; !isOver(); nth++) {
    const since = performance.now()
    if (video.readyState >= video.HAVE_CURRENT_DATA && video.currentTime !== shown && pen) {
      shown = video.currentTime
      const { videoWidth: width, videoHeight: height } = video
      const cuts = cutsOf({ width, height })
      const cut = cuts[nth % cuts.length] ?? cuts[0]
      const { x, y, side, pixels } = cut
      if (canvas.width !== pixels) canvas.width = canvas.height = pixels
      pen.drawImage(video, x, y, side, side, 0, 0, pixels, pixels)
      const text = aimedAt(await codes.read(canvas), cut, Math.min(width, height))
      const looked = see(seen.current, text, performance.now())
      seen.current = looked.seen
      if (looked.counts && text !== null && !isOver()) onLabel(text)
    }
    const left = pictureMs - (performance.now() - since)
    await new Promise(resolve => setTimeout(resolve, Math.max(0, left)))
  }
}

/** Whether the page is visible. */
function useIsSeen(): boolean {
  const [seen, setSeen] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setSeen(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return seen
}

/** Shows the camera in `video` while the page is visible, and hands over each label that counts. */
export function useCamera(video: RefObject<HTMLVideoElement | null>, onLabel: (text: string) => void) {
  const [state, setState] = useState<State>({ kind: 'starting' })
  const [cameras, setCameras] = useState<readonly string[]>([])
  const [chosen, choose] = useRemembered<string | null>('camera', null)
  const [attempt, setAttempt] = useState(0)
  const track = useRef<MediaStreamTrack | null>(null)
  const isSeen = useIsSeen()
  const seen = useRef(nothingSeen)
  const report = useLatest(onLabel)

  useEffect(() => {
    const screen = video.current
    if (!isSeen || !screen) return undefined
    let over = false
    let stream: MediaStream | undefined
    const run = async () => {
      const loading = keptReader().catch(() => {
        throw new NoPicture('reader')
      })
      loading.catch(() => {})
      stream = await openStream(chosen)
      if (over) return end(stream)
      const [picture] = stream.getVideoTracks()
      if (!picture) throw new NoPicture('failed')
      track.current = picture
      picture.addEventListener('ended', () => over || setState({ kind: 'failed', problem: 'in_use' }))
      showOn(screen, stream)
      const [codes, devices] = await Promise.all([loading, navigator.mediaDevices.enumerateDevices(), screen.play()])
      if (over) return undefined
      setCameras(devices.flatMap(({ kind, deviceId }) => (kind === 'videoinput' && deviceId !== '' ? deviceId : [])))
      setState({ kind: 'on', torch: hasTorch(picture) ? false : null })
      const watched = {
        video: screen,
        codes,
        seen,
        isOver: () => over,
        onLabel: (text: string) => report.current(text),
      }
      await watch(watched).catch(() => {
        reader = undefined
        throw new NoPicture('reader')
      })
    }
    run().catch((error: unknown) => {
      if (stream) end(stream)
      if (!over) setState({ kind: 'failed', problem: error instanceof NoPicture ? error.problem : 'failed' })
    })
    return () => {
      over = true
      if (stream) end(stream)
      track.current = null
      showOn(screen, null)
      setState({ kind: 'starting' })
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another attempt begins anew
  }, [attempt, chosen, isSeen, report, video])

  return {
    state,
    cameras,
    retry: () => setAttempt(attempt + 1),
    async switchLight() {
      if (state.kind !== 'on' || state.torch === null || !track.current) return
      const torch = !state.torch
      await setTorch(track.current, torch).then(
        () => setState({ kind: 'on', torch }),
        // without its light the camera goes on
        () => {},
      )
    },
    nextCamera() {
      const present = track.current?.getSettings().deviceId ?? chosen
      const next = cameras[(cameras.indexOf(present ?? '') + 1) % cameras.length]
      if (next !== undefined) choose(next)
    },
  }
}
