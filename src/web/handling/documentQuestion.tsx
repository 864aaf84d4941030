/** Asks whether the document of an operation is made, and keeps the answer for the day where that is wanted (docs/product/operations.md "Operations desk"). */
import { Button, Checkbox, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { IsoDate } from '#domain/texts/date.ts'
import { askCustom, useScannedAnswer } from '../ui/confirm.tsx'
import { FormButtons } from '../ui/form/form.tsx'
import { useRemembered, useToday } from '../shared/hooks.ts'
import { useSite } from '../shared/session.ts'

type DocumentToday = { readonly day: IsoDate; readonly document: boolean }

/** This account's answer for today on this device; `null`: ask each time. */
export function useDocumentToday() {
  const { site_number: site } = useSite()
  const today = useToday()
  const [kept, keep] = useRemembered<DocumentToday | null>(`documentToday.${site}`, null)
  return {
    document: kept?.day === today ? kept.document : null,
    answerToday: (document: boolean) => keep({ day: today, document }),
    askAgain: () => keep(null),
  }
}

type Question = {
  title: string
  /** The kind of document. */
  document: string
  onPutOff: () => void
}

/** `null`: the operation is not confirmed. `forToday`: the same for the rest of the day. */
export type DocumentAnswer = { readonly document: boolean; readonly forToday: boolean } | null

export const askDocument = ({ title, document, onPutOff }: Question): Promise<DocumentAnswer> =>
  askCustom<DocumentAnswer>({
    title,
    size: '32rem',
    no: null,
    onPutOff,
    render: close => <DocumentQuestion document={document} close={close} />,
  })

function DocumentQuestion({ document, close }: { document: string; close: (answer: DocumentAnswer) => void }) {
  const { t } = useTranslation('desk')
  const [forToday, setForToday] = useState(false)
  const insert = () => close({ document: true, forToday })
  useScannedAnswer(insert)
  return (
    <>
      <Text size="sm">{t('documentText', { type: document })}</Text>
      <Checkbox
        checked={forToday}
        onChange={event => setForToday(event.currentTarget.checked)}
        label={t('documentToday')}
      />
      <FormButtons>
        <Button variant="default" onClick={() => close(null)} data-autofocus>
          {t('goBack')}
        </Button>
        <Button variant="default" onClick={() => close({ document: false, forToday })}>
          {t('documentWithout')}
        </Button>
        <Button onClick={insert}>{t('documentInsert')}</Button>
      </FormButtons>
    </>
  )
}

/** Shows today's answer and lets the user withdraw it. Renders nothing while each operation asks. */
export function DocumentToday() {
  const { t } = useTranslation('desk')
  const { doDocInsert, docInsertAsks } = useSite()
  const { document, askAgain } = useDocumentToday()
  if (document === null || !doDocInsert || !docInsertAsks) return null
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm" c="dimmed">
        {t(document ? 'documentTodayInsert' : 'documentTodayWithout')}
      </Text>
      <Button size="compact-sm" variant="default" onClick={askAgain}>
        {t('documentAskAgain')}
      </Button>
    </Group>
  )
}
