/** The proof of a pick-up as it is printed. */
import type { Language } from '#domain/people/account.ts'
import type { Tx } from '../../db/database.ts'
import type { PrintedProof } from '../../printing/disposal.ts'
import { proofTexts } from '../../printing/documentTexts.ts'
import type { PrintJob } from '../../printing/pool.ts'
import { languageIn, paperOf } from '../papers/printed.ts'
import * as sql from './disposals.sql.ts'

type ProofOptions = {
  readonly site: number
  readonly pickup: number
  /** Whose tyres; null for all of them. */
  readonly customer: number | null
  /** The language of the reader; null for that of the customer. */
  readonly lang: Language | null
}

/** @throws Failure `record.missing` */
export async function proofJob(tx: Tx, { site, pickup, customer, lang }: ProofOptions): Promise<PrintJob> {
  const row =
    customer === null
      ? { ...(await tx.one(sql.proofOfSite, { site, pickup })), customer: null }
      : await tx.one(sql.proofOfCustomer, { site, pickup, customer })
  const reader = lang ?? languageIn(row.language, 'eng')
  const its = JSON.parse(row.pickup) as PrintedProof['pickup']
  const proof: PrintedProof = {
    site: row.site,
    email: row.email,
    plate: null,
    vehicle: '',
    customer: row.customer === null ? null : (JSON.parse(row.customer) as PrintedProof['customer']),
    pickup: its,
    wheels: JSON.parse(row.wheels) as PrintedProof['wheels'],
    paper: await paperOf(tx, site, reader),
  }
  return { kind: 'proof', proof, texts: proofTexts(proof, reader) }
}
