/** By which column a table is sorted: heads that are pressed, and on a phone a field in their place. */
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from '../texts.ts'
import { Choice } from '../select.tsx'
import type { SortColumn, TableSort } from './column.ts'
import classes from './sort.module.css'

export type Sort<Key extends string> = { by: Key; desc: boolean; choose: (by: Key, desc: boolean) => void }

/**
 * Sorting of a table; the screen keeps the order and puts the rows in it (`sortRows`). In a list that is filtered while somebody types keep
 * `choose` with `useCallback`: heads and field are drawn again when it changes.
 */
export const sorting = <Key extends string>({ by: sorted, desc, choose }: Sort<Key>): TableSort<Key> => ({
  by: sorted,
  desc,
  head: ({ by, text }) => (
    <SortHead by={by} text={text} order={by !== sorted ? 'none' : desc ? 'desc' : 'asc'} choose={choose} />
  ),
  choice: columns => <SortChoice columns={columns} by={sorted} desc={desc} choose={choose} />,
})

type SortHeadProps<Key extends string> = SortColumn<Key> & {
  order: 'none' | 'asc' | 'desc'
  choose: Sort<Key>['choose']
}

/** The content of a column's head: a click sorts by it, another one reverses the order. */
function PlainSortHead<Key extends string>({ by, text, order, choose }: SortHeadProps<Key>) {
  const here = order !== 'none'
  const Icon = !here ? IconSelector : order === 'desc' ? IconArrowDown : IconArrowUp
  // in a head of two lines the arrow comes after the text
  const lastWord = text.lastIndexOf(' ') + 1
  return (
    <UnstyledButton className={classes.head} data-here={here || undefined} onClick={() => choose(by, order === 'asc')}>
      {text.slice(0, lastWord)}
      <span className={classes.lastWord}>
        {text.slice(lastWord)}
        <Icon size={14} stroke={1.8} aria-hidden />
      </span>
    </UnstyledButton>
  )
}

const SortHead = memo(PlainSortHead) as typeof PlainSortHead

type SortChoiceProps<Key extends string> = Sort<Key> & { columns: readonly SortColumn<Key>[] }

/** The same as a field and a button, for the form whose rows have no heads. */
function PlainSortChoice<Key extends string>({ columns, by: sorted, desc, choose }: SortChoiceProps<Key>) {
  const { t } = useTranslation()
  const Icon = desc ? IconArrowDown : IconArrowUp
  return (
    <div className={classes.choice}>
      <Choice
        label={t('sort.by')}
        // the arrow beside it shows the order
        labelProps={{ className: 'wh-hidden' }}
        data={columns.map(({ by, text }) => ({ value: by, label: text }))}
        value={sorted}
        onChange={chosen => {
          const column = columns.find(({ by }) => by === chosen)
          if (column) choose(column.by, false)
        }}
        className={classes.field}
      />
      <ActionIcon
        variant="default"
        size={44}
        aria-label={desc ? t('sort.descending') : t('sort.ascending')}
        onClick={() => choose(sorted, !desc)}
      >
        <Icon size={20} stroke={1.7} aria-hidden />
      </ActionIcon>
    </div>
  )
}

const SortChoice = memo(PlainSortChoice) as typeof PlainSortChoice
