/** The label formats of the site, each saved separately (docs/product/warehouse.md "Labels"). */
import { Button, Group, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type AdminLabelReport, labelReports as calls } from '#contract/labelReports.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useAfterRemoval } from '../ui/afterRemoval.ts'
import { LabelOutline } from './labelOutline.tsx'
import { LabelReportForm } from './labelReportForm.tsx'
import { usePaperText } from './paperText.ts'
import { RowAction } from '../shared/rowAction.tsx'

export function LabelReports() {
  const { t } = useTranslation('config')
  const reports = useAnswer(calls.all, {})
  const [open, setOpen] = useState<AdminLabelReport | 'new' | null>(null)
  const leave = useAfterRemoval()
  const paperText = usePaperText()
  if (!reports.data) {
    if (reports.isError) return <Failed error={reports.error} retry={reports.refetch} />
    return <Placeholders rows={3} height={56} />
  }
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="sm" c="dimmed">
          {t('labelReports.count', { count: reports.data.length })}
        </Text>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOpen('new')}
          data-add
        >
          {t('labelReports.add')}
        </Button>
      </Group>
      <DataTable
        columns={[
          {
            id: 'paper',
            header: t('labelReports.paper'),
            render: ({ rpt_layout }) => <LabelOutline layout={rpt_layout} size={56} />,
            width: '5rem',
          },
          {
            id: 'name',
            header: t('labelReports.name'),
            render: ({ rpt_name, rpt_layout }) => (
              <>
                {rpt_name}
                <Text size="xs" c="dimmed">
                  {paperText(rpt_layout)}
                </Text>
              </>
            ),
          },
          {
            id: 'actions',
            header: t('actions'),
            headerHidden: true,
            render: report => (
              <ReportActions
                report={report}
                last={reports.data.length === 1}
                edit={() => setOpen(report)}
                leave={leave}
              />
            ),
            width: '1%',
          },
        ]}
        rows={reports.data}
        keyOf={report => report.rpt_number}
        phone={{ columns: '5rem minmax(0, 1fr) auto' }}
        frame
      />
      <FormDialog
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={
          open === null || open === 'new'
            ? t('labelReports.newTitle')
            : t('labelReports.editTitle', { name: open.rpt_name })
        }
        size="34rem"
        lost={t('labelReports.lost')}
      >
        {dialog => open !== null && <LabelReportForm report={open === 'new' ? null : open} dialog={dialog} />}
      </FormDialog>
    </>
  )
}

type ReportActionsProps = {
  report: AdminLabelReport
  last: boolean
  edit: () => void
  leave: (button: HTMLElement) => void
}

function ReportActions({ report, last, edit, leave }: ReportActionsProps) {
  const { t } = useTranslation(['config', 'failures'])
  const remove = useCall(calls.remove, { doing: 'config:labelReports.removing', done: 'config:labelReports.removed' })
  const { rpt_number, rpt_name: name } = report

  async function askAndRemove(button: HTMLElement) {
    const sure = await confirmFirst({
      title: t('config:labelReports.removeQuestion'),
      text: t('config:labelReports.removeText', { name }),
      confirm: t('config:remove'),
      danger: true,
    })
    if (!sure) return
    leave(button)
    remove.mutate({ rpt_number })
  }
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <RowAction icon={IconPencil} label={t('config:editWhich', { name })} tip={t('config:edit')} run={edit} />
      <RowAction
        icon={IconTrash}
        label={t('config:removeWhich', { name })}
        tip={t('config:remove')}
        barred={last ? t('failures:label.last') : undefined}
        danger
        loading={remove.isPending}
        run={button => void askAndRemove(button)}
      />
    </Group>
  )
}
