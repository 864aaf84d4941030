/** Ends notification mails by the key in one of them, signed in or not. */
import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { z } from 'zod'
import { notices } from '#contract/notices.ts'
import { isMissing, useCall } from '../shared/api.ts'
import { Wrong } from './wrong.tsx'

export function Unsubscribe({ link, onDone }: { link: string; onDone: () => void }) {
  const { t } = useTranslation('notices')
  const [site, setSite] = useState<string | null>(null)
  const end = useCall(notices.unsubscribe, { shown: ['record.missing'] })
  const wrong = !z.uuid().safeParse(link).success || isMissing(end.error)
  return (
    <Stack gap="md" align="stretch">
      {site !== null ? (
        <Text role="status">{t('unsubscribe.done', { site })}</Text>
      ) : wrong ? (
        <Text role="alert">{t('unsubscribe.wrong')}</Text>
      ) : (
        <>
          <Text>{t('unsubscribe.text')}</Text>
          {end.error && <Wrong error={end.error} />}
          <Button
            size="md"
            loading={end.isPending}
            onClick={() => end.mutate({ key: link }, { onSuccess: answer => setSite(answer.site) })}
          >
            {t('unsubscribe.button')}
          </Button>
        </>
      )}
      <Button size="md" variant="default" onClick={onDone}>
        {t('unsubscribe.open')}
      </Button>
    </Stack>
  )
}
