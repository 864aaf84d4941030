/** Setting a password by the link of a message, without a session (docs/product/messages.md "E-mail"). */
import { Failure } from '#domain/failure.ts'
import { hashToken } from '../../tokens.ts'
import type { Context, Handlers } from '../handler.ts'
import { enqueueMail, requireMail } from '../mail/enqueue.ts'
import { addReset, linkOf, useLink } from '../mail/mail.sql.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { deleteFailuresOf } from './attempts.sql.ts'
import { forgetDevices } from './devices.sql.ts'
import { hashPassword, knownNames, requireStrong } from './password.ts'
import { endSessions } from './sessions.sql.ts'

/** Whose link a token is. It works at the address of its account's site, a superuser's at every one. */
async function find({ input, tx, now, request }: Context<{ token: string }, 'anyone'>) {
  await tx.asSystem()
  const hash = hashToken(input.token)
  const link = await tx.maybe(linkOf, { hash, now })
  if (!link || (link.site !== null && link.site !== request.site)) throw new Failure('link.invalid')
  return { ...link, hash }
}

export const links: Pick<Handlers['users'], 'forgotten' | 'link' | 'setpassword'> = {
  async forgotten(context) {
    requireMail(context)
    const { input, tx, now, request } = context
    await tx.asSystem()
    await tx.one(addReset, { site: request.site, who: input.username, now })
    return {}
  },

  async link(context) {
    const { kind, username, fullname, expires } = await find(context)
    return { kind, username, fullname, until: new Date(expires).toISOString() }
  },

  async setpassword(context) {
    const { input, tx, now, request } = context
    const { hash, kind, account, username, fullname, company } = await find(context)
    const wanted = await requireStrong(input.password, knownNames(context, { username, fullname, company }))
    await tx.commit()
    const password = await hashPassword(wanted)
    if ((await tx.count(useLink, { hash, password, now })) === 0) throw new Failure('link.invalid')
    await tx.run(endSessions, { account })
    // the holder of the link is the owner: attempts and devices of others no longer count
    await tx.run(deleteFailuresOf, { subject: `account ${account}` })
    await tx.run(forgetDevices, { account, kept: null })
    request.invalidateSessions(account)
    await recordSecurityEvent(context, { kind: 'passwordChanged', account, facts: { link: kind } })
    if (kind === 'reset') await enqueueMail(context, account, 'passwordChanged')
    return { username }
  },
}
