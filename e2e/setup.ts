/**
 * Vitest's global set-up of tests with portals: the demo tyre hotel is created once in a run, and each portal starts with a copy. That takes
 * one core half a minute, so it is made beside the first tests, which are others; `openPortal` waits for it.
 */
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoIn, demoTemplateVar, openPortal, type Portal } from './portal.ts'

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // every project of a run loads this module
  if (process.env[demoTemplateVar]) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-demo-'))
  // the database has its own user
  chmodSync(folder, 0o711)
  const clean = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clean)
  process.env[demoTemplateVar] = folder
  const { making, complete: whole, failed } = demoIn(folder)
  const demo = makeDemo(making).then(
    () => renameSync(making, whole),
    (error: Error) => writeFileSync(failed, error.message),
  )
  return async () => {
    await demo
    delete process.env[demoTemplateVar]
    process.removeListener('exit', clean)
    clean()
  }
}

async function makeDemo(dataDir: string): Promise<void> {
  const portal = await openPortal({ DATA_DIR: dataDir })
  await forecasts(portal)
  await portal.stop()
}

/** Waits until the tyres of the demo have their forecasts: each copy would compute them again. */
async function forecasts(portal: Portal): Promise<void> {
  const isDue = 'select exists (select from forecast_due) as due'
  while ((await portal.sql<{ due: boolean }>(isDue))[0]?.due === true)
    await new Promise(resolve => setTimeout(resolve, 200))
}
