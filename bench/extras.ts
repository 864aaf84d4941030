/** Figures beside the key jobs: scans while others ask for much, a hundred labels, a login's hash. */
import type pg from 'pg'
import { contract } from '../src/contract/index.ts'
import { boardDaysOf, historyStart } from '../src/domain/season/seasonBoard.ts'
import { valuesOf } from '../src/server/db/statement.ts'
import { boardFacts } from '../src/server/features/board/board.sql.ts'
import { hashPassword } from '../src/server/features/session/password.ts'
import { cookieOf, firstScanned, site, tyresPerVehicle, type Shape } from './data.ts'
import { limitVerdict, median, type Row } from './figures.ts'
import { connections, jobOf } from './jobs.ts'
import { limitOf, openGenerator, type Generator } from './portal.ts'

type Asked = { port: number; shape: Shape; generator: Generator; seconds: number }

/** The slowest hundredth of scans while one more client loads the large fleet again and again, and the same in pgbench. */
export async function scansBesideFleets({
  port,
  shape,
  generator,
  seconds,
  ...database
}: Asked & { pgbench: string; url: string }): Promise<Row> {
  const other = openGenerator()
  try {
    const target = { ...database, shape, seconds }
    const [limit] = await Promise.all([
      limitOf(jobOf('scan'), { ...target, clients: connections }),
      limitOf(jobOf('bigFleet'), { ...target, clients: 1 }),
    ])
    const task = { port, shape, seconds, times: Number.MAX_SAFE_INTEGER }
    const [scans, fleets] = await Promise.all([
      generator.load({ ...task, job: 'scan', connections }),
      other.load({ ...task, job: 'bigFleet', connections: 1 }),
    ])
    return {
      what: 'p99 of scans while another client loads the large fleet',
      found: `${scans.p99.toFixed(1)} ms (${Math.round(scans.requests / scans.seconds)} scans/s, ${(fleets.requests / fleets.seconds).toFixed(1)} fleets/s), in pgbench ${limit.p99.toFixed(1)} ms`,
      reach: '≤ 25 ms',
      verdict: limitVerdict(scans.p99, { reach: 25, good: 15 }),
    }
  } finally {
    await other.close()
  }
}

/** A hundred labels in a PDF: the first of a server that was just started, and the following ones. */
export async function labels({ port }: { port: number }): Promise<Row[]> {
  const tyres = Array.from({ length: 25 }, (_, nth) =>
    [1, 2, 3, 4].map(wheel => (firstScanned - 1 + nth) * tyresPerVehicle + wheel),
  ).flat()
  const print = async (): Promise<{ ms: number; kb: number }> => {
    const begun = performance.now()
    const reply = await fetch(`http://127.0.0.1:${port}${contract.fleet.getTyreLabels.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookieOf(1) },
      body: JSON.stringify({ tyres, report_id: 1 }),
    })
    const text = await reply.text()
    if (reply.status !== 200) throw new Error(`labels: ${text.slice(0, 500)}`)
    const pdf = Buffer.from(JSON.parse(text) as string, 'base64')
    return { ms: performance.now() - begun, kb: pdf.length / 1024 }
  }
  const cold = await print()
  const warm: number[] = []
  for (let nth = 0; nth < 9; nth++) warm.push((await print()).ms)
  return [
    {
      what: '100 labels in a PDF, the first after a start',
      found: `${cold.ms.toFixed(0)} ms, then ${((tyres.length / median(warm)) * 1000).toFixed(0)} labels/s`,
      reach: '≤ 500 ms',
      verdict: limitVerdict(cold.ms, { reach: 500 }),
    },
    {
      what: 'their size',
      found: `${cold.kb.toFixed(0)} KB`,
      reach: '≤ 150 KB',
      verdict: limitVerdict(cold.kb, { reach: 150 }),
    },
  ]
}

/** The time that PostgreSQL takes for the season board of the site. */
export async function seasonBoard(client: pg.Client): Promise<Row> {
  const today = new Date().toISOString().slice(0, 10)
  const days = boardDaysOf(today)
  const values = valuesOf(boardFacts.order, {
    site,
    timeZone: 'Europe/Brussels',
    historyFrom: historyStart(today),
    from: days[0] ?? today,
    until: days.at(-1) ?? today,
    today,
  })
  const taken: number[] = []
  for (let nth = 0; nth < 11; nth++) {
    const begun = performance.now()
    await client.query({ name: 'board', text: boardFacts.text, values: [...values] })
    taken.push(performance.now() - begun)
  }
  const { rows } = await client.query<{ wheels: number }>(
    `select count(*)::int as wheels from tyre where site_id = ${site} and status = 'in_stock' and removed_at is null`,
  )
  const ms = median(taken)
  return {
    what: `the season board of ${(rows[0]?.wheels ?? 0).toLocaleString('en-GB')} wheels in store, PostgreSQL alone`,
    found: `${ms.toFixed(0)} ms`,
    reach: '≤ 300 ms',
    verdict: limitVerdict(ms, { reach: 300, good: 100 }),
  }
}

/** The time that the hash of a login takes. */
export async function hash(): Promise<Row> {
  const taken: number[] = []
  for (let nth = 0; nth < 21; nth++) {
    const begun = performance.now()
    await hashPassword('wheelhouse')
    taken.push(performance.now() - begun)
  }
  const ms = median(taken)
  return {
    what: "a login's hash",
    found: `${ms.toFixed(1)} ms`,
    reach: '≤ 25 ms',
    verdict: limitVerdict(ms, { reach: 25, good: 10 }),
  }
}
