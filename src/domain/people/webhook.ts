/** Events that the portal sends to other programs (docs/product/messages.md "Webhooks"). */

/** The kinds of events. What happens to a tyre is named as in its history. */
export const webhookKinds = [
  'operation.created',
  'operation.submitted',
  'operation.reopened',
  'operation.rescheduled',
  'operation.planned',
  'operation.picked',
  'operation.confirmed',
  'operation.cancelled',
  'operation.deleted',
  'tyre.added',
  'tyre.received',
  'tyre.moved',
  'tyre.delivered',
  'tyre.scrapped',
  'tyre.changed',
  'tyre.removed',
  'tyre.missing',
  'tyre.transferred',
  'tyre.mounted',
  'tyre.dismounted',
  'odometer.read',
  'document.created',
  'document.withdrawn',
  'invoice.paid',
  'invoice.reopened',
  'vehicle.worn',
  'customer.long_stored',
] as const
export type WebhookKind = (typeof webhookKinds)[number]

/** The kind of a test delivery. */
export const testKind = 'test'

/** The most endpoints of a site, and of a customer of it. */
export const maxEndpoints = { site: 10, customer: 3 } as const

/** For how long a delivery is tried, and for how long an endpoint may fail until it is given up, in ms. */
export const triedForMs = 3 * 24 * 3_600_000

/** For how long the secret before the present one signs as well, in ms. */
export const rotationMs = 24 * 3_600_000
