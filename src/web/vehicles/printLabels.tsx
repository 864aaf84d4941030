/** Prints the labels of tyres; the report is remembered on this device. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { Choice } from '../ui/select.tsx'
import { useLabels } from '../labels/labels.ts'
import { PrinterChoice } from '../labels/printerChoice.tsx'
import { positionsIn } from './diagram/positionOrder.ts'

type PrintLabelsProps = { vehicle: Vehicle; tyres: readonly Tyre[]; onDone: () => void }

export function PrintLabels({ vehicle, tyres, onDone }: PrintLabelsProps) {
  const { t } = useTranslation(['fleet', 'common'])
  const labels = useLabels()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)

  async function print() {
    setBusy(true)
    setFailed(null)
    const refused = await labels.print(tyres, vehicle.license_plate)
    setBusy(false)
    if (refused === null) onDone()
    else setFailed(refused)
  }
  return (
    <Stack gap="md">
      <Text size="sm">
        {t('fleet:labelsFor', {
          count: tyres.length,
          positions: positionsIn(tyres, vehicle.tyres, t('common:tyre.setless')),
        })}
      </Text>
      {labels.report ? (
        <Choice
          label={t('fleet:labelReport')}
          data={labels.reports.map(report => ({ value: String(report.rpt_number), label: report.rpt_name }))}
          value={String(labels.report.rpt_number)}
          onChange={report => report && labels.choose(Number(report))}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('fleet:noLabelReport')}
        </Text>
      )}
      <PrinterChoice labels={labels} />
      {failed !== null && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {failed}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone}>
          {t('common:cancel')}
        </Button>
        <Button
          disabled={!labels.report}
          loading={busy}
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => void print()}
          data-autofocus
        >
          {t('fleet:printLabels')}
        </Button>
      </Group>
    </Stack>
  )
}
