/** The outcome of an import, before and after it: counts, and the refused lines with their reasons. */
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Column } from '../ui/dataTable/column.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import classes from './importOutcome.module.css'

type ImportOutcomeProps<Line extends { reason: string }> = {
  counts: readonly { what: string; label: string; count: number }[]
  /** The text when the import changes nothing. */
  nothingNew: string | false
  /** Remarks about the file. */
  children?: ReactNode
  lines: readonly Line[]
  /** The column that names a refused line, and the heading of the reasons. */
  lineColumn: Column<Line>
  keyOf: (line: Line) => string | number
  reason: string
  refusedLines: string
  /** The text when not all refused lines are listed. */
  moreRefused: string | false
}

export function ImportOutcome<Line extends { reason: string }>(props: ImportOutcomeProps<Line>) {
  const { counts, nothingNew, children, lines, lineColumn, keyOf, reason, refusedLines, moreRefused } = props
  return (
    <Stack gap="sm" role="status">
      <dl className={classes.counts}>
        {counts.map(({ what, label, count }) => (
          <div key={what} data-what={what} data-none={count === 0 || undefined}>
            <dt>{label}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      {nothingNew && <Text size="sm">{nothingNew}</Text>}
      {children}
      {lines.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {refusedLines}
          </Text>
          <DataTable
            columns={[lineColumn, { id: 'reason', header: reason, render: line => line.reason }]}
            rows={lines}
            keyOf={keyOf}
            frame={{ label: refusedLines, maxHeight: '16rem' }}
          />
          {moreRefused && (
            <Text size="sm" c="dimmed" mt={4}>
              {moreRefused}
            </Text>
          )}
        </div>
      )}
    </Stack>
  )
}
