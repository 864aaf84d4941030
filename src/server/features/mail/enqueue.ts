/** Writes messages with the change that they are about, in its transaction: nothing goes out for what was rolled back. */
import { Failure } from '#domain/failure.ts'
import type { MailKind } from '#domain/mail.ts'
import type { Context } from '../handler.ts'
import { deviceName } from '#domain/device.ts'
import { addMail } from './mail.sql.ts'

type Enqueuing = Pick<Context<unknown, 'anyone'>, 'tx' | 'now' | 'request'>

/** Sends a message to an account that has an address; to others, and from a portal without a mail server, nothing. */
export async function enqueueMail({ tx, now, request }: Enqueuing, account: number, kind: MailKind): Promise<void> {
  if (!request.sendsMail) return
  const facts = JSON.stringify({ address: request.address, device: deviceName(request.agent) })
  await tx.run(addMail, { account, kind, facts, now })
}

/** @throws Failure `mail.off` in a portal without a mail server */
export function requireMail({ request }: Pick<Enqueuing, 'request'>): void {
  if (!request.sendsMail) throw new Failure('mail.off')
}
