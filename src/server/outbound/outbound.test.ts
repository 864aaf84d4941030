/** Which addresses typed by somebody else the portal connects to, and which it refuses. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayConnect } from './addresses.ts'
import { openOutbound, OutboundFailed } from './outbound.ts'

let server: Server
let port = 0
let lookups: string[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    lookups.push(`${request.method} ${request.headers.host} ${request.url}`)
    if (request.url === '/elsewhere') return response.writeHead(302, { location: '/' }).end()
    if (request.url === '/long') return response.end('x'.repeat(3000))
    if (request.url === '/endless') return void response.writeHead(200).write('x')
    if (request.url === '/never') return
    request.pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const reasonOf = (sent: Promise<unknown>): Promise<unknown> =>
  sent.then(
    () => 'answered',
    (error: unknown) => (error instanceof OutboundFailed ? error.reason : error),
  )

describe('an address of no machine on the internet is refused before anything is sent', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '１２７.0.0.1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:1::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
  ])('%s', async host => {
    const before = lookups.length
    expect(await reasonOf(openOutbound({ allowPrivate: false }).send(`https://${host}:${port}/`))).toBe('address')
    expect(lookups.length).toBe(before)
  })

  test.each([
    ['a private address', ['10.0.0.1']],
    ['one of two that is private', ['8.8.8.8', '127.0.0.1']],
    ['a mapped one', ['::ffff:10.0.0.1']],
    ['one of a link, with its zone', ['fe80::1%eth0']],
    ['no address', []],
  ])('a name that means %s', async (_, addresses) => {
    const outbound = openOutbound({ allowPrivate: false, resolve: () => Promise.resolve(addresses) })
    expect(await reasonOf(outbound.send('https://login.example.com/'))).toBe('address')
  })

  test('localhost, and a name that cannot be resolved', async () => {
    const outbound = openOutbound({ allowPrivate: false })
    expect(await reasonOf(outbound.send('https://localhost/'))).toBe('address')
    const nowhere = openOutbound({ allowPrivate: true, resolve: () => Promise.reject(new Error('ENOTFOUND')) })
    expect(await reasonOf(nowhere.send('https://nowhere.example/'))).toBe('address')
  })

  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://a:b@example.com/',
    'no address',
  ])('%s', async url => {
    const outbound = openOutbound({ allowPrivate: false, resolve: () => Promise.resolve(['8.8.8.8']) })
    expect(await reasonOf(outbound.send(url))).toBe('address')
  })
})

test('addresses of the internet are open', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '192.0.1.1', '2606:4700::1111', '2a00:1450::1'])
    expect(mayConnect(address, { allowPrivate: false }), address).toBe(true)
})

test('private networks are opened by the operator, and those of a link are not', () => {
  for (const address of ['127.0.0.1', '10.0.0.1', '100.64.0.1', '192.168.0.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])
    expect(mayConnect(address, { allowPrivate: true }), address).toBe(true)
  for (const address of [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    '0.0.0.0',
    '224.0.0.1',
    'ff02::1',
    'x',
  ])
    expect(mayConnect(address, { allowPrivate: true }), address).toBe(false)
})

describe('what is asked', () => {
  const at = (path: string): string => `http://login.example.com:${port}${path}`

  test('goes to the address that was looked at, once, under the name that was typed', async () => {
    let resolved = 0
    const resolve = () => Promise.resolve([(resolved += 1) === 1 ? '127.0.0.1' : '8.8.8.8'])
    const outbound = openOutbound({ allowPrivate: true, resolve })
    const answer = await outbound.send(at('/x?y=1'), { method: 'POST', body: 'grüße' })
    expect([answer.status, await answer.text(), resolved]).toEqual([200, 'grüße', 1])
    expect(lookups.at(-1)).toBe(`POST login.example.com:${port} /x?y=1`)
  })

  test('is not redirected, and what is too long or too slow is given up', async () => {
    const resolve = () => Promise.resolve(['127.0.0.1'])
    const patient = openOutbound({ allowPrivate: true, resolve, maxBytes: 2000, timeoutMs: 60_000 })
    expect(await reasonOf(patient.send(at('/elsewhere')))).toBe('unusable')
    expect(await reasonOf(patient.send(at('/long')))).toBe('unusable')
    const hasty = openOutbound({ allowPrivate: true, resolve, timeoutMs: 200 })
    expect(await reasonOf(hasty.send(at('/endless')))).toBe('unreachable')
    expect(await reasonOf(hasty.send(at('/never')))).toBe('unreachable')
    const slow = openOutbound({ allowPrivate: true, resolve: () => new Promise(() => {}), timeoutMs: 50 })
    expect(await reasonOf(slow.send(at('/')))).toBe('unreachable')
  })

  test('is answered by nobody where nobody listens', async () => {
    const closed = createServer()
    closed.listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port: free } = closed.address() as AddressInfo
    closed.close()
    expect(await reasonOf(openOutbound({ allowPrivate: true }).send(`http://127.0.0.1:${free}/`))).toBe('unreachable')
  })
})
