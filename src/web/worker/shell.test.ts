import { expect, test } from 'vitest'
import { opensOffline } from '#contract/offline.ts'
import { isOfBuild, isText, renewNonces, textPath } from './shell.ts'

test('a page at another address is never the shell', () => {
  expect(
    ['/admin/intake', '/admin/jobs', '/admin/find', '/admin/counts', '/admin/counts/walk'].every(opensOffline),
  ).toBe(true)
  for (const path of [
    '/',
    '/admin',
    '/admin/',
    '/admin/intake/',
    '/admin/intake/x',
    '/admin/counts/report',
    '/admin/customers',
    '/fleet',
    '/shell',
  ])
    expect(opensOffline(path), path).toBe(false)
})

test('the texts of these screens are known by their address, and no call is one', () => {
  const names = ['common', 'intake']
  expect(isText(textPath('nl', 'intake'), names)).toBe(true)
  for (const path of [
    textPath('nl', 'invoicing'),
    '/locales/add/nl/intake',
    '/locales/nl/intake.json/x',
    '/locales/nl/../gsc',
    '/operations/admin',
    '/gsc',
  ])
    expect(isText(path, names), path).toBe(false)
})

test('a shell of another build is not kept, nor a file that is not there', async () => {
  const page = (script: string) => new Response(`<script type="module" src="/assets/${script}.js"></script>`)
  const build = 'assets/index-a.js'
  expect(await isOfBuild('/shell', page('index-a'), build)).toBe(true)
  expect(await isOfBuild('/shell', page('index-b'), build)).toBe(false)
  expect(await isOfBuild('/assets/card-c.js', new Response('x'), build)).toBe(true)
  expect(await isOfBuild('/assets/card-c.js', new Response('', { status: 404 }), build)).toBe(false)
})

test('each opening of the kept page has nonces of its own, in its policy and in itself, and is otherwise as it was', async () => {
  const kept = () =>
    new Response('<meta property="csp-nonce" nonce="bbbb"><title>Wheels</title>', {
      headers: {
        'content-security-policy': "script-src 'self' 'nonce-aaaa';style-src 'self' 'nonce-bbbb'",
        'permissions-policy': 'camera=()',
        'content-encoding': 'br',
      },
    })
  const [first, second] = await Promise.all([renewNonces(kept()), renewNonces(kept())])
  const policies = [first, second].map(({ headers }) => headers.get('content-security-policy') ?? '')
  for (const [nth, page] of [first, second].entries()) {
    const [script, style] = [...(policies[nth] ?? '').matchAll(/'nonce-([^']+)'/g)].map(([, nonce = '']) => nonce)
    expect(await page.text()).toBe(`<meta property="csp-nonce" nonce="${style}"><title>Wheels</title>`)
    expect([script, style, 'aaaa', 'bbbb'].filter((nonce, at, all) => all.indexOf(nonce) === at)).toHaveLength(4)
    expect(page.headers.get('permissions-policy')).toBe('camera=()')
    expect(page.headers.has('content-encoding')).toBe(false)
  }
  expect(policies[0]).not.toBe(policies[1])
})
