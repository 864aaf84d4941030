import { Tabs, type TabsListProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type Ref, useRef } from 'react'
import { useOneLine } from './oneLine.ts'
import classes from './tabList.module.css'

type TabListProps = TabsListProps & { /** The value of the chosen tab. */ selected: string; ref?: Ref<HTMLDivElement> }

/** Tabs in one line. Where there is no room for all they are moved sideways, fade where there are more, and the chosen one is in view. */
export function TabList({ selected, ref = null, className, ...props }: TabListProps) {
  const list = useRef<HTMLDivElement>(null)
  useOneLine(list, selected)
  return (
    <Tabs.List
      ref={useMergedRef(list, ref)}
      className={[classes.line, className].filter(Boolean).join(' ')}
      {...props}
    />
  )
}
