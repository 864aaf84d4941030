/** The tyres that the wizard offers, to be selected one by one or by their set. */
import { Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from '../../ui/texts.ts'
import type { Operation, Tyre, Vehicle } from '#contract/wire.ts'
import { isTyreOffered, type OfferedType } from '#domain/tyres/tyre.ts'
import { useSite } from '../../shared/session.ts'
import { TreadDepth } from '../../vehicles/depths/treadDepth.tsx'
import { BelowCell, Dimmed } from '../../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { useRowSelection } from '../../ui/dataTable/selection.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Dotted, Rack, useTyreSelectName } from '../../shared/trade.tsx'
import classes from './wizard.module.css'

type TyreTableProps = {
  vehicle: Vehicle
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

export function TyreTable({ vehicle, type, tyres, selected, preselected, busy, click, toggle }: TyreTableProps) {
  const { t } = useTranslation(['wizard', 'common'])
  const { allowProfileDepth } = useSite()
  const stock = type !== 'to_stock'
  const isFree = (tyre: Tyre) => isTyreOffered(type, tyre)
  const nameOf = useTyreSelectName()
  const selection = useRowSelection<Tyre>({
    head: t('wizard:select'),
    stateOf: tyre => selected.has(tyre.db_id),
    labelOf: tyre => nameOf(tyre, vehicle.license_plate),
    toggle: tyre => toggle(tyre.db_id),
    offered: isFree,
    renderReason: tyre =>
      !isFree(tyre) && <IconLock size={18} stroke={1.7} role="img" aria-label={t('wizard:inOperation')} />,
    size: 'md',
  })
  return (
    <DataTable
      columns={[
        { id: 'position', header: t('common:tyre.position'), render: tyre => tyre.position },
        {
          id: 'description',
          header: t('common:tyre.description'),
          render: tyre => (
            <>
              {tyre.description}
              <BelowCell>
                <Dotted>
                  {tyre.tyre_set ?? t('common:tyre.setless')}
                  {stock && tyre.stock_rack && <Rack name={tyre.stock_rack} />}
                </Dotted>
              </BelowCell>
              {!isFree(tyre) && <BusyReason tyre={tyre} operation={busy(tyre)} />}
            </>
          ),
        },
        {
          id: 'set',
          header: t('common:tyre.set'),
          render: tyre => tyre.tyre_set ?? <Dimmed>{t('common:tyre.setless')}</Dimmed>,
          from: 'sm',
        },
        stock && {
          id: 'rack',
          header: t('common:tyre.rack'),
          render: tyre => <Rack name={tyre.stock_rack} />,
          from: 'sm',
        },
        allowProfileDepth && {
          id: 'depth',
          header: t('common:tyre.depth'),
          render: tyre => <TreadDepth tyre={tyre} vehicle={vehicle} />,
          align: 'end',
        },
      ]}
      rows={tyres}
      keyOf={tyre => tyre.db_id}
      selection={selection}
      onRowClick={tyre => isFree(tyre) && click(tyre.db_id)}
      rowAttributes={tyre => ({
        'data-tyre': tyre.db_id,
        'data-preselected': preselected.includes(tyre.db_id) || undefined,
        'data-blocked': !isFree(tyre) || undefined,
      })}
      phone={{ heads: 'shown' }}
      className={classes.table}
      still
    />
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
