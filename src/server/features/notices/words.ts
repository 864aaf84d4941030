/** The text of a notice in a message. */
import type { Language } from '#domain/people/account.ts'
import { type NoticeFacts, type NoticeKind, noticeText } from '#domain/people/notice.ts'
import { type Translate, translate } from '../../texts/texts.ts'

type Told = {
  readonly kind: NoticeKind
  readonly license_plate: string
  readonly customer: string
  /** An administrator has many customers. */
  readonly ofAdmin: boolean
  /** As JSON. */
  readonly facts: string
}

/** A notice as a line: of which vehicle, for administrators of which customer, and what happened. */
export function noticeLine(
  { kind, license_plate, customer, ofAdmin, facts }: Told,
  lang: Language,
  texts: Translate = translate,
): string {
  const { key, values } = noticeText({ kind, facts: JSON.parse(facts) as NoticeFacts })
  const about = [license_plate, ofAdmin ? customer : ''].filter(Boolean).join(', ')
  const text = texts(lang, 'notices', key, values)
  return about ? `${about}: ${text}` : text
}
