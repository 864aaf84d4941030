/** The statements that make a site. */
import { z } from 'zod'
import { languageCodes } from '#domain/account.ts'
import { modes, siteImages } from '#domain/site.ts'
import { statement } from '../../db/statement.ts'
import { bytes, instant, int, json, text } from '../../db/types.ts'

/** Locks the choice of codes until this transaction ends. */
export const lockCodes = statement({
  name: 'newSite.lockCodes',
  row: { pg_advisory_xact_lock: text },
  sql: `select pg_advisory_xact_lock(hashtextextended('site code', 0))`,
})

/** The first code that is free: `gent`, else `gent-2` and so on. */
export const freeCodeOf = statement({
  name: 'newSite.freeCode',
  parameters: { code: text },
  row: { code: text },
  sql: `
    select code from (
      select nth, case when nth = 1 then :code else left(:code, 39 - length(nth::text)) || '-' || nth end as code
      from generate_series(1, 10000) nth) wanted
    where not exists (select from site s where s.code = wanted.code) order by nth limit 1`,
})

export const insertSite = statement({
  name: 'newSite.insert',
  parameters: {
    code: text,
    name: text,
    adminEmail: text,
    mode: z.enum(modes),
    account: text,
    defaultCode: text,
    language: z.enum(languageCodes),
  },
  row: { id: int },
  sql: `
    insert into site (code, name, admin_email, mode, account, default_site_code, language)
    select :code, :name, :adminEmail, :mode, :account, :defaultCode, :language
    where not exists (select from site where code = :code) on conflict (code) do nothing returning id`,
})

export const insertReports = statement({
  name: 'newSite.reports',
  parameters: { site: int },
  sql: `
    insert into label_report (site_id, number, name, layout) values
      (:site, 1, '62 × 100 mm', 'roll_62x100'), (:site, 2, '57 × 32 mm', 'roll_57x32'), (:site, 3, 'A4 2 × 7', 'sheet_a4_2x7')`,
})

/**
 * Articles for tyres that are in no catalogue, one a season, and one for storage; a search does not find them. The articles are
 * JSON rows of season and description.
 */
export const insertPlaceholders = statement({
  name: 'newSite.placeholders',
  parameters: { site: int, articles: json },
  sql: `
    with made as (
      insert into article (site_id, brand, description, season, unknown)
      select :site, '', description, season, true from json_to_recordset(:articles::json) as p (season text, description text)
      returning id, season)
    update site set
      unknown_winter_article = (select id from made where season = 'winter'),
      unknown_summer_article = (select id from made where season = 'summer'),
      unknown_all_season_article = (select id from made where season = 'all_season'),
      unknown_snow_article = (select id from made where season = 'snow'),
      invoicing_article = (select id from made where season is null)
    where id = :site`,
})

/** The configurations are JSON rows of name, width and axles. */
export const insertConfigs = statement({
  name: 'newSite.configs',
  parameters: { site: int, configs: json },
  sql: `
    insert into vehicle_config (site_id, description, axle_width, axles)
    select :site, name, width, axles from json_to_recordset(:configs::json) as c (name text, width int, axles jsonb)`,
})

/** Assigns the free hosts to the site and returns them. */
export const insertHosts = statement({
  name: 'newSite.claim',
  parameters: { site: int, hosts: z.array(text) },
  row: { host: text },
  sql: `
    insert into site_address (host, site_id) select host, :site from unnest(:hosts::text[]) host order by host
    on conflict (host) do nothing returning host`,
})

export const upsertImage = statement({
  name: 'newSite.image',
  parameters: { site: int, kind: z.enum(siteImages), mediaType: text, digest: text, content: bytes },
  sql: `
    insert into image (site_id, kind, media_type, digest, content) values (:site, :kind, :mediaType, :digest, :content)
    on conflict (site_id, kind) do update
      set media_type = excluded.media_type, digest = excluded.digest, content = excluded.content`,
})

/** `actor` is null for the command line. */
export const auditSite = statement({
  name: 'newSite.audit',
  parameters: { site: int, actor: int.nullable(), now: instant, code: text, facts: json },
  sql: `
    insert into audit (site_id, account_id, at, action, subject, facts)
    values (:site, :actor, :now, 'site.create', :code, :facts)`,
})
