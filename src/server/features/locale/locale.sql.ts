/** The dictionary and the reports of missing texts in SQL (SPEC §3 "Translation"). */
import { statement } from '../../db/database.ts'

const columns = 'id as _id, language, namespace, key, value'

export type TranslationRow = {
  readonly _id: number
  readonly language: 'dut' | 'fre' | 'eng' | 'ger'
  readonly namespace: string
  readonly key: string
  readonly value: string
}

export const overridesOf = statement(
  'locale.overrides',
  `select key, value from translation where language = $1 and namespace = $2 order by key`,
)
export const everyTranslation = statement(
  'locale.all',
  `select coalesce(json_agg(t order by t.namespace, t.key, t.language), '[]')::text as json
   from (select ${columns} from translation) t`,
)
export const translationsOf = statement(
  'locale.ofLanguage',
  `select ${columns} from translation where language = $1 order by namespace, key`,
)
export const lockTranslation = statement('locale.lock', `select ${columns} from translation where id = $1 for update`)

/** Whether the portal, or a translation in any language, has missed or has this key: $1 namespace, $2 key. */
export const knownKey = statement(
  'locale.known',
  `select from missing_text where namespace = $1 and key = $2
   union all select from translation where namespace = $1 and key = $2 limit 1`,
)
/** Keys of which one would stand inside the other: $1 namespace, $2 key. */
export const inTheWay = statement(
  'locale.inTheWay',
  `select from translation where namespace = $1 and (starts_with(key, $2 || '.') or starts_with($2, key || '.')) limit 1`,
)

/**
 * Puts texts into the dictionary: $1 language, $2 rows of namespace, key and value as JSON, $3 account, $4 when. Each is
 * audited with what it said before; what was missing is so no longer.
 */
export const putTranslations = statement(
  'locale.put',
  `with given as (select * from json_to_recordset($2::json) as g (namespace text, key text, value text)),
   before as (
     select t.namespace, t.key, t.value from translation t join given g using (namespace, key) where t.language = $1),
   put as (
     insert into translation as t (language, namespace, key, value, updated_at)
     select $1, namespace, key, value, $4::timestamptz from given
     on conflict (language, namespace, key) do update set value = excluded.value, updated_at = excluded.updated_at
     returning ${columns}),
   found as (
     delete from missing_text m using given g where m.language = $1 and m.namespace = g.namespace and m.key = g.key),
   audited as (
     insert into audit (account_id, at, action, subject, facts)
     select $3::int, $4::timestamptz, case when b.key is null then 'translation.create' else 'translation.update' end,
       $1 || ' ' || p.namespace || ':' || p.key, jsonb_strip_nulls(jsonb_build_object('from', b.value, 'to', p.value))
     from put p left join before b using (namespace, key))
   select * from put`,
)

/** Takes translations away: $1 ids, $2 account, $3 when. Audited with what they said. */
export const takeAway = statement(
  'locale.takeAway',
  `with gone as (delete from translation where id = any ($1::int[]) returning ${columns}),
   audited as (
     insert into audit (account_id, at, action, subject, facts)
     select $2::int, $3::timestamptz, 'translation.delete', language || ' ' || namespace || ':' || key, jsonb_build_object('from', value)
     from gone)
   select * from gone`,
)

export const everyMissing = statement(
  'locale.everyMissing',
  `select coalesce(json_agg(m order by m.last desc, m.namespace, m.key, m.language), '[]')::text as json
   from (select language, namespace, key, asked, first_at as first, last_at as last, place as page from missing_text) m`,
)

/** More missing keys than this are a mistake or an attack, not a screen; the rest is not kept. */
const missingAtMost = 2000
/** $1 language, $2 namespace, $3 keys, $4 page, $5 when. What the dictionary has meanwhile is not missing. */
export const reportMissing = statement(
  'locale.report',
  `insert into missing_text as m (language, namespace, key, place, first_at, last_at)
   select $1, $2, asked.key, $4, $5, $5 from unnest($3::text[]) asked (key)
   where ((select count(*) from missing_text) < ${missingAtMost}
       or exists (select from missing_text k where k.language = $1 and k.namespace = $2 and k.key = asked.key))
     and not exists (select from translation t where t.language = $1 and t.namespace = $2 and t.key = asked.key)
   on conflict (language, namespace, key) do update set asked = m.asked + 1, last_at = excluded.last_at, place = excluded.place`,
)

/** $1 rows of language, namespace and key as JSON, $2 account, $3 when. */
export const forgetMissing = statement(
  'locale.forget',
  `with gone as (
     delete from missing_text m using json_to_recordset($1::json) as g (language text, namespace text, key text)
     where m.language = g.language and m.namespace = g.namespace and m.key = g.key
     returning m.language || ' ' || m.namespace || ':' || m.key as name),
   audited as (
     insert into audit (account_id, at, action, subject, facts)
     select $2::int, $3::timestamptz, 'translation.forget', min(name), jsonb_build_object('forgotten', count(*))
     from gone having count(*) > 0)
   select count(*)::int as forgotten from gone`,
)

/** Whose open pages have fetched texts. Needs the scope of the system. */
export const everySite = statement('locale.sites', `select id from site where retired_at is null`)
