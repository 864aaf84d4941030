/** The sounds of scans (docs/product/warehouse.md "Scans"). */
import type { ScanOutcome } from './records.ts'

/** `not_now`: the action is not possible at this moment, or there is nothing to apply it to. */
export type Sound = ScanOutcome | 'refused' | 'complete' | 'elsewhere' | 'not_now'
/** A tone: its pitch in Hz, its length in ms, and a rougher wave for errors. */
type Tone = readonly [pitch: number, length: number, wave?: OscillatorType]

const sounds = {
  found: [[1320, 90]],
  unchecked: [[990, 60]],
  complete: [
    [1047, 80],
    [1319, 80],
    [1568, 140],
  ],
  duplicate: [
    [784, 80, 'triangle'],
    [784, 80, 'triangle'],
  ],
  other_site: [
    [660, 110, 'triangle'],
    [494, 110, 'triangle'],
    [330, 180, 'triangle'],
  ],
  missing: [[196, 420, 'square']],
  misplaced: [[196, 420, 'square']],
  not_now: [[196, 420, 'square']],
  // found, but in another operation: two descending tones
  elsewhere: [
    [587, 140, 'triangle'],
    [392, 260, 'triangle'],
  ],
  location: [
    [1047, 70],
    [1760, 110],
  ],
  stepped: [
    [1175, 70],
    [1175, 110],
  ],
  counted: [
    [1047, 70],
    [1760, 110],
  ],
  unreadable: [
    [196, 160, 'square'],
    [196, 160, 'square'],
  ],
  refused: [
    [262, 160, 'square'],
    [196, 320, 'square'],
  ],
} as const satisfies Record<Sound, readonly Tone[]>

const wrong: readonly Sound[] = ['missing', 'unreadable', 'refused', 'other_site', 'elsewhere']
const pause = 0.05
const volume = { sine: 0.25, triangle: 0.3, square: 0.12, sawtooth: 0.12, custom: 0.12 } as const satisfies Record<
  OscillatorType,
  number
>
let speaker: AudioContext | undefined

/** Plays a sound, and lets a hand terminal shake. Silent where there is no loudspeaker: the card says the same. */
export function play(sound: Sound): void {
  // A browser that has not been touched yet complains about shaking.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(wrong.includes(sound) ? [120, 60, 120] : 40)
  try {
    speaker ??= new AudioContext()
  } catch {
    return
  }
  const context = speaker
  void context.resume().catch(() => {})
  let at = context.currentTime
  for (const [pitch, length, wave = 'sine'] of sounds[sound] as readonly Tone[]) {
    const tone = context.createOscillator()
    const loudness = context.createGain()
    const end = at + length / 1000
    tone.type = wave
    tone.frequency.value = pitch
    // Up and down within a few milliseconds: a tone that starts at full strength clicks.
    loudness.gain.setValueAtTime(0, at)
    loudness.gain.linearRampToValueAtTime(volume[wave], at + 0.008)
    loudness.gain.setValueAtTime(volume[wave], end - 0.02)
    loudness.gain.linearRampToValueAtTime(0, end)
    tone.connect(loudness).connect(context.destination)
    tone.start(at)
    tone.stop(end)
    at = end + pause
  }
}
