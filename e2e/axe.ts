/** Accessibility as axe judges it. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type RunOnly = NonNullable<RunOptions['runOnly']>

/** What the portal keeps to. */
export const standards = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
} satisfies RunOnly

/** The violations in a part of the screen, or on the whole: of all rules, or those that `runOnly` names. */
export async function violations(
  page: Page,
  { part, runOnly }: { part?: string; runOnly?: RunOnly } = {},
): Promise<Result[]> {
  // the new way opens a second page for its report, which takes longer than all rules do
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
  if (part) axe.include(part)
  return (await axe.analyze()).violations
}
