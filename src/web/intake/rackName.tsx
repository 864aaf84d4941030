import type { CSSProperties } from 'react'
import classes from './intake.module.css'

/** The name of a place, as large as its line allows: it never breaks, for half of it is another place. */
export function RackName({ rack, label }: { rack: string; label: string }) {
  return (
    <span className={classes.rack} style={{ '--letters': rack.length } as CSSProperties}>
      <small>{label}</small> <span className={classes.rackName}>{rack}</span>
    </span>
  )
}
