/** Saves the accounts of a file, under the rules of the screen of accounts (docs/product/accounts.md "Accounts and roles"). */
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import type { Context } from '../handler.ts'
import { moveAddress } from '../mail/enqueue.ts'
import { addMail } from '../mail/mail.sql.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { RowRefused } from './import.refused.ts'
import type { AccountRow } from './import.rows.ts'
import * as sql from './import.accounts.sql.ts'
import type { Saved } from './import.tyres.ts'

/** From where accounts are imported, and what the portal does about it. */
export type Origin = Pick<
  Context<unknown, 'anyone'>['request'],
  'site' | 'address' | 'agent' | 'sendsMail' | 'countSecurityEvent' | 'invalidateSessions'
>

type Importing = {
  readonly tx: Tx
  readonly site: number
  readonly import: number
  /** Who imports; nobody at the terminal. */
  readonly who: { readonly account: number } | null
  readonly now: Date
  readonly request: Origin
}

type Known = Row<typeof sql.accountsNamed>
type Added = Pick<Known, 'customer' | 'type' | 'fullname' | 'email' | 'language'> & { username: string; place: number }
type Changed = Pick<Known, 'id' | 'fullname' | 'email' | 'language'> & { fields: string[]; former: string }

/** Saves rows of accounts; `ownerOf` finds the customer that a row names. New ones have no password until somebody chooses it. */
export async function saveAccounts(
  batch: Importing,
  ownerOf: (row: AccountRow) => Promise<number>,
  rows: readonly AccountRow[],
): Promise<Saved[]> {
  const { tx, site } = batch
  const names = rows.map(({ username }) => username.toLowerCase())
  const accounts = new Map((await tx.rows(sql.accountsNamed, { site, names })).map(account => [account.name, account]))
  const owners = await Promise.all(rows.map(row => (row.customer === null ? null : refusalOr(ownerOf(row)))))
  await tx.asSystem()
  const superusers = new Set((await tx.rows(sql.superusersNamed, { names })).map(({ name }) => name))
  const added: Added[] = []
  const changed: Changed[] = []
  const saved = rows.map((row, place): Saved => {
    try {
      const name = row.username.toLowerCase()
      const account = accounts.get(name)
      const owner = owners[place] ?? null
      if (owner instanceof RowRefused) throw owner
      if (account?.closed === true || superusers.has(name))
        throw new RowRefused('account_taken', { text: row.username })
      if (!account) {
        added.push({ ...newAccount(row, owner), place })
        return { place, outcome: 'added' }
      }
      requireSame(row, owner, account)
      const after = {
        fullname: row.fullname ?? account.fullname,
        email: row.email ?? account.email,
        language: row.language ?? account.language,
      }
      const fields = (['fullname', 'email', 'language'] as const).filter(field => after[field] !== account[field])
      if (fields.length > 0) changed.push({ ...after, id: account.id, fields, former: account.email })
      return { place, outcome: fields.length > 0 ? 'changed' : 'unchanged' }
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error
      return { place, outcome: { refused: error.reason } }
    }
  })
  if (changed.length > 0) await change(batch, changed)
  const results = added.length > 0 ? await add(batch, added) : new Map<number, Partial<Saved>>()
  return saved.map(row => ({ ...row, ...results.get(row.place) }))
}

async function refusalOr(owner: Promise<number>): Promise<number | RowRefused> {
  try {
    return await owner
  } catch (error) {
    if (error instanceof RowRefused) return error
    throw error
  }
}

/** A customer's account unless the row says otherwise. @throws RowRefused when a customer is missing, or an administrator has one */
function newAccount(
  { username, fullname, email, role, language }: AccountRow,
  owner: number | null,
): Omit<Added, 'place'> {
  const type = role ?? 'user'
  if (type === 'user' && owner === null) throw new RowRefused('blank', { column: 'customer' })
  if (type === 'admin' && owner !== null) throw new RowRefused('admin_customer')
  return { username, type, customer: owner, fullname: fullname ?? '', email: email ?? '', language }
}

/** @throws RowRefused when the row has another role or customer: that ends sessions, and is done one by one on the screen */
function requireSame({ role, username }: AccountRow, owner: number | null, { type, customer }: Known): void {
  if (role !== null && role !== type) throw new RowRefused('role_differs', { text: username })
  if (owner !== null && owner !== customer) throw new RowRefused('customer_differs', { text: username })
}

/** Adds accounts, and invites those with an address where messages can be sent. Returns by place what else became of rows. */
async function add(batch: Importing, accounts: readonly Added[]): Promise<Map<number, Partial<Saved>>> {
  const { tx, now, who, request } = batch
  const about = { site: batch.site, import: batch.import, account: who?.account ?? null, now }
  const rows = await tx.rows(sql.addAccounts, { ...about, rows: JSON.stringify(accounts) })
  const ids = new Map(rows.map(({ id, username }) => [username, id]))
  const results = new Map<number, Partial<Saved>>()
  for (const { place, username, email, type } of accounts) {
    const id = ids.get(username)
    if (id === undefined) {
      results.set(place, { outcome: { refused: { text: 'account_taken', facts: { text: username } } } })
      continue
    }
    await recordSecurityEvent(batch, { kind: 'rolesChanged', account: id, facts: { created: true, type } })
    if (request.sendsMail && email !== '') await tx.run(addMail, { account: id, kind: 'invitation', facts: '{}', now })
    else results.set(place, { note: { text: 'not_invited', facts: { text: username } } })
  }
  return results
}

async function change(batch: Importing, accounts: readonly Changed[]): Promise<void> {
  const { tx, now, who, request } = batch
  const about = { site: batch.site, import: batch.import, account: who?.account ?? null, now }
  await tx.run(sql.changeAccounts, { ...about, rows: JSON.stringify(accounts) })
  for (const { id, fields, former } of accounts) {
    // nodes know its session by what it was
    request.invalidateSessions(id)
    if (fields.includes('email')) await moveAddress(batch, id, former)
  }
}
