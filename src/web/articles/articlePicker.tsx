/** Finds an article of the site's catalogue for a number field. */
import { Modal, Stack, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { Article } from '#contract/wire.ts'
import { ArticleSearch } from './articleSearch.tsx'
import classes from './articlePicker.module.css'
import { usePhone } from '../ui/usePhone.ts'

type ArticlePickerProps = { title: string; opened: boolean; onClose: () => void; onPick: (article: Article) => void }

export function ArticlePicker({ title, opened, onClose, onPick }: ArticlePickerProps) {
  const { t } = useTranslation('config')
  const phone = usePhone()
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg" fullScreen={phone === true}>
      <Stack gap="sm">
        <ArticleSearch
          texts={{
            label: t('articleSearch'),
            hint: t('articleSearchHint'),
            none: t('noArticles'),
            more: t('moreArticles'),
          }}
          listLabel={count => t('articlesFound', { count })}
          letters={1}
          before={
            <Text size="sm" c="dimmed">
              {t('articleSearchFirst')}
            </Text>
          }
        >
          {article => (
            <UnstyledButton
              className={classes.article}
              onClick={() => {
                onPick(article)
                onClose()
              }}
            >
              <span className={classes.articleText}>
                {article.description}
                <span className={classes.brand}>{article.brand}</span>
              </span>
              <span className={classes.articleId}>{article.art_id}</span>
            </UnstyledButton>
          )}
        </ArticleSearch>
      </Stack>
    </Modal>
  )
}
