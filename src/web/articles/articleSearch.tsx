/** Searches the catalogue of articles: by dimension and speed index, and by a brand after `*`. */
import { Button, Loader, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { fleet } from '#contract/fleet.ts'
import type { Article } from '#contract/wire.ts'
import { typingDelayMs, useDebounced } from '../ui/hooks.ts'
import { usePages } from '../shared/pages.ts'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import classes from './articleSearch.module.css'

type ArticleSearchProps = {
  texts: { label: string; hint: string; none: string; more: string }
  /** Names the list of so many articles. */
  listLabel: (count: number) => string
  /** Announces the number of results to screen readers. */
  status?: (count: number) => string
  placeholder?: string
  /** So many letters begin a search. */
  letters: number
  /** Shown in place of the list before a search. */
  before?: ReactNode
  /** An article of the list. */
  children: (article: Article) => ReactNode
}

/** The search field and the list of matching articles. */
export function ArticleSearch({
  texts,
  listLabel,
  status,
  placeholder,
  letters,
  before = null,
  children,
}: ArticleSearchProps) {
  const [typed, setTyped] = useState('')
  const wanted = useDebounced(typed.trim(), typingDelayMs)
  const answer = usePages(
    fleet.searcharticles,
    { search_value: wanted },
    {
      after: 'last_article',
      lastOf: page => (page.more_available ? page.articles.at(-1)?.art_id : null),
      enabled: wanted.length >= letters,
    },
  )
  const articles = answer.data?.pages.flatMap(page => page.articles) ?? []
  return (
    <>
      <TextInput
        type="search"
        label={texts.label}
        description={texts.hint}
        placeholder={placeholder}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={answer.isFetching && !answer.isFetchingNextPage ? <Loader size={16} /> : null}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {wanted.length < letters ? (
        before
      ) : (
        <div className={classes.place}>
          {answer.isPending ? (
            <Placeholders rows={4} />
          ) : answer.isError && articles.length === 0 ? (
            <Failed error={answer.error} retry={answer.refetch} />
          ) : articles.length === 0 ? (
            <Empty text={texts.none} icon={IconSearch} />
          ) : (
            <div className={classes.results}>
              <ul className={classes.articles} aria-label={listLabel(articles.length)}>
                {articles.map(article => (
                  <li key={article.art_id}>{children(article)}</li>
                ))}
              </ul>
              {answer.hasNextPage && (
                <Button
                  variant="subtle"
                  fullWidth
                  loading={answer.isFetchingNextPage}
                  onClick={() => void answer.fetchNextPage()}
                >
                  {texts.more}
                </Button>
              )}
              {answer.isFetchNextPageError && <Failed error={answer.error} retry={answer.fetchNextPage} />}
            </div>
          )}
        </div>
      )}
      {status && (
        <Text role="status" className="wh-hidden">
          {answer.isSuccess && articles.length > 0 && status(articles.length)}
        </Text>
      )}
    </>
  )
}
