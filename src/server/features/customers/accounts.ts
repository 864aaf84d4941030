/** The accounts of a site's customers and administrators, managed by an administrator. */
import { Failure } from '#domain/failure.ts'
import { Json, type Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { Handlers } from '../handler.ts'
import { enqueueMail, moveAddress, requireMail } from '../mail/enqueue.ts'
import { voidLinks } from '../mail/mail.sql.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { requireFresh } from '../security/fresh.ts'
import { forgetDevices } from '../session/devices.sql.ts'
import { removeFactors } from '../session/factors.ts'
import { chosenPassword, hashPassword, knownNames } from '../session/password.ts'
import { endSessionsOf, lockUnlessLastAdmin, requireUsableName } from './accountRules.ts'
import {
  accountById,
  accountNames,
  accountsOfCustomer,
  addAccount,
  auditFactors,
  auditLink,
  administrators,
  changeAccount,
  companyOf,
  disableAccount,
  lockSiteAccount,
  setPassword,
} from './accounts.sql.ts'
import { customerById } from './customers.sql.ts'

/** An account with its password in clear, `null` unless it was generated: it is answered this once. */
async function withPassword(tx: Tx, site: number, account: number, password: string | null): Promise<Json> {
  const { text } = await tx.json(accountById, { site, account })
  return new Json(`${text.slice(0, -1)},"password":${JSON.stringify(password)}}`)
}

type Save = Parameters<Handlers['customers']['saveaccount']>[0]
type Account = Row<typeof lockSiteAccount>

/** Locks the account that is to be changed; `null` for a new one. */
async function lockToSave(context: Save): Promise<Account | null> {
  const { input, tx, site } = context
  if (input._id === undefined) return null
  if (input.type === 'user' || input.warehouse === true) return lockUnlessLastAdmin(context, input._id)
  return tx.one(lockSiteAccount, { site: site.id, account: input._id })
}

type Entered = Pick<Account, 'customer' | 'username' | 'fullname' | 'type' | 'warehouse' | 'lang' | 'email'>
const blank: Entered = {
  customer: null,
  username: '',
  fullname: '',
  type: 'user',
  warehouse: false,
  lang: null,
  email: '',
}

/**
 * The account as it is to be: each field as it was entered, or else as it is known. Only a customer's account has a customer, and only
 * an administrator's is restricted.
 */
function fieldsOf(input: Save['input'], current: Account | null): Entered {
  const before: Entered = current ?? blank
  const type = input.type ?? before.type
  return {
    customer: type === 'user' ? (input.seq_id ?? before.customer) : null,
    username: input.username ?? before.username,
    fullname: input.fullname ?? before.fullname,
    type,
    warehouse: type === 'admin' && (input.warehouse ?? before.warehouse),
    lang: input.lang === undefined ? before.lang : input.lang,
    email: input.email ?? before.email,
  }
}

/** Writes the fields that differ. Another type, restriction or customer ends the sessions of the account. */
async function change(context: Save, current: Account, fields: Entered): Promise<void> {
  const { tx, who, site, now, request } = context
  const account = current.id
  const changed = (Object.keys(fields) as (keyof typeof fields)[]).filter(field => fields[field] !== current[field])
  if (changed.length === 0) return
  await tx.run(changeAccount, { ...fields, site: site.id, account, actor: who.account, now, changed })
  request.invalidateSessions(account)
  // links to a new password go to the address
  const otherRole = changed.includes('type') || changed.includes('warehouse')
  if (otherRole || changed.includes('email')) requireFresh(context)
  if (changed.includes('email')) await moveAddress(context, account, current.email)
  if (otherRole || changed.includes('customer')) {
    await tx.run(voidLinks, { account })
    await endSessionsOf(context, account)
    await recordSecurityEvent(context, {
      kind: 'rolesChanged',
      account,
      facts: { ...roleOf(fields), was: current.type },
    })
  }
  if (otherRole) await enqueueMail(context, account, 'roleChanged')
}

/** A role as a security event tells it. */
const roleOf = ({ type, warehouse }: Pick<Entered, 'type' | 'warehouse'>) => ({ type, ...(warehouse && { warehouse }) })

/**
 * @throws Failure `request.invalid`, `record.missing`, `mail.off`, `session.stale`, `account.name_deceptive` or `account.name_taken`
 */
async function requireSavable(context: Save, current: Account | null, fields: Entered): Promise<void> {
  const { input, tx, site } = context
  if (
    (fields.type === 'user') !== (fields.customer !== null) ||
    (fields.type === 'admin' && input.seq_id !== undefined)
  )
    throw new Failure('request.invalid', { fields: ['seq_id'] })
  if (fields.customer !== null && fields.customer !== current?.customer)
    await tx.json(customerById, { site: site.id, customer: fields.customer })
  if (input.invite) requireMail(context)
  if (!current && fields.type === 'admin') requireFresh(context)
  if (fields.username.toLowerCase() !== current?.username.toLowerCase()) await requireUsableName(tx, fields.username)
}

/** The password of a new account. @throws Failure `account.password_weak` or `account.password_guessable` */
async function choose({ input, tx, site, request }: Save): ReturnType<typeof chosenPassword> {
  const { username = '', fullname = '', seq_id: customer } = input
  const company = customer === undefined ? null : await tx.single.maybe(companyOf, { site: site.id, customer })
  return chosenPassword(input.password, knownNames({ site, request }, { username, fullname, ...company }))
}

type AccountCalls = 'accounts' | 'saveaccount' | 'setdisabled' | 'resetpassword' | 'resetfactors' | 'sendlink'

export const accounts: Pick<Handlers['customers'], AccountCalls> = {
  accounts: ({ input, tx, site }) =>
    input.seq_id === undefined
      ? tx.json(administrators, { site: site.id })
      : tx.json(accountsOfCustomer, { site: site.id, customer: input.seq_id }),

  async saveaccount(context) {
    const { input, tx, who, site, now } = context
    // hashed before the transaction: no connection waits for it. An invited account has no password until its owner chooses one
    const chosen = input._id !== undefined || input.invite ? null : await choose(context)
    const hash = chosen ? await hashPassword(chosen.password) : ''
    const current = await lockToSave(context)
    const fields = fieldsOf(input, current)
    await requireSavable(context, current, fields)
    if (current) {
      await change(context, current, fields)
      return withPassword(tx, site.id, current.id, null)
    }
    const { id } = await tx.one(addAccount, { ...fields, site: site.id, password: hash, actor: who.account, now })
    await recordSecurityEvent(context, {
      kind: 'rolesChanged',
      account: id,
      facts: { created: true, ...roleOf(fields) },
    })
    if (input.invite) await enqueueMail(context, id, 'invitation')
    return withPassword(tx, site.id, id, chosen?.generated ? chosen.password : null)
  },

  async setdisabled(context) {
    const { input, tx, who, site, now } = context
    const { _id: account, disabled } = input
    // shutting somebody out may be urgent, letting in is not
    if (!disabled) requireFresh(context)
    const current = disabled
      ? await lockUnlessLastAdmin(context, account)
      : await tx.one(lockSiteAccount, { site: site.id, account })
    if (current.disabled !== disabled) {
      await tx.run(disableAccount, { site: site.id, account, disabled, actor: who.account, now })
      await recordSecurityEvent(context, { kind: 'rolesChanged', account, facts: { disabled } })
    }
    if (disabled) {
      await endSessionsOf(context, account)
      await tx.run(voidLinks, { account })
    }
    return tx.json(accountById, { site: site.id, account })
  },

  async resetpassword(context) {
    const { input, tx, who, site, now } = context
    const { _id: account } = input
    requireFresh(context)
    // one's own is changed with the present one (`/users/password`): an unlocked screen is not enough for that
    if (account === who.account) throw new Failure('account.own')
    const names = await tx.single.one(accountNames, { site: site.id, account })
    const { password, generated } = await chosenPassword(input.password, knownNames(context, names))
    const hash = await hashPassword(password)
    await tx.one(lockSiteAccount, { site: site.id, account })
    await tx.run(setPassword, { site: site.id, account, password: hash, actor: who.account, now })
    await endSessionsOf(context, account)
    await tx.run(voidLinks, { account })
    await tx.run(forgetDevices, { account, kept: null })
    await recordSecurityEvent(context, { kind: 'passwordChanged', account })
    await enqueueMail(context, account, 'passwordChanged')
    return withPassword(tx, site.id, account, generated ? password : null)
  },

  async resetfactors(context) {
    const { input, tx, who, site, now } = context
    const { _id: account } = input
    requireFresh(context)
    // one's own are removed one by one, where the last one may have to stay
    if (account === who.account) throw new Failure('account.own')
    await tx.one(lockSiteAccount, { site: site.id, account })
    if (!(await removeFactors(context, account))) throw new Failure('account.no_factor')
    await tx.run(auditFactors, { site: site.id, account, actor: who.account, now })
    await endSessionsOf(context, account)
    await tx.run(voidLinks, { account })
    return tx.json(accountById, { site: site.id, account })
  },

  async sendlink(context) {
    const { input, tx, who, site, now } = context
    const { _id: account } = input
    requireFresh(context)
    if (account === who.account) throw new Failure('account.own')
    const { email, disabled, invited } = await tx.one(lockSiteAccount, { site: site.id, account })
    requireMail(context)
    if (email === '' || disabled) throw new Failure('mail.no_address')
    await tx.run(auditLink, { site: site.id, account, actor: who.account, now })
    await enqueueMail(context, account, invited ? 'invitation' : 'reset')
    return tx.json(accountById, { site: site.id, account })
  },
}
