/**
 * Messages on their way (docs/decisions/0037). One is written with the change that it is about, in its transaction, and made when it
 * is sent. A worker in every node sends one after the other, tries again after growing pauses, and gives up visibly.
 */
import { hasLink, linkMinutes, linkPath, type MailKind } from '#domain/people/mail.ts'
import { unsubscribePath } from '#domain/people/notice.ts'
import type { Language } from '#domain/people/account.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { hashToken, newToken } from '../../tokens.ts'
import { rejectOnAbort, timeoutSignal, retryDelay, startWorker, type Worker } from '../../worker.ts'
import {
  type AskedPaper,
  type AskedView,
  type Attachment,
  compose,
  type Message,
  type SeenView,
  type ToCompose,
} from './compose.ts'
import { mailedNotices } from '../notices/notify.sql.ts'
import { noticeLine } from '../notices/words.ts'
import * as sql from './mail.sql.ts'
import { smtpTransport, type Transport, Undeliverable } from './transport.ts'

/** How long a mail server may take in all, in ms; less than the lease of an entry. */
const defaultTimeout = 90_000

/** How long a message is tried, in minutes: a new password is wanted now or not at all. */
const triedFor = (kind: MailKind): number => (kind === 'reset' ? 60 : 3 * 24 * 60)

type Sending = {
  /** Without one, messages are kept to be looked at: in the demo. */
  readonly transport: Transport | null
  /** The address of the portal (PUBLIC_URL); a site with an address of its own is there. */
  readonly publicUrl: string
  readonly clock?: () => Date
  readonly signal?: AbortSignal
  /** How long the mail server may take in all, in ms. */
  readonly timeout?: number
  /** How long a message that is under way when the portal stops may take yet, in ms: it would come twice. */
  readonly grace?: number
  /** Draws the paper of a message; `null`: there is nothing to send any more. */
  readonly attach?: (paper: AskedPaper) => Promise<Attachment | null>
  /** Looks up the rows of a view; `null`: its reader does not get it any more. */
  readonly look?: (view: AskedView) => Promise<SeenView | null>
  /** Called with the number of a message that could not be sent, and why. */
  readonly failed?: (mail: number, problem: string) => void
}

/** The portal at the address of a site: its scheme and port are those of the portal's own. */
function addressOf(publicUrl: string, host: string | null): URL {
  const address = new URL(publicUrl)
  if (host) address.hostname = host
  return address
}

/** A fresh link: its token is in the message only. @throws Error when the message would go to an address that is no longer right */
async function addLink(database: Database, link: { mail: number; email: string; expires: Date }): Promise<string> {
  const token = newToken()
  const added = await database.transaction({ system: true }, tx =>
    tx.count(sql.addLink, { ...link, hash: hashToken(token) }),
  )
  if (added === 0) throw new Error('the account has another address now')
  return token
}

/** The lines of a message, and the links on which its reader reads more or ends such messages. */
async function noticesOf(
  database: Database,
  source: Row<typeof sql.messageToSend>,
  { language, address }: { language: Language; address: URL },
): Promise<Required<Pick<ToCompose, 'lines' | 'unsubscribe' | 'link'>>> {
  const { account, site_id: site, facts } = source
  const { notices } = facts as { notices: number[] }
  const rows = await database.transaction({ site }, tx => tx.rows(mailedNotices, { account, notices }))
  const ending = new URL(unsubscribePath, address)
  ending.hash = rows[0]?.key ?? ''
  return {
    lines: rows.map(row => noticeLine(row, language)),
    unsubscribe: ending.href,
    link: new URL('/notices', address).href,
  }
}

/** The paper of a message, drawn now. */
async function paperOf(
  { account, site_id: site, customer, facts }: Row<typeof sql.messageToSend>,
  { language, address, attach }: { language: Language; address: URL; attach: Sending['attach'] },
): Promise<Attachment | null> {
  // the account is a customer's no more
  if (site === null || customer === null) return null
  if (!attach) throw new Error('nothing draws papers')
  const { document, receipt, reminder } = facts as { document?: number; receipt?: number; reminder?: number }
  const which =
    reminder !== undefined ? { reminder } : document === undefined ? { receipt: receipt ?? 0 } : { document }
  return attach({ site, customer, account, lang: language, portal: address, ...which })
}

/** A view as it is now, for who gets it every week. */
async function viewOf(
  { account, site_id: site, customer, facts }: Row<typeof sql.messageToSend>,
  { language, address, look, now }: { language: Language; address: URL; look: Sending['look']; now: Date },
): Promise<(Required<Pick<ToCompose, 'lines' | 'unsubscribe' | 'link'>> & Pick<ToCompose, 'facts'>) | null> {
  // the account is a customer's no more
  if (site === null || customer === null) return null
  if (!look) throw new Error('nothing looks up views')
  const { view } = facts as { view: number }
  const seen = await look({ site, customer, account, view, lang: language, now })
  if (!seen) return null
  const ending = new URL(unsubscribePath, address)
  ending.hash = seen.key
  return {
    facts: { view: seen.name, count: seen.count },
    lines: seen.lines,
    link: new URL(seen.path, address).href,
    unsubscribe: ending.href,
  }
}

/** A message as it is sent; `null` when nothing is left to tell: its reader may not know of it any more. */
async function messageOf(
  database: Database,
  mail: number,
  source: Row<typeof sql.messageToSend>,
  { publicUrl, now, attach, look }: { publicUrl: string; now: Date; attach: Sending['attach']; look: Sending['look'] },
): Promise<Message | null> {
  const { kind, reply_to: replyTo, time_zone, site, site_lang, lang, host, ...facts } = source
  const until = hasLink(kind) ? new Date(now.getTime() + linkMinutes[kind] * 60_000) : null
  const address = addressOf(publicUrl, host)
  if (until) {
    address.pathname = linkPath
    address.hash = await addLink(database, { mail, email: source.email, expires: until })
  }
  const language = lang ?? site_lang ?? 'eng'
  const digest = kind === 'notices' && (await noticesOf(database, source, { language, address }))
  if (digest && digest.lines.length === 0) return null
  const paper = kind === 'paper' ? await paperOf(source, { language, address, attach }) : null
  if (kind === 'paper' && !paper) return null
  const seen = kind === 'view' ? await viewOf(source, { language, address, look, now }) : null
  if (kind === 'view' && !seen) return null
  const about: ToCompose = {
    ...facts,
    kind,
    replyTo: replyTo || null,
    lang: language,
    site: site ?? 'Wheelhouse',
    timeZone: time_zone ?? 'UTC',
    link: address.href,
    until,
    ...digest,
    ...(paper && { facts: { title: paper.title } }),
    ...seen,
  }
  const message = await compose(about)
  return paper ? { ...message, attachment: paper } : message
}

/** Sends the message that has been due longest. Whether there was one, sent or not. */
export async function sendNextMail(database: Database, sending: Sending): Promise<boolean> {
  const {
    transport,
    publicUrl,
    clock = () => new Date(),
    signal,
    grace = 5000,
    timeout = defaultTimeout,
    failed,
    attach,
    look,
  } = sending
  const system = { system: true }
  const next = await database.transaction(system, tx => tx.maybe(sql.takeNextMail, { now: clock() }))
  if (!next) return false
  const mail = next.id
  const row = await database.transaction(system, tx => tx.maybe(sql.messageToSend, { mail }))
  if (!row) {
    await database.transaction(system, tx => tx.run(sql.dropMail, { mail }))
    return true
  }
  try {
    const message = await messageOf(database, mail, row, { publicUrl, now: clock(), attach, look })
    if (!message) {
      await database.transaction(system, tx => tx.run(sql.dropMail, { mail }))
      return true
    }
    // no transaction is open meanwhile: a slow mail server holds no connection
    if (transport)
      await rejectOnAbort(
        transport.send(message, row.message_id),
        timeoutSignal(timeout, signal && delayed(signal, grace)),
      )
    const { logo: _, attachment: __, ...kept } = message
    await database.transaction(system, tx =>
      tx.run(sql.recordSent, { mail, email: row.email, now: clock(), kept: transport ? null : JSON.stringify(kept) }),
    )
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const now = clock().getTime()
    const due = new Date(now + retryDelay(next.tries) * 1000)
    const last = Date.parse(row.created) + triedFor(row.kind) * 60_000
    const givenUp = error instanceof Undeliverable || due.getTime() > last ? new Date(now) : null
    await database.transaction(system, tx =>
      tx.run(sql.recordProblem, { mail, email: row.email, due, problem: problem.slice(0, 500), givenUp }),
    )
    if (signal?.aborted !== true) failed?.(mail, problem)
  }
  return true
}

/** A signal that comes so many ms after another one. */
function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController()
  signal.addEventListener('abort', () => setTimeout(() => later.abort(signal.reason), ms), { once: true })
  return later.signal
}

/** Sends messages as they fall due, from now on. */
export const startMailOutbox = (database: Database, sending: Omit<Sending, 'clock' | 'signal'>): Worker =>
  startWorker({
    next: signal => sendNextMail(database, { ...sending, signal }),
    onError: problem => sending.failed?.(0, problem),
  })

/** How this portal sends messages: through its mail server; in a demo without one they are kept. `null`: not at all. */
export function mailSending(
  { SMTP_URL: url, PUBLIC_URL, MAIL_FROM, PORT }: Config,
  { demo }: { demo: boolean },
): Pick<Sending, 'transport' | 'publicUrl'> | null {
  const publicUrl = PUBLIC_URL ?? `http://localhost:${PORT}`
  if (url === undefined) return demo ? { transport: null, publicUrl } : null
  const from = MAIL_FROM ?? `wheelhouse@${new URL(publicUrl).hostname}`
  return { transport: smtpTransport({ url, from }), publicUrl }
}

/** Forgets messages that are long over; once an hour is enough. */
export const deleteOldMail = (database: Database, now: Date): Promise<void> =>
  database.transaction({ system: true }, tx => tx.run(sql.deleteOldMail, { now }))
