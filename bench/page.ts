/** Timings by a page's own clock. */
import type { Page } from 'playwright-core'

/**
 * Does something and answers, in the page's own clock, how long it took from the last key or click to the frame in which an
 * element of this selector is there, with another text than before, and the longest time that the page did nothing else.
 */
export async function timed(
  page: Page,
  selector: string,
  act: () => Promise<void>,
): Promise<{ painted: number; longest: number }> {
  await page.evaluate(wanted => {
    const at = { begun: 0, painted: 0, longest: 0 }
    Object.assign(window, { bench: at })
    for (const kind of ['keydown', 'pointerdown'])
      document.addEventListener(kind, () => Object.assign(at, { begun: performance.now(), longest: 0 }), true)
    const tasks = new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) at.longest = Math.max(at.longest, duration)
    })
    tasks.observe({ type: 'longtask' })
    const before = document.querySelector(wanted)?.textContent
    const watching = new MutationObserver(() => {
      const shown = document.querySelector(wanted)
      if (at.painted > 0 || at.begun === 0 || !shown || shown.textContent === before) return
      watching.disconnect()
      requestAnimationFrame(() => (at.painted = performance.now()))
    })
    watching.observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true })
  }, selector)
  await act()
  await page.waitForFunction(() => (window as unknown as { bench: { painted: number } }).bench.painted > 0)
  // The observer of long tasks hears of them a moment later.
  await page.waitForTimeout(200)
  return page.evaluate(() => {
    const { begun, painted, longest } = (
      window as unknown as { bench: Record<'begun' | 'painted' | 'longest', number> }
    ).bench
    return { painted: painted - begun, longest }
  })
}

/** The memory of the tab's scripts after a garbage collection, in MB. */
export async function heldBy(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = (await session.send('Runtime.getHeapUsage')) as { usedSize: number }
  await session.detach()
  return usedSize / 1e6
}
