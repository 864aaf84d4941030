/** The tyres that belong to no set, as one line among the sets that opens to them. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { useRemembered } from '../shared/hooks.ts'
import { pageOf, paging } from '../ui/dataTable/paging.tsx'
import type { TableSelection } from './cells.tsx'
import { type Order, orderedTyres } from './order.ts'
import type { TyreRow } from './rows.ts'
import { TyreTable } from './tyreTable.tsx'
import classes from './tyres.module.css'

type NoSetProps = { rows: readonly TyreRow[]; selection: TableSelection; withReach: boolean }

export function NoSet({ rows, selection, withReach }: NoSetProps) {
  const { t, i18n } = useTranslation('tyres')
  const [open, setOpen] = useState(false)
  const [chosen, setOrder] = useState<Order | null>(null)
  const [page, setPage] = useState(1)
  const [size, setSize] = useRemembered<number>('tyresPerPage', 50)
  const id = useId()
  const pages = {
    label: t('tyresPerPage'),
    page,
    size,
    onPage: setPage,
    onSize: (next: number) => {
      setSize(next)
      setPage(1)
    },
  }
  const order = chosen ?? ({ by: withReach ? 'reach' : 'plate', desc: false } as const)
  const ordered = open ? orderedTyres(rows, order, i18n.language) : rows
  const Icon = open ? IconChevronDown : IconChevronRight
  return (
    <div className={classes.noSet}>
      <UnstyledButton
        className={classes.noSetLine}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
        {t('noSet', { count: rows.length })}
      </UnstyledButton>
      {open && (
        <div id={id}>
          <TyreTable
            rows={ordered}
            here={pageOf(ordered, pages)}
            selection={selection}
            withReach={withReach}
            sort={{ ...order, choose: (by, desc) => setOrder({ by, desc }) }}
            paging={paging(pages)}
          />
        </div>
      )}
    </div>
  )
}
