/**
 * How the portal logs in on a server that others run (docs/decisions/0081). Migrations connect as the owner of the tables; everything else
 * as a role that owns nothing, so that no statement undoes row-level security: after `set role` in a session of the owner, `reset role` does.
 */
import { createHash, createHmac, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import pg from 'pg'
import { applicationRole } from '../postgres/connection.ts'
import { type Log, StartRefused } from '../postgres/startup.ts'
import type { Access } from './database.ts'

type Credentials = { readonly user: string; readonly password: string }

/** An arbitrary number, the same in every process: one gives the role its login at a time. */
const loginLock = 7_413_092_656

/** Whose password the role's was made of: it may be made anew when that changes. */
const noteOf = (owner: string): string => `wheelhouse: logs in with a password made of that of "${owner}"`

/** The same address for another user. A pooler or a server may know several. */
export const withCredentials = (url: string, { user, password }: Credentials): string =>
  url
    .replace(/([?&])(?:(?:user|password)=[^&]*(?:&|$))+/g, '$1')
    .replace(
      /^(\w+:\/\/)(?:[^/?#]*@)?/,
      (_, scheme: string) => `${scheme}${encodeURIComponent(user)}:${encodeURIComponent(password)}@`,
    )

/** The user and password that an address names. */
export function credentialsOf(url: string): Credentials {
  const { user = '', password } = new pg.Client({ connectionString: url })
  return { user, password: typeof password === 'string' ? password : '' }
}

/**
 * The address at which the portal's pools log in. `given` is DATABASE_APP_URL; without it the role's password is made of the owner's, so
 * that every node knows it. Where the role can't log in, the owner's address and `role`: as a version before does, with a warning that
 * says what to run.
 * @throws StartRefused when what `given` names can't log in, or could become an owner
 */
export async function applicationAccess(
  ownerUrl: string,
  { given, log }: { given: string | undefined; log: Log },
): Promise<Pick<Access, 'url' | 'role'>> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const wanted = given === undefined ? derivedFrom(owner) : credentialsOf(given)
    if (wanted === null) return fallBack(owner, ownerUrl, 'DATABASE_URL has no password to make one of', log)
    const url = given ?? withCredentials(ownerUrl, wanted)
    const refused = await whyNot(url)
    if (refused === null) return { url }
    const kept =
      wanted.user === applicationRole ? await giveLogin(owner, wanted, { derived: given === undefined }) : null
    const stillRefused = await whyNot(url)
    if (stillRefused === null) return { url }
    const reason = kept ?? stillRefused
    if (given === undefined) return fallBack(owner, ownerUrl, reason, log)
    throw new StartRefused(
      `DATABASE_APP_URL can't be used: ${reason}. Let an administrator of the server run: alter role ${applicationRole} login password '…'; and name that user and password in DATABASE_APP_URL.`,
    )
  } finally {
    await owner.end()
  }
}

function fallBack(owner: pg.Client, url: string, reason: string, log: Log): Pick<Access, 'url' | 'role'> {
  log(
    `Warning: the portal logs in as "${owner.user}", and one "reset role" would undo row-level security: ${reason}. Let an administrator of the server run: alter role ${applicationRole} login password '…'; then set DATABASE_APP_URL, which is DATABASE_URL with the user ${applicationRole} and that password.`,
  )
  return { url, role: applicationRole }
}

/** The role's login, made of the password that the owner has connected with; `null` when it needed none. */
function derivedFrom({ password }: pg.Client): Credentials | null {
  if (typeof password !== 'string' || password === '') return null
  // slow on purpose: it must not be easier to guess the owner's password from this one
  const key = scryptSync(password, `wheelhouse login of ${applicationRole}`, 24)
  return { user: applicationRole, password: key.toString('base64url') }
}

/** Why an address is none to work at, `null` when it is one. @throws Error when the server can't be reached, or has no room now */
async function whyNot(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ me: string; works: boolean; becomes: string | null }>(`
      select session_user as me, pg_has_role(session_user, '${applicationRole}', 'USAGE') as works,
        (select string_agg(quote_ident(r.rolname), ', ' order by r.rolname) from pg_roles r
         where pg_has_role(session_user, r.oid, 'MEMBER') and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.oid = d.datdba
           or exists (select from pg_class c where c.relowner = r.oid and c.relnamespace = 'public'::regnamespace))) as becomes
      from pg_database d where d.datname = current_database()`)
    const { me = '', works = false, becomes = null } = rows[0] ?? {}
    if (becomes !== null) return `"${me}" owns the tables, or may become ${becomes}`
    return works ? null : `"${me}" has not the rights of ${applicationRole}`
  } catch (error) {
    const { code = '', syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined || /^(?:53|57)/.test(code)) throw error
    return (error as Error).message
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Lets the role log in with this password. What it has from others stays: another portal of the server may log in with it.
 * @returns why not, `null` when it is done
 */
async function giveLogin(
  owner: pg.Client,
  { password }: Credentials,
  { derived }: { derived: boolean },
): Promise<string | null> {
  try {
    await owner.query('begin')
    await owner.query('select pg_advisory_xact_lock($1)', [loginLock])
    const { rows } = await owner.query<{ me: string; login: boolean; note: string | null; connects: boolean }>(
      `select current_user as me, r.rolcanlogin as login, shobj_description(r.oid, 'pg_authid') as note,
         has_database_privilege(r.oid, current_database(), 'connect') as connects
       from pg_roles r where r.rolname = $1`,
      [applicationRole],
    )
    const { me = '', login = true, note = null, connects = true } = rows[0] ?? {}
    if (login && !(derived && note === noteOf(me)))
      return `${applicationRole} has a password that this portal did not give it`
    // a verifier, not the password: statements are written into logs
    await owner.query(`alter role ${applicationRole} login password '${scramVerifier(password)}'`)
    await owner.query(`comment on role ${applicationRole} is ${derived ? owner.escapeLiteral(noteOf(me)) : 'null'}`)
    if (!connects) {
      const database = owner.escapeIdentifier(owner.database ?? '')
      await owner.query(`grant connect on database ${database} to ${applicationRole}`)
    }
    await owner.query('commit')
    return null
  } catch (error) {
    return (error as Error).message
  } finally {
    // after a commit there is nothing left to roll back
    await owner.query('rollback').catch(() => {})
  }
}

/** The verifier that PostgreSQL keeps of a password (RFC 5803). */
function scramVerifier(password: string): string {
  const [salt, iterations] = [randomBytes(16), 4096]
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest()
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`
}
