/** The catalogue: search, add, edit, retire, and merge articles that were unknown at intake (docs/product/tyres.md "Articles"). */
import { Alert, Button, Group, Stack, Switch, Text, Title } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowMerge,
  IconArchive,
  IconArchiveOff,
  IconPencil,
  IconPlus,
  IconTags,
  IconUpload,
} from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { articles as calls, type ListedArticle } from '#contract/articles.ts'
import type { Answer, RawInput } from '#contract/call.ts'
import { articlesSearch } from '../searchParams.ts'
import { ArticlePicker } from './articlePicker.tsx'
import { ViewMenu } from '../views/viewMenu.tsx'
import { RowAction } from '../shared/rowAction.tsx'
import { labelled, say } from '../i18n.ts'
import { useAnswer, useCall } from '../shared/api.ts'
import { usePages } from '../shared/pages.ts'
import { Empty, Failed, Screen } from '../shared/screen.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FilterField } from '../ui/filterField.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { LinkButton } from '../ui/link.tsx'
import classes from './articles.module.css'
import { ArticleForm } from './form.tsx'

type Unknown = Answer<typeof calls.unknown>[number]
/** The source of a merge into a picked article, and its description. */
type Merging = { from: RawInput<typeof calls.merge>['from']; description: string }

export function Articles() {
  const { t } = useTranslation('articles')
  const navigate = useNavigate()
  const { filter = '', retired = false, same_ean: sameEan = false } = useSearch({ from: '/admin/articles' })
  const [editing, setEditing] = useState<ListedArticle | 'new' | null>(null)
  const [merging, setMerging] = useState<Merging | null>(null)
  const merge = useCall(calls.merge, {
    doing: 'articles:merging',
    done: ({ tyre_count }) => say('articles:merged', { count: tyre_count }),
  })
  return (
    <Screen
      title={t('title')}
      actions={
        <>
          <ViewMenu
            list="articles"
            filter={{ ...(filter !== '' && { filter }), ...(retired && { retired }) }}
            open={view => void navigate({ to: '/admin/articles', search: articlesSearch(view) })}
          />
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEditing('new')}>
            {t('add')}
          </Button>
        </>
      }
    >
      <Stack gap="lg">
        <Group align="flex-end" gap="md">
          <FilterField
            className={classes.search}
            label={t('search')}
            placeholder={t('searchHint')}
            value={filter}
            settle={text =>
              void navigate({
                to: '/admin/articles',
                search: { ...(text && { filter: text }), ...(retired && { retired }) },
              })
            }
          />
          <Switch
            label={t('showRetired')}
            checked={retired}
            onChange={({ currentTarget: { checked } }) =>
              void navigate({
                to: '/admin/articles',
                search: { ...(filter && { filter }), ...(checked && { retired: true as const }) },
              })
            }
          />
        </Group>
        <Catalogue
          filter={filter}
          retired={retired}
          sameEan={sameEan}
          onShowSameEan={shown =>
            void navigate({ to: '/admin/articles', search: shown ? { same_ean: true as const } : {} })
          }
          onEdit={setEditing}
          onMerge={({ _id, description }) => setMerging({ from: { _id }, description })}
          below={
            <UnknownTyres
              onChoose={({ description, season }) => setMerging({ from: { description, season }, description })}
            />
          }
        />
      </Stack>
      <FormDialog
        opened={editing !== null}
        onClose={() => setEditing(null)}
        title={editing === 'new' || editing === null ? t('add') : editing.description}
        lost={t('lost')}
        size="lg"
        long
      >
        {dialog => <ArticleForm article={editing === 'new' ? null : editing} dialog={dialog} />}
      </FormDialog>
      <ArticlePicker
        title={t('mergeTitle')}
        opened={merging !== null}
        onClose={() => setMerging(null)}
        onPick={async ({ art_id, description }) => {
          if (!merging) return
          const question = {
            title: t('mergeQuestion', { article: description }),
            text: t('mergeText', { from: merging.description }),
            confirm: t('merge'),
          }
          if (await confirmFirst(question)) merge.mutate({ from: merging.from, into: art_id })
        }}
      />
    </Screen>
  )
}

/** Tyres taken in without an article; hidden when there are none. */
function UnknownTyres({ onChoose }: { onChoose: (unknown: Unknown) => void }) {
  const { t } = useTranslation(['articles', 'tyres'])
  const unknown = useAnswer(calls.unknown, {})
  if (!unknown.data || unknown.data.length === 0) return null
  return (
    <section aria-labelledby="unknown-articles">
      <Title order={2} size="h4" id="unknown-articles">
        {t('unknownTitle')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('unknownText')}
      </Text>
      <DataTable
        frame={{ label: t('unknownTitle'), maxHeight: '16rem' }}
        rows={unknown.data}
        keyOf={({ description, season }) => `${description} ${season}`}
        columns={[
          { id: 'description', header: t('description'), rowHeader: true, render: ({ description }) => description },
          {
            id: 'season',
            header: t('season'),
            from: 'sm',
            render: ({ season }) => (season ? t(`tyres:season.${season}`) : ''),
          },
          { id: 'tyres', header: t('tyres'), align: 'end', render: ({ tyre_count }) => tyre_count },
          {
            id: 'choose',
            header: t('choose'),
            headerHidden: true,
            align: 'end',
            render: article => (
              <Button
                size="xs"
                variant="default"
                aria-label={labelled(t('choose'), article.description)}
                onClick={() => onChoose(article)}
              >
                {t('choose')}
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}

type CatalogueProps = {
  filter: string
  retired: boolean
  /** Only the articles that have the EAN of another one. */
  sameEan: boolean
  onShowSameEan: (shown: boolean) => void
  onEdit: (article: ListedArticle) => void
  onMerge: (article: ListedArticle) => void
  /** Shown once the list has its length. */
  below: ReactNode
}

/** The articles that the filters of the screen leave. */
function useCatalogue({ filter, retired, sameEan }: Pick<CatalogueProps, 'filter' | 'retired' | 'sameEan'>) {
  const input = { ...(filter && { search: filter }), ...(retired && { retired }) }
  const pages = usePages(calls.list, input, {
    after: 'last_article',
    lastOf: page => (page.more ? page.articles.at(-1)?._id : null),
    enabled: !sameEan,
  })
  const shared = useAnswer(calls.sameEan, {})
  const { error, refetch } = sameEan ? shared : pages
  return {
    rows: sameEan ? shared.data?.articles : pages.data?.pages.flatMap(page => page.articles),
    error,
    refetch,
    next: pages.hasNextPage && !sameEan ? pages : null,
    sameEanCount: shared.data?.article_count,
  }
}

type SameEanProps = { count: number | undefined; shown: boolean; onShow: (shown: boolean) => void }

/** How many articles have the EAN of another one, and the way to them and back. */
function SameEan({ count = 0, shown, onShow }: SameEanProps) {
  const { t } = useTranslation('articles')
  if (count === 0 && !shown) return null
  return (
    <Alert color={count > 0 ? 'yellow' : 'teal'} icon={<IconAlertTriangle aria-hidden />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{count > 0 ? t('sameEan', { count }) : t('noSameEan')}</Text>
        <Button size="xs" variant="default" onClick={() => onShow(!shown)}>
          {t(shown ? 'showAll' : 'showSameEan')}
        </Button>
      </Group>
    </Alert>
  )
}

function Catalogue({ filter, retired, sameEan, onShowSameEan, onEdit, onMerge, below }: CatalogueProps) {
  const { t } = useTranslation(['articles', 'tyres'])
  const { rows, error, refetch, next, sameEanCount } = useCatalogue({ filter, retired, sameEan })
  const retire = useCall(calls.retire, {
    doing: 'articles:retiring',
    done: article => say(article.retired ? 'articles:retired' : 'articles:restored'),
  })
  const empty = sameEan ? t('noSameEan') : filter ? t('nothingFound') : retired ? t('noRetired') : t('none')
  return (
    <>
      <SameEan count={sameEanCount} shown={sameEan} onShow={onShowSameEan} />
      <DataTable
        frame
        label={t('title')}
        rows={rows}
        keyOf={({ _id }) => _id}
        failure={error && <Failed error={error} retry={refetch} />}
        empty={
          <Empty text={empty} icon={IconTags}>
            {!filter && !retired && !sameEan && (
              <LinkButton
                to="/admin/import"
                search={{ kind: 'articles' }}
                variant="default"
                leftSection={<IconUpload size={18} aria-hidden />}
              >
                {t('importThem')}
              </LinkButton>
            )}
          </Empty>
        }
        phone={{ columns: '1fr auto' }}
        columns={[
          {
            id: 'article',
            header: t('description'),
            rowHeader: true,
            render: article => (
              <>
                <Text size="sm" fw={600}>
                  {article.description}
                </Text>
                <Text size="xs" c="dimmed">
                  {[
                    article.season && t(`tyres:season.${article.season}`),
                    article.ean,
                    article.eprel && `EPREL ${article.eprel}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </>
            ),
          },
          { id: 'dimension', header: t('dimension'), from: 'md', nowrap: true, render: article => article.dimension },
          {
            id: 'service',
            header: t('load'),
            from: 'md',
            render: article => `${article.load_index}${article.speed_index}`,
          },
          {
            id: 'label',
            header: t('label'),
            from: 'lg',
            nowrap: true,
            render: article =>
              [article.fuel_class, article.wet_class, article.noise_db && `${article.noise_db} dB`]
                .filter(Boolean)
                .join(' · '),
          },
          { id: 'tyres', header: t('tyres'), align: 'end', from: 'sm', render: article => article.tyre_count },
          {
            id: 'actions',
            header: t('edit'),
            headerHidden: true,
            align: 'end',
            render: article => (
              <Group gap={0} wrap="nowrap" justify="flex-end">
                <RowAction
                  icon={IconPencil}
                  label={t('editOf', { article: article.description })}
                  tip={t('edit')}
                  run={() => onEdit(article)}
                />
                <RowAction
                  icon={IconArrowMerge}
                  label={t('mergeOf', { article: article.description })}
                  tip={t('merge')}
                  run={() => onMerge(article)}
                />
                <RowAction
                  icon={article.retired ? IconArchiveOff : IconArchive}
                  label={t(article.retired ? 'restoreOf' : 'retireOf', { article: article.description })}
                  tip={t(article.retired ? 'restore' : 'retire')}
                  run={() => retire.mutate({ _id: article._id, retired: !article.retired })}
                />
              </Group>
            ),
          },
        ]}
      />
      {next && (
        <Group justify="center">
          <Button variant="subtle" loading={next.isFetchingNextPage} onClick={() => void next.fetchNextPage()}>
            {t('more')}
          </Button>
        </Group>
      )}
      {rows && below}
    </>
  )
}
