/** Vitest's global set-up of tests with portals: the demo tyre hotel is created once in a run, and each portal starts with a copy. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoTemplateVar, openPortal, type Portal } from './portal.ts'

export default async function setup(): Promise<(() => void) | undefined> {
  // every project of a run loads this module
  if (process.env[demoTemplateVar]) return undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'wheelhouse-demo-'))
  const clean = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', clean)
  const portal = await openPortal({ DATA_DIR: dataDir })
  await forecasts(portal)
  await portal.stop()
  process.env[demoTemplateVar] = dataDir
  return () => {
    delete process.env[demoTemplateVar]
    process.removeListener('exit', clean)
    clean()
  }
}

/** Waits until the tyres of the demo have their forecasts: each copy would compute them again. */
async function forecasts(portal: Portal): Promise<void> {
  const isDue = 'select exists (select from forecast_due) as due'
  // oxlint-disable no-await-in-loop -- one look after the other
  while ((await portal.sql<{ due: boolean }>(isDue))[0]?.due === true)
    await new Promise(resolve => setTimeout(resolve, 200))
  // oxlint-enable no-await-in-loop
}
