/** Texts over the wire: what i18next fetches, and what it found missing (SPEC §1, §7). */
import { languageOf } from '#domain/account.ts'
import { Failure } from '#domain/failure.ts'
import { Json, statement } from './db.ts'
import type { Handlers } from './handler.ts'
import { createHash } from 'node:crypto'
import { hasText, shippedTexts, withOverrides } from './texts.ts'

const overridesOf = statement(
  'locale.overrides',
  `select key, value from translation where language = $1 and namespace = $2 order by key`,
)
const all = statement(
  'locale.all',
  `select coalesce(json_agg(t order by t.namespace, t.key, t.language), '[]')::text as json
   from (select id as _id, language, namespace, key, value from translation) t`,
)

/** More missing keys than this are a mistake or an attack, not a screen; the rest is not kept. */
const missingAtMost = 2000
const perReport = 100
const reportMissing = statement(
  'locale.missing',
  `insert into missing_text as m (language, namespace, key, place, first_at, last_at)
   select $1, $2, asked.key, $4, $5, $5 from unnest($3::text[]) asked (key)
   where (select count(*) from missing_text) < ${missingAtMost}
     or exists (select from missing_text k where k.language = $1 and k.namespace = $2 and k.key = asked.key)
   on conflict (language, namespace, key) do update set asked = m.asked + 1, last_at = excluded.last_at, place = excluded.place`,
)

export const locale: Handlers['locale'] = {
  async file({ input: { lng, ns }, tx, request }) {
    const shipped = shippedTexts(lng, ns)
    if (!shipped) throw new Failure('record.missing')
    const overrides = await tx.rows<{ key: string; value: string }>(overridesOf, [languageOf(lng), ns])
    const text = JSON.stringify(overrides.length > 0 ? withOverrides(shipped, overrides) : shipped)
    request.etag(`"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`)
    return new Json(text)
  },

  async add({ input: { lng, ns, ...keys }, tx, now, request }) {
    if (!shippedTexts(lng, ns)) throw new Failure('record.missing')
    const reported = Object.keys(keys)
    if (reported.length > perReport) throw new Failure('request.too_many', { seconds: 60 })
    const missing = [...new Set(reported.map(key => key.toWellFormed()))].filter(
      key => key.length > 0 && key.length <= 200 && !key.includes('\0') && !hasText(lng, ns, key),
    )
    if (missing.length > 0) await tx.rows(reportMissing, [languageOf(lng), ns, missing, request.page, now])
    return {}
  },

  all: ({ tx }) => tx.json(all),
}
