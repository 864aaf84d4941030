import { Link } from '@tanstack/react-router'
import { Plate } from '../trade.tsx'
import classes from './vehiclePlate.module.css'

/** A plate that leads to its vehicle. */
export function VehiclePlate({ plate, id, size }: { plate: string; id: number; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <Link to="/fleet/vehicle" search={{ id }} state={{ id }} className={classes.link}>
      <Plate plate={plate} {...(size && { size })} />
    </Link>
  )
}
