/** The statements of damage and its photos (docs/product/warehouse.md "Damage"). */
import { z } from 'zod'
import { maxReports } from '#contract/damages.ts'
import { damageCodes, maxPhotos } from '#domain/warehouse/damage.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { statement } from '../../db/statement.ts'
import { answer, bytes, instant, int, text } from '../../db/types.ts'

const reports = (which: string): string =>
  `select r.id as _id, r.tyre_id as tyre, r.code, r.note, r.at, coalesce(nullif(a.fullname, ''), a.username) as by,
     case when r.ended is not null then json_build_object('how', r.ended, 'at', r.ended_at,
       'by', coalesce(nullif(e.fullname, ''), e.username), 'note', r.ended_note) end as ended,
     array(select p.id from photo p where p.site_id = r.site_id and p.report_id = r.id order by p.id) as photos
   from damage_report r left join account a on a.id = r.account_id left join account e on e.id = r.ended_by
   where r.site_id = :site and ${which}`

/** The reports on tyres, newest first. */
export const reportsOf = statement({
  name: 'damages.list',
  parameters: { site: int, tyres: z.array(int) },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     ${reports('r.tyre_id = any (:tyres::int[])')} order by r.at desc, r.id desc limit ${maxReports}) wire`,
})

/** One report. */
export const reportOf = statement({
  name: 'damages.one',
  parameters: { site: int, report: int },
  row: answer,
  sql: `select row_to_json(wire)::text as json from (${reports('r.id = :report')}) wire`,
})

/** Locks a tyre, so that a report about it belongs to its present customer. */
export const lockTyre = statement({
  name: 'damages.lockTyre',
  parameters: { site: int, tyre: int },
  row: { customer: int, status: z.enum(tyreStatuses) },
  sql: `select t.customer_id as customer, t.status from tyre t join vehicle v on v.site_id = t.site_id and v.id = t.vehicle_id
   where t.site_id = :site and t.id = :tyre and t.removed_at is null and v.removed_at is null for no key update of t`,
})

/** Whether damage of this kind is reported of a locked tyre and has not ended. */
export const isOpen = statement({
  name: 'damages.isOpen',
  parameters: { site: int, tyre: int, code: z.enum(damageCodes) },
  row: { known: z.boolean() },
  sql: `select exists (select from damage_report where site_id = :site and tyre_id = :tyre and code = :code and ended is null) as known`,
})

/** Adds a report on a locked tyre, with its event; `code` is null for photos of a wheel without damage. */
export const addReport = statement({
  name: 'damages.add',
  parameters: {
    site: int,
    tyre: int,
    code: z.enum(damageCodes).nullable(),
    note: text,
    actor: int,
    now: instant,
  },
  row: { report: int },
  sql: `with added as (
     insert into damage_report (site_id, tyre_id, customer_id, code, note, at, account_id, device)
     select t.site_id, t.id, t.customer_id, :code, :note, :now, :actor, nullif(current_setting('app.device', true), '')::uuid
     from tyre t where t.site_id = :site and t.id = :tyre
     returning id, tyre_id, customer_id
   ), noted as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note, device)
     select t.site_id, t.id, t.customer_id, t.vehicle_id, case when :code::text is null then 'photographed' else 'damaged' end, :now, :actor,
       coalesce(:code::text, ''), nullif(current_setting('app.device', true), '')::uuid
     from tyre t where t.site_id = :site and t.id = :tyre
   ), audited as (
     insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
     select :site, customer_id, :actor, :now, 'damage.report', 'tyres',
       jsonb_strip_nulls(jsonb_build_object('tyres', jsonb_build_array(tyre_id), 'damage', :code::text)) from added)
   select id as report from added`,
})

/** Locks a report, with what the rules ask of it. */
export const lockReport = statement({
  name: 'damages.lockReport',
  parameters: { site: int, report: int },
  row: { customer: int, tyre: int, code: z.enum(damageCodes).nullable(), ended: text.nullable() },
  sql: `select customer_id as customer, tyre_id as tyre, code, ended from damage_report
   where site_id = :site and id = :report for no key update`,
})

/** The report of a wheel without damage that an account made on the day, and to which a photo can be added. The tyre is locked. */
export const reportOfDay = statement({
  name: 'damages.ofDay',
  parameters: { site: int, tyre: int, actor: int, now: instant, timeZone: text },
  row: { report: int },
  sql: `select r.id as report from damage_report r
   where r.site_id = :site and r.tyre_id = :tyre and r.code is null and r.account_id = :actor
     and (r.at at time zone :timeZone)::date = (:now::timestamptz at time zone :timeZone)::date
     and (select count(*) from photo p where p.site_id = r.site_id and p.report_id = r.id) < ${maxPhotos}
   order by r.id desc limit 1`,
})

/** Ends a locked report, with its event. */
export const endReport = statement({
  name: 'damages.end',
  parameters: { site: int, report: int, how: text, note: text, actor: int, now: instant },
  sql: `with ended as (
     update damage_report set ended = :how, ended_at = :now, ended_by = :actor, ended_note = :note
     where site_id = :site and id = :report returning tyre_id, customer_id, code
   ), noted as (
     insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, account_id, note, device)
     select t.site_id, t.id, t.customer_id, t.vehicle_id, case :how::text when 'repaired' then 'repaired' else 'undamaged' end, :now, :actor,
       e.code, nullif(current_setting('app.device', true), '')::uuid
     from ended e join tyre t on t.site_id = :site and t.id = e.tyre_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, customer_id, :actor, :now, 'damage.end', 'tyres', jsonb_strip_nulls(jsonb_build_object('tyres', jsonb_build_array(tyre_id),
     'damage', code, 'reason', nullif(:note::text, ''))) from ended`,
})

/** Photos of a report, and whether this one is among them. The report is locked. */
export const photosOf = statement({
  name: 'damages.photos',
  parameters: { site: int, report: int, digest: text },
  row: { photos: int, known: int },
  sql: `select count(*) as photos, count(*) filter (where digest = :digest) as known from photo where site_id = :site and report_id = :report`,
})

/** Adds a photo to a locked report. */
export const addPhoto = statement({
  name: 'damages.addPhoto',
  parameters: {
    site: int,
    report: int,
    digest: text,
    width: int,
    height: int,
    content: bytes,
    small: bytes,
    actor: int,
    now: instant,
  },
  sql: `with added as (
     insert into photo (site_id, report_id, customer_id, digest, width, height, content, small, at, account_id)
     select site_id, id, customer_id, :digest, :width, :height, :content, :small, :now, :actor
     from damage_report where site_id = :site and id = :report
     returning report_id)
   insert into audit (site_id, customer_id, account_id, at, action, subject, facts)
   select :site, r.customer_id, :actor, :now, 'damage.addphoto', 'tyres',
     jsonb_strip_nulls(jsonb_build_object('tyres', jsonb_build_array(r.tyre_id), 'damage', r.code))
   from added join damage_report r on r.site_id = :site and r.id = added.report_id`,
})

/** A photo. Its base64 is made in Node: PostgreSQL takes three times as long for it, and breaks its lines. */
export const photoOf = statement({
  name: 'damages.photo',
  parameters: { site: int, photo: int },
  row: { width: int, height: int, content: bytes },
  sql: `select width, height, content from photo where site_id = :site and id = :photo`,
})

/** Small copies of photos, in wire form, and how many there are of those that were asked for. */
export const smallOf = statement({
  name: 'damages.small',
  parameters: { site: int, photos: z.array(int) },
  row: answer,
  sql: `select case when count(*) = cardinality(:photos::int[]) then json_agg(json_build_object('photo', id,
     'content', translate(encode(small, 'base64'), E'\\n', '')) order by id)::text end as json
   from photo where site_id = :site and id = any (:photos::int[])`,
})
