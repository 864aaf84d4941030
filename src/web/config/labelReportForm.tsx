/** A label report, new or edited: its name and its paper. */
import { Stack, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { labelLayouts, maxLabelNameLength } from '#domain/warehouse/label.ts'
import { type AdminLabelReport, labelReports as calls } from '#contract/labelReports.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import shared from './config.module.css'
import { LabelOutline } from './labelOutline.tsx'
import classes from './labelReports.module.css'
import { usePaperText } from './paperText.ts'

export function LabelReportForm({ report, dialog }: { report: AdminLabelReport | null; dialog: DialogControls }) {
  const { t } = useTranslation('config')
  const paperText = usePaperText()
  const save = useCall(calls.save, { doing: 'config:labelReports.saving', done: 'config:labelReports.saved' })
  const form = useContractForm({
    initial: { rpt_name: report?.rpt_name ?? '', rpt_layout: report?.rpt_layout ?? labelLayouts[0] },
    schema: calls.save.input,
    input: ({ rpt_name, rpt_layout }) => ({
      ...(report && { rpt_number: report.rpt_number }),
      rpt_name: rpt_name.trim(),
      rpt_layout,
    }),
    text: useFieldErrorText(),
    errorsOnBlur: () => false,
    refusals: { 'label.name_taken': 'rpt_name' },
    dialog,
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        if (!report || form.dirty) await save.mutateAsync(wish)
        dialog.close()
      }}
    >
      <Stack gap="md">
        <TextInput
          {...form.text('rpt_name')}
          label={t('labelReports.name')}
          description={t('labelReports.nameHint')}
          maxLength={maxLabelNameLength}
          required
          data-autofocus
        />
        <fieldset className={shared.fieldset}>
          <legend>{t('labelReports.paper')}</legend>
          <div className={classes.layouts}>
            {labelLayouts.map(layout => (
              <label key={layout} className={classes.layout}>
                <input
                  type="radio"
                  name="layout"
                  checked={form.values.rpt_layout === layout}
                  onChange={() => form.set({ rpt_layout: layout })}
                />
                <LabelOutline layout={layout} size={112} />
                {paperText(layout)}
              </label>
            ))}
          </div>
        </fieldset>
        <FormActions form={form} dialog={dialog} submit={t(report ? 'save' : 'add')} />
      </Stack>
    </Form>
  )
}
