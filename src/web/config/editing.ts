/** The editing of a site's configuration: draft, validation, saving and conflicts. */
import { createContext, use, useMemo, useState } from 'react'
import { type AdminConfig, type ConfigForm, hotelconfig as calls } from '#contract/hotelconfig.ts'
import { transports } from '#contract/transports.ts'
import { keyOf, queryClient, type Refused, useCall } from '../shared/api.ts'
import { useFieldErrorText } from '../shared/form/fieldErrors.ts'
import { type ContractForm, useContractForm } from '../shared/form/useContractForm.ts'
import { takenUrls } from '../sites/takenUrls.ts'
import {
  changedFields,
  type Draft,
  draftOf,
  errorsOf,
  type Field,
  inputOf,
  type List,
  merged,
  numberIn,
  sectionOf,
  without,
  withoutSent,
} from './draft.ts'

const articleFields = (Object.keys(sectionOf) as Field[]).filter(
  field => (field.includes('Article') && field.endsWith('Id')) || field.endsWith('_article_id'),
)
/** The articles that the catalogue does not have. */
const missingArticles = ({ params }: Refused, draft: Draft): string[] =>
  articleFields.filter(field =>
    [params.articles]
      .flat()
      .map(String)
      .includes(String(numberIn(String(draft[field])))),
  )

/**
 * `saved` is the server's state. Without edits the form follows it; a change of another user to edited fields is in
 * `conflicts`, and the user decides: `keepMine` or `takeTheirs`.
 */
export function useConfigEditing(saved: AdminConfig, { superuser }: { superuser: boolean }) {
  const [base, setBase] = useState(saved)
  const [draft, setDraft] = useState(() => draftOf(saved))
  const edit = useCall(calls.edit, { doing: 'config:updating', done: 'config:updated' })
  const removeTransport = useCall(transports.remove, {
    doing: 'config:removing.transportMethods',
    done: 'config:removed.transportMethods',
  })
  const removeService = useCall(calls.edit, { doing: 'config:removing.services', done: 'config:removed.services' })
  const busy = edit.isPending || removeTransport.isPending || removeService.isPending

  const before = useMemo(() => draftOf(base), [base])
  const unsaved = useMemo(() => changedFields(before, draft), [before, draft])
  const errors = useMemo(() => errorsOf(draft, superuser), [draft, superuser])

  // An answer that was requested before a save is older than the shown state.
  const newer = !busy && saved !== base && saved.version >= base.version
  const changedElsewhere = useMemo(() => (newer ? changedFields(before, draftOf(saved)) : []), [newer, before, saved])
  const conflict = changedElsewhere.length > 0 && unsaved.length > 0
  if (newer && !conflict) {
    setBase(saved)
    setDraft(merged({ base: before, mine: draft, theirs: draftOf(saved) }))
  }

  function adopt(config: AdminConfig, change: (now: Draft) => Draft) {
    queryClient.setQueryData(keyOf(calls.adminconfig, superuser ? { id: config._id } : {}), config)
    setBase(config)
    setDraft(change)
  }

  const form: ContractForm<Draft, ConfigForm> = useContractForm({
    initial: draft,
    controlled: { values: draft, dirty: unsaved.length > 0, change: setDraft },
    problems: () => errors,
    input: now => inputOf(now, base, superuser),
    text: useFieldErrorText(),
    refusals: {
      'config.url_taken': takenUrls,
      'config.article_missing': missingArticles,
      'config.code_taken': 'default_site_code',
    },
    focusInvalid,
  })

  /** Saves the draft if it is valid. Refused input is kept. */
  async function save(input: ConfigForm) {
    if (busy) return
    const { config } = await edit.mutateAsync(input)
    adopt(config, now => merged({ base: draft, mine: withoutSent(now, draft), theirs: draftOf(config) }))
  }

  /**
   * Removes a saved entry at once; other edits stay unsaved. `by`: the transport method that takes over the open
   * recalls of a removed one.
   */
  async function remove(list: List, key: string, by?: number): Promise<boolean> {
    const entry = before[list].find(candidate => candidate.key === key)
    if (!entry) {
      setDraft(now => without(now, list, key))
      return true
    }
    try {
      const { config } =
        list === 'services'
          ? await removeService.mutateAsync(inputOf(without(before, list, key), base, superuser))
          : await removeTransport.mutateAsync({ id: base._id, transport: entry._id ?? 0, by, version: base.version })
      adopt(config, now => merged({ base: before, mine: without(now, list, key), theirs: draftOf(config) }))
      return true
    } catch {
      // Reported in a toast; the entry stays.
      return false
    }
  }

  return {
    /** The last known saved state: images and id are read from here. */
    base,
    draft,
    superuser,
    form,
    busy,
    saving: edit.isPending,
    unsaved,
    /** The draft of the saved state. */
    before,
    conflicts: conflict ? changedElsewhere : [],
    edit: (how: (now: Draft) => Draft) => setDraft(how),
    /** Whether an entry of a list is as it is saved, changed or new. */
    stateOf(list: List, key: string): 'saved' | 'changed' | 'new' {
      const was = before[list].find(entry => entry.key === key)
      if (!was) return 'new'
      return JSON.stringify(was) === JSON.stringify(draft[list].find(entry => entry.key === key)) ? 'saved' : 'changed'
    },
    save,
    remove,
    discard() {
      setDraft(before)
      form.forgive()
    },
    keepMine() {
      setBase(saved)
      setDraft(merged({ base: before, mine: draft, theirs: draftOf(saved) }))
    },
    takeTheirs() {
      setBase(saved)
      setDraft(draftOf(saved))
      form.forgive()
    },
  }
}
/** To the first invalid field; of an entry of a list, to its first button. */
function focusInvalid(form: HTMLFormElement) {
  const first = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')
  if (!first) return
  const target = first.matches('input, textarea') ? first : (first.closest('tr')?.querySelector('button') ?? first)
  target.focus()
  target.scrollIntoView({ block: 'center' })
}

export type Editing = ReturnType<typeof useConfigEditing>

export const EditingContext = createContext<Editing | null>(null)

/** The configuration that is edited around here. */
export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('no configuration is edited here')
  return editing
}
