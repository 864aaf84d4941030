/** Who may sign in at a site: its customers' accounts and its administrators, as an administrator keeps them (DESIGN §5). */
import type { Language } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import {
  accountById,
  accountsOfCustomer,
  addAccount,
  administrators,
  changeAccount,
  customerById,
  disableAccount,
  endSessions,
  lockAccount,
  lockAdministrators,
  setPassword,
  superuserNamed,
} from './customers.sql.ts'
import { Json, type Tx } from '../../db/database.ts'
import type { Context, Handlers } from '../handler.ts'
import { chosenPassword, hashPassword } from '../session/password.ts'

type Kept = {
  id: number
  customer: number | null
  type: 'user' | 'admin'
  username: string
  fullname: string
  lang: Language | null
  disabled: boolean
}

type Asked = Context<unknown, readonly ['admin']>

/** The account, locked. @throws Failure `record.missing` */
const locked = (tx: Tx, site: number, id: number): Promise<Kept> => tx.one<Kept>(lockAccount, [site, id])

/**
 * The account, locked, for a change after which it is no administrator who can sign in.
 * @throws Failure `account.last_admin`, `account.own`: somebody has to be left who can undo it
 */
export async function lockedToGo({ tx, who, site }: Pick<Asked, 'tx' | 'who' | 'site'>, id: number): Promise<Kept> {
  const able = await tx.rows<{ id: number }>(lockAdministrators, [site.id])
  const kept = await locked(tx, site.id, id)
  if (kept.type !== 'admin') return kept
  if (!kept.disabled && !able.some(admin => admin.id !== id)) throw new Failure('account.last_admin')
  if (id === who.account) throw new Failure('account.own')
  return kept
}

/** Ends the sessions of an account, on this node at once. */
export async function signOut(
  { tx, site, request }: Pick<Asked, 'tx' | 'site' | 'request'>,
  id: number,
): Promise<void> {
  await tx.rows(endSessions, [site.id, id])
  request.invalidateSessions(id)
}

async function answer(tx: Tx, site: number, id: number, password: string | null): Promise<Json> {
  const { text } = await tx.json(accountById, [site, id])
  return new Json(`${text.slice(0, -1)},"password":${JSON.stringify(password)}}`)
}

/** @throws Failure `account.name_taken`; that another account of the site has it is found by the database */
export async function refuseNameOfSuperuser(tx: Tx, username: string): Promise<void> {
  await tx.asSystem()
  if (await tx.maybe(superuserNamed, [username])) throw new Failure('account.name_taken')
}

type AccountCalls = 'accounts' | 'saveaccount' | 'setdisabled' | 'resetpassword'

export const accounts: Pick<Handlers['customers'], AccountCalls> = {
  accounts: ({ input, tx, site }) =>
    input.seq_id === undefined
      ? tx.json(administrators, [site.id])
      : tx.json(accountsOfCustomer, [site.id, input.seq_id]),

  async saveaccount(context) {
    const { input, tx, who, site, now, request } = context
    const { _id } = input
    const kept =
      _id === undefined ? null : input.type === 'user' ? await lockedToGo(context, _id) : await locked(tx, site.id, _id)
    const type = input.type ?? kept?.type ?? 'user'
    const customer = type === 'user' ? (input.seq_id ?? kept?.customer ?? null) : null
    if ((type === 'user') !== (customer !== null) || (type === 'admin' && input.seq_id !== undefined))
      throw new Failure('request.invalid', { fields: ['seq_id'] })
    if (customer !== null && customer !== kept?.customer) await tx.json(customerById, [site.id, customer])
    const wanted = {
      customer,
      username: input.username ?? kept?.username ?? '',
      fullname: input.fullname ?? kept?.fullname ?? '',
      type,
      lang: input.lang === undefined ? (kept?.lang ?? null) : input.lang,
    }
    const { password, madeUp } = kept ? { password: '', madeUp: false } : chosenPassword(input.password)
    if (wanted.username.toLowerCase() !== kept?.username.toLowerCase()) await refuseNameOfSuperuser(tx, wanted.username)
    if (!kept) {
      const { id } = await tx.one<{ id: number }>(addAccount, [
        site.id,
        ...Object.values(wanted),
        await hashPassword(password),
        who.account,
        now,
      ])
      return answer(tx, site.id, id, madeUp ? password : null)
    }
    const fields = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(field => wanted[field] !== kept[field])
    if (fields.length > 0) {
      await tx.rows(changeAccount, [site.id, kept.id, ...Object.values(wanted), who.account, now, fields])
      request.invalidateSessions(kept.id)
    }
    if (fields.includes('type') || fields.includes('customer')) await signOut(context, kept.id)
    return answer(tx, site.id, kept.id, null)
  },

  async setdisabled(context) {
    const { input, tx, who, site, now } = context
    const kept = input.disabled ? await lockedToGo(context, input._id) : await locked(tx, site.id, input._id)
    if (kept.disabled !== input.disabled)
      await tx.rows(disableAccount, [site.id, kept.id, input.disabled, who.account, now])
    if (input.disabled) await signOut(context, kept.id)
    return tx.json(accountById, [site.id, kept.id])
  },

  async resetpassword(context) {
    const { input, tx, who, site, now } = context
    const { password, madeUp } = chosenPassword(input.password)
    // one's own is changed with the present one (`/users/password`): an unlocked screen is not enough for that
    if (input._id === who.account) throw new Failure('account.own')
    const kept = await locked(tx, site.id, input._id)
    await tx.rows(setPassword, [site.id, kept.id, await hashPassword(password), who.account, now])
    await signOut(context, kept.id)
    return answer(tx, site.id, kept.id, madeUp ? password : null)
  },
}
