/**
 * Vitest's set-up of tests that share a process with other files: what a file has replaced is as before when it ends, and the next one loads
 * our modules anew, without what they remember. Packages stay loaded, which takes most of the time of loading.
 */
import { afterAll, vi } from 'vitest'

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})
