/** One site's configuration while it is edited: its draft, what is wrong with it, and its way to the server and back. */
import { createContext, use, useMemo, useState } from 'react'
import { type AdminConfig, hotelconfig as calls, siteUrl } from '#contract/hotelconfig.ts'
import { keyOf, messageOf, queryClient, Refused, useCall } from '../shared/api.ts'
import { type Complaint, useComplaintText } from '../shared/site/complaint.ts'
import {
  changedFields,
  complaintsOf,
  type Draft,
  draftOf,
  type Field,
  inputOf,
  type List,
  merged,
  numberIn,
  without,
  withoutSent,
} from './draft.ts'

/** What a refusal names: one or several. */
const about = (facts: unknown) => [facts].flat().map(String)

/**
 * `saved` is what the server says now. While nothing is typed the form follows it; what somebody else saves under typed
 * changes is `news`, and whoever typed decides: `keepMine` or `takeTheirs`.
 */
export function useConfigEditing(saved: AdminConfig, { superuser }: { superuser: boolean }) {
  const [base, setBase] = useState(saved)
  const [draft, setDraft] = useState(() => draftOf(saved))
  const [tried, setTried] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const save = useCall(calls.edit, { doing: 'config:updating', done: 'config:updated' })
  const removeTransport = useCall(calls.edit, {
    doing: 'config:removing.transportMethods',
    done: 'config:removed.transportMethods',
  })
  const removeService = useCall(calls.edit, { doing: 'config:removing.services', done: 'config:removed.services' })
  const busy = save.isPending || removeTransport.isPending || removeService.isPending

  const before = useMemo(() => draftOf(base), [base])
  const unsaved = useMemo(() => changedFields(before, draft), [before, draft])
  const complaints = useMemo(() => complaintsOf(draft, superuser), [draft, superuser])

  // An answer that was on its way when something was saved here is older than what is shown.
  const newer = !busy && saved !== base && saved.version >= base.version
  const news = useMemo(() => (newer ? changedFields(before, draftOf(saved)) : []), [newer, before, saved])
  const conflict = news.length > 0 && unsaved.length > 0
  if (newer && !conflict) {
    setBase(saved)
    setDraft(merged({ base: before, mine: draft, theirs: draftOf(saved) }))
  }

  function adopt(config: AdminConfig, change: (now: Draft) => Draft) {
    queryClient.setQueryData(keyOf(calls.adminconfig, superuser ? { id: config._id } : {}), config)
    setBase(config)
    setDraft(change)
  }

  /** Saves the whole draft. Answers false when it can't be sent as it is, or was refused: everything typed is still there. */
  async function send(): Promise<boolean> {
    setTried(true)
    if (busy || Object.keys(complaints).length > 0) return false
    try {
      const { config } = await save.mutateAsync(inputOf(draft, base, superuser))
      adopt(config, now => merged({ base: draft, mine: withoutSent(now, draft), theirs: draftOf(config) }))
      setTried(false)
      return true
    } catch {
      return false
    }
  }

  /** Takes an entry out of what is saved, at once and alone: what else was changed stays typed and unsaved. */
  async function remove(list: List, key: string): Promise<boolean> {
    if (!before[list].some(entry => entry.key === key)) {
      setDraft(now => without(now, list, key))
      return true
    }
    const call = list === 'services' ? removeService : removeTransport
    try {
      const { config } = await call.mutateAsync(inputOf(without(before, list, key), base, superuser))
      adopt(config, now => merged({ base: before, mine: without(now, list, key), theirs: draftOf(config) }))
      return true
    } catch {
      // Told in a toast; the entry stays.
      return false
    }
  }

  const complaintText = useComplaintText()
  /** What the server refused of a field, while that still holds what was refused. */
  function refused(path: string): string | undefined {
    const { error } = save
    if (!(error instanceof Refused)) return undefined
    const [field = '', index] = path.split('.')
    const value = draft[field as Field]
    if (error.code === 'config.url_taken' && field === 'urls' && Array.isArray(value)) {
      const url = siteUrl.safeParse(value[Number(index)])
      return url.success && about(error.params.urls).includes(url.data) ? messageOf(error) : undefined
    }
    if (error.code === 'config.article_missing' && /Article|_article_id/.test(field) && !Array.isArray(value))
      return about(error.params.articles).includes(String(numberIn(String(value)))) ? messageOf(error) : undefined
    if (error.code === 'config.code_taken' && field === 'default_site_code')
      return save.variables?.default_site_code === value ? messageOf(error) : undefined
    return undefined
  }

  return {
    /** What is saved, as far as this form knows: its images and its number are read from here. */
    base,
    draft,
    superuser,
    busy,
    saving: save.isPending,
    unsaved,
    complaints,
    tried,
    news: conflict ? news : [],
    change: <F extends Field>(field: F, value: Draft[F]) => setDraft(now => ({ ...now, [field]: value })),
    edit: (how: (now: Draft) => Draft) => setDraft(how),
    leave: (path: string) => setLeft(now => new Set(now).add(path)),
    /** What is wrong with a field, once it was left or somebody tried to save. */
    said(path: string): string | undefined {
      const complaint: Complaint | undefined = complaints[path]
      if (complaint && (tried || left.has(path))) return complaintText(complaint)
      return refused(path)
    },
    /** Whether an entry of a list is as it is saved, changed or new. */
    stateOf(list: List, key: string): 'saved' | 'changed' | 'new' {
      const was = before[list].find(entry => entry.key === key)
      if (!was) return 'new'
      return JSON.stringify(was) === JSON.stringify(draft[list].find(entry => entry.key === key)) ? 'saved' : 'changed'
    },
    send,
    remove,
    discard() {
      setDraft(before)
      setTried(false)
      setLeft(new Set())
    },
    keepMine() {
      setBase(saved)
      setDraft(merged({ base: before, mine: draft, theirs: draftOf(saved) }))
    },
    takeTheirs() {
      setBase(saved)
      setDraft(draftOf(saved))
      setTried(false)
    },
  }
}
export type Editing = ReturnType<typeof useConfigEditing>

export const EditingContext = createContext<Editing | null>(null)

/** The configuration that is edited around here. */
export function useEditing(): Editing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('no configuration is edited here')
  return editing
}
