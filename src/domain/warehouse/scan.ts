/** When a device scanned, by its own clock, but never in the future: the clock may be wrong. */
export function scannedAt(claimed: string | number | undefined, now: Date): Date {
  const at = claimed === undefined ? now.getTime() : new Date(claimed).getTime()
  return new Date(Math.min(Math.max(at, 0), now.getTime()))
}
