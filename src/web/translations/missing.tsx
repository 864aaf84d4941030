/** Keys that screens asked for and that have no text: how often, when and where; each can be made, or forgotten. */
import { Button, Group, Table, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { locale as calls, type MissingText } from '#contract/locale.ts'
import { useCall } from '../shared/api.ts'
import { say } from '../i18n.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { formatMoment } from '../shared/format.ts'
import { languageNames } from '../shared/languages.ts'
import { Empty } from '../shared/screen.tsx'
import type { Edited } from './rows.ts'
import classes from './translations.module.css'

/** So many are shown at first, and so many more at a time. */
const atOnce = 100
/** A superuser belongs to no site: moments are those of the device. */
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()

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
      <div className={classes.frame}>
        <Table className={classes.missing}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('key')}</Table.Th>
              <Table.Th>{t('language')}</Table.Th>
              <Table.Th>{t('asked')}</Table.Th>
              <Table.Th>{t('lastAsked')}</Table.Th>
              <Table.Th>{t('page')}</Table.Th>
              <Table.Th className={classes.actions}>
                <span className="wh-hidden">{t('actions')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {missing.slice(0, shown).map(text => {
              const name = `${text.namespace}:${text.key}`
              return (
                <Table.Tr key={`${text.language} ${name}`}>
                  <Table.Td className={classes.key} translate="no">
                    <span className={classes.namespace}>{text.namespace}</span>
                    <span>{text.key}</span>
                  </Table.Td>
                  <Table.Td data-head={t('language')}>{languageNames[text.language].name}</Table.Td>
                  <Table.Td data-head={t('asked')}>{t('askedTimes', { count: text.asked })}</Table.Td>
                  <Table.Td data-head={t('lastAsked')}>{formatMoment(text.last, timeZone)}</Table.Td>
                  <Table.Td data-head={t('page')} className={classes.page}>
                    {text.page || t('noPage')}
                  </Table.Td>
                  <Table.Td className={classes.actions}>
                    <Group gap={4} wrap="nowrap" justify="flex-end">
                      <Button
                        size="xs"
                        variant="default"
                        leftSection={<IconPlus size={16} aria-hidden />}
                        aria-label={t('makeWhich', { key: name })}
                        onClick={() => make({ name, language: text.language })}
                      >
                        {t('make')}
                      </Button>
                      <Button
                        size="xs"
                        variant="subtle"
                        color="red"
                        aria-label={t('forgetWhich', { key: name })}
                        onClick={() => forgetThese([text])}
                      >
                        {t('forget')}
                      </Button>
                    </Group>
                  </Table.Td>
                </Table.Tr>
              )
            })}
          </Table.Tbody>
        </Table>
      </div>
      {missing.length > shown && (
        <Button variant="default" mt="sm" onClick={() => setShown(shown + atOnce)}>
          {t('moreMissing', { count: missing.length - shown })}
        </Button>
      )}
    </>
  )
}
