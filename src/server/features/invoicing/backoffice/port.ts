/**
 * What the portal asks of a back office (docs/product.md "Back office", docs/decisions/0014): that it books documents.
 * Whatever else there is of customers, articles and stock the portal reads from its own tables.
 */
import type { DocumentType } from '#domain/site.ts'

/** A document as it leaves the portal: whole, so that nothing has to be asked back. Prices are in EUR, without tax. */
export type SentDocument = {
  /** A uuid of its own, for ever. */
  readonly key: string
  /** `account`: the site's account at the back office (docs/product.md "Back office"). */
  readonly site: { readonly id: number; readonly code: string; readonly account: string }
  /** Gapless per site, type and year: `W-2026-00012`. */
  readonly number: string
  readonly type: DocumentType
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** What it came of: a confirmed operation, or storage that was charged. */
  readonly reason: 'operation' | 'storage'
  /** `code`: what the customer is called in the back office's books, empty when that is not known. */
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
   * Books a document and answers the reference under which it stands there. Under a key that it has booked before it books
   * nothing and answers the same reference, also when both come at the same moment. Throws when it can't now, or not in time
   * (`signal`): whether it has booked then is unknown, and it will be asked again.
   */
  book(document: SentDocument, signal: AbortSignal): Promise<string>
}
