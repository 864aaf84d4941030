/** For which delivery days a picking list is printed. */
import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { useToday } from '../shared/hooks.ts'
import { dayName } from '../shared/weekdays.ts'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { daysLeft, daysToPick } from './pickingList.ts'

type PrintDialogProps = {
  operations: readonly Operation[]
  onPrint: (operations: readonly Operation[]) => void
  onClose: () => void
}

export function PrintDialog({ operations, onPrint, onClose }: PrintDialogProps) {
  const { t, i18n } = useTranslation(['desk', 'common'])
  const today = useToday()
  const days = daysLeft(operations)
  const [chosen, setChosen] = useState(() => daysToPick(days, today).map(({ day }) => day ?? ''))
  const isChosen = ({ deliveryDate }: Operation) => chosen.includes(deliveryDate ?? '')
  return (
    <FormDialog opened onClose={onClose} title={t('print.to_customer')} lost="">
      {dialog => (
        <Stack>
          <Checkbox.Group label={t('printDays')} value={chosen} onChange={setChosen}>
            <Stack gap="xs" mt="xs">
              {days.map(({ day, operations: count, tyres }) => (
                <Checkbox
                  key={day}
                  value={day ?? ''}
                  label={
                    day === null ? t('noDay') : `${dayName(day, i18n.language)}${day < today ? ` · ${t('late')}` : ''}`
                  }
                  description={`${t('operations', { count })} · ${t('common:tyres', { count: tyres })}`}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.cancel}>
              {t('common:cancel')}
            </Button>
            <Button
              leftSection={<IconPrinter size={18} aria-hidden />}
              disabled={!operations.some(isChosen)}
              onClick={() => onPrint(operations.filter(isChosen))}
            >
              {t('printNow')}
            </Button>
          </Group>
        </Stack>
      )}
    </FormDialog>
  )
}
