import { useTranslation } from 'react-i18next'
import { tyreLooks } from '../trade.tsx'
import classes from './tyreCounts.module.css'
import type { VehicleRow } from './vehicleRows.ts'

/** How many tyres there are of each status, at a glance. */
export function TyreCounts({ counts }: { counts: VehicleRow['counts'] }) {
  const { t } = useTranslation('common')
  return (
    <ul className={classes.counts}>
      {counts.map(({ status, count }) => {
        const { icon: Icon, color } = tyreLooks[status]
        return (
          <li key={status} title={t(`tyreStatus.${status}`)} data-color={color}>
            <Icon size={14} stroke={1.8} aria-hidden />
            {count}
            <span className="wh-hidden"> {t(`tyreStatus.${status}`)}</span>
          </li>
        )
      })}
    </ul>
  )
}
