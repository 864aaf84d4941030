/** Imports customers of a CSV file, after a trial run that saves nothing. */
import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconFileSpreadsheet, IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { customers as calls, maxImportLength } from '#contract/customers.ts'
import type { Answer, RawInput } from '#contract/call.ts'
import { ask, messageOf, useCall } from '../shared/api.ts'
import { say } from '../i18n.ts'
import { FileDrop } from '../ui/fileDrop.tsx'
import { textOf } from '../shared/fileText.ts'
import { ImportOutcome } from '../shared/importOutcome.tsx'
import { Placeholders } from '../shared/screen.tsx'
import classes from './customers.module.css'

type Outcome = Answer<typeof calls.import>
type Chosen = { name: string; csv: string }

export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('customers')
  return (
    <Modal opened={opened} onClose={onClose} title={t('importTitle')} size="44rem">
      <Importing onClose={onClose} />
    </Modal>
  )
}

function Importing({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['customers', 'common'])
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  // A trial run saves nothing: it has no toast, and its refusal is shown in the dialog.
  const trial = useMutation({ mutationFn: (file: RawInput<typeof calls.import>) => ask(calls.import, file) })
  const take = useCall(calls.import, {
    doing: 'customers:importing',
    done: ({ added, changed }) => say('customers:imported', { added, changed }),
  })

  async function choose(file: File) {
    setChosen(null)
    setWrong(null)
    if (file.size > maxImportLength * 2) return setWrong(t('customers:tooLong'))
    const csv = textOf(new Uint8Array(await file.arrayBuffer()))
    if (csv === null) return setWrong(t('common:notUtf8'))
    if (csv.length > maxImportLength) return setWrong(t('customers:tooLong'))
    setChosen({ name: file.name, csv })
    trial.mutate({ csv, name: file.name, dryRun: true })
  }
  async function takeIn() {
    if (!chosen || take.isPending) return
    try {
      await take.mutateAsync(chosen)
      onClose()
    } catch {
      // Reported in a toast; the file stays chosen.
    }
  }
  const outcome = chosen && trial.data
  const useful = outcome ? outcome.added + outcome.changed : 0
  const refused = wrong ?? (chosen && trial.error ? messageOf(trial.error) : null)
  return (
    <Stack gap="md">
      <Text size="sm">{t('customers:importText')}</Text>
      <Text size="sm" c="dimmed">
        {t('customers:importColumns')}{' '}
        <code translate="no" className={classes.columns}>
          name, code, company, street, zipcode, city, email, vat_number
        </code>
      </Text>
      <FileDrop
        icon={<IconFileSpreadsheet size={28} stroke={1.4} aria-hidden />}
        title={chosen ? chosen.name : t('customers:dropFile')}
        hint={t(chosen ? 'customers:otherFile' : 'customers:chooseFile')}
        accept={{
          'text/csv': ['.csv', '.txt', '.tsv'],
          'text/plain': ['.csv', '.txt', '.tsv'],
          'application/vnd.ms-excel': ['.csv'],
        }}
        loading={trial.isPending}
        onChoose={file => void choose(file)}
        onRefuse={() => setWrong(t('customers:noCsv'))}
      />
      {refused ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {refused}
        </Alert>
      ) : outcome ? (
        <Outlook outcome={outcome} />
      ) : (
        chosen && <Placeholders rows={2} />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
        <Button disabled={useful === 0} loading={take.isPending} onClick={() => void takeIn()}>
          {useful > 0 ? t('customers:takeIn', { count: useful }) : t('customers:import')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The outcome of the trial run. */
function Outlook({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('customers')
  const { added, changed, unchanged, refused, lines, notes } = outcome
  return (
    <ImportOutcome
      counts={(['added', 'changed', 'unchanged', 'refused'] as const).map(what => ({
        what,
        label: t(`outcome.${what}`),
        count: outcome[what],
      }))}
      nothingNew={added + changed === 0 && unchanged > 0 && refused === 0 && t('nothingNew')}
      lines={lines}
      lineColumn={{ id: 'line', header: t('line'), render: ({ line }) => line, width: '4.5rem' }}
      keyOf={({ line }) => line}
      reason={t('reason')}
      refusedLines={t('refusedLines')}
      moreRefused={refused > lines.length && t('moreRefused', { count: refused - lines.length })}
    >
      {notes.length > 0 && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden />}>
          <List size="sm" listStyleType="none">
            {notes.map(note => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </ImportOutcome>
  )
}
