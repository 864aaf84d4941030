/** The rarer steps of an operation, and its labels. */
import { Menu } from '@mantine/core'
import { IconArrowBackUp, IconPrinter, IconScan, IconUserOff, IconX } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { operations as calls } from '#contract/operations.ts'
import type { Operation } from '#contract/wire.ts'
import { formatDate } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useCall } from '../shared/api.ts'
import { useToday } from '../shared/hooks.ts'
import { useLabels } from '../labels/labels.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { RowMenu } from '../ui/rowMenu.tsx'

/** The actions on an operation; the functions are stable while the list is mounted. */
export type Steps = Record<'undo' | 'confirm' | 'cancel' | 'markAll', (operation: Operation) => void>

type OperationMenuProps = {
  operation: Operation
  steps: Steps
  tabIndex: number | undefined
  /** All its tyres are scanned. */
  full: boolean
}

export function OperationMenu({ operation, steps, tabIndex, full }: OperationMenuProps) {
  const { t } = useTranslation(['desk', 'common', 'failures'])
  const notDue = (operation.deliveryDate ?? '') > useToday()
  const noShow = useCall(calls.noshow, {
    done: ({ charged, day }) => t(charged ? 'noShow.charged' : 'noShow.noted', { date: formatDate(day) }),
  })
  async function noteNoShow() {
    const sure = await confirmFirst({
      title: t('noShow.title', { plate: formatPlate(operation.vehicle.license_plate) }),
      text: t('noShow.text'),
      confirm: t('noShow.do'),
    })
    if (sure) noShow.mutate({ operation: operation._id })
  }
  return (
    <RowMenu
      label={t('moreActionsOf', { plate: formatPlate(operation.vehicle.license_plate) })}
      title={t('moreActions')}
      tabIndex={tabIndex}
    >
      <Menu.Item
        leftSection={<IconScan size={18} aria-hidden />}
        disabled={full}
        onClick={() => steps.markAll(operation)}
      >
        {t('markAll')}
      </Menu.Item>
      <Menu.Item leftSection={<IconArrowBackUp size={18} aria-hidden />} onClick={() => steps.undo(operation)}>
        {t('undo')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconUserOff size={18} aria-hidden />}
        disabled={notDue}
        title={notDue ? t('failures:operation.not_due') : undefined}
        onClick={() => void noteNoShow()}
      >
        {t('noShow.do')}
      </Menu.Item>
      <Menu.Divider />
      <Suspense fallback={<Menu.Label>{t('common:loading')}</Menu.Label>}>
        <Labels operation={operation} />
      </Suspense>
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconX size={18} aria-hidden />} onClick={() => steps.cancel(operation)}>
        {t('cancel')}
      </Menu.Item>
    </RowMenu>
  )
}

/** Labels in one of the site's formats, which is remembered on this device. */
function Labels({ operation }: { operation: Operation }) {
  const { t } = useTranslation(['desk', 'common'])
  const { reports, report, choose, print } = useLabels()
  return (
    <>
      <Menu.Item
        leftSection={<IconPrinter size={18} aria-hidden />}
        disabled={!report}
        onClick={() => void print(operation.tyres, operation.vehicle.license_plate)}
      >
        {t('printLabels')}
      </Menu.Item>
      <Menu.RadioGroup value={String(report?.rpt_number)} onChange={number => choose(Number(number))}>
        {reports.map(({ rpt_number, rpt_name }) => (
          <Menu.RadioItem key={rpt_number} value={String(rpt_number)} closeMenuOnClick={false}>
            {rpt_name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
