/** One text in one language: the shipped text, its override, and the other languages. */
import { Badge, Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locale as calls } from '#contract/translations.ts'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { mailsWith } from '#domain/people/mail.ts'
import { placeholdersOf, tidyText, maxTranslationLength, wrongPlaceholders } from '#domain/texts/translation.ts'
import { useCall } from '../shared/api.ts'
import { reloadTexts } from '../i18n.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormButtons } from '../ui/form/form.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { languageNames } from '../shared/languages.ts'
import { useDeletion } from './deletion.ts'
import { Preview } from './preview.tsx'
import { type Edited, type Row, textIn } from './rows.ts'
import classes from './translations.module.css'

type EditorProps = {
  row: Row
  language: Language
  /** The rows of the list that it was opened from, by name: the next one is next. */
  among: readonly string[]
  go: (next: Edited) => void
  onClose: () => void
}

export function Editor({ row, language, among, go, onClose }: EditorProps) {
  const { t } = useTranslation('translations')
  const next = among[among.indexOf(row.name) + 1]
  // stays as it is while one text after the other is edited
  const [previewed, setPreviewed] = useState(false)
  return (
    <FormDialog opened onClose={onClose} title={t('edit')} size="44rem" lost={t('unsaved')}>
      {dialog => (
        <EditorForm
          key={`${language} ${row.name}`}
          row={row}
          language={language}
          dialog={dialog}
          previewed={previewed}
          onPreview={() => setPreviewed(!previewed)}
          next={among.includes(row.name) && next !== undefined ? () => go({ name: next, language }) : undefined}
        />
      )}
    </FormDialog>
  )
}

const braced = (names: readonly string[]) => names.map(name => `{{${name}}}`).join(', ')

type EditorFormProps = {
  row: Row
  language: Language
  dialog: DialogControls
  previewed: boolean
  onPreview: () => void
  next: (() => void) | undefined
}

function EditorForm({ row, language, dialog, previewed, onPreview, next }: EditorFormProps) {
  const { t } = useTranslation(['translations', 'common'])
  const cell = row.cells[language]
  const before = textIn(cell) ?? ''
  const field = useRef<HTMLTextAreaElement>(null)
  const toasts = { doing: 'translations:saving', done: 'translations:saved' } as const
  const make = useCall(calls.new, toasts)
  const update = useCall(calls.update, toasts)
  const remove = useDeletion()
  const form = useContractForm({
    initial: { text: before },
    input: ({ text }) => tidyText(text),
    rules: ({ text }) => ({ text: errorOf(tidyText(text)) }),
    errorsOnBlur: () => false,
    dialog,
  })
  const { text } = form.values

  function errorOf(value: string): string | undefined {
    if (value === '') return t('translations:required')
    const wrong = cell.shipped === null ? null : wrongPlaceholders(row.key, cell.shipped, value)
    if (wrong && wrong.lost.length > 0) return t('translations:lost', { placeholders: braced(wrong.lost) })
    if (wrong && wrong.unknown.length > 0)
      return t('translations:unknownPlaceholders', { placeholders: braced(wrong.unknown) })
    return undefined
  }
  async function save(value: string, then: () => void) {
    if (value !== before) {
      if (cell.over) await update.mutateAsync({ id: cell.over._id, value })
      else await make.mutateAsync({ language, namespace: row.namespace, key: row.key, value })
      void reloadTexts()
    }
    then()
  }
  const saveAndClose = (value: string) => save(value, dialog.close)
  const saveAndGo = (go: () => void) => form.submit(value => save(value, go))

  async function restore() {
    if (cell.over && (await remove(cell.over, cell.shipped))) dialog.close()
  }
  function onKey(event: KeyboardEvent) {
    // a text is one line; the key that ends it saves it
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    saveAndGo(event.ctrlKey && next ? next : dialog.close)
  }
  function insert(placeholder: string) {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {}
    form.set({ text: text.slice(0, selectionStart) + placeholder + text.slice(selectionEnd) })
    const at = selectionStart + placeholder.length
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(at, at)
    })
  }
  const { name, iso } = languageNames[language]
  const placeholders = placeholdersOf(cell.shipped ?? '')
  return (
    <Form form={form} onSubmit={saveAndClose}>
      <Stack gap="md">
        <Text size="sm" className={classes.where} translate="no">
          <span className={classes.namespace}>{row.namespace}</span>
          {row.key}
        </Text>
        <div>
          <Textarea
            {...form.text('text')}
            ref={field}
            label={name}
            lang={iso}
            onKeyDown={onKey}
            onFocus={event => !form.tried && text === before && event.currentTarget.select()}
            maxLength={maxTranslationLength}
            autosize
            minRows={2}
            maxRows={10}
            data-autofocus
          />
          {placeholders.length > 0 && (
            <Group gap={6} mt={6}>
              <Text size="xs" c="dimmed">
                {t('translations:placeholders')}
              </Text>
              {placeholders.map(placeholder => (
                <Button
                  key={placeholder}
                  size="compact-xs"
                  variant="default"
                  aria-label={t('translations:insert', { placeholder })}
                  onClick={() => insert(`{{${placeholder}}}`)}
                >
                  {`{{${placeholder}}}`}
                </Button>
              ))}
            </Group>
          )}
        </div>
        {mailsWith(row).length > 0 && (
          <Preview
            place={{ language, namespace: row.namespace, key: row.key }}
            text={text}
            opened={previewed}
            onToggle={onPreview}
          />
        )}
        <div>
          <Group gap="xs" mb={2}>
            <Text size="xs" c="dimmed">
              {t('translations:shippedText')}
            </Text>
            {cell.over && <Badge size="xs">{t('translations:changed')}</Badge>}
          </Group>
          <Text size="sm" lang={iso} className={classes.said}>
            {cell.shipped ?? t('translations:notShipped')}
          </Text>
        </div>
        <div>
          <Text size="xs" c="dimmed" mb={2}>
            {t('translations:otherLanguages')}
          </Text>
          <dl className={classes.others}>
            {languageCodes
              .filter(other => other !== language && row.cells[other].exists)
              .map(other => (
                <div key={other}>
                  <dt>{languageNames[other].name}</dt>
                  <dd lang={languageNames[other].iso}>{textIn(row.cells[other]) ?? '–'}</dd>
                </div>
              ))}
          </dl>
        </div>
        <FormButtons>
          {cell.over && (
            <Button
              variant="subtle"
              color="red"
              className={classes.restore}
              leftSection={<IconArrowBackUp size={18} aria-hidden />}
              onClick={() => void restore()}
            >
              {t('translations:delete')}
            </Button>
          )}
          <Button variant="default" onClick={dialog.cancel}>
            {t('common:cancel')}
          </Button>
          {next && (
            <Button variant="default" disabled={form.busy} onClick={() => saveAndGo(next)}>
              {t('translations:saveAndNext')}
            </Button>
          )}
          <Button type="submit" loading={form.busy}>
            {t('translations:save')}
          </Button>
        </FormButtons>
      </Stack>
    </Form>
  )
}
