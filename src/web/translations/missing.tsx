/** Requested keys that have no text: how often, when and where; each can be added, or dismissed. */
import { Button, Group, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locale as calls, type MissingText } from '#contract/translations.ts'
import { useCall } from '../shared/api.ts'
import { say } from '../i18n.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { formatMoment } from '../shared/format.ts'
import { languageNames } from '../shared/languages.ts'
import { Empty } from '../shared/screen.tsx'
import type { Edited } from './rows.ts'
import classes from './translations.module.css'

/** So many are shown at first, and so many more at a time. */
const atOnce = 100
/** A superuser belongs to no site: moments are those of the device. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

const nameOf = ({ namespace, key }: MissingText) => `${namespace}:${key}`

export function MissingTexts({ missing, make }: { missing: readonly MissingText[]; make: (wanted: Edited) => void }) {
  const { t } = useTranslation('translations')
  const [shown, setShown] = useState(atOnce)
  const forget = useCall(calls.forget, {
    doing: 'translations:forgetting',
    done: ({ forgotten }) => say('translations:forgotten', { count: forgotten }),
  })
  const forgetThese = (these: readonly MissingText[]) =>
    forget.mutate({ texts: these.map(({ language, namespace, key }) => ({ language, namespace, key })) })

  async function forgetAll() {
    const sure = await confirmFirst({
      title: t('forgetQuestion', { count: missing.length }),
      confirm: t('forgetAll'),
      danger: true,
    })
    if (sure) forgetThese(missing)
  }
  if (missing.length === 0) return <Empty text={t('missingEmpty')} />
  return (
    <>
      <Group justify="space-between" gap="sm" mb="sm">
        <Text size="sm" c="dimmed" maw="44rem">
          {t('missingText')}
        </Text>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          loading={forget.isPending}
          onClick={() => void forgetAll()}
        >
          {t('forgetAll')}
        </Button>
      </Group>
      <DataTable
        columns={[
          {
            id: 'key',
            header: t('key'),
            render: ({ namespace, key, asked: count, last }) => (
              <>
                <div className={classes.key} translate="no">
                  <span className={classes.namespace}>{namespace}</span>
                  <span>{key}</span>
                </div>
                <BelowCell width="lg">
                  {[t('askedTimes', { count: count }), formatMoment(last, timeZone)].join(' · ')}
                </BelowCell>
              </>
            ),
          },
          {
            id: 'language',
            header: t('language'),
            render: ({ language }) => languageNames[language].name,
            labelled: true,
          },
          { id: 'asked', header: t('asked'), render: ({ asked: count }) => t('askedTimes', { count }), from: 'lg' },
          { id: 'last', header: t('lastAsked'), render: ({ last }) => formatMoment(last, timeZone), from: 'lg' },
          { id: 'page', header: t('page'), render: ({ page }) => page || t('noPage'), labelled: true },
          {
            id: 'actions',
            header: t('actions'),
            headerHidden: true,
            render: text => (
              <Group gap={4} wrap="nowrap" justify="flex-end">
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconPlus size={16} aria-hidden />}
                  aria-label={t('makeWhich', { key: nameOf(text) })}
                  onClick={() => make({ name: nameOf(text), language: text.language })}
                >
                  {t('make')}
                </Button>
                <Button
                  size="xs"
                  variant="subtle"
                  color="red"
                  aria-label={t('forgetWhich', { key: nameOf(text) })}
                  onClick={() => forgetThese([text])}
                >
                  {t('forget')}
                </Button>
              </Group>
            ),
            width: '1%',
            className: classes.actions,
          },
        ]}
        rows={missing.slice(0, shown)}
        keyOf={text => `${text.language} ${nameOf(text)}`}
        phone={{ columns: 'minmax(0, 1fr)' }}
        frame
      />
      {missing.length > shown && (
        <Button variant="default" mt="sm" onClick={() => setShown(shown + atOnce)}>
          {t('moreMissing', { count: missing.length - shown })}
        </Button>
      )}
    </>
  )
}
