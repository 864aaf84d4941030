/** Who may sign in at a site: the accounts of its customers and of its administrators, as an administrator manages them. */
import { Failure } from '#domain/failure.ts'
import { Json, type Tx } from '../../db/database.ts'
import type { Handlers } from '../handler.ts'
import { chosenPassword, hashPassword } from '../session/password.ts'
import { endSessionsOf, lockUnlessLastAdmin, refuseNameOfSuperuser } from './accountRules.ts'
import {
  accountById,
  accountsOfCustomer,
  addAccount,
  administrators,
  changeAccount,
  disableAccount,
  lockAccount,
  setPassword,
} from './accounts.sql.ts'
import { customerById } from './customers.sql.ts'

/** An account with its password in clear, `null` unless it was generated: it is answered this once. */
async function withPassword(tx: Tx, site: number, account: number, password: string | null): Promise<Json> {
  const { text } = await tx.json(accountById, { site, account })
  return new Json(`${text.slice(0, -1)},"password":${JSON.stringify(password)}}`)
}

type AccountCalls = 'accounts' | 'saveaccount' | 'setdisabled' | 'resetpassword'

export const accounts: Pick<Handlers['customers'], AccountCalls> = {
  accounts: ({ input, tx, site }) =>
    input.seq_id === undefined
      ? tx.json(administrators, { site: site.id })
      : tx.json(accountsOfCustomer, { site: site.id, customer: input.seq_id }),

  async saveaccount(context) {
    const { input, tx, who, site, now, request } = context
    const { _id } = input
    const known =
      _id === undefined
        ? null
        : input.type === 'user'
          ? await lockUnlessLastAdmin(context, _id)
          : await tx.one(lockAccount, { site: site.id, account: _id })
    const type = input.type ?? known?.type ?? 'user'
    const customer = type === 'user' ? (input.seq_id ?? known?.customer ?? null) : null
    if ((type === 'user') !== (customer !== null) || (type === 'admin' && input.seq_id !== undefined))
      throw new Failure('request.invalid', { fields: ['seq_id'] })
    if (customer !== null && customer !== known?.customer) await tx.json(customerById, { site: site.id, customer })
    const fields = {
      customer,
      username: input.username ?? known?.username ?? '',
      fullname: input.fullname ?? known?.fullname ?? '',
      type,
      lang: input.lang === undefined ? (known?.lang ?? null) : input.lang,
    }
    const { password, generated } = known ? { password: '', generated: false } : chosenPassword(input.password)
    if (fields.username.toLowerCase() !== known?.username.toLowerCase())
      await refuseNameOfSuperuser(tx, fields.username)
    if (!known) {
      const hash = await hashPassword(password)
      const { id } = await tx.one(addAccount, { ...fields, site: site.id, password: hash, actor: who.account, now })
      return withPassword(tx, site.id, id, generated ? password : null)
    }
    const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter(field => fields[field] !== known[field])
    if (changed.length > 0) {
      await tx.run(changeAccount, { ...fields, site: site.id, account: known.id, actor: who.account, now, changed })
      request.invalidateSessions(known.id)
    }
    if (changed.includes('type') || changed.includes('customer')) await endSessionsOf(context, known.id)
    return withPassword(tx, site.id, known.id, null)
  },

  async setdisabled(context) {
    const { input, tx, who, site, now } = context
    const { _id: account, disabled } = input
    const known = disabled
      ? await lockUnlessLastAdmin(context, account)
      : await tx.one(lockAccount, { site: site.id, account })
    if (known.disabled !== disabled)
      await tx.run(disableAccount, { site: site.id, account, disabled, actor: who.account, now })
    if (disabled) await endSessionsOf(context, account)
    return tx.json(accountById, { site: site.id, account })
  },

  async resetpassword(context) {
    const { input, tx, who, site, now } = context
    const { _id: account } = input
    const { password, generated } = chosenPassword(input.password)
    // one's own is changed with the present one (`/users/password`): an unlocked screen is not enough for that
    if (account === who.account) throw new Failure('account.own')
    await tx.one(lockAccount, { site: site.id, account })
    const hash = await hashPassword(password)
    await tx.run(setPassword, { site: site.id, account, password: hash, actor: who.account, now })
    await endSessionsOf(context, account)
    return withPassword(tx, site.id, account, generated ? password : null)
  },
}
