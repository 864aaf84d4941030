/** Papers as they are printed, each in the language of its reader. */
import { type Language, languageCodes, languages } from '#domain/people/account.ts'
import { defaultPaperColumns, type PaperColumn, receiptPath } from '#domain/texts/paper.ts'
import type { Tx } from '../../db/database.ts'
import type { Row } from '../../db/statement.ts'
import { overviewTexts, receiptTexts } from '../../printing/documentTexts.ts'
import type { SitePaper } from '../../printing/paper.ts'
import type { PrintJob } from '../../printing/pool.ts'
import type { PrintedOverview, PrintedReceipt } from '../../printing/receipt.ts'
import * as sql from './papers.sql.ts'

type Layout = Omit<Row<typeof sql.paperLayout>, 'version'>

/** The layout of a site's papers in one language. Rows leave out the column of a tread depth that the site hides. */
export const paperIn = (layout: Layout | null, lang: Language): SitePaper => ({
  header: layout?.header[languages[lang]] ?? '',
  footer: layout?.footer[languages[lang]] ?? '',
  terms: layout?.terms[languages[lang]] ?? '',
  columns: layout?.columns ?? ([...defaultPaperColumns] satisfies PaperColumn[]),
})

/** The layout of a site's papers, read from the database, in one language. */
export const paperOf = async (tx: Tx, site: number, lang: Language): Promise<SitePaper> =>
  paperIn((await tx.maybe(sql.paperLayout, { site })) ?? null, lang)

/** A language of a row. */
export const languageIn = (code: string, otherwise: Language): Language =>
  languageCodes.find(language => language === code) ?? otherwise

type Asked = {
  readonly site: number
  readonly operation: number
  /** The only customer whose it may be; null for any. */
  readonly customer: number | null
  /** The language of the reader; null for that of the customer. */
  readonly lang: Language | null
  /** The address of the portal. */
  readonly portal: URL
}

/** Photos of an operation's wheels as it was confirmed, and how many more there are. */
export async function photosOf(tx: Tx, parameters: { site: number; operation: number }) {
  const rows = await tx.rows(sql.photosOfOperation, parameters)
  return {
    photos: rows.map(({ position, code, note, date, picture }) => ({ position, code, note, date, picture })),
    morePhotos: (rows[0]?.total ?? 0) - rows.length,
  }
}

/** The print of a receipt. @throws Failure `record.missing` */
export async function receiptJob(tx: Tx, { site, operation, customer, lang, portal }: Asked): Promise<PrintJob> {
  const row = await tx.one(sql.printedReceipt, { site, operation, customer })
  const reader = lang ?? languageIn(row.language, 'eng')
  const { language: _, ...rest } = row
  const { photos, morePhotos } = await photosOf(tx, { site, operation })
  const receipt: PrintedReceipt = {
    ...rest,
    customer: JSON.parse(row.customer) as PrintedReceipt['customer'],
    wheels: JSON.parse(row.wheels) as PrintedReceipt['wheels'],
    signed: row.signed === null ? null : (JSON.parse(row.signed) as PrintedReceipt['signed']),
    paper: await paperOf(tx, site, reader),
    photos,
    url: new URL(receiptPath(operation), portal).href,
  }
  return { kind: 'receipt', receipt, texts: receiptTexts({ ...receipt, morePhotos }, reader), lang: reader }
}

/** The print of what a customer has in store. @throws Failure `record.missing` */
export async function overviewJob(
  tx: Tx,
  { site, customer, date, lang }: { site: number; customer: number; date: string; lang: Language | null },
): Promise<PrintJob> {
  const row = await tx.one(sql.printedOverview, { site, customer })
  const reader = lang ?? languageIn(row.language, 'eng')
  const { language: _, ...rest } = row
  const overview: PrintedOverview = {
    ...rest,
    date,
    plate: null,
    vehicle: '',
    customer: JSON.parse(row.customer) as PrintedOverview['customer'],
    sets: JSON.parse(row.sets) as PrintedOverview['sets'],
    paper: await paperOf(tx, site, reader),
  }
  return { kind: 'overview', overview, texts: overviewTexts(overview, reader), lang: reader }
}
