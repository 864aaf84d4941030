/** The first steps at a new site, ticked as the site progresses (docs/product/sites.md "Sites"). Hidden when all are done, or when dismissed. */
import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { type FirstStep, hotelconfig as calls } from '#contract/config.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { LinkButton } from '../ui/link.tsx'
import classes from './home.module.css'

const goals = {
  logo: { to: '/admin/config', search: { page: 'company' } },
  articles: { to: '/admin/import', search: { kind: 'articles' } },
  racks: { to: '/admin/locations' },
  customers: { to: '/admin/customers' },
  vehicles: { to: '/admin/import', search: { kind: 'vehicles' } },
  storage: { to: '/wizard/step1' },
  invitation: { to: '/admin/customers' },
} as const satisfies Record<FirstStep, { to: string; search?: object }>

export function FirstSteps() {
  const { t } = useTranslation('home')
  // work on other screens completes a step: fetched again at each visit
  const first = useAnswer(calls.firststeps, {}, { staleTime: 0, muted: true })
  const dismiss = useCall(calls.dismissfirststeps)
  const { dismissed = true, steps = [] } = first.data ?? {}
  if (dismissed || steps.every(({ done }) => done)) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="first-steps">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Title order={2} size="h4" id="first-steps">
            {t('firstSteps.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('firstSteps.text')}
          </Text>
        </div>
        <Button size="xs" variant="subtle" loading={dismiss.isPending} onClick={() => dismiss.mutate({})}>
          {t('firstSteps.dismiss')}
        </Button>
      </Group>
      <ul className={classes.steps}>
        {steps.map(({ step, done }) => (
          <li key={step} className={classes.step} data-done={done || undefined}>
            {done ? (
              <IconCircleCheck
                size={22}
                color="var(--mantine-color-green-7)"
                role="img"
                aria-label={t('firstSteps.done')}
              />
            ) : (
              <IconCircleDashed
                size={22}
                color="var(--mantine-color-dimmed)"
                role="img"
                aria-label={t('firstSteps.open')}
              />
            )}
            <div className={classes.stepText}>
              <Text size="sm" fw={600}>
                {t(`firstSteps.step.${step}.title`)}
              </Text>
              {!done && (
                <Text size="sm" c="dimmed">
                  {t(`firstSteps.step.${step}.text`)}
                </Text>
              )}
            </div>
            {!done && (
              <LinkButton {...goals[step]} size="xs" variant="default">
                {t(`firstSteps.step.${step}.button`)}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </Paper>
  )
}
