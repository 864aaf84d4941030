/** By what a list is sorted: heads that are pressed, and where a phone shows no heads, a field. */
import { ActionIcon, Table, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Choice } from './choice.tsx'
import classes from './sort.module.css'

export type Sort<Key extends string> = { by: Key; desc: boolean; choose: (by: Key, desc: boolean) => void }

type SortHeadProps<Key extends string> = {
  by: Key
  text: string
  className?: string | undefined
  sort: Sort<Key>
}

/** A column's head: a press sorts by it, another one turns the order round. */
export function SortHead<Key extends string>({ by, text, className, sort }: SortHeadProps<Key>) {
  const here = sort.by === by
  const Icon = !here ? IconSelector : sort.desc ? IconArrowDown : IconArrowUp
  return (
    <Table.Th className={className} aria-sort={!here ? 'none' : sort.desc ? 'descending' : 'ascending'}>
      <UnstyledButton
        className={classes.head}
        data-here={here || undefined}
        onClick={() => sort.choose(by, here && !sort.desc)}
      >
        {text}
        <Icon size={14} stroke={1.8} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  )
}

type SortChoiceProps<Key extends string> = {
  columns: readonly { by: Key; text: string }[]
  sort: Sort<Key>
  className?: string | undefined
}

/** The same as a field and a button, for the layout whose rows have no heads. */
export function SortChoice<Key extends string>({ columns, sort, className }: SortChoiceProps<Key>) {
  const { t } = useTranslation()
  const Icon = sort.desc ? IconArrowDown : IconArrowUp
  return (
    <div className={[classes.choice, className].filter(Boolean).join(' ')}>
      <Choice
        label={t('sort.by')}
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
