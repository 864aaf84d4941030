import { Link } from '@tanstack/react-router'
import { Plate } from '../trade.tsx'
import classes from './vehiclePlate.module.css'

type VehiclePlateProps = { plate: string; id: number; size?: 'sm' | 'md' | 'lg'; tabIndex?: number }

/** A plate that leads to its vehicle. */
export function VehiclePlate({ plate, id, size, tabIndex = 0 }: VehiclePlateProps) {
  return (
    <Link to="/fleet/vehicle" search={{ id }} state={{ id }} className={classes.link} tabIndex={tabIndex}>
      <Plate plate={plate} {...(size && { size })} />
    </Link>
  )
}
