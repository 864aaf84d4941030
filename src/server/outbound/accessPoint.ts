/** The access point to the Peppol network that the operator has named (ACCESS_POINT_URL; docs/decisions/0065). */
import { openOutbound } from './outbound.ts'

export type AccessPoint = {
  /**
   * Hands over an e-invoice. The same `key` means the same invoice, however often it comes.
   * @throws OutboundFailed when nothing usable came: nobody knows whether it was taken
   */
  send(file: { readonly xml: string; readonly key: string }, signal?: AbortSignal): Promise<Answer>
}
type Answer = { readonly status: number; readonly text: string }

type Address = { readonly url: string; readonly token: string }

/** How long it may take, in ms: it validates the invoice meanwhile. */
export const accessPointTimeout = 30_000

/** By HTTP. The operator has named the address, so it may be inside of their own network. */
export function openAccessPoint({ url, token }: Address, timeoutMs = accessPointTimeout): AccessPoint {
  const way = openOutbound({ allowPrivate: true, timeoutMs })
  return {
    async send({ xml, key }, signal) {
      const answer = await way.send(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/xml; charset=utf-8',
          'idempotency-key': key,
          'user-agent': 'Wheelhouse',
        },
        body: xml,
        ...(signal && { signal }),
      })
      return { status: answer.status, text: await answer.text() }
    },
  }
}
