/** Shared by the commands: paths, opening the database, errors. */
import path from 'node:path'
import { openFile } from '../backup/files.ts'
import type { BackupFile } from '../backup/storage.ts'
import { backupAccess, InvalidSettings, readConfig } from '../config.ts'
import { locateDatabase } from '../db/locate.ts'
import { openStore } from '../db/open.ts'
import { StartRefused } from '../postgres/startup.ts'

/** Invalid usage; the message explains it, or is the usage text. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Writes to standard error: standard output is for the result. */
export const log = (message: string): void => console.error(message)

/** The store that the environment names, beside a running portal or without one. */
export const joinStore = () => openStore(readConfig(process.env), { log, join: true })

/** The database that the environment names, as it is. */
export const joinDatabase = () => locateDatabase(readConfig(process.env), log)

/** The path or address of a backup as it was typed. */
export const resolveBackup = (file: string): BackupFile =>
  openFile(/^https?:/.test(file) ? file : resolveFile(file), backupAccess(readConfig(process.env)))

/** Resolves a typed path: npm runs a command in the project's directory, and passes the directory where it was started. */
export const resolveFile = (file: string): string => path.resolve(process.env.INIT_CWD ?? '.', file)

/** Measures from now on: each call returns the time since, such as "1.3 s". */
export function stopwatch(): () => string {
  const started = performance.now()
  return () => `${((performance.now() - started) / 1000).toFixed(1)} s`
}

type ErrorClass = abstract new (...args: never[]) => Error

/**
 * Runs a command with its arguments. An error that is expected, or wrong arguments, ends it with code 1 and the message alone; any
 * other one is printed with its stack.
 */
export async function runCommand(main: (args: string[]) => Promise<void>, ...expected: ErrorClass[]): Promise<void> {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    const isExpected =
      [UsageError, InvalidSettings, StartRefused, ...expected].some(type => error instanceof type) ||
      (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
    console.error(isExpected ? (error as Error).message : error)
    process.exitCode = 1
  }
}
