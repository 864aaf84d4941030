/** Backups as they are named at the command line. */
import { openFile } from '../backup/files.ts'
import type { BackupFile } from '../backup/storage.ts'
import { backupAccess, readConfig } from '../config.ts'
import { resolveFile } from './command.ts'

/** The path or address of a backup as it was typed. */
export const resolveBackup = (file: string): BackupFile =>
  openFile(/^https?:/.test(file) ? file : resolveFile(file), backupAccess(readConfig(process.env)))
