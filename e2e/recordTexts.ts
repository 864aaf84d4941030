/** What was on a page at any moment, also for one frame. */
import type { Page } from 'playwright-core'

/** Records every text of elements that match, from now until the page is left. Answers a function that reads them. */
export async function recordTexts(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle(wanted => {
    const seen = new Set<string>()
    const look = () => {
      for (const one of document.querySelectorAll(wanted)) if (one.textContent) seen.add(one.textContent)
    }
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    look()
    return seen
  }, selector)
  return () => texts.evaluate(seen => [...seen])
}
