/** The client against the real server, and its types against the contract. */
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteTokenOf } from '../src/server/testing/tokens.ts'
import { world, type World } from '../src/server/testing/world.ts'
import { clientTypes } from './generate.ts'
import { connect, Refused } from './index.ts'

const folder = import.meta.dirname
let at: World
let url: string
let token: string

beforeAll(async () => {
  at = await world()
  await at.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = at.app.server.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  await at.query(`insert into site_address (host, site_id) values ('127.0.0.1', $1)`, [at.sites.home])
  const program = await siteTokenOf(at, at.who.admin, { scopes: ['read', 'operations', 'warehouse'] })
  token = program.token ?? ''
})
afterAll(() => at.close())

describe('a copy of the package', () => {
  /** The compiler's messages for this program beside the client, with the types that packing makes. */
  async function compile(program: string): Promise<string> {
    const copy = mkdtempSync(join(tmpdir(), 'wheelhouse-client-'))
    try {
      for (const file of ['index.ts', 'example.ts']) copyFileSync(join(folder, file), join(copy, file))
      writeFileSync(join(copy, 'calls.ts'), await clientTypes())
      writeFileSync(join(copy, 'program.ts'), program)
      const compilerOptions = {
        target: 'es2024',
        module: 'nodenext',
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        types: ['node'],
        typeRoots: [join(folder, '../node_modules/@types')],
      }
      writeFileSync(join(copy, 'package.json'), '{ "type": "module" }')
      writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
      const compiler = join(folder, '../node_modules/typescript/bin/tsc')
      const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', copy, '--pretty', 'false']).catch(
        (failed: { stdout: string }) => failed,
      )
      return stdout
    } finally {
      rmSync(copy, { recursive: true })
    }
  }
  const program = (path: string) =>
    `import { connect } from './index.ts'\nawait connect({ url: '', token: '' })('${path}', {})\n`

  test('compiles without the rest of the project', async () => {
    expect(await compile(program('/users/loginstate'))).toBe('')
  })

  test('knows no call that the contract lacks', async () => {
    expect(await compile(program('/users/nobody'))).toMatch(/program\.ts\(2,\d+\): error TS2345/m)
  })
})

test('the example stores four tyres', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(folder, 'example.ts'),
    url,
    token,
    String(at.customers.a),
    '1-EXA-001',
  ])
  expect(stdout).toMatch(/^4 tyres of 1-EXA-001 are stored: operation \d+, confirmed\.\n$/)
  const stored = await at.query(
    `select t.id from tyre t join vehicle v on v.id = t.vehicle_id where v.license_plate = '1EXA001' and t.status = 'in_stock'`,
  )
  expect(stored).toHaveLength(4)
})

describe('a call', () => {
  test('that is refused throws with code, facts and the id of the request', async () => {
    const call = connect({ url, token })
    const refused = await call('/fleet/vehicle', { flt_id: 2_000_000_000 }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({ status: 404, code: 'record.missing', requestId: expect.any(String) as string })
  })

  test('repeated under its key is not made again', async () => {
    const call = connect({ url, token })
    const vehicleData = {
      license_plate: '1-KEY-001',
      brand: 'Volvo',
      description: 'V60',
      type: 'car',
      configuration: 'Car',
    }
    const wish = { seq_id: at.customers.a, vehicleData }
    const key = crypto.randomUUID()
    const first = await call('/fleet/new', wish, { key })
    expect(await call('/fleet/new', wish, { key })).toEqual(first)
    await expect(call('/fleet/new', wish)).rejects.toMatchObject({ code: 'vehicle.plate_taken' })
  })

  /** A portal that answers with these statuses, one after the other. */
  const answering = (...statuses: number[]) => {
    const keys: string[] = []
    const fetch = async (_url: string | URL | Request, request: RequestInit = {}): Promise<Response> => {
      keys.push(new Headers(request.headers).get('idempotency-key') ?? '')
      const status = statuses.shift() ?? 200
      return Response.json(status === 200 ? [] : { code: 'server.busy' }, {
        status,
        headers: { 'retry-after': '0.01' },
      })
    }
    return { keys, fetch }
  }

  test('waits as long as a busy portal says, and is the same call when it is made again', async () => {
    const { keys, fetch } = answering(429, 503, 200)
    expect(await connect({ url, token, fetch })('/operations/fetch', {})).toEqual([])
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
  })

  test('is given up after so many tries, and not repeated when it is refused for good', async () => {
    const busy = answering(429, 429, 429)
    await expect(connect({ url, token, fetch: busy.fetch, tries: 2 })('/operations/fetch', {})).rejects.toThrow(Refused)
    expect(busy.keys).toHaveLength(2)
    const refused = answering(409)
    await expect(connect({ url, token, fetch: refused.fetch })('/operations/fetch', {})).rejects.toMatchObject({
      status: 409,
    })
    expect(refused.keys).toHaveLength(1)
  })
})
