/** The webhook endpoints of a site and of its customers (docs/product/messages.md "Webhooks"). */
import { randomBytes, randomUUID } from 'node:crypto'
import { Failure } from '#domain/failure.ts'
import { maxEndpoints, rotationMs, testKind } from '#domain/people/webhook.ts'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import type { AuditVerb } from '#domain/people/audit.ts'
import { OutboundFailed } from '../../outbound/outbound.ts'
import type { Context, Handlers } from '../handler.ts'
import { lockSite } from '../config/config.sql.ts'
import { lockCustomer } from '../customers/customers.sql.ts'
import { requireFresh } from '../security/fresh.ts'
import { secretPurpose, sendEvent } from './deliver.ts'
import * as sql from './webhooks.sql.ts'
import { recordAudit } from '../audit/record.ts'

type Administering = Pick<Context<unknown, readonly ['user', 'admin']>, 'tx' | 'who' | 'site' | 'now' | 'request'>

/** Whose endpoints somebody has to do with: their customer's, or as an administrator the site's own. */
const ownerOf = ({ who, site }: Pick<Administering, 'who' | 'site'>) => ({ site: site.id, customer: who.customer })

/** A new secret as the convention writes it, and as it is kept. @throws Failure `webhook.key` in a portal that can keep none */
function newSecret({ site, request: { secrets } }: Administering): { secret: string; sealed: Buffer } {
  if (!secrets.isPersistent) throw new Failure('webhook.key')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: secrets.encrypt(secret, secretPurpose(site.id)) }
}

/** Refuses an address that nothing may be sent to. @throws Failure `webhook.address` */
async function requireOpen({ who, request }: Administering, url: string): Promise<void> {
  const way = who.customer === null ? request.outbound : request.outbound.forCustomers
  await request
    .outside(() => way.check(url))
    .catch((error: unknown) => {
      throw error instanceof OutboundFailed ? new Failure('webhook.address') : error
    })
}

/** The address itself may hold a secret of its receiver. */
const audit = (
  { tx, who, site, now }: Administering,
  verb: AuditVerb<'webhook'>,
  { url, customer = who.customer }: { url: string; customer?: number | null },
): Promise<void> =>
  recordAudit(
    { tx, site, who, now },
    `webhook.${verb}`,
    customer === null ? site.code : `customer ${customer}`,
    { host: new URL(url).host },
    customer,
  )

export const webhooks: Handlers['webhooks'] = {
  async list({ tx, who, site, request }) {
    const { text } = await tx.json(sql.endpointsOf, ownerOf({ who, site }))
    return { endpoints: JSON.parse(text) as WebhookEndpoint[], available: request.secrets.isPersistent }
  },

  ofcustomers: ({ tx, site }) => tx.json(sql.endpointsOfCustomers, { site: site.id }),

  async save(context) {
    const { input, tx, who, site, now } = context
    requireFresh(context)
    const { _id, url, kinds, enabled } = input
    const owner = ownerOf(context)
    if (_id !== undefined) await tx.one(sql.ownEndpoint, { ...owner, endpoint: _id })
    await tx.commit()
    await requireOpen(context, url)
    // the most endpoints are counted one after the other
    await (who.customer === null
      ? tx.one(lockSite, { site: site.id })
      : tx.one(lockCustomer, { site: site.id, customer: who.customer }))
    await audit(context, _id === undefined ? 'add' : 'edit', { url })
    if (_id !== undefined) {
      await tx.one(sql.changeEndpoint, { ...owner, endpoint: _id, url, kinds, enabled, now })
      return { _id, secret: null }
    }
    const most = maxEndpoints[who.customer === null ? 'site' : 'customer']
    const { count } = await tx.one(sql.countEndpoints, owner)
    if (count >= most) throw new Failure('webhook.too_many', { most })
    const { secret, sealed } = newSecret(context)
    const account = who.customer === null ? null : who.account
    const { id } = await tx.one(sql.addEndpoint, { ...owner, account, url, kinds, enabled, secret: sealed, now })
    return { _id: id, secret }
  },

  async remove(context) {
    const { input, tx } = context
    requireFresh(context)
    await audit(context, 'remove', await tx.one(sql.removeEndpoint, { ...ownerOf(context), endpoint: input._id }))
    return { _id: input._id }
  },

  async rotate(context) {
    const { input, tx, now } = context
    requireFresh(context)
    const owned = { ...ownerOf(context), endpoint: input._id }
    await tx.one(sql.ownEndpoint, owned)
    const { secret, sealed } = newSecret(context)
    const until = new Date(now.getTime() + rotationMs)
    await audit(context, 'rotate', await tx.one(sql.rotateSecret, { ...owned, secret: sealed, until }))
    return { secret }
  },

  async test({ input, tx, who, site, now, request }) {
    const endpoint = await tx.one(sql.ownEndpoint, { ...ownerOf({ who, site }), endpoint: input._id })
    if (!request.secrets.isPersistent) throw new Failure('webhook.key')
    await tx.commit()
    const event = { key: randomUUID(), kind: testKind, at: now.toISOString(), data: { by: who.account } }
    return request.outside(() => sendEvent(request, { site: site.id, endpoint, event, now }))
  },

  async log({ input, tx, who, site }) {
    await tx.one(sql.ownEndpoint, { ...ownerOf({ who, site }), endpoint: input._id })
    return tx.json(sql.log, { site: site.id, endpoint: input._id, last: input.last ?? null })
  },

  async replay({ input, tx, who, site, now }) {
    await tx.one(sql.replay, { ...ownerOf({ who, site }), delivery: input._id, now })
    return { _id: input._id }
  },
}
