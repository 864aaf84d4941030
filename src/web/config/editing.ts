/** The editing of a site's fields, which are saved together. */
import { createContext, use } from 'react'
import { type AdminConfig, type ConfigForm, hotelconfig as calls } from '#contract/config.ts'
import { type Refused, setAnswer, useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { takenUrls } from '../sites/takenUrls.ts'
import { useChanges } from '../ui/form/useChanges.ts'
import { numberIn } from './numerals.ts'
import { changedFields, errorsOf, type Field, formOf, inputOf, sectionOf, type SiteForm } from './siteForm.ts'

const articleFields = (Object.keys(sectionOf) as Field[]).filter(
  field => (field.includes('Article') && field.endsWith('Id')) || field.endsWith('_article_id'),
)
/** The articles that the catalogue does not have. */
const missingArticles = ({ params }: Refused, values: SiteForm): string[] =>
  articleFields.filter(field =>
    [params.articles]
      .flat()
      .map(String)
      .includes(String(numberIn(String(values[field])))),
  )

/** A site's configuration as it is saved, and whether a superuser edits it, who belongs to no site. */
export type EditedSite = { saved: AdminConfig; superuser: boolean }

/** The input that names the site of a call. */
export const siteOf = ({ saved, superuser }: EditedSite): { id?: number } => (superuser ? { id: saved._id } : {})

/** Shows a configuration that came with a change. */
export const showConfig = (site: EditedSite, config: AdminConfig) => setAnswer(calls.adminconfig, siteOf(site), config)

/** Fields left alone follow what others save; of one that both changed, the user decides. */
export function useSiteEditing(site: EditedSite) {
  const { saved, superuser } = site
  const before = formOf(saved)
  const { changes, controlled, overtaken, keep, drop, sent } = useChanges(before)
  const edit = useCall(calls.edit, { doing: 'config:updating', done: 'config:updated' })
  const unsaved = changedFields(before, controlled.values)
  const conflicts = edit.isPending ? [] : overtaken
  const form = useContractForm({
    initial: before,
    controlled: { ...controlled, dirty: unsaved.length > 0 },
    problems: values => errorsOf(values, superuser),
    input: values => inputOf(values, saved, superuser),
    text: useFieldErrorText(),
    refusals: {
      'config.url_taken': takenUrls,
      'config.article_missing': missingArticles,
      'config.code_taken': 'default_site_code',
    },
  })
  return {
    saved,
    superuser,
    form,
    unsaved,
    conflicts,
    /** Saves the form if it is valid. Refused input is kept. */
    async save(input: ConfigForm) {
      if (conflicts.length > 0) return
      const { config } = await edit.mutateAsync(input)
      showConfig(site, config)
      sent(changes)
    },
    discard() {
      drop()
      form.forgive()
    },
    keepMine: keep,
    takeTheirs: () => drop(conflicts),
  }
}

export type Editing = ReturnType<typeof useSiteEditing>

export const EditingContext = createContext<Editing | null>(null)

/** The site's form around here. */
export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('no configuration is edited here')
  return editing
}
