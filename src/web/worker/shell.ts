/** The service worker's decisions about texts and about the shell. */
import { shellPath } from '#contract/offline.ts'

export const textPath = (language: string, name: string): string => `/locales/${language}/${name}.json`

/** Whether this is the address of a text of one of these namespaces. */
export function isText(path: string, names: readonly string[]): boolean {
  const [, name = ''] = /^\/locales\/[a-z]{2}\/(\w+)\.json$/.exec(path) ?? []
  return names.includes(name)
}

/** Whether an answer may be kept: while nodes are replaced, one of another version may answer for the shell, or lack a file. */
export async function isOfBuild(path: string, answer: Response, build: string): Promise<boolean> {
  if (answer.status !== 200) return false
  return path !== shellPath || (await answer.clone().text()).includes(`"/${build}"`)
}

const newNonce = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/** A kept page with other nonces than it was kept with, in its policy and in itself: a nonce is for one page. */
export async function renewNonces(kept: Response): Promise<Response> {
  let policy = kept.headers.get('content-security-policy') ?? ''
  let page = await kept.text()
  for (const [, nonce = ''] of policy.matchAll(/'nonce-([^']+)'/g)) {
    const fresh = newNonce()
    policy = policy.replaceAll(nonce, fresh)
    page = page.replaceAll(nonce, fresh)
  }
  const headers = new Headers(kept.headers)
  headers.set('content-security-policy', policy)
  // of the body as it was sent
  for (const name of ['content-length', 'content-encoding', 'etag']) headers.delete(name)
  return new Response(page, { status: 200, headers })
}
