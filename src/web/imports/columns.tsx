/** The detected meaning of each column of a file, to be corrected. */
import { Text, Title } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { importFields, type ImportField, type ImportKind } from '#domain/texts/importColumn.ts'
import type { Answer } from '#contract/call.ts'
import type { imports as calls } from '#contract/imports.ts'
import { labelled } from '../i18n.ts'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Choice } from '../ui/select.tsx'

type Column = Answer<typeof calls.check>['columns'][number]
type Props = {
  kind: ImportKind
  columns: readonly Column[]
  onChange: (fields: (string | null)[]) => void
}

const leftOut = '-'

export function Columns({ kind, columns, onChange }: Props) {
  const { t } = useTranslation('imports')
  const choices = [
    { value: leftOut, label: t('leftOut') },
    ...importFields[kind].map((field: ImportField) => ({ value: field, label: t(`field.${field}`) })),
  ]
  /** A field that another column had is this one's from now on. */
  const choose = (at: number, field: string | null) =>
    onChange(columns.map((column, nth) => (nth === at ? field : column.field === field ? null : column.field)))
  return (
    <section aria-labelledby="import-columns">
      <Title order={2} size="h4" id="import-columns" mb="xs">
        {t('columns')}
      </Title>
      <DataTable
        frame
        label={t('columns')}
        rows={columns.map((column, at) => ({ ...column, at }))}
        keyOf={({ at }) => at}
        still
        phone={{ areas: ['title', 'field'], columns: 'minmax(0, 1fr)' }}
        columns={[
          {
            id: 'title',
            header: t('column'),
            rowHeader: true,
            area: 'title',
            render: ({ title, at, samples }) => (
              <>
                <Text size="sm" fw={600}>
                  {title || `${t('column')} ${at + 1}`}
                </Text>
                <Text size="xs" c="dimmed" lineClamp={1}>
                  {samples.join(' · ')}
                </Text>
              </>
            ),
          },
          {
            id: 'field',
            header: t('meaning'),
            area: 'field',
            width: '45%',
            render: ({ title, field, by, at }) => (
              <Choice
                aria-label={labelled(title || `${t('column')} ${at + 1}`, t('meaning'))}
                data={choices}
                value={field ?? leftOut}
                onChange={value => choose(at, value === leftOut ? null : value)}
                description={by ? t(`by.${by}`) : undefined}
                inputWrapperOrder={['input', 'description']}
                searchable
              />
            ),
          },
        ]}
      />
    </section>
  )
}
