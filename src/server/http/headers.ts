/** The security headers of every answer, and the cookies of every request. */
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import { Failure } from '#domain/failure.ts'
import { bareHeaders, hasOneHost, isHost } from './malformed.ts'

/**
 * The policies of the document with the camera, from those of any other page: it may use the camera, and read its pictures by
 * WebAssembly in a worker. The worker comes from a `blob:`, because one from a file has that file's policy, which has no WebAssembly.
 */
export const cameraHeaders = (policy: string) => ({
  'content-security-policy': policy
    .replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    .replace("worker-src 'self'", "worker-src 'self' blob:"),
  'permissions-policy': bareHeaders['permissions-policy'].replace('camera=()', 'camera=(self)'),
})

/** Reads cookies, sets the security headers, and refuses requests that name no host or several. */
export async function mountHeaders(app: FastifyInstance): Promise<void> {
  await app.register(cookie)
  await app.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        frameSrc: ['blob:'],
        objectSrc: ["'none'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
    // set below, for https only
    strictTransportSecurity: false,
  })
  // made once: to make them for each request costs as much as to refuse it
  let headers: [string, string | number | string[]][] | null = null
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.config?.helmet) {
      if (headers) for (const [name, value] of headers) reply.raw.setHeader(name, value)
      else {
        await reply.helmet()
        headers = Object.entries(reply.raw.getHeaders()).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        )
      }
    }
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')
    reply.header('permissions-policy', bareHeaders['permissions-policy'])
    // a trusted proxy may name another host, and HTTP/1.0 names none
    if (!hasOneHost(request.raw) || (request.host && !isHost(request.host)))
      throw new Failure('request.invalid', { fields: [] })
  })
}
