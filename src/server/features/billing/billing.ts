/** Billing runs as people see and steer them (docs/product/money.md "Billing runs"). work.ts does what they ask for. */
import type { AuditVerb } from '#domain/people/audit.ts'
import { mayStep, sendsDocuments, stateAfter, type RunStep } from '#domain/money/billingRun.ts'
import { Failure } from '#domain/failure.ts'
import type { Tx } from '../../db/database.ts'
import { printedDocuments } from '../fleet/documents.ts'
import type { Context, Handlers } from '../handler.ts'
import { storageRules } from '../invoicing/charging.sql.ts'
import { dayOf } from '../invoicing/storage.ts'
import { Print } from '../../printing/pool.ts'
import * as sql from './billing.sql.ts'
import { owedToday } from './work.ts'
import { recordAudit } from '../audit/record.ts'

type Steering = Pick<Context<{ _id: number }, ['admin']>, 'input' | 'tx' | 'site' | 'who' | 'now'>

/** Takes the first of these steps that the state of the run allows, and audits it. @throws Failure `billing.state` when none is */
async function take(
  { input, tx, site, who, now }: Steering,
  wanted: readonly RunStep[],
  { action, reason = null, facts = {} }: { action: AuditVerb<'billing'>; reason?: string | null; facts?: object },
): Promise<{ _id: number; step: RunStep; state: ReturnType<typeof stateAfter> }> {
  const run = { site: site.id, run: input._id }
  const { state: from } = await tx.one(sql.lockRun, run)
  const step = wanted.find(candidate => mayStep(from, candidate))
  if (!step) throw new Failure('billing.state')
  const state = stateAfter(step)
  await tx.run(sql.setRunState, { ...run, state, reason })
  await audit({ tx, site, who, now }, input._id, action, facts)
  return { _id: input._id, step, state }
}

const audit = (
  { tx, site, who, now }: Omit<Steering, 'input'> & { tx: Tx },
  run: number,
  verb: AuditVerb<'billing'>,
  facts: object,
): Promise<void> => recordAudit({ tx, site, who, now }, `billing.${verb}`, `billing run ${run}`, facts)

const named = ({ _id }: { _id: number }) => ({ _id })

export const billing: Handlers['billing'] = {
  list: ({ tx, site }) => tx.single.json(sql.lastRuns, { site: site.id }),

  owing: ({ input: { days }, tx, site, now }) => owedToday(tx, site, { days, now }),

  read: ({ input, tx, site }) => tx.single.json(sql.runById, { site: site.id, run: input._id }),

  async begin({ input, tx, site, who, now }) {
    if (input.until > dayOf({ now, site })) throw new Failure('invoicing.date_ahead')
    const { article } = await tx.one(storageRules, { site: site.id })
    if (article === null) throw new Failure('invoicing.article_missing')
    const { id, customers } = await tx.one(sql.beginRun, { site: site.id, ...input, actor: who.account, now })
    if (customers === 0) throw new Failure('billing.nothing')
    await audit({ tx, site, who, now }, id, 'begin', { date: input.until, days: input.days })
    return { _id: id }
  },

  async make(context) {
    const { input, tx, site } = context
    const without = [...new Set(input.without)]
    const transition = await take(context, ['make'], { action: 'make' })
    const left = await tx.count(sql.leaveOut, { site: site.id, run: input._id, customers: without })
    if (left < without.length) throw new Failure('record.missing')
    return named(transition)
  },

  async cancel(context) {
    const { _id, state } = await take(context, ['discard', 'stop'], { action: 'cancel' })
    return { _id, state }
  },

  async resume(context) {
    const { input, tx, site } = context
    const resumed = await take(context, ['resume', 'retry'], { action: 'resume' })
    const { failed } = await tx.one(sql.tryAgain, { site: site.id, run: input._id, states: ['counted', 'failed'] })
    if (resumed.step === 'retry' && failed === 0) throw new Failure('billing.state')
    return named(resumed)
  },

  async undo(context) {
    const { input, tx, site } = context
    const { reason } = input
    const undone = await take(context, ['undo'], { action: 'undo', reason, facts: { reason } })
    await tx.one(sql.tryAgain, { site: site.id, run: input._id, states: ['made'] })
    return named(undone)
  },

  pdf: context => printed(context, 'documents'),

  zip: context => printed(context, 'zip'),

  async mail({ input, tx, site, who, now, request }) {
    const run = { site: site.id, run: input._id }
    const { state } = await tx.one(sql.lockRun, run)
    if (!request.sendsMail) throw new Failure('mail.off')
    if (!sendsDocuments(state)) throw new Failure('billing.state')
    const { messages, unsent_count, documents } = await tx.one(sql.mailDocuments, { ...run, now })
    if (documents === 0) throw new Failure('billing.no_documents')
    if (messages > 0) await audit({ tx, site, who, now }, input._id, 'mail', {})
    return { messages, unsent_count }
  },
}

/** The documents of a run that stand, as one PDF or as a ZIP of one for each. */
async function printed(
  { input, tx, site, lang }: Pick<Context<{ _id: number }, ['admin']>, 'input' | 'tx' | 'site' | 'lang'>,
  kind: 'documents' | 'zip',
): Promise<Print> {
  const documents = await tx.rows(sql.documentsOfRun, { site: site.id, run: input._id })
  if (documents.length === 0) throw new Failure('record.missing')
  const ids = documents.flatMap(({ id }) => id ?? [])
  if (ids.length === 0) throw new Failure('billing.no_documents')
  return new Print({ kind, documents: await printedDocuments(tx, { site: site.id, documents: ids }, lang), lang })
}
