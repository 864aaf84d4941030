/** The texts as a grid of keys and languages: searched, filtered, walked through with the arrow keys, edited with Enter. */
import { Badge, Button, SegmentedControl, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type Language, languageCodes, languageOf } from '#domain/people/account.ts'
import { Dimmed } from '../ui/dataTable/secondaryText.tsx'
import type { Column, Columns } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { useRowWindow } from '../ui/dataTable/rowWindow.ts'
import { FilterField } from '../ui/filterField.tsx'
import { useLatest } from '../ui/hooks.ts'
import { languageNames } from '../shared/languages.ts'
import { Empty } from '../shared/screen.tsx'
import { useDeletion } from './deletion.ts'
import { type Cell, type Edited, type Row, textIn, wantedRows } from './rows.ts'
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
  const narrow = useMediaQuery('(max-width: 68em)', false, { getInitialValueInEffect: false })
  const only = lang ?? (narrow ? (languageOf(i18n.language) ?? 'eng') : undefined)
  const languages = useMemo(() => (only ? [only] : languageCodes), [only])
  const shown = useMemo(
    () => wantedRows(rows, { filter, namespace: ns, languages, show }),
    [rows, filter, ns, languages, show],
  )
  const namespaces = useMemo(() => [...new Set(rows.map(({ namespace }) => namespace))].sort(), [rows])
  const updateFilter = (next: {
    filter?: string
    ns?: string | null
    lang?: Language | null
    show?: typeof show | null
  }) => {
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
  // the field keeps its own text: a new key resets it when it is cleared from outside
  const [cleared, setCleared] = useState(0)
  return (
    <>
      <div className={classes.filters}>
        <FilterField
          key={cleared}
          label={t('filterLabel')}
          placeholder={t('filter')}
          value={filter}
          settle={wanted => updateFilter({ filter: wanted })}
          className={classes.search}
        />
        <Select
          label={t('namespace')}
          data={[{ value: '', label: t('allNamespaces') }, ...namespaces]}
          value={ns ?? ''}
          onChange={value => updateFilter({ ns: value || null })}
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
          onChange={value => updateFilter({ lang: (value || null) as Language | null })}
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
            onChange={value => updateFilter({ show: value === 'all' ? null : (value as 'changed' | 'missing') })}
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
                updateFilter({ filter: '', ns: null, show: null })
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
/** The bars of the frame over the page. */
const bars = { above: 80, below: 80 }

function Grid({ rows, languages, edited, edit }: ListProps & { languages: readonly Language[] }) {
  const { t } = useTranslation('translations')
  const remove = useDeletion()
  const open = useLatest((row: Row, language: Language) => {
    if (!row.cells[language].exists) return
    edit(
      { name: row.name, language },
      rows.filter(({ cells }) => cells[language].exists).map(({ name }) => name),
    )
  })
  const rowWindow = useRowWindow({
    rows,
    keyOf,
    rowHeight,
    bars,
    columns: languages.length,
    onKey: (event, { row: nth, column = 0 }) => {
      const row = rows[nth]
      const language = languages[column]
      if (!row || !language) return
      const { over, shipped } = row.cells[language]
      if (event.key === 'Enter' || event.key === 'F2') {
        event.preventDefault()
        open.current(row, language)
      } else if (event.key === 'Delete' && over) {
        event.preventDefault()
        void remove(over, shipped).then(() => rowWindow.go({ row: nth, column }))
      }
    },
  })
  useReturnFrom(edited, ({ name, language }) => {
    const { row, column = 0 } = rowWindow.active
    const to = { row: rows.findIndex(row => row.name === name), column: languages.indexOf(language) }
    rowWindow.go({ row: to.row < 0 ? row : to.row, column: to.column < 0 ? column : to.column })
  })
  const columns = useMemo(
    (): Columns<Row> => [
      {
        id: 'key',
        header: t('key'),
        render: ({ namespace, key }) => (
          <>
            <span className={classes.namespace}>{namespace}</span>
            <span>{key}</span>
          </>
        ),
        rowHeader: true,
        width: 'minmax(12rem, 0.9fr)',
        className: classes.key,
        attributes: () => ({ translate: 'no' }),
      },
      ...languages.map((language): Column<Row> => ({
        id: language,
        header: languageNames[language].name,
        render: ({ cells }) => <SaidText language={language} cell={cells[language]} />,
        className: classes.cell,
        attributes: row => {
          const cell = row.cells[language]
          const { over, exists } = cell
          const text = textIn(cell) ?? t(exists ? 'absent' : 'noForm')
          return {
            'data-changed': over !== null || undefined,
            'data-exists': exists || undefined,
            'aria-disabled': !exists || undefined,
            'aria-label': t(over ? 'cellChanged' : 'cell', { language: languageNames[language].name, text }),
            title: exists ? undefined : t('noForm'),
            onClick: () => open.current(row, language),
          }
        },
      })),
    ],
    [t, languages, open],
  )
  return (
    <DataTable
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      label={t('grid')}
      rowWindow={rowWindow}
      phone={{ heads: 'gone' }}
      className={classes.grid}
    />
  )
}

const keyOf = ({ name }: Row) => name

/** The dialog steps through the rows: when it closes, the focus is on the last one. */
function useReturnFrom(edited: Edited | null, go: (last: Edited) => void) {
  const before = useRef<Edited | null>(null)
  const latest = useLatest(go)
  useEffect(() => {
    const last = before.current
    before.current = edited
    if (edited || !last) return
    // after the dialog has given the focus back to where it was opened
    const timer = setTimeout(() => latest.current(last), 50)
    return () => clearTimeout(timer)
  }, [edited, latest])
}

function SaidText({ language, cell }: { language: Language; cell: Cell }) {
  const { t } = useTranslation('translations')
  const text = textIn(cell)
  if (text !== null) {
    return (
      <span className={classes.text} lang={languageNames[language].iso}>
        {text}
      </span>
    )
  }
  return cell.exists ? (
    <Badge color="red" size="sm">
      {t('absent')}
    </Badge>
  ) : (
    <Dimmed>–</Dimmed>
  )
}
