/** The texts on the site's printed documents in each language, and their wheel columns, with an example beside them. */
import { Alert, Checkbox, Group, SegmentedControl, Select, Stack, Textarea } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { RawInput } from '#contract/call.ts'
import { paperForm, papers as calls, type PaperForm, type PaperLayout } from '#contract/papers.ts'
import { languageCodes, languages, type LanguageIso } from '#domain/people/account.ts'
import {
  type PaperColumn,
  paperColumns,
  type PaperPreview,
  paperPreviews,
  paperTextLimits,
  paperTexts,
} from '#domain/texts/paper.ts'
import { ask, messageOf, useAnswer, useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { SaveBar } from '../shared/form/saveBar.tsx'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { languageNames } from '../shared/languages.ts'
import { missingLettersIn, PdfButton } from '../shared/pdf.tsx'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useUnsavedGuard } from '../shared/unsaved.ts'
import { Form } from '../ui/form/form.tsx'
import { type Changes, overSaved, unsentOf } from '../ui/form/changes.ts'
import { useDebounced } from '../ui/hooks.ts'
import { pdfBytes } from '../ui/pdfBytes.ts'
import classes from './papers.module.css'

export function Papers() {
  const layout = useAnswer(calls.layout, {})
  if (layout.data) return <PapersForm saved={layout.data} />
  return layout.isError ? <Failed error={layout.error} retry={layout.refetch} /> : <Placeholders rows={4} height={72} />
}

type Asked = RawInput<typeof calls.preview>

/** How long the example waits for the next letter, in ms. */
const settlingMs = 600

/** Texts left alone follow changes that another user saves meanwhile. */
function PapersForm({ saved }: { saved: PaperLayout }) {
  const { t, i18n } = useTranslation('papers')
  const { version, ...kept } = saved
  const [changes, setChanges] = useState<Changes<PaperForm> | null>(null)
  const save = useCall(calls.save, { doing: 'papers:saving', done: 'papers:saved' })
  const [iso, setIso] = useState<LanguageIso>(
    languageCodes.map(code => languages[code]).find(option => option === i18n.language) ?? 'en',
  )
  const form = useContractForm({
    initial: kept,
    controlled: overSaved(kept, changes, setChanges),
    schema: paperForm,
    input: ({ header, footer, terms, columns }): PaperForm => ({ header, footer, terms, columns }),
    text: useFieldErrorText(),
  })
  useUnsavedGuard(form.dirty, t('unsavedLayout'), true)
  async function send(input: PaperForm) {
    await save.mutateAsync({ ...input, version })
    setChanges(now => changes && unsentOf(now, changes))
  }
  return (
    <div className={classes.layout}>
      <Form form={form} onSubmit={send}>
        <Stack gap="md">
          <SegmentedControl
            aria-label={t('language')}
            data={languageCodes.map(code => ({ value: languages[code], label: languageNames[code].name }))}
            value={iso}
            onChange={next => setIso(next as LanguageIso)}
            fullWidth
            className={classes.languages}
          />
          {paperTexts.map(text => (
            <Textarea
              key={text}
              {...form.text(`${text}.${iso}`)}
              label={t(`text.${text}`)}
              description={t(`hint.${text}`, { lines: paperTextLimits[text].lines })}
              lang={iso}
              maxLength={paperTextLimits[text].length}
              autosize
              minRows={text === 'terms' ? 4 : 2}
              maxRows={12}
            />
          ))}
          <Columns chosen={form.values.columns} onChange={columns => form.set({ columns })} />
          <SaveBar
            form={form}
            discard={() => {
              setChanges(null)
              form.forgive()
            }}
            save={t('save')}
          />
        </Stack>
      </Form>
      <Example layout={form.input} iso={iso} valid={form.valid} />
    </div>
  )
}

function Columns({ chosen, onChange }: { chosen: readonly PaperColumn[]; onChange: (columns: PaperColumn[]) => void }) {
  const { t } = useTranslation('papers')
  return (
    <Checkbox.Group
      label={t('columns')}
      description={t('columnsHint')}
      value={[...chosen]}
      onChange={values => onChange(paperColumns.filter(column => values.includes(column)))}
    >
      <Group gap="md" mt="xs">
        {paperColumns.map(column => (
          <Checkbox key={column} value={column} label={t(`column.${column}`)} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

/** A paper as it would be now. Where the browser shows no PDF within a page, it is opened beside it. */
function Example({ layout, iso, valid }: { layout: PaperForm; iso: LanguageIso; valid: boolean }) {
  const { t } = useTranslation('papers')
  const [shows, setShows] = useState<PaperPreview>('receipt')
  const request = useDebounced(JSON.stringify({ ...layout, shows, lang: iso }), settlingMs)
  const [shown, setShown] = useState<{ url: string; warning: string | null } | { problem: string } | null>(null)
  const inPage = navigator.pdfViewerEnabled
  useEffect(() => {
    if (!inPage || !valid) return
    const controller = new AbortController()
    let url: string | null = null
    const draw = async (): Promise<void> => {
      const { signal } = controller
      const base64 = await ask(calls.preview, JSON.parse(request) as Asked, { signal })
      const bytes = pdfBytes(base64)
      if (signal.aborted || !bytes) return
      url = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }))
      setShown({ url, warning: missingLettersIn(bytes) })
    }
    draw().catch((error: unknown) => {
      if (!controller.signal.aborted) setShown({ problem: messageOf(error) })
    })
    return () => {
      controller.abort()
      if (url) URL.revokeObjectURL(url)
    }
  }, [request, inPage, valid])
  return (
    <Stack gap="xs">
      <div className={classes.example}>
        <Select
          label={t('example')}
          data={paperPreviews.map(preview => ({ value: preview, label: t(`shows.${preview}`) }))}
          value={shows}
          onChange={next => next && setShows(next as PaperPreview)}
          allowDeselect={false}
        />
        <PdfButton
          name={t('example')}
          pdf={() => ask(calls.preview, { ...layout, shows, lang: iso })}
          disabled={!valid}
        >
          {t('openExample')}
        </PdfButton>
      </div>
      {inPage && shown && 'url' in shown && shown.warning && (
        <Alert color="yellow" role="status" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {shown.warning}
        </Alert>
      )}
      {inPage && shown && 'url' in shown && (
        // a picture to look at, which shows no focus: who has no mouse opens it by the button above
        // oxlint-disable-next-line react/iframe-missing-sandbox -- browsers show no PDF in a sandbox; it is our own, of no site
        <iframe
          src={`${shown.url}#toolbar=0&navpanes=0&view=FitH`}
          title={t('example')}
          tabIndex={-1}
          className={classes.frame}
        />
      )}
      {inPage && shown && 'problem' in shown && <p role="alert">{shown.problem}</p>}
    </Stack>
  )
}
