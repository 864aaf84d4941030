/**
 * The port to a back office (docs/product.md "Back office"; docs/decisions/0014): it books documents. Customers, articles and
 * stock the portal reads from its own tables.
 */
import type { DocumentType } from '#domain/site.ts'

/** A document as it leaves the portal: complete, so that a back office asks for nothing else. Prices are in EUR, without tax. */
export type SentDocument = {
  /** A UUID that never changes. */
  readonly key: string
  /** `account`: the site's account at the back office. */
  readonly site: { readonly id: number; readonly code: string; readonly account: string }
  /** Gapless per site, type and year: `W-2026-00012`. */
  readonly number: string
  readonly type: DocumentType
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Why it was made: a confirmed operation, or storage that was charged. */
  readonly reason: 'operation' | 'storage'
  /** `code`: the customer's code at the back office, empty when it is not known. */
  readonly customer: {
    readonly seq_id: number
    readonly code: string
    readonly name: string
    readonly companyname: string
    readonly street: string
    readonly zipcode: string
    readonly city: string
    readonly email: string
  }
  readonly license_plate: string | null
  /** In their order. A line of text has no article, quantity and price. */
  readonly lines: readonly {
    readonly article_number: string | null
    readonly description: string
    readonly quantity: number | null
    readonly price_excl: number | null
  }[]
  readonly amount_excl: number
}

export type BackOffice = {
  /**
   * Books a document and returns the reference that it has there. Idempotent by `key`: a document that was booked before, even at
   * the same moment, is not booked again and has the same reference. Throws when it fails, or not in time (`signal`): whether it
   * was booked is then unknown, and the portal will try again.
   */
  book(document: SentDocument, signal: AbortSignal): Promise<string>
}
