/** The settings of a site for its papers: texts in each language, and the columns of wheels (docs/product/money.md "Papers"). */

/** The texts of a site on its papers: below its name, at the foot of each page, and after the content. */
export const paperTexts = ['header', 'footer', 'terms'] as const
export type PaperText = (typeof paperTexts)[number]

/** How long each text may be, in each language, and how many lines it may have. */
export const paperTextLimits = {
  header: { length: 300, lines: 6 },
  footer: { length: 240, lines: 2 },
  terms: { length: 4000, lines: 80 },
} as const satisfies Record<PaperText, { length: number; lines: number }>

/** The columns of wheels that a site may leave out. Position, description and remarks are always there. */
export const paperColumns = ['number', 'set', 'depth', 'with'] as const
export type PaperColumn = (typeof paperColumns)[number]

/** Of a site that has decided nothing. */
export const defaultPaperColumns: readonly PaperColumn[] = ['number', 'depth', 'with']

/** The papers that a preview can show. */
export const paperPreviews = ['receipt', 'document', 'overview'] as const
export type PaperPreview = (typeof paperPreviews)[number]

/** Where the page of a receipt is, from the root of the portal: what its QR code opens. */
export const receiptPath = (operation: number): string => `/receipt?operation=${operation}`
