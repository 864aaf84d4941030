import { Link } from '@tanstack/react-router'
import { type MouseEvent, use } from 'react'
import { useIsWarehouseOnly } from '../shared/session.ts'
import { Plate } from '../shared/trade.tsx'
import { OpensInTab } from './opens.ts'
import classes from './vehiclePlate.module.css'

type VehiclePlateProps = { plate: string; id: number; size?: 'sm' | 'md' | 'lg'; tabIndex?: number }

/** A plate that links to its vehicle, where the account may open it. */
export function VehiclePlate({ plate, id, size, tabIndex = 0 }: VehiclePlateProps) {
  const openInTab = use(OpensInTab)
  const ofWarehouse = useIsWarehouseOnly()
  const look = { className: classes.link ?? '', tabIndex }
  const shown = <Plate plate={plate} {...(size && { size })} />

  function press(event: MouseEvent) {
    // With a key held the browser opens a tab of its own.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    openInTab?.(id)
  }
  if (ofWarehouse) return shown
  return openInTab ? (
    <Link to="/admin/fleetmanagement" search={{ vehicle: id }} onClick={press} {...look}>
      {shown}
    </Link>
  ) : (
    <Link to="/fleet/vehicle" search={{ id }} state={{ id }} {...look}>
      {shown}
    </Link>
  )
}
