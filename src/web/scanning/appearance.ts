/** How the outcome of a scan looks, at intake and on every other screen. */
import {
  IconAlertTriangle,
  IconArrowsExchange,
  IconBuildingWarehouse,
  IconCheck,
  IconCopyCheck,
  IconListCheck,
  IconMapPin,
  IconMapPinOff,
  IconQuestionMark,
  IconScan,
  IconZoomQuestion,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ScanOutcome, ScanRecord } from './records.ts'

/** A wheel that is not where it should be, and is looked for. */
export const MissingIcon = IconZoomQuestion

/** How a card looks: green for success, red for errors, duplicates and other sites apart from both (docs/product/warehouse.md "Scans"). */
export type Tint = 'good' | 'bad' | 'again' | 'foreign' | 'open' | 'elsewhere'
export const appearances = {
  found: { tint: 'good', icon: IconCheck },
  unchecked: { tint: 'open', icon: IconScan },
  duplicate: { tint: 'again', icon: IconCopyCheck },
  other_site: { tint: 'foreign', icon: IconBuildingWarehouse },
  missing: { tint: 'bad', icon: IconAlertTriangle },
  unreadable: { tint: 'bad', icon: IconQuestionMark },
  location: { tint: 'good', icon: IconMapPin },
  stepped: { tint: 'good', icon: IconCheck },
  counted: { tint: 'good', icon: IconListCheck },
  misplaced: { tint: 'bad', icon: IconMapPinOff },
} as const satisfies Record<ScanOutcome, { tint: Tint; icon: TablerIcon }>

/** The look of a record: by its outcome, unless the server refused it, or an operation of another type has its tyre. */
export function appearanceOf(record: Pick<ScanRecord, 'state' | 'reason' | 'outcome'>): {
  tint: Tint
  icon: TablerIcon
} {
  if (record.state === 'refused') return appearances.missing
  if (record.reason?.kind === 'elsewhere') return { tint: 'elsewhere', icon: IconArrowsExchange }
  if (record.outcome === 'unchecked' && record.state === 'marked') return appearances.found
  return appearances[record.outcome]
}
