import { useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type TyreStatus, tyreStatuses } from '#domain/tyres/tyre.ts'
import { tyreLooks } from '../shared/trade.tsx'
import classes from './tyreCounts.module.css'
import type { VehicleRow } from './vehicleRows.ts'

type StatusNames = Readonly<Record<TyreStatus, string>>

/** The names of the statuses, looked up once for all rows of a list. */
export function useStatusNames(): StatusNames {
  const { t } = useTranslation('common')
  return useMemo(
    () => Object.fromEntries(tyreStatuses.map(status => [status, t(`tyreStatus.${status}`)])) as StatusNames,
    [t],
  )
}

/** How many tyres there are of each status, at a glance. */
export function TyreCounts({ counts, names }: { counts: VehicleRow['counts']; names: StatusNames }) {
  return (
    <ul className={classes.counts}>
      {counts.map(({ status, count }) => {
        const { icon: Icon, color } = tyreLooks[status]
        return (
          <li key={status} title={names[status]} data-color={color}>
            <Icon size={14} stroke={1.8} aria-hidden />
            {count}
            <span className={`wh-hidden ${classes.word}`}> {names[status]}</span>
          </li>
        )
      })}
    </ul>
  )
}
