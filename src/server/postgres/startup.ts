/** Messages and errors of a start, for the terminal. */

/** Takes one sentence. */
export type Log = (message: string) => void

/** A start that fails for a reason that the user can fix: `message` has instructions. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}

/** Another process holds the data directory. */
export class DataDirBusy extends StartRefused {
  override name = 'DataDirBusy'
}
