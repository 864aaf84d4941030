import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type RowMenuProps = {
  /** Its name, with that of the row. */
  label: string
  /** The tooltip. */
  title?: string
  loading?: boolean
  tabIndex?: number | undefined
  children: ReactNode
}

/** The rare actions of a row: a menu behind three dots. */
export const RowMenu = ({ label, title, loading = false, tabIndex, children }: RowMenuProps) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        {...(tabIndex !== undefined && { tabIndex })}
        title={title}
        aria-label={label}
        loading={loading}
      >
        <IconDots size={18} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
)
