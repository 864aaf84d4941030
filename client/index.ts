/**
 * A typed client of the portal's calls (docs/api.md). `npm run client` makes `calls.ts` from the contract; `/docs` of a running portal says
 * what each call does.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Calls } from './calls.ts'

/** The path of a call that an access token opens. */
export type Path = keyof Calls
export type Input<P extends Path> = Calls[P]['input']
export type Answer<P extends Path> = Calls[P]['answer']

/** A call that the portal refused. Decide by `code`; the message is for people, in the language of the account. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  /** The facts of the refusal, by name. */
  readonly params: Readonly<Record<string, unknown>>
  /** The id by which the operator finds the request in the log. */
  readonly requestId: string
  constructor(
    status: number,
    { code = 'unreadable', message = `answered ${status}`, params = {}, requestId = '' } = {},
  ) {
    super(message)
    this.name = 'Refused'
    this.status = status
    this.code = code
    this.params = params
    this.requestId = requestId
  }
}

export type ConnectOptions = {
  /** The address of the site, such as `https://tyres.example.com`. */
  url: string
  token: string
  /** How often a call is made in all while the portal is busy (429) or away (503). */
  tries?: number
  fetch?: typeof globalThis.fetch
}

export type CallOptions = {
  /** Names what the call is for, a UUID: repeated under it after a lost answer, a call that creates something is not made again. */
  key?: string
  signal?: AbortSignal
}

/** Makes a call. @throws Refused when the portal refuses it; what `fetch` throws when no answer comes */
export type Call = <P extends Path>(path: P, input: Input<P>, options?: CallOptions) => Promise<Answer<P>>

const waitingStatuses = [429, 503]

/** Connects to the portal with an access token. */
export function connect({ url, token, tries = 5, fetch = globalThis.fetch }: ConnectOptions): Call {
  return async (path, input, { key = crypto.randomUUID(), signal } = {}) => {
    const request: RequestInit = {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(input),
      signal: signal ?? null,
    }
    for (let tried = 1; ; tried++) {
      const reply = await fetch(new URL(path, url), request)
      const answer: unknown = await reply.json().catch(() => undefined)
      if (reply.ok) return answer as Answer<typeof path>
      if (tried === tries || !waitingStatuses.includes(reply.status)) throw new Refused(reply.status, answer ?? {})
      const seconds = Number(reply.headers.get('retry-after')) || 2 ** tried
      await pause(seconds * 1000, undefined, signal && { signal })
    }
  }
}
