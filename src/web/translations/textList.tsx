/** The texts as a grid of keys and languages: searched, filtered, walked through with the arrow keys, edited with Enter. */
import { Badge, Button, SegmentedControl, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Language, languageCodes, languageOf } from '#domain/account.ts'
import { FilterField } from '../ui/filterField.tsx'
import { useLatest } from '../ui/hooks.ts'
import { languageNames } from '../shared/languages.ts'
import { Empty } from '../shared/screen.tsx'
import { useDeletion } from './deletion.ts'
import { type Edited, type Row, saidIn, wantedRows } from './rows.ts'
import classes from './translations.module.css'

type ListProps = {
  rows: readonly Row[]
  edited: Edited | null
  edit: (wanted: Edited, among: readonly string[]) => void
}

export function TextList({ rows, edited, edit }: ListProps) {
  const { t, i18n } = useTranslation('translations')
  const { filter = '', ns, lang, show } = useSearch({ from: '/superuser/translations' })
  const navigate = useNavigate()
  // one language at a time where four have no room
  const narrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false })
  const only = lang ?? (narrow ? (languageOf(i18n.language) ?? 'eng') : undefined)
  const languages = useMemo(() => (only ? [only] : languageCodes), [only])
  const shown = useMemo(
    () => wantedRows(rows, { filter, namespace: ns, languages, show }),
    [rows, filter, ns, languages, show],
  )
  const namespaces = useMemo(() => [...new Set(rows.map(({ namespace }) => namespace))].sort(), [rows])
  const turn = (next: { filter?: string; ns?: string | null; lang?: Language | null; show?: typeof show | null }) => {
    const wanted = { filter, ns, lang, show, ...next }
    void navigate({
      to: '/superuser/translations',
      search: {
        ...(wanted.filter && { filter: wanted.filter }),
        ...(wanted.ns && { ns: wanted.ns }),
        ...(wanted.lang && { lang: wanted.lang }),
        ...(wanted.show && { show: wanted.show }),
      },
      replace: true,
      resetScroll: false,
    })
  }
  const filtered = filter !== '' || ns !== undefined || show !== undefined
  // the field keeps what is typed in it: emptied from outside it begins anew
  const [cleared, setCleared] = useState(0)
  return (
    <>
      <div className={classes.filters}>
        <FilterField
          key={cleared}
          label={t('filterLabel')}
          placeholder={t('filter')}
          value={filter}
          settle={wanted => turn({ filter: wanted })}
          className={classes.search}
        />
        <Select
          label={t('namespace')}
          data={[{ value: '', label: t('allNamespaces') }, ...namespaces]}
          value={ns ?? ''}
          onChange={value => turn({ ns: value || null })}
          allowDeselect={false}
          searchable
          className={classes.select}
        />
        <Select
          label={t('language')}
          data={[
            ...(narrow ? [] : [{ value: '', label: t('allLanguages') }]),
            ...languageCodes.map(value => ({ value, label: languageNames[value].name })),
          ]}
          value={only ?? ''}
          onChange={value => turn({ lang: (value || null) as Language | null })}
          allowDeselect={false}
          className={classes.select}
        />
        <div className={classes.show} role="group" aria-label={t('show')}>
          <SegmentedControl
            aria-label={t('show')}
            data={[
              { value: 'all', label: t('showAll') },
              { value: 'changed', label: t('showChanged') },
              { value: 'missing', label: t('showMissing') },
            ]}
            value={show ?? 'all'}
            onChange={value => turn({ show: value === 'all' ? null : (value as 'changed' | 'missing') })}
          />
        </div>
      </div>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {t('count', { count: shown.length })}
      </Text>
      {shown.length === 0 ? (
        <Empty text={t('noneFound')}>
          {filtered && (
            <Button
              variant="default"
              onClick={() => {
                turn({ filter: '', ns: null, show: null })
                setCleared(cleared + 1)
              }}
            >
              {t('clearFilters')}
            </Button>
          )}
        </Empty>
      ) : (
        <Grid rows={shown} languages={languages} edited={edited} edit={edit} />
      )}
    </>
  )
}

const rowHeight = 52
const rowsPerPage = 10
/** Above the first and below the last row that an arrow key leads to: the bars of the frame. */
const bars = 80

type Place = { readonly row: number; readonly column: number }

function Grid({ rows, languages, edited, edit }: ListProps & { languages: readonly Language[] }) {
  const { t } = useTranslation('translations')
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const [chosen, setChosen] = useState<Place>({ row: 0, column: 0 })
  const active = { row: Math.min(chosen.row, rows.length - 1), column: Math.min(chosen.column, languages.length - 1) }
  /** Whether the active cell is to take the focus once it is there. */
  const wanted = useRef(false)
  const remove = useDeletion()

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const measure = () => setMargin(Math.round(element.getBoundingClientRect().top + scrollY))
    measure()
    const watching = new ResizeObserver(measure)
    watching.observe(document.body)
    return () => watching.disconnect()
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 10,
    scrollMargin: margin,
    scrollPaddingStart: bars,
    scrollPaddingEnd: bars,
    getItemKey: useCallback((index: number) => rows[index]?.name ?? index, [rows]),
    // the row with the focus stays, or the focus would fall to the page when it scrolls out of sight
    rangeExtractor: range => {
      const indexes = defaultRangeExtractor(range)
      return indexes.includes(active.row) ? indexes : [...indexes, active.row].sort((a, b) => a - b)
    },
  })
  const go = (to: Place) => {
    setChosen(to)
    wanted.current = true
    virtual.scrollToIndex(to.row, { align: 'auto' })
  }
  useEffect(() => {
    if (!wanted.current) return
    const cell = list.current?.querySelector<HTMLElement>(`[data-row="${active.row}"] [data-column="${active.column}"]`)
    if (!cell) return
    wanted.current = false
    cell.focus({ preventScroll: true })
  })
  // The dialog goes through the rows: when it closes, the focus is where it was last.
  const before = useRef<Edited | null>(null)
  useEffect(() => {
    const was = before.current
    before.current = edited
    if (edited || !was) return
    const row = rows.findIndex(({ name }) => name === was.name)
    const column = languages.indexOf(was.language)
    // after the dialog has given the focus back to where it was opened
    const timer = setTimeout(
      () => go({ row: row < 0 ? active.row : row, column: column < 0 ? active.column : column }),
      50,
    )
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- only the closing of the dialog moves the focus
  }, [edited])

  const open = useLatest((row: number, column: number) => {
    const language = languages[column]
    const found = rows[row]
    setChosen({ row, column })
    if (found && language && found.cells[language].exists)
      edit(
        { name: found.name, language },
        rows.filter(({ cells }) => cells[language].exists).map(({ name }) => name),
      )
  })
  const openCell = useCallback((row: number, column: number) => open.current(row, column), [open])

  const moved = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.metaKey) return
    const { row, column } = active
    const [last, end] = [rows.length - 1, languages.length - 1]
    const steps: Record<string, Place> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      PageDown: { row: row + rowsPerPage, column },
      PageUp: { row: row - rowsPerPage, column },
      Home: { row: event.ctrlKey ? 0 : row, column: 0 },
      End: { row: event.ctrlKey ? last : row, column: end },
    }
    const step = steps[event.key]
    if (step) {
      event.preventDefault()
      go({ row: Math.max(0, Math.min(last, step.row)), column: Math.max(0, Math.min(end, step.column)) })
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault()
      openCell(row, column)
    } else if (event.key === 'Delete') {
      const language = languages[column]
      const over = language && rows[row]?.cells[language].over
      if (!over) return
      event.preventDefault()
      void remove(over, rows[row]?.cells[language].shipped ?? null).then(() => (wanted.current = true))
    }
  }
  const columns = { '--languages': languages.length } as object
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its cells has the focus
    <div
      role="grid"
      aria-label={t('grid')}
      aria-rowcount={rows.length + 1}
      aria-colcount={languages.length + 1}
      className={classes.grid}
      data-single={languages.length === 1 || undefined}
      style={columns}
      onKeyDown={moved}
    >
      <div role="row" aria-rowindex={1} className={classes.head}>
        <div role="columnheader">{t('key')}</div>
        {languages.map(language => (
          <div role="columnheader" key={language}>
            {languageNames[language].name}
          </div>
        ))}
      </div>
      <div ref={list} role="rowgroup" className={classes.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          return (
            row && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-row={index}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ transform: `translateY(${start - margin}px)` }}
              >
                <Cells
                  row={row}
                  index={index}
                  languages={languages}
                  reachable={index === active.row ? active.column : -1}
                  open={openCell}
                />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

type CellsProps = {
  row: Row
  index: number
  languages: readonly Language[]
  /** The column whose cell the Tab key leads to; -1 for none in this row. */
  reachable: number
  open: (row: number, column: number) => void
}

const Cells = memo(function Cells({ row, index, languages, reachable, open }: CellsProps) {
  const { t } = useTranslation('translations')
  return (
    <>
      <div role="rowheader" className={classes.key} translate="no">
        <span className={classes.namespace}>{row.namespace}</span>
        <span>{row.key}</span>
      </div>
      {languages.map((language, column) => {
        const cell = row.cells[language]
        const text = saidIn(cell)
        const name = { language: languageNames[language].name, text: text ?? t(cell.exists ? 'absent' : 'noForm') }
        return (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid hears the keys
          <div
            key={language}
            role="gridcell"
            tabIndex={reachable === column ? 0 : -1}
            data-column={column}
            data-changed={cell.over !== null || undefined}
            data-exists={cell.exists || undefined}
            aria-disabled={!cell.exists || undefined}
            aria-label={t(cell.over ? 'cellChanged' : 'cell', name)}
            title={cell.exists ? undefined : t('noForm')}
            className={classes.cell}
            onClick={() => open(index, column)}
          >
            {text !== null ? (
              <span className={classes.text} lang={languageNames[language].iso}>
                {text}
              </span>
            ) : cell.exists ? (
              <Badge color="red" size="sm">
                {t('absent')}
              </Badge>
            ) : (
              <span className={classes.none}>–</span>
            )}
          </div>
        )
      })}
    </>
  )
})
