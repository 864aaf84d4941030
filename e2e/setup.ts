/** Vitest's global set-up of what opens portals: the demo tyre hotel is made once in a run, and each portal begins with a copy. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoCopied, openPortal } from './portal.ts'

export default async function setup(): Promise<(() => void) | undefined> {
  // every project of a run loads this for itself
  if (process.env[demoCopied]) return undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-demo-'))
  const clean = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', clean)
  await (await openPortal({ DATA_DIR: dataDir })).stop()
  process.env[demoCopied] = dataDir
  return () => {
    delete process.env[demoCopied]
    process.removeListener('exit', clean)
    clean()
  }
}
