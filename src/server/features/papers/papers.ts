/** Receipts of storages, the overview of stored wheels, and the texts that a site prints on them (docs/product/money.md "Papers"). */
import { languageOf } from '#domain/people/account.ts'
import { Failure } from '#domain/failure.ts'
import { defaultPaperColumns } from '#domain/texts/paper.ts'
import { Print } from '../../printing/pool.ts'
import type { Context, Handlers } from '../handler.ts'
import { customerOf } from '../customers/customers.ts'
import { dayOf } from '../invoicing/storage.ts'
import { reencodeInTurn } from '../sites/images.ts'
import { exampleJob } from './example.ts'
import { overviewJob, paperIn, receiptJob } from './printed.ts'
import * as sql from './papers.sql.ts'

const none = { nl: '', fr: '', en: '', de: '' }

/** The portal at the address of the site: an address that others claim in a request goes on no paper. */
function portalOf({ site, request }: Pick<Context<unknown, 'anyone'>, 'site' | 'request'>): URL {
  const portal = new URL(request.origin)
  const host = site.hosts.find(name => name !== '*')
  if (host !== undefined) portal.hostname = host
  return portal
}

/** A customer reads in their own language; administrators print for the customer. */
const readerOf = ({ who, lang }: Pick<Context<unknown, readonly ['user', 'admin']>, 'who' | 'lang'>) =>
  who.type === 'admin' ? null : lang

export const papers: Handlers['papers'] = {
  receipt: ({ input, tx, who, site }) =>
    tx.single.json(sql.receiptById, { site: site.id, operation: input.operation, customer: who.customer }),

  async receiptpdf(context) {
    const { input, tx, who, site } = context
    const about = { site: site.id, operation: input.operation, customer: who.customer }
    return new Print(await receiptJob(tx, { ...about, lang: readerOf(context), portal: portalOf(context) }))
  },

  async sign({ input, tx, site, who, now, request }) {
    const { operation, name } = input
    const { signed } = await tx.one(sql.receiptSigned, { site: site.id, operation })
    if (signed) throw new Failure('papers.signed')
    const bytes = Buffer.from(input.signature, 'base64')
    const { content } = await reencodeInTurn('signature', bytes, { site: site.id, account: who.account })
    const actor = who.account
    const added = await tx.maybe(sql.signReceipt, { site: site.id, operation, name, signature: content, actor, now })
    if (!added) throw new Failure('papers.signed')
    request.notify(added.customer)
    return { operation }
  },

  async mail({ input, tx, site, who, now, request }) {
    const { operation } = input
    await tx.one(sql.receiptSigned, { site: site.id, operation })
    if (!request.sendsMail) throw new Failure('mail.off')
    const { messages } = await tx.one(sql.mailReceipt, { site: site.id, operation, actor: who.account, now })
    if (messages === 0) throw new Failure('papers.no_address')
    return { messages }
  },

  async overview(context) {
    const { input, tx, who, site, now } = context
    const customer = customerOf(who, input.seq_id)
    if (customer === null) throw new Failure('record.missing')
    const lang = readerOf(context)
    return new Print(await overviewJob(tx, { site: site.id, customer, date: dayOf({ now, site }), lang }))
  },

  async layout({ tx, site }) {
    const kept = await tx.maybe(sql.paperLayout, { site: site.id })
    return kept ?? { header: none, footer: none, terms: none, columns: [...defaultPaperColumns], version: 0 }
  },

  async save({ input, tx, site, who, now }) {
    const { header, footer, terms, columns, version } = input
    const saved = await tx.maybe(sql.savePaperLayout, {
      site: site.id,
      version,
      header: JSON.stringify(header),
      footer: JSON.stringify(footer),
      terms: JSON.stringify(terms),
      columns,
      actor: who.account,
      now,
    })
    if (!saved) throw new Failure('config.changed')
    return { header, footer, terms, columns, version: saved.version }
  },

  async preview({ input, tx, site, now }) {
    const { shows, ...layout } = input
    const lang = languageOf(input.lang) ?? site.language
    const named = await tx.one(sql.siteOnPapers, { site: site.id })
    const date = dayOf({ now, site })
    return new Print(
      exampleJob({ shows, paper: paperIn(layout, lang), lang, site: named, date, withDepth: site.allowProfileDepth }),
    )
  },
}
