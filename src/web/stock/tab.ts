/** The props of both tabs. */
import type { StockSearch } from '../searchParams.ts'

export type StockTabProps = {
  chosen: StockSearch
  /** Changes parts of the address; `undefined` takes one out. */
  change: (parts: { [K in keyof StockSearch]?: StockSearch[K] | undefined }) => void
  /** For an administrator. */
  ofSite: boolean
}
