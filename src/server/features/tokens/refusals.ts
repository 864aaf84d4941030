/** Records that a token was refused, outside of the request (docs/decisions/0041). */
import type { TokenRefusal } from '#domain/people/token.ts'
import type { SecurityKind } from '#domain/people/security.ts'
import type { Database } from '../../db/database.ts'
import { addEvent } from '../security/security.sql.ts'

type Refused = {
  /** `null` for a token that was never made. */
  readonly token: { readonly id: number; readonly account: number } | null
  readonly refusal: TokenRefusal
  readonly call: string
  /** The site of the address, if any. */
  readonly site: number | null
  readonly address: string
  readonly device: string
  readonly now: Date
}

export type Refusals = {
  /** Records it, if this token, or for unknown ones this address, was not refused for the same reason within the hour. */
  record(refused: Refused): void
  whenIdle(): Promise<void>
}

/** How many are told apart in an hour; what comes then is counted with them. */
const maxKnown = 1000

type Reporting = { readonly count: (kind: SecurityKind) => void; readonly failed: (error: unknown) => void }

/** A program that goes on with a wrong token asks thousands of times: once an hour is news. A node forgets it when it stops. */
export function openRefusals(database: Database, { count, failed }: Reporting): Refusals {
  const recent = new Set<string>()
  let hour = 0
  let writing = Promise.resolve()

  async function write({ token, refusal, call, site, address, device, now }: Refused): Promise<void> {
    await database.transaction({ system: true }, tx =>
      tx.run(addEvent, {
        kind: 'tokenRefused',
        now,
        site,
        account: token?.account ?? null,
        by: null,
        facts: JSON.stringify({ ...(token && { token: token.id }), refusal, call }),
        hidden: false,
        address,
        device,
      }),
    )
    count('tokenRefused')
  }

  return {
    record(refused) {
      const present = Math.floor(refused.now.getTime() / 3_600_000)
      if (present !== hour) recent.clear()
      hour = present
      const key = `${refused.token?.id ?? refused.address} ${refused.refusal}`
      if (recent.has(key) || recent.size >= maxKnown) return
      recent.add(key)
      writing = writing.then(() => write(refused)).catch(failed)
    },
    whenIdle: () => writing,
  }
}
