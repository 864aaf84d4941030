/** The web application: its built files, and the one page for every address of a screen. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Failure } from '#domain/failure.ts'

const folder = fileURLToPath(new URL('../../../dist/web', import.meta.url))
const noncePlaceholder = /__CSP_NONCE__/g

/**
 * Serves `dist/web`: assets, whose names change with their content and which browsers cache for ever, and the page for every other
 * address. The page has a new nonce each time and is never cached.
 */
export async function mountPages(app: FastifyInstance): Promise<void> {
  if (!existsSync(`${folder}/index.html`))
    throw new Error('The web application is not built: run npm start, or npx vite build.')
  const page = readFileSync(`${folder}/index.html`, 'utf8')

  await app.register(files, {
    root: `${folder}/assets`,
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    index: false,
  })

  app.get('/*', async (request, reply) => {
    // a program gets 404, not the page
    if (!(request.headers.accept ?? '').includes('text/html')) throw new Failure('request.route_missing')
    const policy = String(reply.getHeader('content-security-policy')).split(';')
    // the nonce for styles in this answer's policy; scripts are our own files and need none
    const nonce = /'nonce-([^']+)'/.exec(policy.find(rule => rule.startsWith('style-src')) ?? '')?.[1] ?? ''
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(page.replaceAll(noncePlaceholder, nonce))
  })
}
