/** The browser's part: the built files, and the one page that every address of a screen answers with. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Failure } from '#domain/failure.ts'

const folder = fileURLToPath(new URL('../../../dist/web', import.meta.url))
const noncePlaceholder = /__CSP_NONCE__/g

/**
 * Serves `dist/web`: assets under names that change with their content, kept by browsers for good, and the page for
 * everything else that a browser navigates to. The page's nonce is made anew each time, so it is never kept.
 */
export async function mountPages(app: FastifyInstance): Promise<void> {
  if (!existsSync(`${folder}/index.html`))
    throw new Error('The browser part is not built: run npm start, or npx vite build.')
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
    // what a program asks for and does not exist is no page
    if (!(request.headers.accept ?? '').includes('text/html')) throw new Failure('request.route_missing')
    const policy = String(reply.getHeader('content-security-policy')).split(';')
    // the nonce that the policy of this very answer names for styles: scripts are files of our own and need none
    const nonce = /'nonce-([^']+)'/.exec(policy.find(rule => rule.startsWith('style-src')) ?? '')?.[1] ?? ''
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(page.replaceAll(noncePlaceholder, nonce))
  })
}
