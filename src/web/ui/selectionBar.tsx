/** The actions for chosen rows: at the lower edge of the window while any are chosen, however far the list is scrolled. */
import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from './texts.ts'
import { isPrerendering } from './prerendering.ts'
import classes from './selectionBar.module.css'

const placeId = 'selection-bar'
/** Elements that keep clear of the bar, such as toasts, read its height here. */
const height = '--wh-selection-bar'

/** The place of the bar: last in the tab order of a screen, with room for the content beneath it. */
export const SelectionBarPlace = () => <div id={placeId} className={classes.place} />

type SelectionBarProps = {
  /** The name of the actions. */
  label: string
  /** How many are chosen, in words. */
  chosen: string
  /** Further facts to know before acting. */
  note?: ReactNode
  clear: () => void
  /** The actions, the main one last. */
  children: ReactNode
}

/** Only while something is chosen. */
export function SelectionBar({ label, chosen, note, clear, children }: SelectionBarProps) {
  const { t } = useTranslation()
  const place = isPrerendering ? null : document.getElementById(placeId)
  if (!place) return null
  return createPortal(
    <div ref={keepRoom} role="group" aria-label={label} className={classes.bar} data-selection-bar>
      <div className={classes.said}>
        <Text size="sm" fw={600} role="status">
          {chosen}
        </Text>
        {note}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t('clearSelection')}
        className={classes.clear}
        onClick={clear}
      >
        <IconX size={20} aria-hidden />
      </ActionIcon>
      <div className={classes.actions}>{children}</div>
    </div>,
    place,
  )
}

/** Makes room for the bar, as high as it is, and scrolls the chosen row back into view where the bar covers it. */
function keepRoom(bar: HTMLDivElement | null) {
  if (!bar) return undefined
  const { style } = document.documentElement
  const measure = () => style.setProperty(height, `${bar.offsetHeight}px`)
  measure()
  document.activeElement?.scrollIntoView({ block: 'nearest' })
  const observer = new ResizeObserver(measure)
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty(height)
  }
}
