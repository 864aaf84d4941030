/** The sets of a vehicle that can be recalled or stored as a whole, each on one sheet (docs/product/operations.md "Request sheet"). */
import { Button, Text } from '@mantine/core'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { isTyreRequestable, type OfferedType } from '#domain/tyres/tyre.ts'
import { formatDepth } from '../../shared/format.ts'
import { useSite } from '../../shared/session.ts'
import { OperationTypeIcon, useOperationTypeLabel } from '../../shared/trade.tsx'
import { useTranslation } from '../../ui/texts.ts'
import { openRequest } from '../requestSubject.ts'
import classes from './setRequests.module.css'

/** Recall of a set in storage, or storage of one at the customer or on the vehicle, with the tyres that it takes. */
export function requestOf(tyres: readonly Tyre[]): { type: OfferedType; offered: number[] } | null {
  const type = (['to_customer', 'to_stock'] as const).find(candidate =>
    tyres.some(tyre => isTyreRequestable(candidate, tyre)),
  )
  return type ? { type, offered: tyres.filter(tyre => isTyreRequestable(type, tyre)).map(({ db_id }) => db_id) } : null
}

export function SetRequests({ vehicle }: { vehicle: Vehicle }) {
  const sets = Map.groupBy(vehicle.tyres, tyre => tyre.tyre_set)
  return (
    <ul className={classes.sets}>
      {[...sets].map(
        ([set, tyres]) => set !== null && <SetRequest key={set} vehicle={vehicle} set={set} tyres={tyres} />,
      )}
    </ul>
  )
}

function SetRequest({ vehicle, set, tyres }: { vehicle: Vehicle; set: string; tyres: readonly Tyre[] }) {
  const { t, i18n } = useTranslation('common')
  const { allowProfileDepth: hasDepth } = useSite()
  const typeOf = useOperationTypeLabel()
  const request = requestOf(tyres)
  if (!request) return null
  const { type, offered } = request
  const depths = tyres.flatMap(({ profile_depth: depth }) => (depth === null ? [] : [depth]))
  const racks = new Set(tyres.flatMap(({ stock_rack: rack }) => rack ?? []))
  const facts = [
    t('tyres', { count: offered.length }),
    hasDepth && depths.length > 0 && t('mm', { depth: formatDepth(Math.min(...depths), i18n.language) }),
    [...racks].join(', '),
  ]
  return (
    <li>
      <Button
        variant="default"
        size="xs"
        leftSection={<OperationTypeIcon type={type} size={18} />}
        onClick={() => openRequest({ flt_id: vehicle.flt_id, type, tyres: offered })}
        data-request={type}
      >
        {typeOf(type)} {set}
      </Button>
      <Text size="xs" c="dimmed">
        {facts.filter(Boolean).join(' · ')}
      </Text>
    </li>
  )
}
