/** Records the texts of a page at any moment, even those of a single frame. */
import type { Page } from 'playwright-core'

/** Records every text of elements that match, from now until the page is left. Answers a function that reads them. */
export async function recordTexts(page: Page, selector: string): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle(wanted => {
    const seen = new Set<string>()
    const look = () => {
      for (const element of document.querySelectorAll(wanted)) if (element.textContent) seen.add(element.textContent)
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
