/**
 * 2,000 sequences of scans by three devices, offline and sent again (docs/promises.md "Wheels"): each wheel is in exactly one state and
 * place. Controls: the same with a trigger off, and with the lock of the places taken away.
 */
import * as fc from 'fast-check'
import { lockPutAway } from '../src/server/features/tyres/putAwayLock.sql.ts'
import { replaceStatement } from '../src/server/testing/races.ts'
import { openTestServer } from '../src/server/testing/setup.ts'
import { empty, openHall, play, sequence, storage } from '../src/server/testing/wheelSequences.ts'
import { world } from '../src/server/testing/world.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'

export const promise = 34
export const summary = 'each wheel is in exactly one state and place, the sum of its events'

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const sequences = short ? 60 : 2000
  const server = await openTestServer()
  try {
    const w = await world({ server, served: () => ({ queues: null }), now: new Date('2026-11-10T10:00:00Z') })
    try {
      const hall = await openHall(w)
      let actions = 0
      for (const [nth, sample] of fc.sample(sequence, sequences).entries()) {
        const faults = await play(w, hall, sample)
        await empty(w)
        actions += sample.devices.flat().length
        check(`sequence ${nth}`, faults.length === 0 ? null : `${faults.join('; ')}: ${JSON.stringify(sample)}`)
      }
      const goesWrong = async (tries: number) => {
        for (const sample of fc.sample(sequence, tries)) {
          const faults = await play(w, hall, sample)
          await empty(w)
          if (faults.length > 0) return true
        }
        return false
      }
      await w.query('alter table tyre disable trigger wheel_follows')
      control('wheels do not follow their tyres', (await play(w, hall, storage)).length > 0)
      await empty(w)
      await w.query('alter table tyre enable trigger wheel_follows')
      const undo = replaceStatement(lockPutAway, text => text.replace('pg_advisory_xact_lock(', "format('%s %s', "))
      control('no lock of the places', await goesWrong(1000))
      undo()
      return result(`${actions} scans and steps`)
    } finally {
      await w.close()
    }
  } finally {
    await server.end()
  }
}
