/** The signs for the functions of an axle, in the picture of a vehicle and where its axles are chosen. */
import { IconArrowsUp, IconEngine, IconSteeringWheel, type TablerIcon } from '@tabler/icons-react'

export const axleMarks = {
  steering: IconSteeringWheel,
  drive: IconEngine,
  lift: IconArrowsUp,
} as const satisfies Record<string, TablerIcon>
export type AxleMark = keyof typeof axleMarks
export const markNames = Object.keys(axleMarks) as AxleMark[]
