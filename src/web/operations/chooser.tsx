/** The way to choose several operations of a list, and to do something with them (docs/product/screens.md "Several at once"). */
import { Box, Button, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { SelectionBar } from '../ui/selectionBar.tsx'
import { usePhone } from '../ui/usePhone.ts'
import { type Choosing, ChoosingContext } from './choosing.ts'

type ChooserProps = {
  /** Whether this operation can be chosen. A stable function while its result is the same. */
  offers: Choosing['offers']
  /** Those of the list that can be. */
  offered: readonly Operation[]
  /** With fewer there is nothing to choose. */
  least: 1 | 2
  /** The name of the action. */
  title: string
  /** The label of the button that runs it. */
  label: (count: number) => string
  /** The label of the button that chooses all of them. */
  labelOfAll?: (count: number) => string
  icon: ReactNode
  /** Does it with those that were chosen; `close` when it is over, and then none is chosen any more. */
  renderDialog: (chosen: readonly Operation[], close: () => void) => ReactNode
  /** The space below the bar. */
  mb: number
  /** Further content of the line. */
  beside?: ReactNode
  /** The list. */
  children: ReactNode
}

/** The bar above a list, and the list, in which operations can be chosen. */
export function Chooser({
  offers,
  offered,
  least,
  title,
  label,
  labelOfAll,
  icon,
  renderDialog,
  mb,
  beside,
  children,
}: ChooserProps) {
  const { t } = useTranslation(['several', 'common'])
  const phone = usePhone()
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [sent, setSent] = useState<readonly Operation[] | null>(null)
  const chosen = offered.filter(({ _id }) => ids.has(_id))
  const choosing = useMemo<Choosing>(
    () => ({
      chosen: ids,
      offers,
      toggle: ({ _id }) =>
        setIds(now => {
          const next = new Set(now)
          if (!next.delete(_id)) next.add(_id)
          return next
        }),
    }),
    [ids, offers],
  )
  const isOffered = offered.length >= least
  const clear = () => setIds(new Set())
  const close = () => {
    setSent(null)
    clear()
  }
  const isChosen = chosen.length > 0
  const all = chosen.length === offered.length
  return (
    <ChoosingContext value={isOffered ? choosing : null}>
      {(isOffered || beside) && (
        <Group gap={8} mb={mb}>
          {isOffered && (
            <Group gap={8} role="group" aria-label={title} data-choosing>
              {isChosen && !phone && (
                <>
                  <Text size="sm" role="status">
                    {t('several:chosen', { count: chosen.length })}
                  </Text>
                  <Button size="compact-md" fz="sm" leftSection={icon} onClick={() => setSent(chosen)}>
                    {label(chosen.length)}
                  </Button>
                </>
              )}
              {/* on a phone it stays: the rows keep their place */}
              {(!all || phone) && (
                <Button
                  variant="default"
                  size="compact-md"
                  fz="sm"
                  disabled={all}
                  onClick={() => setIds(new Set(offered.map(({ _id }) => _id)))}
                >
                  {labelOfAll ? labelOfAll(offered.length) : t('several:chooseAll', { count: offered.length })}
                </Button>
              )}
              {isChosen && !phone && (
                <Button
                  variant="subtle"
                  size="compact-md"
                  fz="sm"
                  leftSection={<IconX size={14} aria-hidden />}
                  onClick={clear}
                >
                  {t('common:clearSelection')}
                </Button>
              )}
            </Group>
          )}
          {beside && <Box ms="auto">{beside}</Box>}
        </Group>
      )}
      {children}
      {phone && isOffered && isChosen && (
        <SelectionBar label={title} chosen={t('several:chosen', { count: chosen.length })} clear={clear}>
          <Button leftSection={icon} onClick={() => setSent(chosen)}>
            {label(chosen.length)}
          </Button>
        </SelectionBar>
      )}
      {sent && renderDialog(sent, close)}
    </ChoosingContext>
  )
}
