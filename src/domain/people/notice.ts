/** Notices to people about events (docs/product/messages.md "Notices"). */
import type { Role } from './account.ts'
import { formatDate, type IsoDate } from '../texts/date.ts'
import { type DocumentType, isHotel, type Mode } from '../site.ts'
import { isOfferedType, type OperationType } from '../tyres/tyre.ts'

export const noticeKinds = [
  'submitted',
  'withdrawn',
  'planned',
  'picked',
  'dayChanged',
  'done',
  'cancelled',
  'document',
  'worn',
  'longStored',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The kinds of notice for an account of each type: administrators hear of customers' requests, customers of their outcome. */
const kindsOf: Readonly<Record<Role, readonly NoticeKind[]>> = {
  user: [
    'submitted',
    'withdrawn',
    'planned',
    'picked',
    'dayChanged',
    'done',
    'cancelled',
    'document',
    'worn',
    'longStored',
  ],
  admin: ['submitted', 'withdrawn'],
  superuser: [],
}

/** The kinds that an account of this type can choose at a site: without a hotel there is only what its own vehicles need. */
export function noticesFor(type: Role, site: { mode: Mode; allowProfileDepth: boolean }): NoticeKind[] {
  return kindsOf[type].filter(kind => {
    if (kind === 'worn') return site.allowProfileDepth
    return isHotel(site.mode)
  })
}

/** The kinds of customers and of administrators, as a statement takes them. */
export const { user: customerNotices, admin: adminNotices } = kindsOf

/** The notices sent by mail until somebody chooses: those that may need action. */
export const mailedAtFirst: readonly NoticeKind[] = ['dayChanged', 'cancelled']

/** The hour of the site's day at which a daily message goes out. */
export const dailyHour = 7

/** How long what happened is gathered before a message goes out, in s: forty recalls submitted together are one message. */
export const gatheringSeconds = 60

/** How long the readings of a vehicle are gathered before anybody is told that its tyres are worn, in s. */
export const measuringSeconds = 300

/** The page that ends messages without a sign-in. Its key is behind `#`, so that no server logs it. */
export const unsubscribePath = '/unsubscribe'

/** The facts of a notice; those that don't belong to its kind are absent. */
export type NoticeFacts = {
  type?: OperationType | undefined
  tyre_count?: number | undefined
  /** The delivery day, and the one before it. */
  to?: IsoDate | null | undefined
  from?: IsoDate | null | undefined
  document?: DocumentType | undefined
  /** The least depth, in mm. */
  depth?: number | undefined
}

/** A day in a text; a dash where an operation has none. */
const dayOf = (date: IsoDate | null | undefined): string => (date ? formatDate(date) : '–')

/** The text of a notice: its key among the texts of notices, and what stands in it. */
export function noticeText({ kind, facts }: { kind: NoticeKind; facts: NoticeFacts }) {
  const { type = 'to_stock', tyre_count = 0, document = 'reservation', from, to, depth = 0 } = facts
  const values = { count: tyre_count, from: dayOf(from), to: dayOf(to), depth }
  switch (kind) {
    case 'submitted':
    case 'withdrawn':
    case 'done':
    case 'cancelled':
      return { key: `text.${kind}.${isOfferedType(type) ? type : 'to_stock'}`, values } as const
    case 'document':
      return { key: `text.document.${document}`, values } as const
    default:
      return { key: `text.${kind}`, values } as const
  }
}
