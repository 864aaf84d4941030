import { Tabs, type TabsListProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type Ref, useEffect, useRef } from 'react'
import classes from './tabList.module.css'

type TabListProps = TabsListProps & { /** The value of the chosen tab. */ selected: string; ref?: Ref<HTMLDivElement> }

/** Tabs in one line. Where there is no room for all they are moved sideways, fade where there are more, and the chosen one is in view. */
export function TabList({ selected, ref = null, className, ...props }: TabListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another tab that is chosen is scrolled to
  }, [selected])
  // Each time it is drawn there can be other tabs.
  useEffect(() => {
    const line = list.current
    if (!line) return
    const observer = new ResizeObserver(() => markMore(line))
    for (const box of [line, ...line.children]) observer.observe(box)
    return () => observer.disconnect()
  })
  return (
    <Tabs.List
      ref={useMergedRef(list, ref)}
      className={[classes.line, className].filter(Boolean).join(' ')}
      onScroll={event => markMore(event.currentTarget)}
      {...props}
    />
  )
}

/** Marks the sides to which there are more tabs. */
function markMore(line: HTMLElement) {
  const { scrollLeft, scrollWidth, clientWidth } = line
  // a screen's fraction of a pixel is no tab
  line.toggleAttribute('data-before', scrollLeft > 1)
  line.toggleAttribute('data-after', scrollLeft + clientWidth < scrollWidth - 1)
}
