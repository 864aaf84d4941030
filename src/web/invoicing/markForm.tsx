/** Marks tyres as invoiced: asks for the date up to which their storage is paid. */
import { Button, Group, Stack } from '@mantine/core'
import { IconCalendarCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invoicing, type OverdueTyre } from '#contract/invoicing.ts'
import type { IsoDate } from '#domain/date.ts'
import { useCall } from '../shared/api.ts'
import { useToday } from '../shared/hooks.ts'
import { DateField } from '../ui/dateField.tsx'

export const idsOf = (tyres: readonly OverdueTyre[]): number[] => tyres.map(tyre => tyre.db_id)

type MarkFormProps = {
  tyres: readonly OverdueTyre[]
  /** What the field begins with. */
  date: IsoDate
  onDone: () => void
  onMarked: () => void
  /** What the button says that leaves the tyres as they are. */
  later: string
  children?: ReactNode
}

export function MarkForm({ tyres, date: proposed, onDone, onMarked, later, children }: MarkFormProps) {
  const { t } = useTranslation(['invoicing', 'failures'])
  const today = useToday()
  const [date, setDate] = useState<string | null>(proposed)
  const mark = useCall(invoicing.markinvoiced, { done: ({ tyres: marked }) => t('marked', { count: marked.length }) })
  const ahead = date !== null && date > today
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (date !== null && !ahead)
          mark.mutate({ tyres: idsOf(tyres), date }, { onSuccess: () => (onMarked(), onDone()) })
      }}
    >
      <Stack gap="md">
        {children}
        <DateField
          label={t('date')}
          value={date}
          onChange={setDate}
          error={ahead ? t('failures:invoicing.date_ahead') : undefined}
          // within the dialog it would be cut off
          popoverProps={{ withinPortal: true, zIndex: 400 }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            {later}
          </Button>
          <Button
            type="submit"
            leftSection={<IconCalendarCheck size={18} aria-hidden />}
            disabled={date === null || ahead}
            loading={mark.isPending}
            data-autofocus
          >
            {t('mark')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
