/** The way to the provider of single sign-on, and back (docs/product/accounts.md "Single sign-on"). */
import { signOn } from '#contract/signOn.ts'
import { signOnPath } from '#domain/people/signOn.ts'
import { stored } from '../ui/stored.ts'
import { ask } from '../shared/api.ts'

/** The address that the user left for the provider. */
const leftAt = stored('signOnFrom', 'tab')

/**
 * Goes to the provider: to sign in, to show again who it is (`fresh`), or to link the own account (`link`). Returns only when the
 * browser comes back to this page as it was left. @throws Refused
 */
export async function leaveForProvider(purpose: { fresh?: boolean; link?: boolean } = {}): Promise<void> {
  const { url } = await ask(signOn.begin, purpose)
  leftAt.write(`${location.pathname}${location.search}`)
  location.assign(url)
  await new Promise(resolve => addEventListener('pageshow', resolve, { once: true }))
}

/**
 * The provider's answer in the address, `null` without one. It is removed from the address at once, which becomes the one that the user had left:
 * the code must not stay in a history.
 */
export function takeAnswer(): string | null {
  if (location.pathname !== signOnPath) return null
  const answer = location.search.slice(1)
  const from = leftAt.read()
  leftAt.write(undefined)
  history.replaceState(null, '', typeof from === 'string' && /^\/(?!\/)/.test(from) ? from : '/')
  return answer === '' ? null : answer
}

/** The results of finished sign-ons. Each is sent once, however often a screen renders. */
const finished = new Map<string, Promise<unknown>>()
export function finish(answer: string): Promise<Awaited<ReturnType<typeof send>>> {
  const sent = (finished.get(answer) as ReturnType<typeof send> | undefined) ?? send(answer)
  finished.set(answer, sent)
  return sent
}
const send = (answer: string) => ask(signOn.finish, { answer })
