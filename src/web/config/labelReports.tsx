/** What the site prints its labels on, each saved by itself (SPEC §3 "labelReports"). */
import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelLayouts, labelNameMost, labelPapers, type LabelLayout } from '#domain/label.ts'
import { type KeptLabelReport, labelReports as calls } from '#contract/labelReports.ts'
import { messageOf, Refused, useAnswer, useCall } from '../shared/api.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { FormDialog, type FormInDialog, useEntered } from '../ui/formDialog.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useAfterRemoval } from './afterRemoval.ts'
import shared from './config.module.css'
import { LabelOutline } from './labelOutline.tsx'
import { RowAction } from './rowAction.tsx'
import classes from './labelReports.module.css'

export function LabelReports() {
  const { t } = useTranslation('config')
  const reports = useAnswer(calls.all, {})
  const [open, setOpen] = useState<KeptLabelReport | 'new' | null>(null)
  const leave = useAfterRemoval()
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
      <div className={shared.frame}>
        <Table className={`${shared.table} ${classes.cards}`}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.outlineCell}>{t('labelReports.paper')}</Table.Th>
              <Table.Th>{t('labelReports.name')}</Table.Th>
              <Table.Th className={shared.actions}>
                <span className="wh-hidden">{t('actions')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {reports.data.map(report => (
              <Row
                key={report.rpt_number}
                report={report}
                last={reports.data.length === 1}
                edit={() => setOpen(report)}
                leave={leave}
              />
            ))}
          </Table.Tbody>
        </Table>
      </div>
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
        {dialog => open !== null && <ReportForm report={open === 'new' ? null : open} dialog={dialog} />}
      </FormDialog>
    </>
  )
}

/** How large a label is, and how many are on a page, in the language of the page. */
function usePaperText(): (layout: LabelLayout) => string {
  const { t, i18n } = useTranslation('config')
  return layout => {
    const { label, across, down } = labelPapers[layout]
    const [width, height] = [label.width, label.height].map(length => length.toLocaleString(i18n.language))
    const size = `${width} × ${height} mm`
    return across * down > 1
      ? t('labelReports.onSheet', { size, count: across * down })
      : t('labelReports.onRoll', { size })
  }
}

type RowProps = { report: KeptLabelReport; last: boolean; edit: () => void; leave: (button: HTMLElement) => void }

function Row({ report, last, edit, leave }: RowProps) {
  const { t } = useTranslation(['config', 'failures'])
  const paperText = usePaperText()
  const remove = useCall(calls.remove, { doing: 'config:labelReports.removing', done: 'config:labelReports.removed' })
  const { rpt_number, rpt_name: name, rpt_layout } = report

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
    <Table.Tr>
      <Table.Td className={classes.outlineCell}>
        <LabelOutline layout={rpt_layout} size={56} />
      </Table.Td>
      <Table.Td>
        {name}
        <Text size="xs" c="dimmed">
          {paperText(rpt_layout)}
        </Text>
      </Table.Td>
      <Table.Td className={shared.actions}>
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
      </Table.Td>
    </Table.Tr>
  )
}

function ReportForm({ report, dialog }: { report: KeptLabelReport | null; dialog: FormInDialog }) {
  const { t } = useTranslation(['config', 'common'])
  const paperText = usePaperText()
  const save = useCall(calls.save, { doing: 'config:labelReports.saving', done: 'config:labelReports.saved' })
  const [name, setName] = useState(report?.rpt_name ?? '')
  const [layout, setLayout] = useState<LabelLayout>(report?.rpt_layout ?? labelLayouts[0])
  /** How often it was tried to save: then the field says what is wrong with it. */
  const [attempts, setAttempts] = useState(0)
  const tried = attempts > 0
  const form = useRef<HTMLFormElement>(null)
  const changed = name.trim() !== (report?.rpt_name ?? '') || layout !== (report?.rpt_layout ?? labelLayouts[0])
  useEntered(changed, dialog.entered)
  const refused = save.error instanceof Refused && save.error.code === 'label.name_taken'
  const taken = refused && save.variables?.rpt_name === name.trim() ? messageOf(save.error) : undefined
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    // oxlint-disable-next-line react/exhaustive-deps -- where it goes is asked of the page, which says it once these change
  }, [attempts, taken])

  async function send(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    setAttempts(attempts + 1)
    if (name.trim() === '') return
    if (report && !changed) return dialog.done()
    try {
      await save.mutateAsync({
        ...(report && { rpt_number: report.rpt_number }),
        rpt_name: name.trim(),
        rpt_layout: layout,
      })
      dialog.done()
    } catch {
      // Told in a toast, and at its field.
    }
  }
  return (
    <form ref={form} onSubmit={event => void send(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t('config:labelReports.name')}
          description={t('config:labelReports.nameHint')}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          error={taken ?? (tried && name.trim() === '' ? t('config:complaint.required') : undefined)}
          maxLength={labelNameMost}
          autoComplete="off"
          required
          data-autofocus
        />
        <fieldset className={shared.fieldset}>
          <legend>{t('config:labelReports.paper')}</legend>
          <div className={classes.layouts}>
            {labelLayouts.map(each => (
              <label key={each} className={classes.layout}>
                <input type="radio" name="layout" checked={layout === each} onChange={() => setLayout(each)} />
                <LabelOutline layout={each} size={112} />
                {paperText(each)}
              </label>
            ))}
          </div>
        </fieldset>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.leave}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(report ? 'config:save' : 'config:add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
