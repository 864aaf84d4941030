/** The statements of messages and of the links in them. Sending and following a link need the scope of the system. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { linkKinds, mailKinds } from '#domain/people/mail.ts'
import { statement } from '../../db/statement.ts'
import { mailsListed } from '#contract/mail.ts'
import { answer, bool, bytes, instant, int, json, moment, parsedJson, text } from '../../db/types.ts'

/** How long a message belongs to the node that took it, in s; longer than a mail server may take. */
const lease = 120
/** How long messages are remembered. */
const rememberedFor = '90 days'

const kind = z.enum(mailKinds)
const language = z.enum(languageCodes)

/** Writes a message for an account that has an address and is not disabled. */
export const addMail = statement({
  name: 'mail.add',
  parameters: { account: int, kind, facts: json, now: instant },
  sql: `insert into mail (site_id, customer_id, account_id, kind, facts, created_at, due_at)
   select site_id, customer_id, id, :kind, :facts::jsonb, :now, :now from account
   where id = :account and email <> '' and disabled_at is null`,
})

/** Writes a message about a changed address to the one that the account had before. */
export const addMailToFormer = statement({
  name: 'mail.addToFormer',
  parameters: { account: int, former: text, now: instant },
  sql: `insert into mail (site_id, customer_id, account_id, kind, to_address, created_at, due_at)
   select site_id, customer_id, id, 'emailChanged', :former, :now, :now from account where id = :account and disabled_at is null`,
})

/**
 * Writes a message with the link to a new password for the account that has this username or address at a site, if there is one. An
 * impatient user gets one message in two minutes and three in an hour, not twenty. For an unknown name, something is written and waited
 * for too (a message to nobody in the write-ahead log): a faster answer would reveal that no account has this name.
 */
export const addReset = statement({
  name: 'mail.addReset',
  parameters: { site: int.nullable(), who: text, now: instant },
  row: { asked: bool },
  sql: `with added as (insert into mail (site_id, customer_id, account_id, kind, created_at, due_at)
   select site_id, customer_id, id, 'reset', :now, :now from account a
   where (lower(username) = lower(:who) or lower(email) = lower(:who)) and (site_id = :site or site_id is null)
     and email <> '' and disabled_at is null
     and (select count(*) < 3 and coalesce(max(created_at) < :now::timestamptz - interval '2 minutes', true) from mail
       where account_id = a.id and kind = 'reset' and created_at > :now::timestamptz - interval '1 hour')
   order by site_id nulls last, id limit 5)
   select pg_logical_emit_message(true, 'wheelhouse', 'reset') is not null as asked`,
})

/** Takes the message that has been due longest. No other node does: it is due again only when the lease has run out. */
export const takeNextMail = statement({
  name: 'mail.take',
  parameters: { now: instant },
  row: { id: int, tries: int },
  sql: `update mail set tries = tries + 1, due_at = :now::timestamptz + make_interval(secs => ${lease})
   where id = (
     select id from mail where sent_at is null and given_up_at is null and due_at <= :now
     order by due_at, id limit 1 for update skip locked)
   returning id, tries`,
})

/** The content of a message. No row: its account has lost its address, or was disabled. */
export const messageToSend = statement({
  name: 'mail.message',
  parameters: { mail: int },
  row: {
    message_id: text,
    account: int,
    site_id: int.nullable(),
    customer: int.nullable(),
    kind,
    facts: parsedJson<Record<string, unknown>>(),
    created: moment,
    username: text,
    fullname: text,
    email: text,
    lang: language.nullable(),
    site: text.nullable(),
    site_lang: language.nullable(),
    time_zone: text.nullable(),
    reply_to: text.nullable(),
    host: text.nullable(),
    logo: bytes.nullable(),
  },
  sql: `select m.message_id::text as message_id, a.id as account, a.site_id, a.customer_id as customer, m.kind, m.facts, m.created_at as created, a.username, a.fullname,
     coalesce(nullif(m.to_address, ''), a.email) as email, a.language as lang,
     s.name as site, s.language as site_lang, s.time_zone, s.admin_email as reply_to,
     (select min(host) from site_address where site_id = s.id and host <> '*') as host,
     (select content from image where site_id = s.id and kind in ('landinglogo', 'navlogo') order by kind limit 1) as logo
   from mail m join account a on a.id = m.account_id left join site s on s.id = m.site_id
   where m.id = :mail and (a.email <> '' or m.to_address <> '') and a.disabled_at is null`,
})

/**
 * Lets a token be used once, until it expires. Links of earlier tries stay: their message may have come after all. No row is touched
 * when the account got another address than that of the message meanwhile.
 */
export const addLink = statement({
  name: 'mail.addLink',
  parameters: { mail: int, email: text, hash: bytes, expires: instant },
  sql: `insert into account_link (hash, mail_id, site_id, customer_id, account_id, kind, expires_at)
   select :hash, m.id, a.site_id, a.customer_id, a.id, m.kind, :expires from mail m join account a on a.id = m.account_id
   where m.id = :mail and a.email = :email for share of a`,
})

/** Takes all links of an account from use: it has another address, role or password than when they were sent. */
export const voidLinks = statement({
  name: 'mail.voidLinks',
  parameters: { account: int },
  sql: 'delete from account_link where account_id = :account',
})

/** Erases the facts that a message no longer needs once it is sent or given up. */
const forgetsOrigin = `facts = facts - 'address' - 'device', to_address = ''`

/** `kept` is the message itself, where nobody gets it: in the demo. What went to the address of the account arrives there. */
export const recordSent = statement({
  name: 'mail.sent',
  parameters: { mail: int, email: text, now: instant, kept: json.nullable() },
  sql: `with sent as (
     update mail set sent_at = :now, problem = '', kept = :kept::jsonb, ${forgetsOrigin} where id = :mail and sent_at is null
     returning account_id)
   update account a set bounced_at = null, bounce = '' from sent
   where a.id = sent.account_id and a.email = :email and a.bounced_at is not null`,
})

/** Notes what a try failed at. With `givenUp` it was the last one, and the account shows it while it has the address. */
export const recordProblem = statement({
  name: 'mail.problem',
  parameters: { mail: int, email: text, due: instant, problem: text, givenUp: instant.nullable() },
  sql: `with failed as (
     update mail set due_at = :due, problem = :problem, given_up_at = :givenUp,
       facts = case when :givenUp::timestamptz is null then facts else facts - 'address' - 'device' end,
       to_address = case when :givenUp::timestamptz is null then to_address else '' end
     where id = :mail and sent_at is null returning account_id, given_up_at)
   update account a set bounced_at = coalesce(a.bounced_at, failed.given_up_at), bounce = :problem from failed
   where a.id = failed.account_id and a.email = :email and failed.given_up_at is not null`,
})

/** Since when no message arrives at the address of an account, and why: an expression over `account`. */
export const bouncedAddress = `case when bounced_at is not null then json_build_object('since', bounced_at, 'problem', bounce) end`

/** Forgets a message that nobody is to get any more. */
export const dropMail = statement({
  name: 'mail.drop',
  parameters: { mail: int },
  sql: 'delete from mail where id = :mail',
})

/** Forgets messages that are long over, and links that have expired. */
export const deleteOldMail = statement({
  name: 'mail.sweep',
  parameters: { now: instant },
  sql: `with expired as (delete from account_link where expires_at < :now)
   delete from mail where created_at < :now::timestamptz - interval '${rememberedFor}'`,
})

/** The company of the customer whose account it is: an expression over `account a`. */
export const companyOfAccount = `coalesce((select coalesce(nullif(c.company, ''), c.name) from customer c
       where c.site_id = a.site_id and c.id = a.customer_id), '')`

/** Whose link a token is, unless it was used, has expired, or the account was disabled. */
export const linkOf = statement({
  name: 'mail.link',
  parameters: { hash: bytes, now: instant },
  row: {
    kind: z.enum(linkKinds),
    account: int,
    site: int.nullable(),
    username: text,
    fullname: text,
    company: text,
    expires: moment,
  },
  sql: `select l.kind, a.id as account, a.site_id as site, a.username, a.fullname, ${companyOfAccount} as company, l.expires_at as expires
   from account_link l join account a on a.id = l.account_id
   where l.hash = :hash and l.expires_at > :now and a.disabled_at is null`,
})

/** Takes all links of an account from use, and sets its password to this hash. No row is touched when this link was used meanwhile. */
export const useLink = statement({
  name: 'mail.useLink',
  parameters: { hash: bytes, password: text, now: instant },
  sql: `with used as (delete from account_link where hash = :hash and expires_at > :now returning account_id),
   others as (delete from account_link where account_id in (select account_id from used) and hash <> :hash),
   changed as (
     update account set password = :password, must_change_password = false where id in (select account_id from used) and disabled_at is null
     returning id, site_id, customer_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select site_id, customer_id, id, :now, 'account.password', 'account ' || id, jsonb_build_object('own', true) from changed`,
})

/** Whether a message was sent, was given up, or is still to be sent: an expression over `mail m`. */
export const mailState = `case when m.sent_at is not null then 'sent' when m.given_up_at is not null then 'failed' else 'waiting' end`

/** The latest messages of all sites, in wire form. Of customers' accounts it says the number, and nobody's address. */
export const listMails = statement({
  name: 'mail.list',
  row: answer,
  sql: `select coalesce(json_agg(row), '[]')::text as json from (
     select m.id as _id, (select name from site where id = m.site_id) as site, m.account_id as account,
       case when a.type <> 'user' then a.username end as username, m.kind, m.created_at as created, ${mailState} as state, m.tries,
       regexp_replace(m.problem, '[^[:space:]<>"'']+@[^[:space:]<>"'']+', '…', 'g') as problem,
       case when m.kept is not null then json_build_object('to', m.kept -> 'to' ->> 'address', 'subject', m.kept ->> 'subject',
         'text', m.kept ->> 'text') end as kept
     from mail m join account a on a.id = m.account_id order by m.id desc limit ${mailsListed}) row`,
})
