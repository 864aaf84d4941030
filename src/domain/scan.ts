/** When a device says it scanned, as far as that can be: no scan is of the future, whatever the device's clock says. */
export function scannedAt(said: string | number | undefined, now: Date): Date {
  const at = said === undefined ? now.getTime() : new Date(said).getTime()
  return new Date(Math.min(Math.max(at, 0), now.getTime()))
}
