/** Marks tyres as invoiced: asks for the date up to which their storage is paid. */
import { Button, Group, Stack } from '@mantine/core'
import { IconCalendarCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { invoicing } from '#contract/invoicing.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { useCall } from '../../shared/api.ts'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { useToday } from '../../shared/hooks.ts'
import { DateField } from '../../ui/dateField.tsx'
import { Form } from '../../ui/form/form.tsx'

export const idsOf = (tyres: readonly { readonly db_id: number }[]): number[] => tyres.map(tyre => tyre.db_id)

type MarkFormProps = {
  tyres: readonly { readonly db_id: number }[]
  /** The initial value of the field. */
  date: IsoDate
  onDone: () => void
  onMarked: () => void
  /** The text of the cancel button. */
  later: string
  /** Focuses the cancel button: marking loses something. */
  cautious?: boolean
  children?: ReactNode
}

export function MarkForm({
  tyres,
  date: proposed,
  onDone,
  onMarked,
  later,
  cautious = false,
  children,
}: MarkFormProps) {
  const { t } = useTranslation(['invoicing', 'failures'])
  const today = useToday()
  const mark = useCall(invoicing.markinvoiced, { done: ({ tyres: marked }) => t('marked', { count: marked.length }) })
  const form = useContractForm({
    initial: { date: proposed as string | null },
    input: ({ date }) => ({ tyres: idsOf(tyres), date: date ?? '' }),
    rules: ({ date }) => ({ date: date === null ? t('failures:request.invalid') : undefined }),
    errorsOnBlur: () => false,
    liveErrors: ({ date }) => ({
      date: date !== null && date > today ? t('failures:invoicing.date_ahead') : undefined,
    }),
  })
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await mark.mutateAsync(wish)
        onMarked()
        onDone()
      }}
    >
      <Stack gap="md">
        {children}
        <DateField {...form.date('date')} label={t('date')} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone} data-autofocus={cautious || undefined}>
            {later}
          </Button>
          <Button
            type="submit"
            leftSection={<IconCalendarCheck size={18} aria-hidden />}
            disabled={!form.valid}
            loading={form.busy}
            data-autofocus={!cautious || undefined}
          >
            {t('mark')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
