/** Where backups are kept. */
import type { Readable } from 'node:stream'

export type BackupFile = {
  /** Its path or address, for people. */
  readonly name: string
  exists(): Promise<boolean>
  /** Its bytes, or the first `count` of them. */
  read(count?: number): Promise<Readable>
  /** Writes it whole or not at all; a failed `check` of the written file also leaves none. */
  write(source: Readable, check: Check): Promise<void>
  /** In bytes. */
  size(): Promise<number>
  remove(): Promise<void>
}

/** Looks at a file that was written and has not got its name yet; throws when something is wrong with it. */
export type Check = (written: BackupFile) => Promise<void>

export type BackupFolder = {
  readonly name: string
  /** The names of the files in it. @throws when it is not there */
  names(): Promise<string[]>
  file(name: string): BackupFile
  /** Removes what backups that were killed before `before` have left behind. A store does that by itself. */
  sweep?(before: Date): Promise<void>
}
