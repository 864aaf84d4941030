/** The webhook endpoints of a site (docs/product.md "Webhooks"). */
import { randomBytes, randomUUID } from 'node:crypto'
import { Failure } from '#domain/failure.ts'
import { maxEndpoints, rotationMs, testKind } from '#domain/webhook.ts'
import type { WebhookEndpoint } from '#contract/webhooks.ts'
import { OutboundFailed } from '../../outbound/outbound.ts'
import type { Context, Handlers } from '../handler.ts'
import { audit as addAudit, lockSite } from '../config/hotelconfig.sql.ts'
import { requireFresh } from '../security/fresh.ts'
import { secretPurpose, sendEvent } from './deliver.ts'
import * as sql from './webhooks.sql.ts'

type Administering = Pick<Context<unknown, readonly ['admin']>, 'tx' | 'who' | 'site' | 'now' | 'request'>

/** A new secret as the convention writes it, and as it is kept. @throws Failure `webhook.key` in a portal that can keep none */
function newSecret({ site, request: { secrets } }: Administering): { secret: string; sealed: Buffer } {
  if (!secrets.isPersistent) throw new Failure('webhook.key')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: secrets.encrypt(secret, secretPurpose(site.id)) }
}

/** Refuses an address that nothing may be sent to. @throws Failure `webhook.address` */
async function requireOpen({ request }: Administering, url: string): Promise<void> {
  await request
    .outside(() => request.outbound.check(url))
    .catch((error: unknown) => {
      throw error instanceof OutboundFailed ? new Failure('webhook.address') : error
    })
}

/** The address itself may hold a secret of its receiver. */
const audit = ({ tx, who, site, now }: Administering, action: string, url: string): Promise<void> =>
  tx.run(addAudit, {
    site: site.id,
    actor: who.account,
    now,
    action: `webhook.${action}`,
    subject: site.code,
    facts: JSON.stringify({ host: new URL(url).host }),
  })

export const webhooks: Handlers['webhooks'] = {
  async list({ tx, site, request }) {
    const { text } = await tx.json(sql.endpointsOf, { site: site.id })
    return { endpoints: JSON.parse(text) as WebhookEndpoint[], available: request.secrets.isPersistent }
  },

  async save(context) {
    const { input, tx, site, now } = context
    requireFresh(context)
    const { _id, url, kinds, enabled } = input
    if (_id !== undefined) await tx.one(sql.endpointById, { site: site.id, endpoint: _id })
    await tx.commit()
    await requireOpen(context, url)
    await tx.one(lockSite, { site: site.id })
    await audit(context, _id === undefined ? 'add' : 'edit', url)
    if (_id !== undefined) {
      await tx.one(sql.changeEndpoint, { site: site.id, endpoint: _id, url, kinds, enabled, now })
      return { _id, secret: null }
    }
    const { count } = await tx.one(sql.countEndpoints, { site: site.id })
    if (count >= maxEndpoints) throw new Failure('webhook.too_many', { most: maxEndpoints })
    const { secret, sealed } = newSecret(context)
    const { id } = await tx.one(sql.addEndpoint, { site: site.id, url, kinds, enabled, secret: sealed, now })
    return { _id: id, secret }
  },

  async remove(context) {
    const { input, tx, site } = context
    requireFresh(context)
    const { url } = await tx.one(sql.removeEndpoint, { site: site.id, endpoint: input._id })
    await audit(context, 'remove', url)
    return { _id: input._id }
  },

  async rotate(context) {
    const { input, tx, site, now } = context
    requireFresh(context)
    await tx.one(sql.endpointById, { site: site.id, endpoint: input._id })
    const { secret, sealed } = newSecret(context)
    const until = new Date(now.getTime() + rotationMs)
    const { url } = await tx.one(sql.rotateSecret, { site: site.id, endpoint: input._id, secret: sealed, until })
    await audit(context, 'rotate', url)
    return { secret }
  },

  async test({ input, tx, who, site, now, request }) {
    const endpoint = await tx.one(sql.endpointById, { site: site.id, endpoint: input._id })
    if (!request.secrets.isPersistent) throw new Failure('webhook.key')
    await tx.commit()
    const event = { key: randomUUID(), kind: testKind, at: now.toISOString(), data: { by: who.account } }
    return request.outside(() => sendEvent(request, { site: site.id, endpoint, event, now }))
  },

  async log({ input, tx, site }) {
    await tx.one(sql.endpointById, { site: site.id, endpoint: input._id })
    return tx.json(sql.log, { site: site.id, endpoint: input._id, last: input.last ?? null })
  },

  async replay({ input, tx, site, now }) {
    await tx.one(sql.replay, { site: site.id, delivery: input._id, now })
    return { _id: input._id }
  },
}
