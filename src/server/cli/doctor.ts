/** `npm run manage -- doctor`: what is wrong, and what to do about it. */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { examine } from '../features/doctor/doctor.ts'
import { joinExisting } from './command.ts'

const marks = { good: '  ok', warning: 'warn', fault: 'FAULT' } as const

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const config = readConfig(process.env)
  const database = await joinExisting()
  const client = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const findings = await examine({ config, client, now: () => new Date() })
    if (values.json) console.log(JSON.stringify(findings, null, 1))
    else
      for (const { about, level, says, advice } of findings) {
        console.log(`${marks[level].padEnd(5)} ${about.padEnd(12)} ${says}`)
        if (advice !== undefined) console.log(`${' '.repeat(19)}→ ${advice}`)
      }
    if (findings.some(({ level }) => level === 'fault')) process.exitCode = 1
  } finally {
    await client.end()
    await database.close()
  }
}
