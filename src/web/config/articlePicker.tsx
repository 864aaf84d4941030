/** Finds an article of the site's catalogue for a number field (SPEC §5 "Article search string"). */
import { Button, Group, Loader, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet } from '#contract/fleet.ts'
import type { Article } from '#contract/wire.ts'
import { ask, keyOf } from '../shared/api.ts'
import { useDebounced } from '../ui/hooks.ts'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import classes from './config.module.css'

type ArticlePickerProps = { title: string; opened: boolean; onClose: () => void; onPick: (article: Article) => void }

export function ArticlePicker({ title, opened, onClose, onPick }: ArticlePickerProps) {
  const phone = useMediaQuery('(max-width: 48em)')
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg" fullScreen={phone === true}>
      <Finding
        onPick={article => {
          onPick(article)
          onClose()
        }}
      />
    </Modal>
  )
}

/** Nothing is searched while somebody types. */
const pause = 300

function Finding({ onPick }: { onPick: (article: Article) => void }) {
  const { t } = useTranslation('config')
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), pause)
  const found = useInfiniteQuery({
    queryKey: [...keyOf(fleet.searcharticles, { search_value: search }), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      ask(
        fleet.searcharticles,
        { search_value: search, ...(pageParam !== null && { last_article: pageParam }) },
        { signal },
      ),
    initialPageParam: null as number | null,
    getNextPageParam: page => (page.more_available ? (page.articles.at(-1)?.art_id ?? null) : null),
    enabled: search !== '',
  })
  const articles = found.data?.pages.flatMap(page => page.articles) ?? []
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        label={t('articleSearch')}
        description={t('articleSearchHint')}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
        rightSection={found.isFetching && <Loader size={16} />}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <div className={classes.found}>
        {search === '' ? (
          <Text size="sm" c="dimmed">
            {t('articleSearchFirst')}
          </Text>
        ) : found.error ? (
          <Failed error={found.error} retry={found.refetch} />
        ) : !found.data ? (
          <Placeholders rows={4} />
        ) : articles.length === 0 ? (
          <Empty text={t('noArticles')} />
        ) : (
          <ul className={classes.articles} aria-label={t('articlesFound', { count: articles.length })}>
            {articles.map(article => (
              <li key={article.art_id}>
                <UnstyledButton className={classes.article} onClick={() => onPick(article)}>
                  <span className={classes.articleText}>
                    {article.description}
                    <span className={classes.brand}>{article.brand}</span>
                  </span>
                  <span className={classes.articleId}>{article.art_id}</span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        )}
      </div>
      {found.hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            size="xs"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            {t('moreArticles')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
