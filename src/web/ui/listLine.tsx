/**
 * The one line above a list: what is searched, what it is filtered by, and what is done with all of its rows. A list has no other tools: what
 * is set stands below the line as chips, and what is done with chosen rows in the bar of the selection (`selectionBar.tsx`).
 */
import { ActionIcon, Button, Menu, Popover, Stack } from '@mantine/core'
import { IconDots, IconFilter, IconPrinter, IconX, type TablerIcon } from '@tabler/icons-react'
import { Fragment, type ReactNode, useRef } from 'react'
import { Sheet } from './collapsedOnPhone.tsx'
import classes from './listLine.module.css'
import { useTranslation } from './texts.ts'
import { usePhone } from './usePhone.ts'

/** The class of a field of a period in the line, whose name stands before it. */
export const lineClasses = { named: classes.named ?? '' }

/** Something that is done with all rows of a list: a small button, or an item of its menu. */
export type ListAction = {
  label: string
  icon: TablerIcon
  run: () => unknown
  disabled?: boolean | undefined
  busy?: boolean | undefined
}

/** A filter that is set. */
export type Chip = { key: string; label: string; clear: () => void }

export type ListLineProps = {
  /** The field for words. */
  search?: ReactNode
  /** Fields that a desk has in sight; on a phone they are among the filters. */
  fields?: ReactNode
  /** How many of `fields` are set. */
  fieldsSet?: number
  /** The further filters. */
  filters?: ReactNode
  chips?: readonly (Chip | false)[]
  /** Clears all filters. */
  clear?: (() => void) | undefined
  /** The menu of named views. */
  views?: ReactNode
  /** How much is listed; a phone has no room for it, but screen readers hear it. */
  status?: ReactNode
  /** A button that chooses rows of the whole list. */
  choice?: ReactNode
  /** In sight on a desk; on a phone in the menu. */
  actions?: readonly ListAction[]
  /** In the menu, before printing. */
  more?: readonly ListAction[]
  /** In the menu, after printing. */
  links?: ReactNode
  /** Without it the list can be printed from its menu. */
  unprinted?: boolean
}

export function ListLine({
  search,
  fields,
  fieldsSet = 0,
  filters,
  chips = [],
  clear,
  views,
  status,
  choice,
  actions = [],
  more = [],
  links,
  unprinted = false,
}: ListLineProps) {
  const phone = usePhone()
  const set = chips.filter(chip => chip !== false)
  const isFiltered = filters !== undefined && filters !== false
  return (
    <div className={classes.whole}>
      <div className={classes.line}>
        {search}
        {!phone && fields}
        {(isFiltered || (phone && fields)) && (
          <FilterButton count={set.length + (phone ? fieldsSet : 0)} clear={clear}>
            {phone && fields}
            {filters}
          </FilterButton>
        )}
        {views}
        {status && <div className={phone ? 'wh-hidden' : classes.status}>{status}</div>}
        {choice}
        <div className={classes.tools}>
          {!phone &&
            actions.map(({ label, icon: Icon, run, disabled, busy }) => (
              <Button
                key={label}
                size="xs"
                variant="default"
                leftSection={<Icon size={16} aria-hidden />}
                disabled={disabled === true}
                loading={busy === true}
                onClick={() => void run()}
              >
                {label}
              </Button>
            ))}
          <MoreMenu actions={[...(phone ? actions : []), ...more]} links={links} unprinted={unprinted} />
        </div>
      </div>
      {set.length > 0 && <Chips chips={set} clear={clear} />}
    </div>
  )
}

type FilterButtonProps = {
  /** How many are set. */
  count: number
  clear: (() => void) | undefined
  children: ReactNode
}

/** The filters of a list: beside their button, on a phone in a sheet from below. */
function FilterButton({ count, clear, children }: FilterButtonProps) {
  const { t } = useTranslation('common')
  const phone = usePhone()
  const controls = (
    <>
      {children}
      {clear && count > 0 && (
        <Button variant="subtle" onClick={clear}>
          {t('clearFilters')}
        </Button>
      )}
    </>
  )
  const icon = <IconFilter size={phone ? 18 : 16} aria-hidden />
  if (phone)
    return (
      <Sheet label={t('filters')} icon={icon} count={count}>
        {controls}
      </Sheet>
    )
  return (
    <Popover position="bottom-start" width={320} withinPortal={false} trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={icon} data-filters={count}>
          {t('filters')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.filters ?? ''}>
        <Stack gap="sm">{controls}</Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function Chips({ chips, clear }: { chips: readonly Chip[]; clear: (() => void) | undefined }) {
  const { t } = useTranslation('common')
  const row = useRef<HTMLUListElement>(null)
  /** The button of the filters, when the chips are gone. */
  const filters = () =>
    row.current?.parentElement?.querySelector<HTMLElement>('[data-filters], [aria-haspopup="dialog"]')
  /** The next chip takes the focus of one that goes. */
  function drop(chip: Chip) {
    const buttons = [...(row.current?.querySelectorAll('button') ?? [])]
    const at = buttons.findIndex(button => button === document.activeElement)
    ;(buttons[at + 1] ?? buttons[at - 1] ?? filters())?.focus()
    chip.clear()
  }
  return (
    <ul ref={row} className={classes.chips} aria-label={t('filters')}>
      {chips.map(chip => (
        <li key={chip.key}>
          <Button
            size="compact-sm"
            variant="light"
            rightSection={<IconX size={14} aria-hidden />}
            aria-label={t('dropFilter', { filter: chip.label })}
            onClick={() => drop(chip)}
            data-chip={chip.key}
          >
            {chip.label}
          </Button>
        </li>
      ))}
      {clear && chips.length > 1 && (
        <li>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => {
              filters()?.focus()
              clear()
            }}
          >
            {t('clearFilters')}
          </Button>
        </li>
      )}
    </ul>
  )
}

type MoreMenuProps = { actions: readonly ListAction[]; links: ReactNode; unprinted: boolean }

/** The rare actions of a list. */
function MoreMenu({ actions, links, unprinted }: MoreMenuProps) {
  const { t } = useTranslation('common')
  const phone = usePhone()
  const print: ListAction = { label: t('printList'), icon: IconPrinter, run: () => window.print() }
  const items = [...actions, ...(unprinted ? [] : [print])]
  if (items.length === 0 && !links) return null
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="default"
          size={phone ? 44 : 36}
          aria-label={t('more')}
          loading={actions.some(({ busy }) => busy)}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map(({ label, icon: Icon, run, disabled }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={16} aria-hidden />}
            disabled={disabled === true}
            onClick={() => void run()}
          >
            {label}
          </Menu.Item>
        ))}
        {links && <Fragment key="links">{links}</Fragment>}
      </Menu.Dropdown>
    </Menu>
  )
}
