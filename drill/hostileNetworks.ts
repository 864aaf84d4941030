/**
 * Hostile networks (docs/promises.md "Hostile networks"): 10,000 connections that are reset, half sent, of TLS or slow write no line of an
 * error and at most one warning a minute, and neighbours keep their latency. The negative control is a server that asks for the address
 * of a client that has gone.
 */
import { openPortalInProduction } from '../e2e/portal.ts'
import { attack, attackUnguarded, linesFrom } from '../src/server/testing/hostileNetworks.ts'
import { tally, type DrillOptions, type Result } from './drill.ts'
import { createClients, measure, mostBeside } from './isolation.ts'

export const promise = 62
export const summary = 'hostile networks write no error and slow nobody'
export const alone = true

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, add, result } = tally(log)
  const portal = await openPortalInProduction({ TRUST_PROXY: 'yes' })
  try {
    const clients = await createClients(portal)
    await measure(portal.url, clients, 2)
    const idle = await measure(portal.url, clients, short ? 3 : 12)
    const { port, hostname } = new URL(portal.url)
    const target = {
      port: Number(port),
      host: hostname,
      site: clients.busyAdmin.host,
      cookie: clients.busyAdmin.cookie,
    }
    const begun = performance.now()
    const attacking = attack(target, { count: short ? 1000 : 10_000, slowMs: short ? 1000 : 5000 })
    const beside = await measure(portal.url, clients, attacking)
    const minutes = Math.ceil((performance.now() - begun) / 60_000)
    const came = await attacking
    for (const count of came.values()) add(count, [])
    // a warning comes at the end of its minute
    await portal.stop()
    const output = portal.output.join('')
    const errors = linesFrom(output, 50)
    check('lines of errors', errors.length === 0 ? null : `${errors.length}, such as ${JSON.stringify(errors[0])}`)
    const warnings = linesFrom(output, 40).length
    check('warnings', warnings <= minutes ? null : `${warnings} in ${minutes} minutes`)
    const most = mostBeside(idle.p99)
    check('neighbours', beside.p99 <= most ? null : `p99 ${beside.p99.toFixed(0)} ms, ${most.toFixed(0)} are allowed`)
    check('answers of neighbours', beside.faults === 0 ? null : `${beside.faults} faults`)
    check('scans of neighbours', beside.lostScans === 0 ? null : `${beside.lostScans} lost`)
    control('the address of a client that has gone', (await attackUnguarded()).length > 0)
    const sum = [...came.values()].reduce((total, count) => total + count, 0)
    return result(
      `${sum} connections of ${came.size} kinds in ${((performance.now() - begun) / 1000).toFixed(0)} s, ${errors.length} lines at level 50, ${warnings} warnings`,
      `neighbours p99 ${idle.p99.toFixed(0)} ms idle, ${beside.p99.toFixed(0)} ms beside it, ${most.toFixed(0)} are allowed`,
    )
  } finally {
    await portal.close()
  }
}
