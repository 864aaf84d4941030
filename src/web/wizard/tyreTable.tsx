/** The tyres of a vehicle, to select some for an operation. */
import { Checkbox, Table, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Operation, Tyre } from '#contract/wire.ts'
import { isTyreOffered, type OfferedType } from '#domain/tyre.ts'
import { formatDepth } from '../shared/format.ts'
import { useSite } from '../shared/session.ts'
import { TextLink } from '../ui/link.tsx'
import classes from './wizard.module.css'

type TableProps = {
  type: OfferedType
  tyres: readonly Tyre[]
  selected: ReadonlySet<number>
  preselected: readonly number[]
  busy: (tyre: Tyre) => Operation | undefined
  /** A row was clicked with a mouse or finger: one click is this tyre, two are its set. */
  click: (id: number) => void
  /** The checkbox: without delay. */
  toggle: (id: number) => void
}

export function TyreTable({ type, tyres, selected, preselected, busy, click, toggle }: TableProps) {
  const { t, i18n } = useTranslation(['wizard', 'common'])
  const { allowProfileDepth } = useSite()
  const stock = type !== 'to_stock'

  function press(event: MouseEvent, id: number) {
    if (event.target instanceof Element && event.target.closest('a')) return
    click(id)
  }
  return (
    <Table className={classes.table} highlightOnHover={false}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.checkColumn}>
            <span className="wh-hidden">{t('wizard:select')}</span>
          </Table.Th>
          <Table.Th>{t('common:tyre.position')}</Table.Th>
          <Table.Th>{t('common:tyre.description')}</Table.Th>
          <Table.Th className={classes.wideColumn}>{t('common:tyre.set')}</Table.Th>
          {stock && <Table.Th className={classes.wideColumn}>{t('common:tyre.rack')}</Table.Th>}
          {allowProfileDepth && <Table.Th className={classes.number}>{t('common:tyre.depth')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {tyres.map(tyre => {
          const free = isTyreOffered(type, tyre)
          return (
            // The row is a larger target for the pointer; keys and screen readers have the checkbox in it.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
            <Table.Tr
              key={tyre.db_id}
              data-tyre={tyre.db_id}
              data-selected={selected.has(tyre.db_id) || undefined}
              data-preselected={preselected.includes(tyre.db_id) || undefined}
              data-blocked={!free || undefined}
              onClick={free ? event => press(event, tyre.db_id) : undefined}
            >
              <Table.Td className={classes.checkColumn}>
                {free ? (
                  <Checkbox
                    size="md"
                    checked={selected.has(tyre.db_id)}
                    aria-label={t('wizard:selectTyre', { position: tyre.position, description: tyre.description })}
                    onChange={() => toggle(tyre.db_id)}
                    onClick={event => event.stopPropagation()}
                  />
                ) : (
                  <IconLock size={18} stroke={1.7} role="img" aria-label={t('wizard:inOperation')} />
                )}
              </Table.Td>
              <Table.Td>{tyre.position}</Table.Td>
              <Table.Td>
                {tyre.description}
                <span className={classes.underneath}>
                  {[tyre.tyre_set ?? t('common:tyre.setless'), stock && tyre.stock_rack].filter(Boolean).join(' · ')}
                </span>
                {!free && <BusyReason tyre={tyre} operation={busy(tyre)} />}
              </Table.Td>
              <Table.Td className={classes.wideColumn}>
                {tyre.tyre_set ?? <span className={classes.dim}>{t('common:tyre.setless')}</span>}
              </Table.Td>
              {stock && <Table.Td className={classes.wideColumn}>{tyre.stock_rack}</Table.Td>}
              {allowProfileDepth && (
                <Table.Td className={classes.number}>
                  {tyre.profile_depth === null
                    ? '–'
                    : t('common:mm', { depth: formatDepth(tyre.profile_depth, i18n.language) })}
                </Table.Td>
              )}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}

/** Why a tyre can't be selected, with the way to the operation that holds it. */
function BusyReason({ tyre, operation }: { tyre: Tyre; operation: Operation | undefined }) {
  const { t } = useTranslation(['wizard', 'common'])
  const action = tyre.action && t(`common:operationType.${tyre.action}`)
  return (
    <Text size="xs" c="dimmed">
      {t('wizard:inOperation')}{' '}
      {operation && action && (operation.status === 'pending' || operation.status === 'submitted') && (
        <TextLink
          to="/operations"
          search={{ tab: operation.status }}
          state={{ tab: operation.status }}
          hash={`operation-${operation._id}`}
          size="xs"
        >
          {t('wizard:openOperation', { type: action, status: t(`common:operationStatus.${operation.status}`) })}
        </TextLink>
      )}
    </Text>
  )
}
