/** Writes messages in the transaction of the change that they are about: a change that is rolled back sends none. */
import { Failure } from '#domain/failure.ts'
import type { MailKind } from '#domain/people/mail.ts'
import type { Context } from '../handler.ts'
import { deviceName } from '#domain/people/device.ts'
import { recordSecurityEvent, type Recording } from '../security/record.ts'
import { addMail, addMailToFormer, voidLinks } from './mail.sql.ts'

type Enqueuing = Pick<Context<unknown, 'anyone'>, 'tx' | 'now' | 'who' | 'request'>

/** Kinds that are about what somebody did who was not signed in yet: from where tells the owner whether it was them. */
const ofSigningIn: readonly MailKind[] = ['newDevice', 'locked']

/**
 * Queues a message to an account. An account without an address gets none, and a portal without a mail server sends none. It names the
 * address and device only where the owner, or somebody signing in to the account, acted: an administrator's address is nobody else's business.
 */
export async function enqueueMail(
  { tx, now, who, request }: Enqueuing,
  account: number,
  kind: MailKind,
): Promise<void> {
  if (!request.sendsMail) return
  const inOwnName = ofSigningIn.includes(kind) || who === null || who.account === account
  const facts = inOwnName ? { address: request.address, device: deviceName(request.agent) } : {}
  await tx.run(addMail, { account, kind, facts: JSON.stringify(facts), now })
}

/** Follows up a change of an account's address: voids the password links sent to the former one, and tells its owner. */
export async function moveAddress(
  context: Recording & { readonly request: Pick<Enqueuing['request'], 'sendsMail'> },
  account: number,
  former: string,
): Promise<void> {
  const { tx, now, request } = context
  await tx.run(voidLinks, { account })
  if (request.sendsMail && former !== '') await tx.run(addMailToFormer, { account, former, now })
  await recordSecurityEvent(context, { kind: 'emailChanged', account })
}

/** @throws Failure `mail.off` in a portal without a mail server */
export function requireMail({ request }: Pick<Enqueuing, 'request'>): void {
  if (!request.sendsMail) throw new Failure('mail.off')
}
