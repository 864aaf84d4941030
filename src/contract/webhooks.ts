/** Webhooks: the portal tells other programs what happened (docs/product/messages.md "Webhooks"). */
import { z } from 'zod'
import { webhookKinds } from '#domain/people/webhook.ts'
import { type AnswerName, call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, moment, typedText } from './wire.ts'

/** How many deliveries a page of the log has. */
export const deliveriesPerPage = 50

/** Deliveries can outgrow 32 bits. */
const deliveryId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

const kinds = z.array(z.enum(webhookKinds)).max(webhookKinds.length)

const endpoint = z.object({
  _id: id,
  url: z.string(),
  kinds,
  made: moment,
  enabled: z.boolean(),
  /** Since when every delivery has failed; null: the last one was taken. */
  failing: moment.nullable(),
  /** When the portal disabled it, because it had failed for three days. */
  disabled: moment.nullable(),
  /** Deliveries that were not taken yet. */
  waiting: z.number().int(),
})
export type WebhookEndpoint = z.output<typeof endpoint>

const ofCustomer = endpoint.omit({ url: true, kinds: true }).extend({
  seq_id: id,
  name: z.string(),
  /** The rest of the address may be a secret between the customer and its program. */
  host: z.string(),
})
export type CustomersEndpoint = z.output<typeof ofCustomer>

const wanted = z.object({
  _id: inputId.optional(),
  url: typedText(500).pipe(z.url({ protocol: /^https?$/ })),
  kinds: kinds.min(1),
  enabled: z.boolean(),
})
export type WantedEndpoint = z.input<typeof wanted>

/** The outcome of an attempt: an answer, or why there was none. */
const outcome = {
  status: z.number().int().nullable(),
  /** The beginning of the answer. */
  answer: z.string(),
  problem: z.enum(['', 'address', 'unreachable', 'unusable']),
  ms: z.number().int().nullable(),
}

const delivery = z.object({
  _id: deliveryId,
  /** The `webhook-id` that the receiver got. */
  key: z.string(),
  kind: z.string(),
  at: moment,
  data: z.record(z.string(), z.unknown()),
  state: z.enum(['delivered', 'waiting', 'givenUp']),
  tries: z.number().int(),
  tried: moment.nullable(),
  /** When it is tried again. */
  due: moment.nullable(),
  ...outcome,
})
export type WebhookDelivery = z.output<typeof delivery>

const listed: AnswerName[] = ['webhooks.list', 'webhooks.ofcustomers']
const logged: AnswerName[] = [...listed, 'webhooks.log']

export const webhooks = feature('webhooks', {
  list: call({
    path: '/webhooks/list',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({}),
    output: z.object({
      endpoints: rows(endpoint),
      /** Whether the portal can keep secrets. */
      available: z.boolean(),
    }),
    summary: 'Lists the webhook endpoints of the site, or for a customer its own.',
  }),
  ofcustomers: call({
    path: '/webhooks/ofcustomers',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({}),
    output: rows(ofCustomer),
    summary: 'Lists the webhook endpoints that customers have added, by customer.',
  }),
  save: call({
    path: '/webhooks/save',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: wanted,
    output: z.object({
      _id: id,
      /** Of a new endpoint, answered this once. */
      secret: z.string().nullable(),
    }),
    failures: ['session.stale', 'record.missing', 'webhook.key', 'webhook.address', 'webhook.too_many'],
    invalidates: listed,
    summary:
      'Adds a webhook endpoint, or changes one. One that was disabled for failing is tried again when it is enabled.',
  }),
  remove: call({
    path: '/webhooks/remove',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['session.stale', 'record.missing'],
    invalidates: logged,
    summary: 'Removes a webhook endpoint with its log. An administrator removes those of customers, too.',
  }),
  rotate: call({
    path: '/webhooks/rotate',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object({ secret: z.string() }),
    failures: ['session.stale', 'record.missing', 'webhook.key'],
    invalidates: listed,
    summary: 'Makes a new secret of an endpoint. For a day deliveries are signed with the one before as well.',
  }),
  test: call({
    path: '/webhooks/test',
    scope: null,
    costly: true,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object(outcome),
    failures: ['record.missing', 'webhook.key'],
    summary: 'Sends an event of the kind `test` to an endpoint at once, and answers what came of it.',
  }),
  log: call({
    path: '/webhooks/log',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ _id: inputId, last: deliveryId.optional() }),
    output: z.object({ deliveries: rows(delivery), more: z.boolean() }),
    failures: ['record.missing'],
    summary: `Lists the deliveries to an endpoint, newest first, ${deliveriesPerPage} a page; the next page follows \`last\`. They are kept for 30 days.`,
  }),
  replay: call({
    path: '/webhooks/replay',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ _id: deliveryId }),
    output: z.object({ _id: deliveryId }),
    failures: ['record.missing'],
    invalidates: logged,
    summary: 'Delivers an event again, under the same `webhook-id`.',
  }),
})
