/** Uploading images of a site (docs/product/sites.md "Site configuration", docs/promises.md "Images"). */
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { site } from '#contract/sites.ts'
import { lastAudit, makeLogo, readWhole, sendForm, type FormParts } from '../../testing/config.ts'
import { world, type World } from '../../testing/world.ts'

let at: World
let logo: Buffer
beforeAll(async () => {
  at = await world({ now: new Date('2026-11-18T10:00:00Z') })
  await at.setSite(at.sites.home, { account: 'ERP1', default_site_code: 'home' })
  logo = await makeLogo()
})
afterAll(() => at.close())
beforeEach(async () => {
  await at.query('truncate operation_service, operation_tyre, operation, service, transport_method, audit cascade')
})

describe('images', () => {
  const change = (parts: FormParts, who = at.who.admin, headers: Record<string, string> = {}) =>
    sendForm(at, '/hotelconfig/editconfigimage', who, parts, headers)
  const imageRows = () => at.query(`select site_id, kind, digest from image order by site_id, kind`)

  test.each(['navlogo', 'landinglogo', 'favicon'] as const)(
    'a replaced %s is visible at once, to everybody',
    async kind => {
      const reply = await change([
        ['id', String(at.sites.home)],
        [kind, logo],
      ])
      expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('/images/')])
      const { answer } = await at.ask(site.gsc, at.who.anonymous, {})
      const path = answer[`${kind}Path`]
      expect(reply.answer).toMatchObject({ [`${kind}Path`]: path })
      const shown = await at.app.inject({ url: path ?? '', headers: { host: 'home.test' } })
      expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png'])
      expect((await sharp(shown.rawPayload).metadata()).format).toBe('png')
      expect(await lastAudit(at)).toMatchObject({
        action: 'config.image',
        subject: 'home',
        facts: { [kind]: /[0-9a-f]{64}/.exec(path ?? '')?.[0] },
      })
      // another picture, another path
      const next = await sharp(logo).negate().png().toBuffer()
      expect((await change([[kind, next]])).status).toBe(200)
      expect((await at.ask(site.gsc, at.who.anonymous, {})).answer[`${kind}Path`]).not.toBe(path)
      expect((await at.ask(site.gsc, at.who.otherUser, {})).answer[`${kind}Path`]).toBeNull()
    },
  )

  test('a superuser replaces images of any site, an administrator only of the own', async () => {
    const id = String(at.sites.other)
    expect(
      (
        await change([
          ['id', id],
          ['favicon', logo],
        ])
      ).refusal.code,
    ).toBe('record.missing')
    expect((await change([['favicon', logo]], at.who.superuser)).refusal.code).toBe('request.invalid')
    expect(
      (
        await change(
          [
            ['id', '999999'],
            ['favicon', logo],
          ],
          at.who.superuser,
        )
      ).refusal.code,
    ).toBe('record.missing')
    expect(
      (
        await change(
          [
            ['id', id],
            ['favicon', logo],
          ],
          at.who.superuser,
        )
      ).status,
    ).toBe(200)
    expect((await at.ask(site.gsc, at.who.otherUser, {})).answer.faviconPath).toMatch(/^\/images\//)
  })

  test('a missing, unreadable or too large file is refused with a message', async () => {
    const before = await imageRows()
    const refused = async (parts: FormParts): Promise<unknown[]> => {
      const { status, refusal } = await change(parts)
      return [status, refusal.code, refusal.message]
    }
    const missing = [400, 'image.missing', 'No valid files selected.']
    const unreadable = [400, 'image.unreadable', expect.stringContaining('PNG, JPEG or WebP')]
    expect(await refused([])).toEqual(missing)
    expect(await refused([['id', String(at.sites.home)]])).toEqual(missing)
    expect(await refused([['navlogo', new Uint8Array(), '']])).toEqual(missing)
    expect(await refused([['navlogo', new Uint8Array(), 'empty.png']])).toEqual(missing)
    expect(await refused([['navlogo', Buffer.from('<svg/>'), 'logo.png']])).toEqual(unreadable)
    const large = [413, 'image.too_large', 'This image is too large. At most 5 MB and 4,096 pixels a side.']
    expect(await refused([['navlogo', Buffer.concat([logo, Buffer.alloc(5 * 1024 * 1024)])]])).toEqual(large)
    expect((await change([['navlogo', 'text, not a file']])).refusal).toMatchObject({ code: 'request.invalid' })
    expect((await change([['other', logo]])).refusal).toMatchObject({
      code: 'request.invalid',
      params: { fields: ['other'] },
    })
    const four = ['navlogo', 'favicon', 'landinglogo', 'navlogo'].map(name => [name, logo] as const)
    expect((await change(four)).refusal.code).toBe('request.too_large')
    const fields = Array.from({ length: 200 }, (_, nth) => [`f${nth}`, 'x'] as const)
    expect((await change(fields)).refusal.code).toBe('request.too_large')
    expect(
      (
        await change([
          ['id', '1'.repeat(20_000)],
          ['navlogo', logo],
        ])
      ).refusal.code,
    ).toBe('request.too_large')
    expect(
      (
        await change([
          ['__proto__', 'x'],
          ['navlogo', logo],
        ])
      ).refusal.code,
    ).toBe('request.invalid')
    expect(await imageRows()).toEqual(before)
  })

  test('an incomplete or malformed form is refused', async () => {
    const send = (payload: string, type = 'multipart/form-data; boundary=x') =>
      at.app.inject({
        method: 'POST',
        url: '/hotelconfig/editconfigimage',
        headers: { host: 'home.test', cookie: at.who.admin.cookie ?? '', 'content-type': type },
        payload,
      })
    const head =
      '--x\r\nContent-Disposition: form-data; name="navlogo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
    for (const [payload, type] of [
      [`${head}half of`],
      ['no parts at all'],
      [`${head}x\r\n--x--`, 'multipart/form-data'],
    ] as const) {
      const reply = await send(payload, type)
      expect([reply.statusCode, JSON.parse(reply.payload).code], payload).toEqual([400, 'request.invalid'])
    }
  })

  test('a file of 20 MB is refused, and the next request on the same connection is answered', async () => {
    await at.app.listen({ port: 0, host: '127.0.0.1' })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const { port } = at.app.server.address() as AddressInfo
    const send = (path: string, type: string, payload: Buffer): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { host: 'home.test', cookie: at.who.admin.cookie ?? '', 'content-type': type }
        const sending = request({ agent, port, path, method: 'POST', headers }, reply => {
          reply.resume().on('end', () => resolve(reply.statusCode))
        })
        sending.on('error', reject).end(payload)
      })
    const large = new FormData()
    large.append(
      'navlogo',
      new Blob([new Uint8Array(logo), new Uint8Array(20 * 1024 * 1024)], { type: 'image/png' }),
      'logo.png',
    )
    const response = new Response(large)
    const type = response.headers.get('content-type') ?? ''
    expect(await send('/hotelconfig/editconfigimage', type, Buffer.from(await response.arrayBuffer()))).toBe(413)
    expect(await send('/hotelconfig/adminconfig', 'application/json', Buffer.from('{}'))).toBe(200)
    agent.destroy()
  })

  test('a caller without permission is refused before the form is read', async () => {
    expect((await change([['navlogo', logo]], at.who.anonymous)).refusal.code).toBe('session.missing')
    expect((await change([['navlogo', logo]], at.who.a)).refusal.code).toBe('session.forbidden')
  })

  test('a form from another website changes nothing', async () => {
    const before = await imageRows()
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://home.test.evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ] as Record<string, string>[])
      expect((await change([['navlogo', logo]], at.who.admin, headers)).refusal.code, JSON.stringify(headers)).toBe(
        'request.foreign_origin',
      )
    expect(await imageRows()).toEqual(before)
    expect((await change([['navlogo', logo]], at.who.admin, { origin: 'http://home.test' })).status).toBe(200)
  })

  test('other calls refuse forms, and this one other kinds of body', async () => {
    const before = await readWhole(at)
    const everything = Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)] as const)
    const sent = await sendForm(at, '/hotelconfig/edit', at.who.admin, everything)
    expect([sent.status, sent.refusal.code]).toEqual([415, 'request.wrong_type'])
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'image/png',
      'multipart/mixed; boundary=x',
    ]) {
      const reply = await at.app.inject({
        method: 'POST',
        url: '/hotelconfig/editconfigimage',
        headers: { host: 'home.test', cookie: at.who.admin.cookie ?? '', 'content-type': type },
        payload: logo,
      })
      expect([reply.statusCode, JSON.parse(reply.payload).code], type).toEqual([415, 'request.wrong_type'])
    }
  })
})
