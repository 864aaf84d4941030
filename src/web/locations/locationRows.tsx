/** The rows of the tree: opened, chosen and walked with the keyboard as a tree is (ARIA "Tree View"). */
import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { fillOf, freeAt, type Fill as HowFull, type Totals } from '#domain/warehouse/location.ts'
import { Rack } from '../shared/trade.tsx'
import classes from './locations.module.css'
import { type Row, totalsAt, type Tree } from './locationTree.ts'

/** How many rows are drawn at first, and by each 'Show more'. */
const pageSize = 250

/** Occupancy as a bar with its words: the tyres there, those coming, and the free room beside both. */
export function Fill({ tyre_count, coming, capacity, fill }: Omit<Totals, 'places'> & { fill: HowFull }) {
  const { t } = useTranslation('locations')
  if (capacity === 0 && tyre_count + coming === 0) return null
  const part = (count: number) => (capacity === 0 ? 100 : Math.min(100, Math.round((count / capacity) * 100)))
  return (
    <span className={classes.fill} data-fill={fill}>
      <span className={classes.bar} aria-hidden>
        <span style={{ inlineSize: `${part(tyre_count)}%` }} />
        <span data-coming style={{ inlineSize: `${Math.min(part(coming), 100 - part(tyre_count))}%` }} />
      </span>
      <span className={classes.fillText}>
        <span>{t('used', { tyres: tyre_count, capacity })}</span>{' '}
        {coming > 0 && <span className={classes.coming}>{t('coming', { count: coming })} </span>}
        <span className={classes.tone}>
          {fill === 'full' ? t('fill.full') : t('fill.free', { count: freeAt({ capacity, tyre_count, coming }) })}
        </span>
      </span>
    </span>
  )
}

type LocationRowsProps = {
  rows: readonly Row[]
  tree: Tree
  chosen: number | undefined
  /** Matches of a search stand without their parents: their whole path is shown. */
  searching: boolean
  choose: (id: number) => void
  toggle: (id: number, open: boolean) => void
}

export function LocationRows({ rows, tree, chosen, searching, choose, toggle }: LocationRowsProps) {
  const { t } = useTranslation('locations')
  const [shown, setShown] = useState(pageSize)
  const list = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState(chosen)
  const drawn = rows.slice(0, shown)
  // one tab stop: the last focused row, else the chosen one, else the first
  const stop =
    drawn.find(({ location }) => location._id === at) ??
    drawn.find(({ location }) => location._id === chosen) ??
    drawn[0]
  const go = (row: Row | undefined) => {
    if (!row) return
    setAt(row.location._id)
    list.current?.querySelector<HTMLElement>(`[data-id="${row.location._id}"]`)?.focus()
  }
  const keyed = (event: KeyboardEvent, row: Row) => {
    const nth = drawn.indexOf(row)
    const { _id, parent } = row.location
    const deeds: Record<string, () => void> = {
      ArrowDown: () => go(drawn[nth + 1]),
      ArrowUp: () => go(drawn[nth - 1]),
      Home: () => go(drawn[0]),
      End: () => go(drawn.at(-1)),
      ArrowRight: () => (row.open === false ? toggle(_id, true) : row.open ? go(drawn[nth + 1]) : undefined),
      ArrowLeft: () => (row.open ? toggle(_id, false) : go(drawn.find(({ location }) => location._id === parent))),
      Enter: () => choose(_id),
      ' ': () => choose(_id),
    }
    const action = event.altKey || event.ctrlKey || event.metaKey ? undefined : deeds[event.key]
    if (!action) return
    event.preventDefault()
    action()
  }
  return (
    <>
      <ul className={classes.rows} role="tree" aria-label={t('tree')} ref={list}>
        {drawn.map(row => {
          const { location, level, open } = row
          const { _id, kind, name, stock_rack } = location
          const totals = totalsAt(tree, _id)
          return (
            <li
              key={_id}
              role="treeitem"
              data-id={_id}
              aria-level={level}
              aria-selected={_id === chosen}
              {...(open !== null && { 'aria-expanded': open })}
              tabIndex={row === stop ? 0 : -1}
              className={classes.row}
              data-level={level}
              onClick={() => {
                setAt(_id)
                choose(_id)
              }}
              onKeyDown={event => keyed(event, row)}
            >
              <span className={classes.name}>
                <span
                  className={classes.chevron}
                  data-open={open ?? undefined}
                  aria-hidden
                  onClick={event => {
                    if (open === null) return
                    event.stopPropagation()
                    toggle(_id, !open)
                  }}
                >
                  {open !== null && <IconChevronRight size={18} />}
                </span>
                <span>
                  <strong>{searching && stock_rack ? <Rack name={stock_rack} /> : name}</strong>{' '}
                  <small>{t(`kind.${kind}`)}</small>
                </span>
              </span>
              <Fill {...totals} fill={fillOf(totals)} />
            </li>
          )
        })}
      </ul>
      {rows.length > shown && (
        <Button variant="default" fullWidth mt="xs" onClick={() => setShown(shown + pageSize)}>
          {t('showMore', { count: Math.min(pageSize, rows.length - shown) })}
        </Button>
      )}
    </>
  )
}
