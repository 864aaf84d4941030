/** The dictionary and the reports of missing texts in SQL. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { translation } from '#contract/translations.ts'
import { statement } from '../../db/statement.ts'
import { answer, instant, int, json, text } from '../../db/types.ts'

const language = z.enum(languageCodes)
const columns = 'id as _id, language, namespace, key, value'

export const overridesOf = statement({
  name: 'locale.overrides',
  parameters: { language, namespace: text },
  row: { key: text, value: text },
  sql: 'select key, value from translation where language = :language and namespace = :namespace order by key',
})

export const everyTranslation = statement({
  name: 'locale.all',
  row: translation.shape,
  sql: `select ${columns} from translation`,
})

export const translationsOf = statement({
  name: 'locale.ofLanguage',
  parameters: { language },
  row: translation.shape,
  sql: `select ${columns} from translation where language = :language order by namespace, key`,
})

export const lockTranslation = statement({
  name: 'locale.lock',
  parameters: { id: int },
  row: translation.shape,
  sql: `select ${columns} from translation where id = :id for update`,
})

export const lockTranslationOf = statement({
  name: 'locale.lockPlace',
  parameters: { language, namespace: text, key: text },
  row: translation.shape,
  sql: `
    select ${columns} from translation where language = :language and namespace = :namespace and key = :key for update`,
})

/** Whether a key was reported missing, or has a translation, in any language. */
export const knownKey = statement({
  name: 'locale.known',
  parameters: { namespace: text, key: text },
  sql: `
    select from missing_text where namespace = :namespace and key = :key
    union all select from translation where namespace = :namespace and key = :key limit 1`,
})

/** A translation whose key is a group of this key, or a member of it: a key is a text or a group of texts, not both. */
export const conflictingKey = statement({
  name: 'locale.inTheWay',
  parameters: { namespace: text, key: text },
  sql: `
    select from translation
    where namespace = :namespace and (starts_with(key, :key || '.') or starts_with(:key, key || '.')) limit 1`,
})

/**
 * Saves texts of a language: JSON rows of namespace, key and value. The audit has each with the value before. They are no longer
 * missing.
 */
export const putTranslations = statement({
  name: 'locale.put',
  parameters: { language, texts: json, actor: int, now: instant },
  row: translation.shape,
  sql: `
    with given as (select * from json_to_recordset(:texts::json) as g (namespace text, key text, value text)),
    before as (
      select t.namespace, t.key, t.value from translation t join given g using (namespace, key) where t.language = :language),
    put as (
      insert into translation as t (language, namespace, key, value, updated_at)
      select :language, namespace, key, value, :now::timestamptz from given
      on conflict (language, namespace, key) do update set value = excluded.value, updated_at = excluded.updated_at
      returning ${columns}),
    found as (
      delete from missing_text m using given g where m.language = :language and m.namespace = g.namespace and m.key = g.key),
    audited as (
      insert into audit (account_id, at, action, subject, facts)
      select :actor::int, :now::timestamptz, case when b.key is null then 'translation.create' else 'translation.update' end,
        :language || ' ' || p.namespace || ':' || p.key, jsonb_strip_nulls(jsonb_build_object('from', b.value, 'to', p.value))
      from put p left join before b using (namespace, key))
    select * from put`,
})

/** Deletes translations. The audit has their values. */
export const deleteTranslations = statement({
  name: 'locale.takeAway',
  parameters: { ids: z.array(int), actor: int, now: instant },
  row: translation.shape,
  sql: `
    with gone as (delete from translation where id = any (:ids::int[]) returning ${columns}),
    audited as (
      insert into audit (account_id, at, action, subject, facts)
      select :actor::int, :now::timestamptz, 'translation.delete', language || ' ' || namespace || ':' || key, jsonb_build_object('from', value)
      from gone)
    select * from gone`,
})

export const everyMissing = statement({
  name: 'locale.everyMissing',
  row: answer,
  sql: `
    select coalesce(json_agg(m order by m.last desc, m.namespace, m.key, m.language), '[]')::text as json
    from (select language, namespace, key, asked, first_at as first, last_at as last, place as page from missing_text) m`,
})

/** The maximum number of reports: more come from a mistake or an attack. A new one replaces the oldest. */
const maxMissing = 2000

/** Counts reports of missing keys. A key that the dictionary has by now is not missing. */
export const reportMissing = statement({
  name: 'locale.report',
  parameters: { language, namespace: text, keys: z.array(text), page: text, now: instant },
  sql: `
    with asked as (
      select key from unnest(:keys::text[]) asked (key)
      where not exists (select from translation t where t.language = :language and t.namespace = :namespace and t.key = asked.key)),
    known as (
      select m.key from missing_text m join asked using (key) where m.language = :language and m.namespace = :namespace),
    pushed_out as (
      delete from missing_text where ctid in (
        select ctid from missing_text m
        where not (m.language = :language and m.namespace = :namespace and m.key in (select key from known))
        order by last_at limit greatest(0, (select count(*) from missing_text) + (select count(*) from asked)
          - (select count(*) from known) - ${maxMissing})))
    insert into missing_text as m (language, namespace, key, place, first_at, last_at)
    select :language, :namespace, key, :page, :now, :now from asked
    on conflict (language, namespace, key) do update set asked = m.asked + 1, last_at = excluded.last_at, place = excluded.place`,
})

/** Deletes reports: JSON rows of language, namespace and key. */
export const forgetMissing = statement({
  name: 'locale.forget',
  parameters: { texts: json, actor: int, now: instant },
  row: { forgotten: int },
  sql: `
    with gone as (
      delete from missing_text m using json_to_recordset(:texts::json) as g (language text, namespace text, key text)
      where m.language = g.language and m.namespace = g.namespace and m.key = g.key
      returning m.language || ' ' || m.namespace || ':' || m.key as name),
    audited as (
      insert into audit (account_id, at, action, subject, facts)
      select :actor::int, :now::timestamptz, 'translation.forget', min(name), jsonb_build_object('forgotten', count(*))
      from gone having count(*) > 0)
    select count(*)::int as forgotten from gone`,
})

/** The sites whose open pages show texts. Needs `asSystem`. */
export const sitesInUse = statement({
  name: 'locale.sites',
  row: { id: int },
  sql: 'select id from site where retired_at is null',
})
