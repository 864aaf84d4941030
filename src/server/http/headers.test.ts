/** The security headers are on every answer of the portal, also on every failure (docs/promises.md "Security headers"). */
import { readdirSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cameraRoot, cameraScreens } from '#domain/warehouse/camera.ts'
import { openDatabase } from '../db/database.ts'
import { mountHealth } from './health.ts'
import { mountDocs } from './openapi.ts'
import { mountPages } from './pages.ts'
import { defaultLimits } from './rateLimits.ts'
import { serve } from './serve.ts'
import { mountImages } from '../features/sites/sites.ts'
import { world, type World } from '../testing/world.ts'

let at: World
let app: FastifyInstance
/** The same server without a database. */
let disconnected: FastifyInstance
let nowhere: ReturnType<typeof openDatabase>
const digest = 'ab'.repeat(32)

beforeAll(async () => {
  at = await world()
  const complete = async (database: World['database'], clock = () => new Date()): Promise<FastifyInstance> => {
    const app = await serve({
      database,
      clock,
      limits: { ...defaultLimits, anonymous: 200, reports: 1, costly: 1000 },
    })
    mountImages(app, database)
    mountHealth(app, database)
    await mountDocs(app)
    await mountPages(app, { database })
    await app.ready()
    return app
  }
  app = await complete(at.database)
  await app.listen({ host: '127.0.0.1', port: 0 })
  nowhere = openDatabase('postgres://nobody@127.0.0.1:1/none')
  disconnected = await complete(nowhere)
  await at.query(
    `insert into image (site_id, kind, digest, media_type, content) values ($1, 'navlogo', $2, 'image/png', 'x')`,
    [at.sites.home, digest],
  )
})
afterAll(async () => {
  await app.close()
  await disconnected.close()
  await nowhere.close()
  await at.close()
})

const post = (url: string, more: InjectOptions = {}): InjectOptions => ({ method: 'POST', url, payload: {}, ...more })
const get = (url: string, more: InjectOptions = {}): InjectOptions => ({ method: 'GET', url, ...more })
const signedIn = () => ({ cookie: at.who.a.cookie ?? '' })
const ask = (options: InjectOptions, on = app): Promise<LightMyRequestResponse> =>
  on.inject({ ...options, headers: { host: 'home.test', ...options.headers } })

/** Checks the security headers of an answer. `camera`: it is the document that may use one. */
function expectSafe({ headers }: Pick<LightMyRequestResponse, 'headers'>, { camera = false } = {}): void {
  const policy = String(headers['content-security-policy'])
  const rules = Object.fromEntries(policy.split(';').map(rule => [rule.split(' ', 1)[0], rule]))
  expect(rules['default-src']).toBe("default-src 'none'")
  expect(rules['frame-ancestors']).toBe("frame-ancestors 'none'")
  expect(rules['base-uri']).toBe("base-uri 'none'")
  expect(rules['object-src']).toBe("object-src 'none'")
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|\*|https?:/)
  expect((rules['script-src'] ?? '').includes("'wasm-unsafe-eval'")).toBe(camera)
  expect((rules['worker-src'] ?? '').includes('blob:')).toBe(camera)
  expect(policy.split('wasm').length).toBe(camera ? 2 : 1)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['referrer-policy']).toBe('same-origin')
  expect(headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  expect(headers['permissions-policy']).toBe(
    `camera=(${camera ? 'self' : ''}), microphone=(), geolocation=(), payment=()`,
  )
  expect(headers['access-control-allow-origin']).toBeUndefined()
  expect(headers['x-powered-by']).toBeUndefined()
  expect(headers['server']).toBeUndefined()
}

const noStore = 'no-store'
const immutable = /max-age=31536000.*immutable/
const asset = (): string => `/assets/${readdirSync('dist/web/assets').find(name => name.endsWith('.js')) ?? ''}`

describe('the security headers are on', () => {
  test.each<[string, number, () => InjectOptions, string | RegExp | null]>([
    ['an answer', 200, () => post('/users/loginstate'), noStore],
    ['texts', 200, () => get('/locales/en/common.json'), 'no-cache'],
    ['the page', 200, () => get('/', { headers: { accept: 'text/html' } }), noStore],
    ['the page at another address', 200, () => get('/fleet/x/y', { headers: { accept: 'text/html' } }), noStore],
    ['the service worker', 200, () => get('/sw.js'), 'no-cache'],
    ['the page that devices keep', 200, () => get('/shell'), noStore],
    ['the manifest', 200, () => get('/manifest.webmanifest'), 'no-cache'],
    ['a file of the page', 200, () => get(asset()), immutable],
    ['the page for a program', 200, () => get('/', { headers: { accept: '*/*' } }), noStore],
    ['a missing file', 404, () => get('/assets/none.js'), noStore],
    ['a missing file for a browser', 404, () => get('/assets/none.js', { headers: { accept: 'text/html' } }), noStore],
    ['the folder of files', 404, () => get('/assets/'), noStore],
    ['a file with a NUL in its name', 404, () => get('/assets/%00'), noStore],
    ['a file outside the folder', 404, () => get('/assets/..%2findex.html'), noStore],
    ['too long a name of a file', 404, () => get(`/assets/${'x'.repeat(5000)}`), noStore],
    ['a part behind the end of a file', 416, () => get(asset(), { headers: { range: 'bytes=99999999-' } }), noStore],
    ['a file that has changed', 412, () => get(asset(), { headers: { 'if-match': '"other"' } }), noStore],
    ['a NUL in the name of a file of the API page', 404, () => get('/docs/static/%00'), noStore],
    ['too long a name in the API page', 404, () => get(`/docs/static/${'x'.repeat(5000)}`), noStore],
    ['a NUL in the name of an image', 404, () => get('/images/%00'), noStore],
    ['too long a name of an image', 404, () => get(`/images/${'x'.repeat(5000)}`), noStore],
    ['a NUL in the name of a language', 400, () => get('/locales/%00/common.json'), noStore],
    ['an image', 200, () => get(`/images/${digest}.png`), immutable],
    ['a missing image', 404, () => get('/images/none.png'), noStore],
    ['the API page', 200, () => get('/docs', { headers: { accept: 'text/html' } }), null],
    ['the OpenAPI document', 200, () => get('/docs/json'), null],
    ['health', 200, () => get('/health/ready'), noStore],
    [
      'a malformed body',
      400,
      () => post('/users/loginstate', { payload: '{', headers: { 'content-type': 'application/json' } }),
      noStore,
    ],
    ['a malformed address', 400, () => get('/%ff'), noStore],
    ['a call without a session', 401, () => post('/fleet/fetch'), noStore],
    ['another origin', 403, () => post('/fleet/fetch', { headers: { origin: 'https://evil.example' } }), noStore],
    ['another role', 403, () => post('/customers/list', { headers: signedIn() }), noStore],
    ['an unknown call', 404, () => post('/nowhere'), noStore],
    ['a missing row', 404, () => post('/fleet/vehicle', { headers: signedIn(), payload: { flt_id: 9999 } }), noStore],
    ['an unknown method', 404, () => ({ method: 'DELETE', url: '/fleet/fetch' }), noStore],
    ['too large a body', 413, () => post('/users/loginstate', { payload: { search: 'x'.repeat(16 * 1024) } }), noStore],
    [
      'another kind of body',
      415,
      () => post('/users/loginstate', { payload: 'a=b', headers: { 'content-type': 'text/plain' } }),
      noStore,
    ],
    [
      'too long a text',
      422,
      () => post('/fleet/fetch', { headers: signedIn(), payload: { search: 'x'.repeat(101) } }),
      noStore,
    ],
  ])('%s (%i)', async (_, status, options, cached) => {
    const reply = await ask(options())
    expect([reply.statusCode, reply.statusCode < 400 ? '' : reply.payload.slice(0, 200)]).toEqual([
      status,
      status < 400 ? '' : expect.any(String),
    ])
    expectSafe(reply)
    if (cached) expect(reply.headers['cache-control']).toMatch(cached)
    // nothing else is cached for ever
    else expect(reply.headers['cache-control'] ?? '').not.toContain('immutable')
  })

  test('an unchanged answer (304)', async () => {
    const first = await ask(get('/locales/en/common.json'))
    const reply = await ask(
      get('/locales/en/common.json', { headers: { 'if-none-match': String(first.headers.etag) } }),
    )
    expect(reply.statusCode).toBe(304)
    expectSafe(reply)
  })

  test('too many requests (429)', async () => {
    const report = () => ask(post('/locales/add/en/common'))
    await report()
    const reply = await report()
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([429, noStore])
    expectSafe(reply)
  })

  test('an error of the server (500) and a missing database (503)', async () => {
    const broken = await serve({
      database: at.database,
      limits: null,
      clock: () => {
        throw new Error('broken')
      },
    })
    const fault = await ask(post('/users/loginstate'), broken)
    await broken.close()
    expect([fault.statusCode, fault.headers['cache-control']]).toEqual([500, noStore])
    expect(fault.payload).not.toContain('broken')
    expectSafe(fault)
    for (const options of [
      post('/users/loginstate', { headers: signedIn() }),
      get('/health/ready'),
      get(`/images/${digest}.png`),
    ]) {
      const away = await ask(options, disconnected)
      expect([away.statusCode, away.headers['cache-control']]).toEqual([503, noStore])
      expectSafe(away)
    }
  })

  test.each([
    ['no HTTP', 'NOT HTTP\r\n\r\n', 400, 'request.invalid'],
    [
      'two hosts',
      'GET / HTTP/1.1\r\nhost: home.test\r\nhost: away.test\r\nconnection: close\r\n\r\n',
      400,
      'request.invalid',
    ],
    ['a host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n', 400, 'request.invalid'],
    ['an impossible port', 'GET / HTTP/1.1\r\nhost: x:99999\r\nconnection: close\r\n\r\n', 400, 'request.invalid'],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'request.invalid'],
    ['an expectation', 'GET / HTTP/1.1\r\nhost: x\r\nexpect: junk\r\n\r\n', 417, 'request.expectation'],
    ['too large headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'request.too_large'],
  ])('%s', async (_, sent, status, code) => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.end(sent)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    const [first = '', ...lines] = head.split('\r\n')
    expect(first).toContain(` ${status} `)
    expect(JSON.parse(body)).toMatchObject({ code, params: {}, message: expect.any(String) })
    const named = lines.map(line => line.split(/: (.*)/)).map(([name = '', value]) => [name.toLowerCase(), value])
    expectSafe({ headers: Object.fromEntries(named) })
  })

  test('the page has the name of the site from the start, and that of the product without a database', async () => {
    await at.setSite(at.sites.home, { name: 'Tyres & <Rims>' })
    const html = { headers: { accept: 'text/html' } }
    await vi.waitFor(
      async () => expect((await ask(get('/', html))).payload).toContain('<title>Tyres &amp; &lt;Rims&gt;</title>'),
      5000,
    )
    expect((await ask(get('/', html), disconnected)).payload).toContain('<title>Wheelhouse</title>')
  })

  test.each(cameraScreens)('the page with the camera, which alone may use one: %s', async screen => {
    const html = { headers: { accept: 'text/html' } }
    const [page, camera] = [await ask(get(screen, html)), await ask(get(`${cameraRoot}${screen}?type=to_stock`, html))]
    expectSafe(page)
    expectSafe(camera, { camera: true })
    expect(camera.headers['cache-control']).toBe(noStore)
    // nothing else differs but the nonces
    const rest = ({ headers }: LightMyRequestResponse) =>
      String(headers['content-security-policy'])
        .replaceAll(/'nonce-[^']+'/g, 'nonce')
        .replace(" 'wasm-unsafe-eval'", '')
        .replace("worker-src 'self' blob:", "worker-src 'self'")
    expect(rest(camera)).toBe(rest(page))
  })

  test.each([
    ...['', '/', '/admin', '/admin/intake/', '/admin/config', '//admin/intake', '/admin/..%2fintake'].map(
      rest => `${cameraRoot}${rest}`,
    ),
    '/camera%2fadmin/intake',
    '/Camera/admin/intake',
    '/?camera',
    '/admin/intake?/camera/admin/intake',
    '/admin/camera/admin/intake',
  ])('a page at an address that is nearly the camera’s: %s', async url => {
    const reply = await ask(get(url, { headers: { accept: 'text/html' } }))
    expect(reply.statusCode).toBe(200)
    expectSafe(reply)
  })

  test('a refusal at the address of the camera', async () => {
    const reply = await ask(get(`${cameraRoot}/admin/intake`, { headers: { accept: 'application/json' } }))
    expect(reply.statusCode).toBe(404)
    expectSafe(reply)
  })

  test('the files of the camera', async () => {
    for (const part of ['cameraPanel', 'codeWorker', 'zxing_reader']) {
      const name = readdirSync('dist/web/assets').find(
        file => file.startsWith(`${part}-`) && /\.(?:js|wasm)$/.test(file),
      )
      const reply = await ask(get(`/assets/${name}`))
      expect([part, reply.statusCode]).toEqual([part, 200])
      expectSafe(reply)
      if (part === 'zxing_reader') expect(reply.headers['content-type']).toBe('application/wasm')
    }
  })

  test('the page, with another nonce for styles each time', async () => {
    const nonces = new Set<string>()
    for (let nth = 0; nth < 3; nth++) {
      const reply = await ask(get('/', { headers: { accept: 'text/html' } }))
      const nonce = /'nonce-([^']+)'/.exec(
        String(reply.headers['content-security-policy']).split('style-src')[1] ?? '',
      )?.[1]
      expect(reply.payload).toContain(nonce)
      expect(reply.payload).not.toContain('__CSP_NONCE__')
      nonces.add(nonce ?? '')
    }
    expect(nonces.size).toBe(3)
  })
})
