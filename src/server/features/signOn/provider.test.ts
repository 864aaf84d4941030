/** Issuers as people copy them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { issuerFrom } from '#domain/people/signOn.ts'
import { openOutbound } from '../../outbound/outbound.ts'
import { describe } from './provider.ts'

/** A provider that describes itself under an issuer with this path. */
async function providerWith(path: string): Promise<string> {
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`
    if (request.url !== `${path.replace(/\/$/, '')}/.well-known/openid-configuration`)
      return void response.writeHead(404).end()
    const at = (name: string) => `${origin}/${name}`
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        issuer: `${origin}${path}`,
        authorization_endpoint: at('authorize'),
        token_endpoint: at('token'),
        jwks_uri: at('keys'),
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each(['', '/', '/realms/fleet', '/application/o/portal/'])(
  'a provider whose issuer ends in "%s" is understood with its last slash, without, and by the address of its description',
  async path => {
    const origin = await providerWith(path)
    const [outbound, bare] = [openOutbound({ allowPrivate: true }), `${origin}${path}`.replace(/\/$/, '')]
    for (const typed of [
      bare,
      `${bare}/`,
      `${bare}/.well-known/openid-configuration`,
      `${bare}/.well-known/openid-configuration/`,
    ]) {
      const configuration = await describe(outbound, { issuer: issuerFrom(typed), clientId: 'portal', secret: null })
      expect(configuration.serverMetadata().issuer, typed).toBe(`${origin}${path}`)
    }
  },
)

test('another issuer than the one that describes itself there is not understood', async () => {
  const origin = await providerWith('/realms/fleet')
  const settings = { issuer: `${origin}/realms`, clientId: 'portal', secret: null }
  await expect(describe(openOutbound({ allowPrivate: true }), settings)).rejects.toMatchObject({
    code: 'signOn.unusable',
  })
})
