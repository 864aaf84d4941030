/** The head of a printed screen: the site, the time of printing, and the active filters. */
import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { labelled } from '../i18n.ts'
import { formatMoment } from './format.ts'
import { useBranding } from './session.ts'
import classes from './screen.module.css'

const textOf = (element: Element | null | undefined): string => element?.textContent?.trim() ?? ''

/** The words of each part of a tab, separately: its number has an element of its own. */
const tabText = (tab: Element): string =>
  [...tab.childNodes]
    .map(node => node.textContent?.trim())
    .filter(Boolean)
    .join(' ')

/** The content of a field: its text, the chosen options of several, or the day on the button of a date. */
function fieldText(field: Element): string {
  const several = [...field.querySelectorAll('.mantine-Pill-label')].map(textOf)
  if (several.length > 0) return several.join(', ')
  const input = field.querySelector<HTMLInputElement>('input:not([type="hidden"])')
  if (input) return ['checkbox', 'radio'].includes(input.type) ? '' : input.value
  return textOf(field.querySelector('button'))
}

/** The open tabs, the chosen segments, the chips of filters, and the non-empty fields outside of tables: the filters of the content. */
function filtersOf(screen: Element): string[] {
  const parts = '[role="tab"][aria-selected="true"], [role="radiogroup"], [data-chip], .mantine-InputWrapper-root'
  return [...screen.querySelectorAll(parts)].flatMap(part => {
    if (part.closest('table, [role="dialog"]') || part.getClientRects().length === 0) return []
    if (part.matches('[role="tab"]')) return tabText(part.querySelector('.mantine-Tabs-tabLabel') ?? part)
    if (part.matches('[data-chip]')) return textOf(part)
    if (part.matches('[role="radiogroup"]')) return textOf(part.querySelector('input:checked + label'))
    const value = fieldText(part)
    // without the star of a field that must be filled in
    const label =
      textOf(part.querySelector('label')).replace(/\*$/, '').trimEnd() ||
      (part.querySelector('input')?.getAttribute('aria-label') ?? '')
    return value === '' || label === '' ? [] : labelled(label, value)
  })
}

/** Shown on paper only. */
export function PrintHead({ screen }: { screen: RefObject<HTMLElement | null> }) {
  const { name } = useBranding()
  const [facts, setFacts] = useState<readonly string[]>([])
  useEffect(() => {
    const fill = () => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      const printed = formatMoment(new Date().toISOString(), timeZone)
      // the picture of the paper is taken right after
      flushSync(() => setFacts([name, printed, ...(screen.current ? filtersOf(screen.current) : [])]))
    }
    addEventListener('beforeprint', fill)
    return () => removeEventListener('beforeprint', fill)
  }, [name, screen])
  return <p className={classes.printHead}>{facts.filter(Boolean).join(' · ')}</p>
}
