/** What a start tells the person at the terminal: messages, and why it failed. */

/** Takes one sentence. */
export type Log = (message: string) => void

/** A start that fails for a reason that the person at the terminal can act on: `message` says what to do. */
export class StartRefused extends Error {
  override name = 'StartRefused'
}

/** Another process holds the data directory. */
export class DataDirBusy extends StartRefused {
  override name = 'DataDirBusy'
}
