/** The pages of a long list: which one is shown, and how many rows each has. */
import { Group, Pagination } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from '../texts.ts'
import { Choice } from '../select.tsx'
import type { TablePaging } from './column.ts'
import classes from './paging.module.css'

const pageSizes = [10, 25, 50, 100, 250] as const

/** The page that is shown of a list that may have become shorter meanwhile. */
const pageWithin = (page: number, { total, size }: { total: number; size: number }): number =>
  Math.min(Math.max(1, page), Math.max(1, Math.ceil(total / size)))

type Paging = {
  /** The label of the page size: 'Vehicles per page'. Without it the size can't be chosen. */
  label?: string
  page: number
  size: number
  onPage: (page: number) => void
  onSize?: (size: number) => void
}

/** Pages of a table; the screen keeps which one is shown. */
export const paging = (pages: Paging): TablePaging => ({
  shown: rows => pageOf(rows, pages),
  control: total => <PagingControl {...pages} total={total} />,
})

/** The rows of the page that is shown. */
export function pageOf<Row>(rows: readonly Row[], { page, size }: Pick<Paging, 'page' | 'size'>): readonly Row[] {
  const here = pageWithin(page, { total: rows.length, size })
  return rows.slice((here - 1) * size, here * size)
}

function PagingControl({ label, total, page, size, onPage, onSize }: Paging & { total: number }) {
  const { t } = useTranslation('common')
  const id = useId()
  const pages = Math.ceil(total / size)
  return (
    <Group justify={label === undefined ? 'center' : 'space-between'} gap="sm" mt="sm" className="wh-noprint">
      {label !== undefined && (
        <div className={classes.size}>
          <label htmlFor={id}>{label}</label>
          <Choice
            id={id}
            size="xs"
            data={pageSizes.map(String)}
            value={String(size)}
            onChange={chosen => onSize?.(Number(chosen))}
            className={classes.number}
          />
        </div>
      )}
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={pageWithin(page, { total, size })}
          onChange={onPage}
          getControlProps={control => ({ 'aria-label': t(`page.${control}`) })}
          getItemProps={number => ({ 'aria-label': t('page.number', { number }) })}
        />
      )}
    </Group>
  )
}
