/** The statements of the tariff: its rules, added, ended and asked. */
import { z } from 'zod'
import { sizeClasses, storageModes, tariffKinds, tariffUnits } from '#domain/money/tariff.ts'
import { bySpelling } from '../../db/search.ts'
import { statement } from '../../db/statement.ts'
import { answer, date, decimal, instant, int, text } from '../../db/types.ts'

/** Whether something was charged by rule `r`. */
const isUsed = (
  r: string,
): string => `(exists (select from charge c where c.site_id = ${r}.site_id and c.rule_id = ${r}.id)
  or exists (select from document_line l where l.site_id = ${r}.site_id and l.rule_id = ${r}.id)
  or exists (select from storage_ledger l where l.site_id = ${r}.site_id and l.season_rule_id = ${r}.id))`

const kindOrder = `array_position(array[${tariffKinds.map(kind => `'${kind}'`).join(', ')}], r.kind)`

/** The rules of a site in wire form: those of the site first, then by customer; by kind, and the newest before those that it succeeded. */
export const rules = statement({
  name: 'tariff.list',
  parameters: { site: int },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select r.id as _id, r.kind, r.per, r.mode, r.period, r.grace_days, r.size_class, r.after_days,
       case when s.id is not null then json_build_object('_id', s.id, 'name', s.name) end as service,
       case when c.id is not null then json_build_object('seq_id', c.id, 'companyname', coalesce(nullif(c.company, ''), c.name)) end as customer,
       r.since, r.until, r.price_excl, r.vat_rate, coalesce(r.article_number, '') as article_number, r.description, ${isUsed('r')} as used
     from tariff_rule r left join service s on s.site_id = r.site_id and s.id = r.service_id
       left join customer c on c.site_id = r.site_id and c.id = r.customer_id
     where r.site_id = :site
     order by r.customer_id is not null, ${bySpelling(`coalesce(nullif(c.company, ''), c.name)`)}, c.id, ${kindOrder}, ${bySpelling('s.name')}, r.after_days,
       array_position(array['small', 'medium', 'large', 'truck'], r.size_class) nulls first, r.per, r.since desc) wire`,
})

const audited = (
  rule: string,
): string => `insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
  select :site, ${rule}.customer_id, :actor, :now, :action, 'tariff rule ' || ${rule}.id, jsonb_strip_nulls(jsonb_build_object('kind', ${rule}.kind,
    'from', ${rule}.since, 'to', ${rule}.until, 'price', ${rule}.price_excl)) from ${rule}`

/** Adds a rule. One that holds on a day on which another one does is the failure `tariff.overlaps`. */
export const addRule = statement({
  name: 'tariff.add',
  parameters: {
    site: int,
    customer: int.nullable(),
    kind: z.enum(tariffKinds),
    per: z.enum(tariffUnits),
    mode: z.enum(storageModes).nullable(),
    period: int.nullable(),
    graceDays: int,
    sizeClass: z.enum(sizeClasses).nullable(),
    afterDays: int.nullable(),
    service: int.nullable(),
    since: date,
    until: date.nullable(),
    price: decimal,
    vatRate: decimal.nullable(),
    article: text,
    description: text,
    actor: int,
    now: instant,
    action: text,
  },
  row: { id: int },
  sql: `with added as (
     insert into tariff_rule (site_id, customer_id, kind, per, mode, period, grace_days, size_class, after_days, service_id, since, until, price_excl,
       vat_rate, article_number, description, created_at, created_by)
     values (:site, :customer, :kind, :per, :mode, :period, :graceDays, :sizeClass, :afterDays, :service, :since, :until, :price, :vatRate,
       nullif(:article, ''), :description, :now, :actor)
     returning *
   ), audited as (${audited('added')})
   select id from added`,
})

/** A rule, locked. */
export const lockRule = statement({
  name: 'tariff.lock',
  parameters: { site: int, rule: int },
  row: { since: date, until: date.nullable() },
  sql: `select since, until from tariff_rule where site_id = :site and id = :rule for update`,
})

/** Ends a rule, which the caller has locked, on a day from its first one on. */
export const endRule = statement({
  name: 'tariff.end',
  parameters: { site: int, rule: int, until: date, actor: int, now: instant, action: text },
  sql: `with ended as (
     update tariff_rule set until = :until, ended_at = :now, ended_by = :actor where site_id = :site and id = :rule returning *)
   ${audited('ended')}`,
})

/** Adds the successor of a rule, which has ended: the same but for its days, its price and its VAT rate. */
export const addSuccessor = statement({
  name: 'tariff.succeed',
  parameters: {
    site: int,
    rule: int,
    since: date,
    until: date.nullable(),
    price: decimal,
    vatRate: decimal.nullable(),
    actor: int,
    now: instant,
    action: text,
  },
  row: { id: int },
  sql: `with added as (
     insert into tariff_rule (site_id, customer_id, kind, per, mode, period, grace_days, size_class, after_days, service_id, since, until, price_excl,
       vat_rate, article_number, description, created_at, created_by)
     select site_id, customer_id, kind, per, mode, period, grace_days, size_class, after_days, service_id, :since, :until, :price, :vatRate,
       article_number, description, :now, :actor
     from tariff_rule where site_id = :site and id = :rule
     returning *
   ), audited as (${audited('added')})
   select id from added`,
})

/** Removes a rule by which nothing was charged. Answers no row where something was. */
export const removeRule = statement({
  name: 'tariff.remove',
  parameters: { site: int, rule: int, actor: int, now: instant, action: text },
  row: { id: int },
  sql: `with removed as (
     delete from tariff_rule r where r.site_id = :site and r.id = :rule and not ${isUsed('r')} returning *
   ), audited as (${audited('removed')})
   select id from removed`,
})

/** The rules that documents ask: those of storage and of the minimum, for the site and for each customer of its own. */
export const documentRules = statement({
  name: 'tariff.documentRules',
  parameters: { site: int },
  row: {
    id: int,
    customer: int.nullable(),
    kind: z.enum(['storage', 'minimum']),
    per: z.enum(['set', 'tyre', 'wheel', 'vehicle', 'document']),
    mode: z.enum(storageModes).nullable(),
    period: int.nullable(),
    graceDays: int,
    sizeClass: z.enum(sizeClasses).nullable(),
    since: date,
    until: date.nullable(),
    price: decimal,
    vatRate: decimal.nullable(),
    article: text.nullable(),
    description: text,
  },
  sql: `select id, customer_id as customer, kind, per, mode, period, grace_days as "graceDays", size_class as "sizeClass", since, until, price_excl as price,
     vat_rate as "vatRate", article_number as article, description
   from tariff_rule where site_id = :site and kind in ('storage', 'minimum') order by since, id`,
})
