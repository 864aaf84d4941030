/** The last invoice date of tyres, set, cleared and set back, and documents that are withdrawn (docs/product/money.md "Stored days"). */
import type { IsoDate } from '#domain/texts/date.ts'
import { Failure } from '#domain/failure.ts'
import type { Tx } from '../../db/database.ts'
import type { Handlers, Site, Who } from '../handler.ts'
import * as sql from './marking.sql.ts'
import { dayOf, lockStored } from './storage.ts'

export const marking: Pick<Handlers['invoicing'], 'markinvoiced' | 'unmarkinvoiced' | 'undomarking' | 'withdraw'> = {
  async markinvoiced({ input: { tyres, date }, tx, who, site, now }) {
    if (date > dayOf({ now, site })) throw new Failure('invoicing.date_ahead')
    const marked = await lockStored(tx, site, { tyres })
    await setDates({ tx, who, site, now }, { tyres: marked, dates: marked.map(() => date), action: 'invoicing.mark' })
    return { tyres: marked, date }
  },

  async unmarkinvoiced({ input, tx, who, site, now }) {
    const cleared = await lockStored(tx, site, { tyres: input.tyreIds })
    await setDates(
      { tx, who, site, now },
      { tyres: cleared, dates: cleared.map(() => null), action: 'invoicing.clear' },
    )
    return { tyres: cleared }
  },

  async undomarking({ input, tx, who, site, now }) {
    const locked = await lockStored(tx, site, { tyres: input.tyres })
    const before = await tx.rows(sql.datesBefore, { site: site.id, tyres: locked })
    if (before.length === 0) throw new Failure('invoicing.no_marking')
    const restored = before.map(tyre => tyre.id)
    const dates = before.map(tyre => tyre.before)
    await setDates({ tx, who, site, now }, { tyres: restored, dates, action: 'invoicing.undo' })
    return { tyres: restored }
  },

  async withdraw({ input: { db_id: document, reason }, tx, who, site, now }) {
    const row = await tx.one(sql.lockDocument, { site: site.id, document })
    if (row.reason !== 'storage') throw new Failure('invoicing.not_storage', { document: row.number })
    if (row.withdrawn) throw new Failure('invoicing.withdrawn', { document: row.number })
    await refuseInvoiced(tx, { site: site.id, document, number: row.number })
    const rows = await tx.rows(sql.withdrawDocument, { site: site.id, document, reason, actor: who.account, now })
    return { document: row.number, tyres: rows.map(({ tyre }) => tyre) }
  },
}

/** A document that is on an invoice needs a credit note first. The caller has locked it. @throws Failure `invoicing.invoiced` */
export async function refuseInvoiced(
  tx: Tx,
  { site, document, number }: { site: number; document: number; number: string },
): Promise<void> {
  const on = await tx.maybe(sql.invoiceOfDocument, { site, document })
  if (on) throw new Failure('invoicing.invoiced', { document: number, invoice: on.invoice })
}

/** Sets the last invoice dates of tyres that are locked, and with them which of their days are charged. */
export async function setDates(
  { tx, who, site, now }: { tx: Tx; who: Pick<Who, 'account'>; site: Pick<Site, 'id'>; now: Date },
  { tyres, dates, action }: { tyres: number[]; dates: (IsoDate | null)[]; action: string },
): Promise<void> {
  const wish = { site: site.id, tyres, dates, actor: who.account, now }
  await tx.run(sql.releaseMarked, wish)
  await tx.run(sql.setInvoiced, { ...wish, undo: action === 'invoicing.undo', action })
}
