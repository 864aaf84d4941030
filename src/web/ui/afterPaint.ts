/** Calls back after the next paint; returns a function that cancels it. */
export function afterPaint(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(callback)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
