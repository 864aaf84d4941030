import { useState } from 'react'
import { useRemembered } from '../shared/hooks.ts'
import { paging } from '../ui/dataTable/paging.tsx'
import type { TablePaging } from '../ui/dataTable/column.ts'

/** The pages of a list; none for a short one. `name`: the key under which the page size is remembered. */
export function usePages(name: string, label: string, total: number): TablePaging | undefined {
  const [size, setSize] = useRemembered<number>(name, 50)
  const [page, setPage] = useState(1)
  if (total <= 10) return undefined
  return paging({
    label,
    page,
    size,
    onPage: setPage,
    onSize: next => {
      setSize(next)
      setPage(1)
    },
  })
}
