/** The dictionary (docs/product/sites.md "Superuser"): the portal's texts in four languages, and their overrides. */
import { Badge, Button, Tabs } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { locale as calls } from '#contract/translations.ts'
import { useAnswer } from '../shared/api.ts'
import { Empty, Failed, Placeholders, Screen } from '../shared/screen.tsx'
import { Editor } from './editor.tsx'
import { ExportDialog, ImportDialog } from './exchange.tsx'
import { MissingTexts } from './missing.tsx'
import { type Edited, rowsOf } from './rows.ts'
import { TextList } from './textList.tsx'
import { TabList } from '../ui/tabList.tsx'

export function Translations() {
  const { t } = useTranslation('translations')
  const { tab = 'texts' } = useSearch({ from: '/superuser/translations' })
  const navigate = useNavigate()
  const shipped = useAnswer(calls.shipped, {}, { staleTime: Number.POSITIVE_INFINITY })
  const translations = useAnswer(calls.all, {})
  const missing = useAnswer(calls.missing, {})
  const [open, setOpen] = useState<'export' | 'import' | null>(null)
  const [edited, setEdited] = useState<Edited | null>(null)
  const [listed, setListed] = useState<readonly string[]>([])

  const rows = useMemo(
    () =>
      shipped.data &&
      translations.data &&
      rowsOf(
        shipped.data,
        translations.data.filter(text => text.changed),
        missing.data ?? [],
      ),
    [shipped.data, translations.data, missing.data],
  )
  const failed = [shipped, translations, missing].find(answer => answer.data === undefined && answer.isError)
  const row = edited && rows?.find(({ name }) => name === edited.name)
  return (
    <Screen
      title={t('title')}
      badge={rows?.length}
      badgeLabel={t('tabs.texts')}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconUpload size={18} aria-hidden />}
            onClick={() => setOpen('import')}
          >
            {t('import')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            onClick={() => setOpen('export')}
          >
            {t('export')}
          </Button>
        </>
      }
    >
      <Tabs
        value={tab}
        onChange={value =>
          void navigate({
            to: '/superuser/translations',
            search: value === 'missing' ? { tab: 'missing' } : {},
            replace: true,
          })
        }
        keepMounted={false}
      >
        <TabList selected={tab} mb="sm">
          <Tabs.Tab value="texts">{t('tabs.texts')}</Tabs.Tab>
          <Tabs.Tab
            value="missing"
            rightSection={
              missing.data && missing.data.length > 0 ? <Badge size="sm">{missing.data.length}</Badge> : undefined
            }
          >
            {t('tabs.missing')}
          </Tabs.Tab>
        </TabList>
        {failed ? (
          <Failed error={failed.error} retry={failed.refetch} />
        ) : !rows || !missing.data ? (
          <Placeholders rows={12} />
        ) : (
          <>
            <Tabs.Panel value="texts">
              {rows.length === 0 ? (
                <Empty text={t('empty')} />
              ) : (
                <TextList
                  rows={rows}
                  edited={edited}
                  edit={(wanted, among) => {
                    setEdited(wanted)
                    setListed(among)
                  }}
                />
              )}
            </Tabs.Panel>
            <Tabs.Panel value="missing">
              <MissingTexts
                missing={missing.data}
                make={wanted => {
                  setEdited(wanted)
                  setListed([])
                }}
              />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
      {edited && row && (
        <Editor row={row} language={edited.language} among={listed} go={setEdited} onClose={() => setEdited(null)} />
      )}
      {open === 'export' && <ExportDialog onClose={() => setOpen(null)} />}
      {open === 'import' && <ImportDialog onClose={() => setOpen(null)} />}
    </Screen>
  )
}
