/** Accessibility as axe judges it. */
import { AxeBuilder } from '@axe-core/playwright'
import axe, { type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type RunOnly = NonNullable<RunOptions['runOnly']>

/** The accessibility standards that the portal meets. */
export const standards = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
} satisfies RunOnly

/** The violations in a part of the screen, or on the whole: of all rules, or those that `runOnly` names. */
export async function violations(
  page: Page,
  { part, runOnly }: { part?: string; runOnly?: RunOnly } = {},
): Promise<Result[]> {
  const options: RunOptions = { resultTypes: ['violations'], ...(runOnly && { runOnly }) }
  if (page.frames().length > 1) {
    // the new way opens a second page for its report, which takes longer than all rules do
    const builder = new AxeBuilder({ page }).setLegacyMode().options(options)
    if (part) builder.include(part)
    return (await builder.analyze()).violations
  }
  // The builder puts axe into the page each time, and answers all that is well: twice the time.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async input => {
      const { axe: inPage } = window as unknown as { axe: typeof axe }
      return (await inPage.run(input.part ? { include: [[input.part]] } : document, input.options)).violations
    },
    { part, options },
  )
}
