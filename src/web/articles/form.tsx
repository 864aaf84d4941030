/** The form of an article, for a new one and for one that is changed. */
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { articleForm, articleLimits, articles as calls, type ListedArticle } from '#contract/articles.ts'
import { useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { Choice } from '../ui/select.tsx'

type Values = Record<Exclude<keyof ListedArticle, '_id' | 'retired' | 'tyre_count'>, string>

const empty: Values = {
  brand: '',
  pattern: '',
  dimension: '',
  load_index: '',
  speed_index: '',
  season: '',
  ean: '',
  eprel: '',
  fuel_class: '',
  wet_class: '',
  noise_db: '',
  description: '',
}
const fields = Object.keys(empty) as (keyof Values)[]

const valuesOf = (article: ListedArticle): Values => ({
  ...empty,
  ...Object.fromEntries(fields.map(field => [field, String(article[field] ?? '')])),
})

const notKnown = '-'

export function ArticleForm({ article, dialog }: { article: ListedArticle | null; dialog: DialogControls }) {
  const { t } = useTranslation(['articles', 'tyres'])
  const save = useCall(calls.save, { doing: 'articles:saving', done: 'articles:saved', shown: ['article.known'] })
  const form = useContractForm({
    initial: article ? valuesOf(article) : empty,
    schema: articleForm,
    input: (values: Values) => ({
      ...values,
      ...(article && { _id: article._id }),
      season: (values.season || null) as ListedArticle['season'],
      noise_db: values.noise_db.trim() === '' ? null : Number(values.noise_db),
    }),
    refusals: { 'article.known': 'dimension' },
    text: useFieldErrorText(),
    dialog,
  })
  const text = (field: keyof Values, label: string) => ({ ...form.text(field), name: field, label, spellCheck: false })
  const season = form.text('season')
  return (
    <Form
      form={form}
      onSubmit={async input => {
        await save.mutateAsync(input)
        dialog.close()
      }}
    >
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
          <TextInput {...text('brand', t('brand'))} maxLength={articleLimits.brand} required data-autofocus />
          <TextInput {...text('pattern', t('pattern'))} maxLength={articleLimits.pattern} />
          <TextInput
            {...text('dimension', t('dimension'))}
            description={t('dimensionHint')}
            maxLength={articleLimits.dimension}
            required
          />
          <Choice
            label={t('season')}
            data={[
              { value: notKnown, label: t('noSeason') },
              ...seasons.map(value => ({ value, label: t(`tyres:season.${value}`) })),
            ]}
            value={season.value || notKnown}
            onChange={value => form.set({ season: value === notKnown ? '' : (value ?? '') })}
          />
          <TextInput {...text('load_index', t('load'))} maxLength={articleLimits.load_index} />
          <TextInput {...text('speed_index', t('speed'))} maxLength={articleLimits.speed_index} />
          <TextInput {...text('ean', t('ean'))} maxLength={articleLimits.ean} inputMode="numeric" />
          <TextInput {...text('eprel', t('eprel'))} maxLength={articleLimits.eprel} inputMode="numeric" />
          <TextInput {...text('fuel_class', t('fuel'))} maxLength={1} />
          <TextInput {...text('wet_class', t('wet'))} maxLength={1} />
          <TextInput {...text('noise_db', t('noise'))} maxLength={3} inputMode="numeric" />
        </SimpleGrid>
        <TextInput
          {...text('description', t('description'))}
          description={t('descriptionHint')}
          maxLength={articleLimits.description}
        />
        <FormActions form={form} dialog={dialog} submit={t(article ? 'save' : 'create')} />
      </Stack>
    </Form>
  )
}
