import { Tabs, type TabsListProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type Ref, useEffect, useRef } from 'react'
import classes from './tabList.module.css'

type TabListProps = TabsListProps & { /** The value of the chosen tab. */ selected: string; ref?: Ref<HTMLDivElement> }

/** Tabs in one line. Where there is no room for all they are moved sideways, and the chosen one is in view. */
export function TabList({ selected, ref = null, className, ...props }: TabListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another tab that is chosen is scrolled to
  }, [selected])
  return (
    <Tabs.List
      ref={useMergedRef(list, ref)}
      className={[classes.line, className].filter(Boolean).join(' ')}
      {...props}
    />
  )
}
