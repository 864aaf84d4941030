/** The pages of a long list: which one, and how many rows each has (SPEC §9 "Pagination labels"). */
import { Group, Pagination } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice } from './choice.tsx'
import classes from './paging.module.css'

export const pageSizes = [25, 50, 100, 250] as const

/** The page that is shown of a list that may have become shorter meanwhile. */
export const pageWithin = (page: number, { total, size }: { total: number; size: number }): number =>
  Math.min(Math.max(1, page), Math.max(1, Math.ceil(total / size)))

type PagingProps = {
  /** What the number of rows is called: 'Vehicles per page'. */
  label: string
  total: number
  page: number
  size: number
  onPage: (page: number) => void
  onSize: (size: number) => void
}

export function Paging({ label, total, page, size, onPage, onSize }: PagingProps) {
  const { t } = useTranslation('common')
  const id = useId()
  const pages = Math.ceil(total / size)
  return (
    <Group justify="space-between" gap="sm" mt="sm">
      <div className={classes.size}>
        <label htmlFor={id}>{label}</label>
        <Choice
          id={id}
          size="xs"
          data={pageSizes.map(String)}
          value={String(size)}
          onChange={chosen => onSize(Number(chosen))}
          className={classes.number}
        />
      </div>
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
