/** By which column a table is sorted: heads that are pressed, and on a phone a field in their place. */
import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Choice } from '../select.tsx'
import type { SortColumn, TableSort } from './column.ts'
import classes from './sort.module.css'

export type Sort<Key extends string> = { by: Key; desc: boolean; choose: (by: Key, desc: boolean) => void }

/** Sorting of a table; the screen keeps the order and puts the rows in it (`sortRows`). */
export const sorting = <Key extends string>(sort: Sort<Key>): TableSort<Key> => ({
  by: sort.by,
  desc: sort.desc,
  head: ({ by, text }) => <SortHead by={by} text={text} sort={sort} />,
  choice: columns => <SortChoice columns={columns} sort={sort} />,
})

type SortHeadProps<Key extends string> = SortColumn<Key> & { sort: Sort<Key> }

/** What is in a column's head: a click sorts by it, another one turns the order round. */
function SortHead<Key extends string>({ by, text, sort }: SortHeadProps<Key>) {
  const here = sort.by === by
  const Icon = !here ? IconSelector : sort.desc ? IconArrowDown : IconArrowUp
  return (
    <UnstyledButton
      className={classes.head}
      data-here={here || undefined}
      onClick={() => sort.choose(by, here && !sort.desc)}
    >
      {text}
      <Icon size={14} stroke={1.8} aria-hidden />
    </UnstyledButton>
  )
}

type SortChoiceProps<Key extends string> = { columns: readonly SortColumn<Key>[]; sort: Sort<Key> }

/** The same as a field and a button, for the form whose rows have no heads. */
function SortChoice<Key extends string>({ columns, sort }: SortChoiceProps<Key>) {
  const { t } = useTranslation()
  const Icon = sort.desc ? IconArrowDown : IconArrowUp
  return (
    <div className={classes.choice}>
      <Choice
        label={t('sort.by')}
        // what it is can be seen by the arrow beside it
        labelProps={{ className: 'wh-hidden' }}
        data={columns.map(({ by, text }) => ({ value: by, label: text }))}
        value={sort.by}
        onChange={chosen => {
          const column = columns.find(({ by }) => by === chosen)
          if (column) sort.choose(column.by, false)
        }}
        className={classes.field}
      />
      <ActionIcon
        variant="default"
        size={44}
        aria-label={sort.desc ? t('sort.descending') : t('sort.ascending')}
        onClick={() => sort.choose(sort.by, !sort.desc)}
      >
        <Icon size={20} stroke={1.7} aria-hidden />
      </ActionIcon>
    </div>
  )
}
