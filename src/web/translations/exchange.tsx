/** Exports a language as a file and imports it, after a trial run that saves nothing. */
import { Alert, Button, Group, Modal, Radio, Select, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconFileText } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer, RawInput } from '#contract/call.ts'
import { maxLanguageFileLength, locale as calls } from '#contract/translations.ts'
import { type Language, languageCodes, languageOf } from '#domain/people/account.ts'
import { ask, messageOf, useCall } from '../shared/api.ts'
import { reloadTexts, say } from '../i18n.ts'
import { saveFile } from '../ui/download.ts'
import { FileDrop } from '../ui/fileDrop.tsx'
import { textOf } from '../shared/fileText.ts'
import { ImportOutcome } from '../shared/importOutcome.tsx'
import { languageNames } from '../shared/languages.ts'
import { saveCsvText } from '../shared/saveCsv.ts'
import { notify } from '../ui/notify.ts'
import { Placeholders } from '../shared/screen.tsx'

const choices = languageCodes.map(value => ({ value, label: languageNames[value].name }))

function LanguageChoice({ value, choose }: { value: Language; choose: (language: Language) => void }) {
  const { t } = useTranslation('translations')
  return (
    <Select
      label={t('language')}
      data={choices}
      value={value}
      onChange={chosen => chosen && choose(chosen as Language)}
      allowDeselect={false}
    />
  )
}

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation(['translations', 'common'])
  const [language, setLanguage] = useState<Language>(languageOf(i18n.language) ?? 'eng')
  const [form, setForm] = useState<'json' | 'csv'>('json')
  const fetched = useMutation({
    mutationFn: () => ask(calls.export, { language, form }),
    onSuccess: ({ text }) => {
      const name = `wheelhouse-${languageNames[language].iso}`
      if (form === 'csv') saveCsvText(name, text)
      else saveFile(text, { name: `${name}.json`, type: 'application/json' })
      notify.success(t('translations:exported'))
      onClose()
    },
    onError: error => notify.error(messageOf(error)),
  })
  return (
    <Modal opened onClose={onClose} title={t('translations:exportTitle')} size="30rem">
      <Stack gap="md">
        <Text size="sm">{t('translations:exportText')}</Text>
        <LanguageChoice value={language} choose={setLanguage} />
        <Radio.Group
          label={t('translations:form')}
          value={form}
          onChange={value => setForm(value === 'csv' ? 'csv' : 'json')}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="json" label={t('translations:json')} />
            <Radio value="csv" label={t('translations:csv')} />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button loading={fetched.isPending} onClick={() => fetched.mutate()}>
            {t('translations:download')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

type Chosen = { name: string; text: string }

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation(['translations', 'common'])
  const [language, setLanguage] = useState<Language>(languageOf(i18n.language) ?? 'eng')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  // A trial run saves nothing: it has no toast, and its refusal is shown in the dialog.
  const trial = useMutation({ mutationFn: (file: RawInput<typeof calls.import>) => ask(calls.import, file) })
  const take = useCall(calls.import, {
    doing: 'translations:importing',
    done: ({ added, changed, restored }) => say('translations:imported', { count: added + changed + restored }),
  })
  const tryOut = (text: string, wanted: Language) => trial.mutate({ language: wanted, text, dryRun: true })

  async function choose(file: File) {
    setChosen(null)
    setWrong(null)
    if (file.size > maxLanguageFileLength * 2) return setWrong(t('translations:tooLong'))
    const text = textOf(new Uint8Array(await file.arrayBuffer()))
    if (text === null) return setWrong(t('common:notUtf8'))
    if (text.length > maxLanguageFileLength) return setWrong(t('translations:tooLong'))
    setChosen({ name: file.name, text })
    // the name of an exported file has the language
    const named = languageOf(/-(nl|fr|en|de)\.\w+$/.exec(file.name)?.[1] ?? '') ?? language
    setLanguage(named)
    tryOut(text, named)
  }
  async function takeIn() {
    if (!chosen || take.isPending) return
    try {
      await take.mutateAsync({ language, text: chosen.text })
    } catch {
      // Reported in a toast; the file stays chosen.
      return
    }
    void reloadTexts()
    onClose()
  }
  const outcome = chosen && trial.data
  const useful = outcome ? outcome.added + outcome.changed + outcome.restored : 0
  const refused = wrong ?? (chosen && trial.error ? messageOf(trial.error) : null)
  return (
    <Modal opened onClose={onClose} title={t('translations:importTitle')} size="44rem">
      <Stack gap="md">
        <Text size="sm">{t('translations:importText')}</Text>
        <LanguageChoice
          value={language}
          choose={wanted => {
            setLanguage(wanted)
            if (chosen) tryOut(chosen.text, wanted)
          }}
        />
        <FileDrop
          icon={<IconFileText size={28} stroke={1.4} aria-hidden />}
          title={chosen ? chosen.name : t('translations:dropFile')}
          hint={t(chosen ? 'translations:otherFile' : 'translations:chooseFile')}
          accept={{
            'application/json': ['.json'],
            'text/csv': ['.csv', '.txt', '.tsv'],
            'application/vnd.ms-excel': ['.csv'],
          }}
          loading={trial.isPending}
          onChoose={file => void choose(file)}
          onRefuse={() => setWrong(t('translations:wrongFile'))}
        />
        {refused ? (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
            {refused}
          </Alert>
        ) : outcome ? (
          <Outlook outcome={outcome} useful={useful} />
        ) : (
          chosen && <Placeholders rows={2} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button disabled={useful === 0 || refused !== null} loading={take.isPending} onClick={() => void takeIn()}>
            {useful > 0 ? t('translations:takeIn', { count: useful }) : t('translations:import')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

const outcomes = ['added', 'changed', 'restored', 'unchanged', 'refused'] as const

/** The outcome of the trial run. */
function Outlook({ outcome, useful }: { outcome: Answer<typeof calls.import>; useful: number }) {
  const { t } = useTranslation('translations')
  const { refused, lines } = outcome
  return (
    <ImportOutcome
      counts={outcomes.map(what => ({ what, label: t(`outcome.${what}`), count: outcome[what] }))}
      nothingNew={useful === 0 && refused === 0 && t('nothingNew')}
      lines={lines}
      lineColumn={{ id: 'row', header: t('row'), render: ({ where }) => <span translate="no">{where}</span> }}
      keyOf={({ where }) => where}
      reason={t('reason')}
      refusedLines={t('refusedRows')}
      moreRefused={refused > lines.length && t('moreRefused', { count: refused - lines.length })}
    />
  )
}
