import { useTranslation } from '../../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import type { OperationsTab } from '../../searchParams.ts'
import { useToday } from '../../shared/hooks.ts'
import { useWorkbook, WorkbookButton } from '../../shared/workbookButton.tsx'
import { useOperationSheet } from './sheet.ts'

type OperationWorkbookProps = { tab: OperationsTab; operations: readonly Operation[] }

function useProps({ tab, operations }: OperationWorkbookProps) {
  const { t } = useTranslation('operations')
  const today = useToday()
  const columns = useOperationSheet()
  return { title: t(`tabs.${tab}`), file: `${t('fileName')}-${today}`, columns, rows: operations }
}

/** Saves the operations of a tab as a workbook. */
export const OperationWorkbook = (of: OperationWorkbookProps) => <WorkbookButton size="xs" {...useProps(of)} />

/** The same as an action of a list's line. */
export const useOperationWorkbook = (of: OperationWorkbookProps) => useWorkbook(useProps(of))
