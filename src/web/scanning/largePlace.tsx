import type { CSSProperties, ReactNode } from 'react'
import classes from './round.module.css'

/** The place to go to, as large as its line allows: its name never breaks, for half of it is another place. `name` is one, `children` are words. */
export function LargePlace({ above, name, children }: { above: string; name?: string | null; children?: ReactNode }) {
  return (
    <p className={classes.place}>
      <small>{above}</small>
      {name ? (
        <span className={classes.placeName} style={{ '--letters': name.length } as CSSProperties}>
          {name}
        </span>
      ) : (
        children
      )}
    </p>
  )
}
