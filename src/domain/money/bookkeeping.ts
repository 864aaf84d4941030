/** Invoices as a CSV file for bookkeeping, by the mapping that a site keeps (docs/bookkeeping.md "CSV"). */
import { csvLines } from '../texts/cell.ts'
import { hundredths, type InvoiceKind, type VatCategory, type VatTotal } from './invoice.ts'

/** The fields that a column can hold; `text` is the column's own fixed text. */
export const bookkeepingFields = [
  'number',
  'kind',
  'issued',
  'due',
  'period',
  'customer_code',
  'customer_name',
  'vat_number',
  'country',
  'reference',
  'documents',
  'credits',
  'description',
  'customer_account',
  'account',
  'vat_code',
  'category',
  'rate',
  'net',
  'vat',
  'gross',
  'currency',
  'text',
] as const
type BookkeepingField = (typeof bookkeepingFields)[number]

/** One row for each invoice, or one for each VAT rate of an invoice. */
export const bookkeepingRows = ['invoice', 'rate'] as const
export const separators = { semicolon: ';', comma: ',', tab: '\t' } as const
export const decimalSigns = { comma: ',', point: '.' } as const
export const dateForms = ['yyyy-mm-dd', 'dd-mm-yyyy', 'dd/mm/yyyy', 'dd.mm.yyyy', 'yyyymmdd'] as const

export type Mapping = {
  readonly rows: (typeof bookkeepingRows)[number]
  readonly separator: keyof typeof separators
  readonly decimal: keyof typeof decimalSigns
  readonly date: (typeof dateForms)[number]
  /** Whether the first line has the headings. */
  readonly headings: boolean
  /** Whether amounts of credit notes are negative. */
  readonly negative: boolean
  readonly customer_account: string
  readonly columns: readonly { readonly heading: string; readonly field: BookkeepingField; readonly text: string }[]
  /** The ledger account and the VAT code of a category and rate. */
  readonly accounts: readonly {
    readonly category: VatCategory
    readonly rate: number
    readonly account: string
    readonly vat_code: string
  }[]
}

export const mappingLimits = { columns: 40, accounts: 40, heading: 60, text: 100, account: 20, vat_code: 20 } as const

const column = (field: BookkeepingField, heading: string, text = '') => ({ heading, field, text })

/** As a site has it that has set up nothing. */
export const plainMapping: Mapping = {
  rows: 'rate',
  separator: 'semicolon',
  decimal: 'comma',
  date: 'yyyy-mm-dd',
  headings: true,
  negative: true,
  customer_account: '',
  columns: (
    [
      'number',
      'kind',
      'issued',
      'due',
      'customer_code',
      'customer_name',
      'vat_number',
      'account',
      'vat_code',
      'category',
      'rate',
      'net',
      'vat',
      'gross',
    ] as const
  ).map(field => column(field, field)),
  accounts: [],
}

/** An invoice as the file needs it; amounts in cents. */
export type BookedInvoice = {
  readonly kind: InvoiceKind
  readonly number: string
  readonly issued: string
  readonly due: string | null
  readonly customer_code: string
  readonly customer_name: string
  readonly vat_number: string
  readonly country: string
  readonly reference: string
  readonly documents: readonly string[]
  readonly credits: string | null
  readonly net: number
  readonly vat: number
  readonly gross: number
  readonly breakdown: readonly VatTotal[]
}

const dated = (day: string, form: Mapping['date']): string => {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-')
  return form.replace('yyyy', year).replace('mm', month).replace('dd', dayOfMonth)
}

type Amounts = Pick<BookedInvoice, 'net' | 'vat' | 'gross'> & { category: VatCategory | null; rate: number | null }

/** The rows of an invoice: of one VAT rate each, or of all together, with the rate where there is one only. */
function amountsOf({ net, vat, gross, breakdown }: BookedInvoice, rows: Mapping['rows']): Amounts[] {
  if (rows === 'rate')
    return breakdown.map(subtotal => ({
      net: subtotal.taxable,
      vat: subtotal.vat,
      gross: subtotal.taxable + subtotal.vat,
      category: subtotal.category,
      rate: subtotal.rate,
    }))
  const only = breakdown.length === 1 ? breakdown[0] : undefined
  return [{ net, vat, gross, category: only?.category ?? null, rate: only?.rate ?? null }]
}

/** The file. Texts are never formulas; amounts and dates are written as the mapping says. */
export function bookkeepingFile(invoices: readonly BookedInvoice[], mapping: Mapping): string {
  const rowOf = (invoice: BookedInvoice, amounts: Amounts): (string | number)[] => {
    const sign = mapping.negative && invoice.kind === 'credit_note' ? -1 : 1
    const { category, rate } = amounts
    const chart = mapping.accounts.find(
      account => account.category === category && rate !== null && hundredths(account.rate) === hundredths(rate),
    )
    const values: Record<Exclude<BookkeepingField, 'text'>, string | number> = {
      number: invoice.number,
      kind: invoice.kind === 'invoice' ? '380' : '381',
      issued: dated(invoice.issued, mapping.date),
      due: invoice.due === null ? '' : dated(invoice.due, mapping.date),
      period: invoice.issued.slice(0, 7),
      customer_code: invoice.customer_code,
      customer_name: invoice.customer_name,
      vat_number: invoice.vat_number,
      country: invoice.country,
      reference: invoice.reference,
      documents: invoice.documents.join(' '),
      credits: invoice.credits ?? '',
      description: `${invoice.number} ${invoice.customer_name}`,
      customer_account: mapping.customer_account,
      account: chart?.account ?? '',
      vat_code: chart?.vat_code ?? '',
      category: category ?? '',
      rate: rate === null ? '' : hundredths(rate),
      net: sign * amounts.net,
      vat: sign * amounts.vat,
      gross: sign * amounts.gross,
      currency: 'EUR',
    }
    return mapping.columns.map(({ field, text }) => (field === 'text' ? text : values[field]))
  }
  const lines = invoices.flatMap(invoice => amountsOf(invoice, mapping.rows).map(amounts => rowOf(invoice, amounts)))
  const head = mapping.headings ? [mapping.columns.map(({ heading }) => heading)] : []
  const separator = separators[mapping.separator]
  const number = (value: number): string => (value / 100).toFixed(2).replace('.', decimalSigns[mapping.decimal])
  // a byte order mark tells other programs that it is UTF-8; a line that names the separator would be a booking to them
  return `\uFEFF${csvLines([...head, ...lines], { separator, number })}`
}

const keyOf = (vat: { category: VatCategory; rate: number }): string => `${vat.category} ${hundredths(vat.rate)}`

/** The categories and rates of invoices for which the mapping has no account. */
export const unmapped = (
  invoices: readonly Pick<BookedInvoice, 'breakdown'>[],
  { accounts }: Pick<Mapping, 'accounts'>,
): { category: VatCategory; rate: number }[] => {
  const mapped = new Set(accounts.map(keyOf))
  const billed = new Map(invoices.flatMap(({ breakdown }) => breakdown.map(total => [keyOf(total), total] as const)))
  return [...billed].filter(([each]) => !mapped.has(each)).map(([, { category, rate }]) => ({ category, rate }))
}
