/** The owner's figures (docs/product/money.md "Figures"). */
import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { figures as calls } from '#contract/figures.ts'
import { useAnswer } from '../shared/api.ts'
import { Placeholders, Screen } from '../shared/screen.tsx'
import { LargestCustomers } from './customers.tsx'
import { Deliveries } from './deliveries.tsx'
import { Occupancy } from './occupancy.tsx'
import { Revenue } from './revenue.tsx'
import { Unpaid } from './unpaid.tsx'
import classes from './figures.module.css'

export function Figures() {
  const { t } = useTranslation('figures')
  const unpaid = useAnswer(calls.unpaid, {})
  // together: a figure that came later would push down the one that is being read
  const answers = [
    useAnswer(calls.revenue, {}),
    useAnswer(calls.occupancy, {}),
    useAnswer(calls.customers, {}),
    useAnswer(calls.deliveries, {}),
    unpaid,
  ]
  return (
    <Screen title={t('title')}>
      <Text c="dimmed" mb="md">
        {t('intro')}
      </Text>
      {answers.some(({ isPending }) => isPending) ? (
        <Placeholders rows={8} height={44} />
      ) : (
        <Stack gap="lg">
          <Section title={t('revenue.title')}>
            <Revenue />
          </Section>
          <Section title={t('occupancy.title')}>
            <Occupancy />
          </Section>
          <Section title={t('customers.title')}>
            <LargestCustomers />
          </Section>
          {unpaid.data?.followed && (
            <Section title={t('unpaid.title')}>
              <Unpaid />
            </Section>
          )}
          <Section title={t('deliveries.title')}>
            <Deliveries />
          </Section>
        </Stack>
      )}
    </Screen>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper component="section" aria-label={title} className={classes.section}>
      <Title order={2}>{title}</Title>
      {children}
    </Paper>
  )
}
