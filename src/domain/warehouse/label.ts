/** Media on which labels of tyres and stock locations are printed (docs/product/warehouse.md "Labels"). All measures are millimetres. */

export const labelLayouts = ['roll_62x100', 'roll_57x32', 'sheet_a4_2x7'] as const
export type LabelLayout = (typeof labelLayouts)[number]

type Size = { readonly width: number; readonly height: number }

/** Those that a label printer has: one label after the other. */
export const rollLayouts = ['roll_62x100', 'roll_57x32'] as const satisfies readonly LabelLayout[]
export type RollLayout = (typeof rollLayouts)[number]

/** The page, a label on it, and how many labels lie side by side and below each other. */
export const labelPapers = {
  roll_62x100: { page: { width: 62, height: 100 }, label: { width: 62, height: 100 }, across: 1, down: 1 },
  roll_57x32: { page: { width: 57, height: 32 }, label: { width: 57, height: 32 }, across: 1, down: 1 },
  // the sheet sold as L7163
  sheet_a4_2x7: { page: { width: 210, height: 297 }, label: { width: 99.1, height: 38.1 }, across: 2, down: 7 },
} as const satisfies Readonly<Record<LabelLayout, { page: Size; label: Size; across: number; down: number }>>

/** How many commands a page of their sheet has. */
export const commandsPerPage = 8

/** The longest name of a label report, in characters. */
export const maxLabelNameLength = 60
