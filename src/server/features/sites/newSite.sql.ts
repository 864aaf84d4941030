/** The statements that make a site. */
import { z } from 'zod'
import { languageCodes } from '#domain/people/account.ts'
import { modes, siteImages } from '#domain/site.ts'
import { statement } from '../../db/statement.ts'
import { bool, bytes, int, json, text } from '../../db/types.ts'

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
    timeZone: text,
    generatedMark: bool,
  },
  row: { id: int },
  sql: `
    insert into site (code, name, admin_email, mode, account, default_site_code, language, time_zone, generated_mark)
    select :code, :name, :adminEmail, :mode, :account, :defaultCode, :language, :timeZone, :generatedMark
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
  parameters: { site: int, articles: json, allowed: bool },
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
      invoicing_article = (select id from made where season is null),
      allow_unknown_article = :allowed
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

/** The transport methods are JSON rows. */
export const insertTransports = statement({
  name: 'newSite.transports',
  parameters: { site: int, transports: json },
  sql: `
    insert into transport_method (site_id, name, code, is_default, description_nl, description_fr, description_en, description_de,
      operation_days, advance_days, cutoff_hour)
    select :site, name, code, is_default, description_nl, description_fr, description_en, description_de, days, advance, cutoff
    from json_to_recordset(:transports::json) as t (name text, code text, is_default boolean, description_nl text, description_fr text,
      description_en text, description_de text, days int[], advance int, cutoff time)`,
})

/** The services are JSON rows; each is a line of text, so that it needs no article number. */
export const insertServices = statement({
  name: 'newSite.services',
  parameters: { site: int, services: json },
  sql: `
    insert into service (site_id, icon, name, operation_type, article_insertion_method, preselected, description_nl, description_fr,
      description_en, description_de)
    select :site, icon, name, type, 'text_line', preselected, description_nl, description_fr, description_en, description_de
    from json_to_recordset(:services::json) as s (icon text, name text, type text, preselected boolean, description_nl text,
      description_fr text, description_en text, description_de text)`,
})

/** Two racks of three shelves of four places, for a set each. */
export const insertRacks = statement({
  name: 'newSite.racks',
  parameters: { site: int, warehouse: text },
  sql: `
    with root as (
      insert into location (site_id, kind, name, site_name) values (:site, 'site', :warehouse, :warehouse) returning id),
    rack as (
      insert into location (site_id, parent_id, kind, name, site_name, path, walk)
      select :site, root.id, 'rack', letter, :warehouse, letter, nth * 1000 from root, unnest(array['A', 'B']) with ordinality as r (letter, nth)
      returning id, path, walk),
    shelf as (
      insert into location (site_id, parent_id, kind, name, site_name, path, walk)
      select :site, rack.id, 'shelf', nth::text, :warehouse, rack.path || '-' || nth, rack.walk + nth from rack, generate_series(1, 3) nth
      returning id, path, walk)
    insert into location (site_id, parent_id, kind, name, site_name, path, walk, capacity)
    select :site, shelf.id, 'place', nth::text, :warehouse, shelf.path || '-' || nth, shelf.walk + nth * 10, 4
    from shelf, generate_series(1, 4) nth`,
})

/** The closed days are JSON rows. */
export const insertClosedDays = statement({
  name: 'newSite.closedDays',
  parameters: { site: int, days: json },
  sql: `
    insert into closed_day (site_id, day, holiday)
    select :site, day, holiday from json_to_recordset(:days::json) as d (day date, holiday text)`,
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
