/** Signing in by the provider of a site, and the provider as its administrators choose it (docs/product/accounts.md "Single sign-on"). */
import { oneLine } from '#domain/texts/cell.ts'
import { Failure, type Facts, type FailureCode } from '#domain/failure.ts'
import { isSameIssuer, signOnPath } from '#domain/people/signOn.ts'
import { isDeceptive, isSameUsername } from '#domain/people/username.ts'
import { accountLimits, username as usernameSchema } from '#contract/customers.ts'
import type { Profile } from '#contract/session.ts'
import type { SignOnProvider } from '#contract/signOn.ts'
import type { Row } from '../../db/statement.ts'
import { hashToken, newToken } from '../../tokens.ts'
import { recordAudit } from '../audit/record.ts'
import { lockSite } from '../config/config.sql.ts'
import { lockSiteAccount, superuserNamed } from '../customers/accounts.sql.ts'
import { customerById } from '../customers/customers.sql.ts'
import type { Context, Handlers } from '../handler.ts'
import { recordSecurityEvent } from '../security/record.ts'
import { requireFresh } from '../security/fresh.ts'
import { beginSession, profileOf, type BySignOn } from '../session/begin.ts'
import { sealProviderSession } from '../session/providerSession.ts'
import { accountById } from '../session/sessions.sql.ts'
import { stepAfter } from '../session/steps.ts'
import {
  authorizationAddress,
  beginning,
  describe,
  isNotShown,
  queued,
  personOf,
  type Claims,
  type NotShown,
  type Person,
  type Provider,
} from './provider.ts'
import * as sql from './signOn.sql.ts'

type Anyone = Context<unknown, 'anyone'>
type Kept = Row<typeof sql.providerOf>

/** How long somebody may take at the provider, in minutes. */
const minutes = 10
/** A fresh sign-in there may be so old when it comes back, in seconds. */
const freshSeconds = 300

const redirectOf = ({ request }: Pick<Anyone, 'request'>): string => `${request.origin}${signOnPath}`

const secretPurpose = (site: number): string => `client secret of site ${site}`

/** The provider as it is asked. */
const opened = ({ request, site }: Pick<Anyone, 'request' | 'site'>, { issuer, clientId, secret }: Kept): Provider => ({
  issuer,
  clientId,
  secret: secret && openSecret({ request, site }, secret),
})

/** @throws Failure `signOn.client`: it was sealed with a key that the portal no longer has, and has to be typed again */
function openSecret({ request, site }: Pick<Anyone, 'request' | 'site'>, sealed: Buffer): string {
  try {
    return request.secrets.decrypt(sealed, secretPurpose(site.id))
  } catch {
    throw new Failure('signOn.client')
  }
}

/** @throws Failure `signOn.off`: the site has no provider, or no longer the one that was asked */
async function requireProvider({ tx, site }: Pick<Anyone, 'tx' | 'site'>): Promise<Kept> {
  const provider = await tx.maybe(sql.providerOf, { site: site.id })
  if (!provider) throw new Failure('signOn.off')
  return provider
}

/** The token of this browser, which also knows it when somebody signs in again; a new one where it has none. */
function browserToken({ request }: Pick<Anyone, 'request'>): string {
  const token = request.device !== null && request.device.length <= 100 ? request.device : newToken()
  request.setDevice(token)
  return token
}

// ---- Signing in ---------------------------------------------------------------------------------------------------------------

/** The account of somebody at the provider: the one that was linked before, else the one of this name, else a new one. */
async function accountOf(context: Anyone, provider: Kept, person: Person): Promise<number | NotShown> {
  const { tx, site, now } = context
  const { issuer } = provider
  const { subject } = person
  const linked = await tx.maybe(sql.accountOfSubject, { site: site.id, issuer, subject, now })
  if (linked) return linked.disabled ? not('signOn.no_account') : linked.account
  await tx.commit()
  const claims = await claimsOf(context, provider.claim, person)
  if (isNotShown(claims)) return claims
  const username = usernameIn(claims, provider.claim)
  if (username === null) return not('signOn.claim', { claim: provider.claim })
  const row = await tx.maybe(sql.accountNamed, { site: site.id, issuer, username })
  if (row?.disabled || isDeceptive(username)) return not('signOn.no_account')
  if (row && !isSameUsername(row.username, username)) return not('signOn.no_account')
  if (row?.linked) return not('signOn.linked', { username })
  const account = row?.account ?? (await makeAccount(context, provider, username, claims))
  if (account === null) return not('signOn.no_account')
  const isLinked = (await tx.count(sql.link, { account, issuer, subject, now })) > 0
  return isLinked ? account : not('signOn.linked', { username })
}

const not = (code: FailureCode, facts?: Facts): NotShown => ({ failure: new Failure(code, facts), problem: '' })

/** The provider's claims about a person. Reads the address from both of its sources: they may disagree. */
async function claimsOf(
  { request, site }: Anyone,
  claim: string,
  { claims, userInfo }: Person,
): Promise<Claims | NotShown> {
  if (claims[claim] !== undefined && claim !== emailClaim) return claims
  const more = await request.outside(() => queued(site.id, userInfo))
  if (isNotShown(more)) return more
  // the signed claims win
  return { ...more, ...claims, [emailClaim]: verifiedEmail([claims, more]) }
}

const emailClaim = 'email'

/**
 * The address that the provider vouches for: every source that says one says the same, every one that says whether it is verified
 * says `true`, and one says both. An address that nobody has verified is somebody's only by their own word.
 */
function verifiedEmail(sources: readonly Claims[]): unknown {
  const [email, ...others] = sources.map(source => source.email).filter(value => value !== undefined)
  const isSame = others.every(other => other === email)
  const isDenied = sources.some(({ email_verified: verified }) => verified !== undefined && verified !== true)
  const isVerified = sources.some(source => source.email !== undefined && source.email_verified === true)
  return isSame && isVerified && !isDenied ? email : undefined
}

/**
 * The username that a claim says, as it is written there: another writing of it, such as full-width letters, may be another person's
 * at the provider. Capitals are not told apart.
 */
function usernameIn(claims: Claims, claim: string): string | null {
  const value = claims[claim]
  const text = typeof value === 'number' ? String(value) : value
  const parsed = usernameSchema.safeParse(text)
  return parsed.success && parsed.data === text ? parsed.data : null
}

/** Links the caller's own account to the identity that signed in at the provider: the owner consents, so the claim need not match. */
async function linkOwn(
  context: Anyone,
  linksTo: number,
  { issuer }: Kept,
  { subject }: Person,
): Promise<Profile | NotShown> {
  const { tx, site, now, who, request } = context
  // somebody else has signed in in this browser meanwhile, or nobody is signed in any more
  if (who?.account !== linksTo) return not('signOn.expired')
  const linked = await tx.maybe(sql.accountOfSubject, { site: site.id, issuer, subject, now })
  if (linked && linked.account !== linksTo) return not('signOn.other_account')
  if (!linked) {
    const added = await tx.count(sql.link, { account: linksTo, issuer, subject, now })
    if (added === 0) return not('signOn.linked', { username: who.username })
    await recordSecurityEvent(context, { kind: 'signOnLinked', account: linksTo })
  }
  return profileOf(who, request)
}

/** The account that its owner, signed in a moment ago, links. @throws Failure `session.missing` or `session.stale` */
function ownAccount(context: Anyone): number {
  const { who } = context
  if (!who || who.type === 'superuser') throw new Failure('session.missing')
  requireFresh(context)
  return who.account
}

/** Makes an account where the site wants that; `null` where it does not, or where the name can't be one. */
async function makeAccount(
  context: Anyone,
  { makesFor: customer }: Kept,
  username: string,
  claims: Claims,
): Promise<number | null> {
  const { tx, site, now } = context
  if (customer === null || isDeceptive(username) || (await tx.maybe(superuserNamed, { username }))) return null
  const fullname =
    typeof claims.name === 'string' ? oneLine(claims.name.toWellFormed()).slice(0, accountLimits.fullname) : ''
  const account = await tx.maybe(sql.makeAccount, { site: site.id, customer, username, fullname: fullname.trim(), now })
  if (!account) return null
  const facts = { created: true, type: 'user', provider: true }
  await recordSecurityEvent(context, { kind: 'rolesChanged', account: account.account, facts })
  return account.account
}

/** A sign-in that was none, recorded. For returning: thrown, the record would be rolled back. */
async function refused(context: Anyone, { failure, problem }: NotShown): Promise<Failure> {
  const facts = { provider: true, failure: failure.code, ...(problem && { problem }) }
  await recordSecurityEvent(context, { kind: 'signInWrong', account: null, facts })
  return failure
}

/** Uses up the sign-in that an answer belongs to. @throws Failure `signOn.expired`: it is none that this browser began, or was used */
async function takeAttempt({ tx, site, now, request }: Anyone, answer: string) {
  const state = new URLSearchParams(answer).get('state') ?? ''
  const { device } = request
  const begun =
    device !== null && device.length <= 100
      ? await tx.maybe(sql.takeAttempt, { state: hashToken(state), site: site.id, device: hashToken(device), now })
      : null
  if (!begun) throw new Failure('signOn.expired')
  return { ...begun, state }
}

// ---- The calls ----------------------------------------------------------------------------------------------------------------

export const signOn: Handlers['signOn'] = {
  async begin(context) {
    const { input, tx, site, now, request } = context
    const linksTo = input.link === true ? ownAccount(context) : null
    await tx.asSystem()
    const provider = await requireProvider(context)
    await tx.commit()
    const { outbound } = request
    const configuration = await request.outside(() =>
      queued(site.id, () => describe(outbound, opened(context, provider))),
    )
    const begun = beginning()
    const maxAge = input.fresh === true ? freshSeconds : null
    await tx.run(sql.addAttempt, {
      state: hashToken(begun.state),
      site: site.id,
      device: hashToken(browserToken(context)),
      issuer: provider.issuer,
      clientId: provider.clientId,
      nonce: begun.nonce,
      verifier: begun.verifier,
      maxAge,
      linksTo,
      expires: new Date(now.getTime() + minutes * 60_000),
    })
    return { url: await authorizationAddress(configuration, begun, { redirect: redirectOf(context), maxAge }) }
  },

  async finish(context) {
    const { input, tx, site, now, request } = context
    await tx.asSystem()
    const begun = await takeAttempt(context, input.answer)
    // used up, even when the sign-in fails
    await tx.commit()
    const provider = await requireProvider(context)
    if (provider.issuer !== begun.issuer || provider.clientId !== begun.clientId) throw new Failure('signOn.off')
    await tx.commit()
    const answered = { ...begun, answer: input.answer, redirect: redirectOf(context) }
    const person = await request.outside(() =>
      queued(site.id, () => personOf(request.outbound, opened(context, provider), answered)),
    )
    if (isNotShown(person)) return refused(context, person)
    if (begun.linksTo !== null) {
      const linked = await linkOwn(context, begun.linksTo, provider, person)
      return isNotShown(linked) ? refused(context, linked) : linked
    }
    const match = await accountOf(context, provider, person)
    if (typeof match !== 'number') return refused(context, match)
    const account = await tx.one(accountById, { account: match })
    const { end, idToken, factor } = person
    const by: BySignOn = {
      sealed: sealProviderSession(context, match, { end, idToken, clientId: provider.clientId }),
      confirmed: confirmedAt(person, now),
      factor,
    }
    return (await stepAfter(context, account, false, by)) ?? beginSession(context, account, by)
  },

  async settings(context) {
    const { tx, site, request } = context
    const { text } = await tx.json(sql.providerShown, { site: site.id })
    return {
      provider: JSON.parse(text) as SignOnProvider | null,
      available: request.secrets.isPersistent,
      redirect: redirectOf(context),
      afterSignOut: `${request.origin}/`,
    }
  },

  async save(context) {
    const { input, tx, who, site, now, request } = context
    requireFresh(context)
    const { name, issuer: typed, client_id: clientId, claim, seq_id: makesFor = null } = input
    if (makesFor !== null) await tx.json(customerById, { site: site.id, customer: makesFor })
    if (!request.secrets.isPersistent) throw new Failure('signOn.key')
    const stored = await tx.maybe(sql.providerOf, { site: site.id })
    const secret = input.client_secret ?? keptSecret(context, stored, typed)
    await tx.commit()
    const provider = { issuer: typed, clientId, secret: secret || null }
    const configuration = await request.outside(() => queued(site.id, () => describe(request.outbound, provider)))
    // as the provider writes it: that is what its tokens say
    const { issuer } = configuration.serverMetadata()
    await tx.one(lockSite, { site: site.id })
    const sealed = secret ? request.secrets.encrypt(secret, secretPurpose(site.id)) : null
    await tx.run(sql.saveProvider, { site: site.id, name, issuer, clientId, secret: sealed, claim, makesFor })
    const facts = {
      name,
      issuer,
      client_id: clientId,
      claim,
      ...(input.client_secret !== undefined && { secret: true }),
      ...(makesFor !== null && { customer: makesFor }),
    }
    await recordAudit({ tx, site, who, now }, 'signOn.save', site.code, facts)
    await recordSecurityEvent(context, { kind: 'signOnChanged' })
    request.notify('everyone')
    return tx.json(sql.providerShown, { site: site.id })
  },

  async remove(context) {
    const { tx, who, site, now, request } = context
    requireFresh(context)
    await tx.one(lockSite, { site: site.id })
    const removed = await tx.maybe(sql.removeProvider, { site: site.id })
    if (!removed) throw new Failure('signOn.off')
    await recordAudit({ tx, site, who, now }, 'signOn.remove', site.code, removed)
    await recordSecurityEvent(context, { kind: 'signOnChanged' })
    request.notify('everyone')
    return {}
  },

  async unlink(context) {
    const { input, tx, who, site, now } = context
    requireFresh(context)
    await tx.one(lockSiteAccount, { site: site.id, account: input._id })
    await tx.run(sql.unlink, { site: site.id, account: input._id, actor: who.account, now })
    return { _id: input._id }
  },
}

/**
 * The secret that is kept for an issuer. Another issuer does not get it.
 * @throws Failure `request.invalid`: it has to be typed again
 */
function keptSecret(
  { request, site }: Pick<Anyone, 'request' | 'site'>,
  stored: Kept | null | undefined,
  issuer: string,
) {
  if (!stored?.secret) return ''
  if (!isSameIssuer(stored.issuer, issuer)) throw new Failure('request.invalid', { fields: ['client_secret'] })
  return openSecret({ request, site }, stored.secret)
}

/** When somebody last showed at the provider who it is. One that does not say so may have let them in by an old session. */
const confirmedAt = ({ confirmed }: Person, now: Date): Date =>
  new Date(Math.min(confirmed?.getTime() ?? 0, now.getTime()))
