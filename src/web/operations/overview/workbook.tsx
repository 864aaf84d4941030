import { useTranslation } from '../../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import type { OperationsTab } from '../../searchParams.ts'
import { useToday } from '../../shared/hooks.ts'
import { WorkbookButton } from '../../shared/workbookButton.tsx'
import { useOperationSheet } from './sheet.ts'

/** Saves the operations of a tab as a workbook. */
export function OperationWorkbook({ tab, operations }: { tab: OperationsTab; operations: readonly Operation[] }) {
  const { t } = useTranslation('operations')
  const today = useToday()
  return (
    <WorkbookButton
      size="xs"
      title={t(`tabs.${tab}`)}
      file={`${t('fileName')}-${today}`}
      columns={useOperationSheet()}
      rows={operations}
    />
  )
}
