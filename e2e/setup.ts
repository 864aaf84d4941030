/** Vitest's global set-up of tests with portals: the demo tyre hotel is created once in a run, and each portal starts with a copy. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoTemplateVar, openPortal } from './portal.ts'

export default async function setup(): Promise<(() => void) | undefined> {
  // every project of a run loads this module
  if (process.env[demoTemplateVar]) return undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-demo-'))
  const clean = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', clean)
  await (await openPortal({ DATA_DIR: dataDir })).stop()
  process.env[demoTemplateVar] = dataDir
  return () => {
    delete process.env[demoTemplateVar]
    process.removeListener('exit', clean)
    clean()
  }
}
