/** Imports files in the browser, and undoes imports (docs/product/files.md "Imports"). */
import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { importKinds, isOfHotel, type ImportKind } from '#domain/texts/importColumn.ts'
import { isHotel } from '#domain/site.ts'
import { imports as calls, type ImportRun } from '#contract/imports.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { formatMoment } from '../shared/format.ts'
import { Failed, Screen } from '../shared/screen.tsx'
import { useSite } from '../shared/session.ts'
import { WorkbookButton } from '../shared/workbookButton.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Importing } from './importing.tsx'
import { useNarrow } from '../ui/usePhone.ts'
import { templateOf } from './template.ts'

export function Imports() {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const { mode } = useSite()
  const kinds = importKinds.filter(kind => !isOfHotel(kind) || isHotel(mode))
  const { kind: wanted } = useSearch({ from: '/admin/import' })
  const kind = wanted && kinds.includes(wanted) ? wanted : 'vehicles'
  const template = templateOf(kind)
  const narrow = useNarrow()
  return (
    <Screen
      title={t('title')}
      actions={
        <WorkbookButton title={template.name} file={template.name} columns={template.columns} rows={template.rows}>
          {t('template')}
        </WorkbookButton>
      }
    >
      <Stack gap="lg">
        <div>
          <SegmentedControl
            aria-label={t('what')}
            orientation={narrow ? 'vertical' : 'horizontal'}
            fullWidth={narrow}
            value={kind}
            onChange={next => void navigate({ to: '/admin/import', search: { kind: next as ImportKind } })}
            data={kinds.map(value => ({ value, label: t(`kind.${value}`) }))}
          />
          <Text size="sm" c="dimmed" mt="xs">
            {t(`text.${kind}`)}
          </Text>
        </div>
        <Importing key={kind} kind={kind} />
        <Past />
      </Stack>
    </Screen>
  )
}

/** The imports so far, each with a way back. */
function Past() {
  const { t } = useTranslation('imports')
  const { time_zone } = useSite()
  const past = useAnswer(calls.list, {})
  const undo = useCall(calls.undo, { doing: 'imports:undoing', done: 'imports:undid' })
  async function ask(run: ImportRun) {
    const question = { title: t('undoQuestion'), text: t('undoText'), confirm: t('undo'), danger: true }
    if (await confirmFirst(question)) undo.mutate({ _id: run._id })
  }
  return (
    <section aria-labelledby="past-imports">
      <Title order={2} size="h4" id="past-imports" mb="xs">
        {t('past')}
      </Title>
      <DataTable
        frame
        label={t('past')}
        rows={past.data}
        keyOf={run => run._id}
        failure={past.error && <Failed error={past.error} retry={past.refetch} />}
        empty={t('noPast')}
        placeholders={3}
        phone={{ columns: '1fr auto' }}
        columns={[
          {
            id: 'file',
            header: t('file'),
            rowHeader: true,
            render: run => (
              <>
                <Text size="sm" fw={600}>
                  {t(`kind.${run.kind}`)}
                </Text>
                <Text size="sm" c="dimmed">
                  {run.file}
                </Text>
              </>
            ),
          },
          { id: 'result', header: t('result'), render: run => t('counts', run) },
          {
            id: 'when',
            header: t('when'),
            render: run => (
              <Text size="sm">
                {formatMoment(run.at, time_zone)} · {run.by ?? t('commandLine')}
              </Text>
            ),
          },
          {
            id: 'undo',
            header: t('undo'),
            headerHidden: true,
            align: 'end',
            render: run =>
              run.undone ? (
                <Text size="sm" c="dimmed">
                  {t('undone')}
                </Text>
              ) : (
                <Group justify="flex-end">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={t('undoOf', { file: run.file || t(`kind.${run.kind}`) })}
                    disabled={undo.isPending}
                    onClick={() => void ask(run)}
                  >
                    {t('undo')}
                  </Button>
                </Group>
              ),
          },
        ]}
      />
    </section>
  )
}
