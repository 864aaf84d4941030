/** A label report, new or changed: its name, and what it prints on. */
import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelLayouts, labelNameMost, type LabelLayout } from '#domain/label.ts'
import { type KeptLabelReport, labelReports as calls } from '#contract/labelReports.ts'
import { messageOf, Refused, useCall } from '../shared/api.ts'
import { type FormInDialog, useEntered } from '../ui/formDialog.tsx'
import shared from './config.module.css'
import { LabelOutline } from './labelOutline.tsx'
import classes from './labelReports.module.css'
import { usePaperText } from './paperText.ts'

export function LabelReportForm({ report, dialog }: { report: KeptLabelReport | null; dialog: FormInDialog }) {
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
