/** The message that a text is part of, with example values and the text as it is being typed (docs/product/sites.md "Dictionary"). */
import { Alert, Button, NativeSelect, SegmentedControl, Text } from '@mantine/core'
import { IconAlertTriangle, IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locale as calls } from '#contract/translations.ts'
import type { Language } from '#domain/people/account.ts'
import { type MailKind, mailsWith } from '#domain/people/mail.ts'
import { tidyText } from '#domain/texts/translation.ts'
import { useAnswer } from '../shared/api.ts'
import { languageNames } from '../shared/languages.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useDebounced } from '../ui/hooks.ts'
import { MessageFrame } from './messageFrame.tsx'
import classes from './translations.module.css'

/** How long the typing pauses before the message is rendered, in ms. */
const typingPauseMs = 300

type Previewed = { language: Language; namespace: string; key: string }

type PreviewProps = { place: Previewed; text: string; opened: boolean; onToggle: () => void }

export function Preview({ place, text, opened, onToggle }: PreviewProps) {
  const { t } = useTranslation('translations')
  const id = useId()
  const Chevron = opened ? IconChevronUp : IconChevronDown
  return (
    <div>
      <Button
        variant="default"
        rightSection={<Chevron size={18} aria-hidden />}
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={onToggle}
      >
        {t('preview')}
      </Button>
      {opened && (
        <section id={id} aria-label={t('preview')} className={classes.preview}>
          <Message place={place} text={text} />
        </section>
      )}
    </div>
  )
}

function Message({ place, text }: Pick<PreviewProps, 'place' | 'text'>) {
  const { t } = useTranslation(['translations', 'sites'])
  const kinds = mailsWith(place)
  const [kind, setKind] = useState(kinds[0])
  const [form, setForm] = useState<'html' | 'text'>('html')
  const value = useDebounced(tidyText(text), typingPauseMs)
  const message = useAnswer(calls.preview, { ...place, value, kind }, { keep: true, enabled: value !== '' })
  const { iso } = languageNames[place.language]
  return (
    <>
      <Text size="xs" c="dimmed">
        {t('translations:previewText')}
      </Text>
      <div className={classes.previewChoices}>
        {kinds.length > 1 && (
          <NativeSelect
            label={t('translations:previewKind')}
            data={kinds.map(value => ({ value, label: t(`sites:mailKind.${value}`) }))}
            value={kind}
            onChange={event => setKind(event.currentTarget.value as MailKind)}
          />
        )}
        <SegmentedControl
          aria-label={t('translations:previewAs')}
          data={[
            { value: 'html', label: t('translations:formatted') },
            { value: 'text', label: t('translations:plainText') },
          ]}
          value={form}
          onChange={wanted => setForm(wanted as typeof form)}
        />
      </div>
      {value === '' ? (
        <Text size="sm">{t('translations:required')}</Text>
      ) : message.data ? (
        <>
          <Wrong {...message.data} />
          <div>
            <Text size="xs" c="dimmed">
              {t('translations:subject')}
            </Text>
            <Text fw={600} lang={iso} className={classes.said}>
              {message.data.subject}
            </Text>
          </div>
          {form === 'html' ? (
            <MessageFrame html={message.data.html} title={t('translations:preview')} />
          ) : (
            <pre className={classes.plain} lang={iso}>
              {message.data.text}
            </pre>
          )}
        </>
      ) : message.isError ? (
        <Failed error={message.error} retry={message.refetch} />
      ) : (
        <Placeholders rows={4} />
      )}
    </>
  )
}

/** The placeholders because of which the text could not be saved. */
function Wrong({ lost, unknown }: { lost: readonly string[]; unknown: readonly string[] }) {
  const { t } = useTranslation('translations')
  if (lost.length + unknown.length === 0) return null
  return (
    <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="status">
      {lost.length > 0 && <div>{t('lost', { placeholders: lost.join(', ') })}</div>}
      {unknown.length > 0 && <div>{t('unknownPlaceholders', { placeholders: unknown.join(', ') })}</div>}
    </Alert>
  )
}
