import { Stack } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { Screen } from '../../shared/screen.tsx'
import classes from './wizard.module.css'

const steps = ['vehicle', 'tyres', 'details', 'done'] as const

/** The shared frame of the four steps of a new operation: the title and the progress; `null`: outside the steps. */
export function Frame({ step, children }: { step: 1 | 2 | 3 | 4 | null; children: ReactNode }) {
  const { t } = useTranslation('wizard')
  return (
    <Screen title={t('title')}>
      {step !== null && (
        <ol className={classes.steps} aria-label={t('progress')}>
          {steps.map((name, at) => {
            const done = at + 1 < step
            return (
              <li key={name} aria-current={at + 1 === step ? 'step' : undefined} data-done={done || undefined}>
                <span className={classes.stepNumber} aria-hidden>
                  {done ? <IconCheck size={14} stroke={2.4} /> : at + 1}
                </span>
                <span>{t(`steps.${name}`)}</span>
                {done && <span className="wh-hidden"> {t('stepDone')}</span>}
              </li>
            )
          })}
        </ol>
      )}
      <Stack gap="lg">{children}</Stack>
    </Screen>
  )
}
