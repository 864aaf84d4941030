import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDimension } from '#domain/tyres/article.ts'
import { positionsOf, type Axle } from '#domain/vehicles/axle.ts'
import { deliveryDayRefusal, type TransportRules } from '#domain/operations/delivery.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { verifyPassword } from '../../src/server/features/session/password.ts'
import { testDatabase, type TestDatabase } from '../../src/server/testing/database.ts'
import { loadDemo, type DemoLogin } from './load.ts'
import { whole } from '../../src/server/testing/whole.ts'

const timeZone = 'Europe/Brussels'

type Demo = {
  client: pg.Client
  now: Date
  logins: DemoLogin[]
  rows<R extends pg.QueryResultRow>(sql: string): Promise<R[]>
  close(): Promise<void>
}

async function demo(moment: string, into?: TestDatabase): Promise<Demo> {
  const database = into ?? (await testDatabase())
  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  const now = new Date(moment)
  const { logins } = await loadDemo({ client, now })
  return {
    client,
    now,
    logins,
    rows: async <R extends pg.QueryResultRow>(sql: string) => (await client.query<R>(sql)).rows,
    async close() {
      await client.end()
      await database.drop()
    },
  }
}

/**
 * Rules of a tyre hotel whose books are right. `finds` answers the rows that break it, so none; `unless` breaks it, so
 * that the query is known to be able to find something. `$now` stands for the moment of loading.
 */
const books: Record<string, { finds: string; unless: string }> = {
  'no place holds more tyres than fit': {
    finds: `select l.path from location l join tyre t on (t.site_id, t.location_id) = (l.site_id, l.id)
      group by l.site_id, l.id, l.path, l.capacity having count(*) > l.capacity`,
    unless: `update location set capacity = 0 where id = (select min(location_id) from tyre)`,
  },
  'no place ever held more tyres than fit': {
    finds: `with told as (
        select *, lead(at) over (partition by tyre_id order by at, id) as until
        from tyre_event where location_id is not null or status is not null
      ), steps as (
        select location_id, at as moment, id, 1 as tyres from told where location_id is not null
        union all select location_id, until, id, -1 from told where location_id is not null and until is not null
      ), filled as (
        select location_id, sum(tyres) over (partition by location_id order by moment, tyres, id) as tyres from steps)
      select l.path from filled f join location l on l.id = f.location_id where f.tyres > l.capacity`,
    unless: `update location set capacity = 0 where id = (select min(location_id) from tyre_event)`,
  },
  'a tyre in stock lies in a place, and no other tyre does': {
    finds: `select id from tyre where (status = 'in_stock') <> (location_id is not null)`,
    unless: `update tyre set location_id = null where id = (select min(id) from tyre where status = 'in_stock')`,
  },
  'a tyre is in the state, since the day and in the place that its history ends with': {
    finds: `select t.id from tyre t
      cross join lateral (select status, (at at time zone '${timeZone}')::date as day from tyre_event e
        where (e.site_id, e.tyre_id) = (t.site_id, t.id) and status is not null order by at desc, id desc limit 1) last
      left join lateral (select location_id from tyre_event e
        where (e.site_id, e.tyre_id) = (t.site_id, t.id) and (status is not null or location_id is not null) order by at desc, id desc limit 1) lies on true
      where (last.status, last.day) <> (t.status, t.status_date) or lies.location_id is distinct from t.location_id`,
    unless: `update tyre set status_date = status_date - 1 where id = (select min(id) from tyre)`,
  },
  'a wheel is on its place since it was last put on one': {
    finds: `select w.tyre_id from wheel w join (select site_id, tyre_id, max(at) as at from tyre_event
        where kind in ('received', 'moved') group by site_id, tyre_id) put on (put.site_id, put.tyre_id) = (w.site_id, w.tyre_id)
      where w.state = 'at_place' and (w.since at time zone '${timeZone}')::date <> (put.at at time zone '${timeZone}')::date`,
    unless: `update wheel set since = since - interval '2 days' where tyre_id = (select min(tyre_id) from wheel where state = 'at_place')`,
  },
  'a tyre is in the state that its last confirmed operation gave it, unless it was mounted since': {
    finds: `select t.id from tyre t cross join lateral (
        select o.type, o.handled_at from operation_tyre h join operation o on (o.site_id, o.id) = (h.site_id, h.operation_id)
        where (h.site_id, h.tyre_id) = (t.site_id, t.id) and o.status = 'confirmed' order by o.handled_at desc limit 1) last
      where t.status <> case last.type when 'to_stock' then 'in_stock' when 'to_customer' then 'at_customer'
          when 'to_waste' then 'waste' else 'on_spare' end
        and not (t.status = 'on_vehicle' and last.type = 'to_customer' and exists (
          select from tyre_event e where (e.site_id, e.tyre_id) = (t.site_id, t.id) and e.kind = 'mounted' and e.at > last.handled_at))`,
    unless: `update tyre set status = 'waste', location_id = null
      where id = (select min(id) from tyre where status = 'in_stock')`,
  },
  'every confirmed operation changed each of its tyres once, when it was handled, and no other operation did': {
    finds: `select o.id from operation o join operation_tyre h on h.operation_id = o.id
      left join tyre_event e on (e.operation_id, e.tyre_id) = (o.id, h.tyre_id) and e.status is not null
      group by o.id, h.tyre_id, o.type, o.status, o.handled_at
      having case when o.status = 'confirmed' then count(e.id) <> 1 or bool_or(e.at <> o.handled_at or e.kind <>
          case o.type when 'to_stock' then 'received' when 'to_customer' then 'delivered' when 'to_waste' then 'scrapped' else 'spared' end)
        else count(e.id) > 0 end`,
    unless: `update operation set handled_at = handled_at + interval '1 minute'
      where id = (select min(id) from operation where status = 'confirmed')`,
  },
  'a tyre was in the store when its history says so, and owes nothing of the times that have ended': {
    finds: `with told as (
        select tyre_id, status, (at at time zone '${timeZone}')::date as since,
          (lead(at) over (partition by tyre_id order by at, id) at time zone '${timeZone}')::date as until
        from tyre_event where status is not null),
      told_stay as (select tyre_id, since, until from told where status = 'in_stock' and since is distinct from until),
      kept as (select tyre_id, since, until from stay where since is distinct from until)
      (select tyre_id, since, until from told_stay except select * from kept)
      union all (select * from kept except select * from told_stay)
      union all select tyre_id, since, until from stay where until is not null and (not settled or prepaid)`,
    unless: `update stay set since = since - 1 where id = (select min(id) from stay where until is not null)`,
  },
  'a tyre comes first, and then goes only from states that the step takes': {
    finds: `with told as (
        select kind, status, lag(status) over (partition by tyre_id order by at, id) as before,
          row_number() over (partition by tyre_id order by at, id) as nth
        from tyre_event where status is not null)
      select * from told where (kind = 'added') <> (nth = 1) or case kind
        when 'received' then before not in ('at_customer', 'on_vehicle')
        when 'mounted' then before <> 'at_customer'
        when 'added' then status <> 'at_customer'
        else before <> 'in_stock' end`,
    unless: `update tyre_event set status = 'waste' where id = (select min(id) from tyre_event where kind = 'received')`,
  },
  'nothing happens to a tyre before it came or after it was thrown away': {
    finds: `select e.id from tyre_event e
      join (select tyre_id, min(at) filter (where kind = 'added') as came, max(at) filter (where kind = 'scrapped') as went
        from tyre_event group by tyre_id) life using (tyre_id)
      where came is null or e.at < came or e.at > went`,
    unless: `update tyre_event set at = at - interval '900 days' where id = (select min(id) from tyre_event where kind = 'received')`,
  },
  'what happened is written in the order in which it happened': {
    finds: `select id from (select id, at, lag(at) over (partition by site_id order by id) as before from tyre_event) e where at < before`,
    unless: `update tyre_event set at = at + interval '40 days' where id = (select min(id) from tyre_event)`,
  },
  'nothing happened later than now; only deliveries lie ahead': {
    finds: `select * from (
        select at as moment from tyre_event
        union all select greatest(created_at, submitted_at, updated_at, handled_at) from operation
        union all select greatest(scanned_at, received_at) from scan
        union all select scanned_at from operation_tyre
        union all select created_at from vehicle union all select created_at from customer
        union all select created_at from account union all select created_at from document) m where moment > $now
      union all select day::timestamptz from (
        select greatest(status_date, profile_date, invoiced_on) as day from tyre
        union all select document_date from document
        union all select delivery_date from operation where handled_at is not null) d
      where day > ($now at time zone '${timeZone}')::date`,
    unless: `update tyre set profile_date = profile_date + 800 where id = (select min(id) from tyre where profile_date is not null)`,
  },
  'an operation is made, submitted and handled in this order, after its tyres and their vehicle came': {
    finds: `select o.id from operation o join vehicle v on v.id = o.vehicle_id
      where submitted_at < o.created_at or handled_at < submitted_at or updated_at < greatest(o.created_at, submitted_at, handled_at)
        or o.created_at < v.created_at or (handled_at is null) <> (handled_by is null) or (status = 'pending') <> (submitted_at is null)
        or exists (select from operation_tyre h join tyre_event e using (tyre_id)
          where h.operation_id = o.id and h.site_id = o.site_id and e.site_id = o.site_id and e.kind = 'added' and e.at > o.created_at)`,
    unless: `update operation set created_at = submitted_at + interval '1 second'
      where id = (select min(id) from operation where submitted_at is not null)`,
  },
  'a tyre was never in two operations at a time': {
    finds: `select a.tyre_id from operation_tyre a join operation_tyre b on a.tyre_id = b.tyre_id and a.operation_id < b.operation_id
      join operation x on x.id = a.operation_id join operation y on y.id = b.operation_id
      where tstzrange(x.created_at, x.handled_at) && tstzrange(y.created_at, y.handled_at)`,
    unless: `update operation set created_at = created_at - interval '700 days'
      where id in (select max(operation_id) from operation_tyre group by tyre_id having count(*) > 3)`,
  },
  'an operation holds as many tyres as it says, all of its vehicle, and holds them as long as it is open': {
    finds: `select o.id from operation o left join operation_tyre h on h.operation_id = o.id left join tyre t on t.id = h.tyre_id
      group by o.id, o.tyre_count having count(h.tyre_id) <> o.tyre_count or bool_or(t.vehicle_id <> o.vehicle_id)
        or bool_or(h.open <> (o.status in ('pending', 'submitted')))`,
    unless: `update operation_tyre set open = false where operation_id = (select min(operation_id) from operation_tyre where open)`,
  },
  'open operations have tyres that the wizard would offer for them': {
    finds: `select o.id from operation o join operation_tyre h on h.operation_id = o.id and h.open join tyre t on t.id = h.tyre_id
      where t.status <> case o.type when 'to_stock' then 'at_customer' else 'in_stock' end`,
    unless: `update operation set type = 'to_waste' where id = (select min(id) from operation where type = 'to_stock' and handled_at is null)`,
  },
  'an operation has the preselected services of its type, and none of another': {
    finds: `select o.id from operation o join service s on s.site_id = o.site_id
      left join operation_service h on (h.operation_id, h.service_id) = (o.id, s.id)
      where (s.operation_type <> o.type and h is not null) or (s.operation_type = o.type and s.preselected and h is null)`,
    unless: `delete from operation_service where (operation_id, service_id) = (
      select operation_id, service_id from operation_service join service s on s.id = service_id where preselected limit 1)`,
  },
  'rims, bolts, hubcaps and tachometer belong to storages, and lie with the tyres that were stored so': {
    finds: `select o.id from operation o join site s on s.id = o.site_id
        where (o.type <> 'to_stock' and (with_rims is not null or with_bolts or with_hubcaps or tachometer is not null))
          or (tachometer is not null and not s.allow_tachometer)
      union all select t.id from tyre t left join lateral (
          select o.* from operation_tyre h join operation o on (o.site_id, o.id) = (h.site_id, h.operation_id)
          where (h.site_id, h.tyre_id) = (t.site_id, t.id) and o.status = 'confirmed' order by handled_at desc limit 1) o on t.status = 'in_stock'
        where (t.rims, t.bolts, t.hubcaps) is distinct from (o.with_rims, coalesce(o.with_bolts, false), coalesce(o.with_hubcaps, false))`,
    unless: `update tyre set bolts = not bolts where id = (select min(id) from tyre)`,
  },
  'a recall has a transport; once submitted it has a day, as a storage that is collected, on which that transport drives':
    {
      finds: `select o.id from operation o left join transport_method m on m.id = o.transport_id
      where case o.type when 'to_customer' then m.id is null or (o.delivery_date is null and o.status <> 'pending')
          when 'to_stock' then m.id is not null and o.delivery_date is null and o.status <> 'pending'
          else num_nonnulls(o.transport_id, o.delivery_date) > 0 end
        or not coalesce(extract(dow from o.delivery_date)::int = any (m.operation_days), true)`,
      unless: `update transport_method set operation_days = '{0}' where is_default`,
    },
  'no day has more recalls, or storages, or tyres of either than its transport takes': {
    finds: `select o.transport_id, delivery_date from operation o join transport_method m on m.id = o.transport_id
      where o.status in ('submitted', 'confirmed') group by o.type, o.transport_id, delivery_date, m.operations_per_day, m.tyres_per_day
      having (m.operations_per_day > 0 and count(*) > m.operations_per_day)
        or (m.tyres_per_day > 0 and sum(o.tyre_count) - max(o.tyre_count) >= m.tyres_per_day)`,
    unless: `update transport_method set operations_per_day = 1 where is_default`,
  },
  'a scan is counted on its tyre and told in its history': {
    finds: `select h.operation_id from operation_tyre h join operation o on o.id = h.operation_id
      left join (select operation_id, tyre_id, count(*) as times, min(scanned_at) as first, max(scanned_at) as last
        from scan group by 1, 2) s using (operation_id, tyre_id)
      left join (select operation_id, tyre_id, count(*) as times from tyre_event where kind = 'scanned' group by 1, 2) e
        using (operation_id, tyre_id)
      where h.scan_times <> coalesce(s.times, 0) or h.scanned_at is distinct from s.first or e.times is distinct from s.times
        or s.first < o.submitted_at or s.last > o.handled_at or (s.times > 0 and o.status in ('pending', 'cancelled'))`,
    unless: `delete from scan where id = (select id from scan order by id limit 1)`,
  },
  'where the last scan confirms by itself, no submitted operation is fully scanned': {
    finds: `select o.id from operation o join site s on s.id = o.site_id join operation_tyre h on h.operation_id = o.id
      where o.status = 'submitted' and s.auto_process_intake_on_full_scan group by o.id having bool_and(h.scanned_at is not null)`,
    unless: `update site set auto_process_intake_on_full_scan = true`,
  },
  'depth, date and odometer of a tyre are those of its last measurement': {
    finds: `select t.id from tyre t left join lateral (
        select depth, odometer, (at at time zone '${timeZone}')::date as day from tyre_event e
        where (e.site_id, e.tyre_id) = (t.site_id, t.id) and e.kind = 'measured' order by at desc, id desc limit 1) e on true
      where (t.profile_depth, t.profile_date, t.profile_tacho) is distinct from (e.depth, e.day, e.odometer)`,
    unless: `update tyre set profile_depth = profile_depth / 2 where id = (select min(id) from tyre where profile_depth > 0)`,
  },
  'tread never grows and odometers never run backwards': {
    finds: `select id from (
        select e.id, depth, lag(depth) over per_tyre as deeper, odometer, max(odometer) over per_vehicle as further
        from tyre_event e
        window per_tyre as (partition by tyre_id, kind order by at, id),
          per_vehicle as (partition by vehicle_id order by at, id rows between unbounded preceding and 1 preceding)) m
      where depth > deeper or odometer < further`,
    unless: `update tyre_event set odometer = 9999999 where id = (select min(id) from tyre_event where odometer is not null)`,
  },
  'the last invoice date of a tyre is in its history, and on a document of its customer': {
    finds: `select t.id from tyre t where invoiced_on is not null and not exists (
        select from tyre_event e join document d on d.customer_id = t.customer_id and d.reason = 'storage' and d.document_date = t.invoiced_on
        where (e.site_id, e.tyre_id) = (t.site_id, t.id) and e.kind = 'invoiced' and (e.at at time zone '${timeZone}')::date = t.invoiced_on)`,
    unless: `update tyre set invoiced_on = invoiced_on + 1 where id = (select min(id) from tyre where invoiced_on is not null)`,
  },
  'documents of a kind and year are numbered without a gap, in the order of their dates, up to the counter': {
    finds: `select type, year from (
        select *, row_number() over by_number as nth, lag(document_date) over by_number as before
        from document window by_number as (partition by site_id, type, year order by number)) d
      left join document_counter c using (site_id, type, year)
      group by site_id, type, year, c.last
      having bool_or(number <> nth or document_date < before or extract(year from document_date) <> year) or max(number) is distinct from c.last
      union all select type, year from document_counter c
      where not exists (select from document d where (d.site_id, d.type, d.year) = (c.site_id, c.type, c.year))`,
    unless: `update document_counter set last = last + 1`,
  },
  'the lines of a document add up to it': {
    finds: `select d.id from document d left join document_line l on l.document_id = d.id
      group by d.id, d.amount_excl, d.reason, d.operation_id having count(l.line) = 0 or d.amount_excl <> sum(round(coalesce(quantity * price_excl, 0), 2))
        or (d.reason = 'operation' and count(l.line) <> (select count(*) from operation_service s where s.operation_id = d.operation_id))`,
    unless: `update document_line set quantity = quantity + 1 where (document_id, line) = (
      select document_id, line from document_line where price_excl > 0 limit 1)`,
  },
  'since documents are made, every confirmed operation of the types that get one has one': {
    finds: `select o.id, o.type from operation o join site s on s.id = o.site_id left join document d on d.operation_id = o.id
      where (d.id is not null) <> (o.status = 'confirmed' and s.do_doc_insert and o.type <> all (s.doc_insert_exceptions)
        and (o.handled_at at time zone '${timeZone}')::date >= ($now at time zone '${timeZone}')::date - 300)
        or d.document_date <> (o.handled_at at time zone '${timeZone}')::date`,
    unless: `update document set document_date = document_date - 1 where id = (select min(id) from document where operation_id is not null)`,
  },
  'a vehicle without configuration has no tyres, and there is one at each site': {
    finds: `select v.id from vehicle v where config_id is null and exists (select from tyre t where t.vehicle_id = v.id)
      union all select s.id from site s where (select count(*) from vehicle v where v.site_id = s.id and config_id is null) <> 1`,
    unless: `insert into vehicle (site_id, customer_id, license_plate, brand, description, type)
      select site_id, customer_id, '1BBB111', brand, description, type from vehicle where config_id is null`,
  },
  'every identity goes on after what the demo took': {
    finds: `select name from (
        select 'operation' as name, (select max(id) from operation) as taken, nextval(pg_get_serial_sequence('operation', 'id')) as next
        union all select 'tyre', (select max(id) from tyre), nextval(pg_get_serial_sequence('tyre', 'id'))
        union all select 'vehicle', (select max(id) from vehicle), nextval(pg_get_serial_sequence('vehicle', 'id'))
        union all select 'customer', (select max(id) from customer), nextval(pg_get_serial_sequence('customer', 'id'))
        union all select 'account', (select max(id) from account), nextval(pg_get_serial_sequence('account', 'id'))
        union all select 'article', (select max(id) from article), nextval(pg_get_serial_sequence('article', 'id'))
        union all select 'location', (select max(id) from location), nextval(pg_get_serial_sequence('location', 'id'))
        union all select 'document', (select max(id) from document), nextval(pg_get_serial_sequence('document', 'id'))
        union all select 'service', (select max(id) from service), nextval(pg_get_serial_sequence('service', 'id'))
        union all select 'transport_method', (select max(id) from transport_method), nextval(pg_get_serial_sequence('transport_method', 'id'))
        union all select 'vehicle_config', (select max(id) from vehicle_config), nextval(pg_get_serial_sequence('vehicle_config', 'id'))
        union all select 'site', (select max(id) from site), nextval(pg_get_serial_sequence('site', 'id'))) s
      where next <= taken`,
    unless: `select setval(pg_get_serial_sequence('tyre', 'id'), 1)`,
  },
}

async function broken({ client, now }: Demo, sql: string): Promise<unknown[]> {
  return (await client.query(sql.replaceAll('$now', `'${now.toISOString()}'::timestamptz`))).rows
}

// Every month; the minute after New Year's midnight, a leap day, both changes of the clocks, a Sunday, a holiday.
const moments = [
  '2025-12-31T23:01:00Z',
  '2028-02-29T11:00:00Z',
  '2027-03-28T01:30:00Z',
  '2026-04-15T08:00:00Z',
  '2026-05-01T09:00:00Z',
  '2027-06-13T13:20:00Z',
  '2026-07-22T06:00:00Z',
  '2029-08-31T20:59:00Z',
  '2026-09-14T12:00:00Z',
  '2026-10-25T01:30:00Z',
  '2026-11-20T13:00:00Z',
  '2026-12-24T22:30:00Z',
  '2027-01-31T10:00:00Z',
]

describe.each(whole ? moments : moments.slice(0, 1))('a demo made at %s', moment => {
  let loaded: Demo
  beforeAll(async () => {
    loaded = await demo(moment)
  })
  afterAll(() => loaded.close())

  test('its books are right', async () => {
    const wrong: Record<string, unknown[]> = {}
    for (const [says, { finds }] of Object.entries(books)) {
      const rows = await broken(loaded, finds)
      if (rows.length > 0) wrong[says] = rows.slice(0, 3)
    }
    expect(wrong).toEqual({})
  })

  test('every wheel of every tyre is there, and every size can be read', async () => {
    const tyres = await loaded.rows<{ position: string; axles: Axle[]; description: string; unknown: boolean }>(
      `select t.position, c.axles, coalesce(nullif(a.dimension, ''), '205/55R16') || ' ' || coalesce(a.load_index::text, '91') as description, a.unknown
       from tyre t join vehicle v on v.id = t.vehicle_id join vehicle_config c on c.id = v.config_id join article a on a.id = t.article_id`,
    )
    expect(tyres).toHaveLength(1500)
    expect(tyres.filter(({ position, axles }) => !positionsOf(axles).some(there => there === position))).toEqual([])
    expect(tyres.filter(({ description }) => parseDimension(description) === null)).toEqual([])
  })

  test('plates are Belgian or Dutch, and a car and its trailer share one', async () => {
    const vehicles = await loaded.rows<{ plate: string; type: string; site_id: number }>(
      'select license_plate as plate, type, site_id from vehicle',
    )
    expect(vehicles).toHaveLength(300)
    expect(vehicles.filter(({ plate }) => formatPlate(plate) === plate)).toEqual([])
    const twice = [...Map.groupBy(vehicles, ({ plate, site_id }) => `${site_id} ${plate}`).values()].filter(
      group => group.length > 1,
    )
    expect(twice.map(group => group.map(({ type }) => type).sort())).toEqual([
      ['car', 'trailer'],
      ['car', 'trailer'],
    ])
  })

  test('storages arrive by transport, by their customer on a day, and on none; what is scanned has no day to come', async () => {
    const storages = await loaded.rows<{ site: number; how: string; scanned: boolean }>(
      `select site_id as site, exists (select from scan s where (s.site_id, s.operation_id) = (o.site_id, o.id)) as scanned,
         case when delivery_date is null then 'none' when transport_id is null then 'brought' else 'collected' end as how
       from operation o where type = 'to_stock' and status = 'submitted'`,
    )
    for (const [, some] of Map.groupBy(storages, ({ site }) => site)) {
      const ways = Map.groupBy(some, ({ how }) => how)
      for (const way of ['none', 'brought', 'collected']) expect(ways.get(way)?.length).toBeGreaterThanOrEqual(2)
    }
    expect(storages.filter(({ how, scanned }) => scanned && how !== 'none')).toEqual([])
  })

  test('a day was allowed at the moment when a recall or a storage went in, and a pending one has one that is', async () => {
    const recalls = await loaded.rows<TransportRules & { date: string; at: Date }>(
      `select to_char(delivery_date, 'YYYY-MM-DD') as date, coalesce(submitted_at, '${loaded.now.toISOString()}') as at,
         operation_days as "operationDays", advance_days as "advanceDays", to_char(cutoff_hour, 'HH24:MI') as "cutoffHour",
         operations_per_day as "operationsPerDay", tyres_per_day as "tyresPerDay"
       from operation o join transport_method m on m.id = o.transport_id
       where status in ('pending', 'submitted') and delivery_date is not null`,
    )
    const closed = await loaded.rows<{ day: string }>(`select distinct day::text from closed_day order by day`)
    const closedDays = closed.map(({ day }) => day)
    expect(closedDays).toHaveLength(20)
    const refused = recalls.map(({ date, at, ...rules }) =>
      deliveryDayRefusal(date, rules, [], { now: at, timeZone, closedDays }),
    )
    expect(refused.filter(refusal => refusal !== null)).toEqual([])
    expect(recalls.length).toBeGreaterThan(20)
  })

  test('every screen has something to show', async () => {
    const sites = await loaded.rows<Record<string, number>>(`
      select s.id,
        (select count(distinct status)::int from tyre t where t.site_id = s.id) as "tyre states",
        (select count(*)::int from operation o where o.site_id = s.id and status = 'pending') as pending,
        (select count(*)::int from operation o where o.site_id = s.id and status = 'submitted') as submitted,
        (select count(distinct type || status)::int from operation o where o.site_id = s.id and handled_at is null) as "open types and states",
        (select count(distinct type || status)::int from operation o where o.site_id = s.id and handled_at is not null) as "handled types and states",
        (select count(*)::int from operation o where o.site_id = s.id and handled_at > '${loaded.now.toISOString()}'::timestamptz - interval '31 days') as "handled lately",
        (select count(*)::int from tyre t where t.site_id = s.id and status = 'in_stock') as stock,
        (select count(*)::int from tyre t where t.site_id = s.id and status = 'in_stock'
          and billed_until <= '${loaded.now.toISOString()}'::date - s.invoicing_period) as overdue,
        (select count(distinct customer_id)::int from tyre t where t.site_id = s.id and status = 'in_stock'
          and billed_until <= '${loaded.now.toISOString()}'::date - s.invoicing_period) as "overdue customers",
        (select count(*)::int from transport_day d join transport_method m on m.id = d.transport_id
          where d.site_id = s.id and d.operations = m.operations_per_day) as "booked days",
        (select count(distinct type || reason)::int from document d where d.site_id = s.id) as documents,
        (select count(*)::int from vehicle v where v.site_id = s.id
          and not exists (select from tyre t where t.vehicle_id = v.id)) as "bare vehicles",
        (select count(*)::int from label_report l where l.site_id = s.id) as labels,
        (select count(*)::int from image i where i.site_id = s.id
          and digest = encode(sha256(content), 'hex') and length(content) between 500 and 30000) as images
      from site s order by s.id`)
    expect(sites).toHaveLength(2)
    for (const site of sites) {
      expect(site).toMatchObject({ 'tyre states': 5, 'open types and states': 6, documents: 2, labels: 3, images: 3 })
      expect(site.pending).toSatisfy((count: number) => count >= 8 && count <= 14)
      expect(site.submitted).toSatisfy((count: number) => count >= 20 && count <= 30)
      // storage, recall, disposal and spare confirmed, and a recall cancelled
      expect(site['handled types and states']).toBeGreaterThanOrEqual(5)
      expect(site['handled lately']).toBeGreaterThanOrEqual(10)
      expect(site.stock).toBeGreaterThan(120)
      expect(site.overdue).toSatisfy((count: number) => count >= 20 && count < (site.stock ?? 0))
      expect(site['overdue customers']).toBeGreaterThanOrEqual(3)
      expect(site['booked days']).toBeGreaterThanOrEqual(1)
      expect(site['bare vehicles']).toBeGreaterThanOrEqual(5)
    }
  })

  test('who signs in as a customer finds tyres to store and to recall, work under way and tyres that lie for long', async () => {
    const customers = await loaded.rows<Record<string, unknown>>(`
      select a.username, a.site_id,
        (select count(distinct v.type)::int from vehicle v where v.customer_id = a.customer_id) as kinds,
        (select count(*)::int from tyre t where t.customer_id = a.customer_id and status = 'at_customer'
          and not exists (select from operation_tyre h where h.tyre_id = t.id and h.open)) as "to store",
        (select count(*)::int from tyre t where t.customer_id = a.customer_id and status = 'in_stock'
          and not exists (select from operation_tyre h where h.tyre_id = t.id and h.open)) as "to recall",
        (select count(*)::int from tyre t where t.customer_id = a.customer_id and status = 'in_stock'
          and status_date < '${loaded.now.toISOString()}'::date - interval '6 months') as "lies long",
        (select count(distinct type)::int from operation o where o.customer_id = a.customer_id and status = 'pending') as "pending types",
        (select count(distinct type)::int from operation o where o.customer_id = a.customer_id and status = 'submitted') as "submitted types",
        (select count(*)::int from operation o where o.customer_id = a.customer_id
          and handled_at > '${loaded.now.toISOString()}'::timestamptz - interval '31 days') as "handled lately"
      from account a where type = 'user' order by a.site_id, a.username`)
    expect(customers.map(({ username, site_id }) => `${site_id} ${username}`)).toEqual([
      '1 customer',
      '1 customer2',
      '2 customer',
      '2 customer2',
    ])
    for (const customer of customers) {
      expect(customer['to store']).toBeGreaterThanOrEqual(4)
      expect(customer['to recall']).toBeGreaterThanOrEqual(4)
      expect(customer['submitted types']).toBeGreaterThanOrEqual(2)
    }
    for (const customer of customers.filter(({ username }) => username === 'customer')) {
      expect(customer['to store']).toBeGreaterThanOrEqual(16)
      expect(customer['to recall']).toBeGreaterThanOrEqual(16)
      expect(customer['submitted types']).toBe(3)
      expect(customer.kinds).toBeGreaterThanOrEqual(6)
      expect(customer['pending types']).toBe(3)
      expect(customer['lies long']).toBeGreaterThanOrEqual(4)
      expect(customer['handled lately']).toBeGreaterThanOrEqual(4)
    }
  })

  test('what lies in stock are the tyres of the other season', async () => {
    const [row] = await loaded.rows<{ ratio: number }>(
      `select count(*) filter (where a.season = 'winter')::float / count(*) filter (where a.season = 'summer') as ratio
       from tyre t join article a on a.id = t.article_id where status = 'in_stock'`,
    )
    // winter tyres for each summer tyre; in spring and autumn half of the sets have changed places
    const [least, most] = [
      [0, 1],
      [0, 1],
      [0, 2],
      [0.5, 4],
      [1, 10],
      [1.5, 20],
      [1.5, 20],
      [1.5, 20],
      [1.5, 20],
      [1, 20],
      [0.3, 3],
      [0, 1],
    ][loaded.now.getUTCMonth()] as [number, number]
    expect(row?.ratio).toBeGreaterThan(least)
    expect(row?.ratio).toBeLessThan(most)
  })
})

describe('the demo', () => {
  let loaded: Demo
  beforeAll(async () => {
    loaded = await demo('2026-11-20T13:00:00Z')
  })
  afterAll(() => loaded.close())

  test.each(Object.entries(books))('the books would show it when not: %s', async (_, { finds, unless }) => {
    await loaded.client.query('begin')
    try {
      await loaded.client.query(unless)
      expect((await broken(loaded, finds)).length).toBeGreaterThan(0)
    } finally {
      await loaded.client.query('rollback')
    }
  })

  const content = async ({ rows }: Demo): Promise<Record<string, string>> => {
    const tables = await rows<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
    )
    const digests: Record<string, string> = {}
    for (const { name } of tables) {
      const [row] = await rows<{ digest: string }>(
        `select coalesce(md5(string_agg(line, chr(10) order by line)), '') as digest from (
           select (to_jsonb(t) - 'changed_at' - case when '${name}' = 'account' then 'password' else '' end)::text as line from ${name} t
           where '${name}' not like '%migration%' and '${name}' not like 'schemaversion%') l`,
      )
      digests[name] = row?.digest ?? ''
    }
    return digests
  }

  test(
    'made twice for one moment, it is the same to the last row; for another moment it is not',
    { tags: 'whole' },
    async () => {
      const first = await content(loaded)
      const again = await demo('2026-11-20T13:00:00Z')
      expect(await content(again)).toEqual(first)
      await again.close()
      const later = await demo('2026-11-21T13:00:00Z')
      const other = await content(later)
      await later.close()
      expect(Object.keys(first).filter(table => first[table] !== other[table])).toEqual(
        expect.arrayContaining(['operation', 'tyre', 'tyre_event']),
      )
    },
  )

  test('spring and autumn are the busy seasons of its two years', async () => {
    const months = await loaded.rows<{ month: number; count: number }>(
      `select extract(month from handled_at)::int as month, count(*)::int as count from operation where handled_at is not null group by 1`,
    )
    const total = months.reduce((sum, { count }) => sum + count, 0)
    const busy = months.filter(({ month }) => [3, 4, 10, 11].includes(month)).reduce((sum, { count }) => sum + count, 0)
    expect(total).toBeGreaterThan(900)
    expect(busy / total).toBeGreaterThan(0.5)
    expect(months).toHaveLength(12)
    const [reach] = await loaded.rows<{ days: number }>(
      `select extract(day from max(handled_at) - min(handled_at))::int as days from operation`,
    )
    expect(reach?.days).toBeGreaterThan(690)
  })

  test('its accounts are those it names, each opened by its password at an address of its site', async () => {
    const accounts = await loaded.rows<{
      username: string
      type: string
      password: string
      site: string
      hosts: string[]
    }>(
      `select username, type, password, coalesce(s.name, '') as site, array(select host from site_address h where h.site_id = s.id) as hosts
       from account a left join site s on s.id = a.site_id order by a.id`,
    )
    expect(loaded.logins.map(({ site, username }) => `${site}/${username}`)).toEqual(
      accounts.map(({ site, username }) => `${site}/${username}`),
    )
    const atSite = ['admin admin', 'user customer', 'user customer2', 'admin warehouse']
    const kinds = accounts.map(({ type, username }) => `${type} ${username}`)
    expect(kinds).toEqual(['superuser superuser', ...atSite, ...atSite])
    for (const [nth, { password, hosts }] of accounts.entries()) {
      const login = loaded.logins[nth]
      expect(await verifyPassword(login?.password ?? '', password)).toBe(true)
      expect(login?.site === '' || hosts.includes(login?.address ?? '')).toBe(true)
    }
    // a start looks for accounts that still have it, and has one hash to check
    expect(new Set(accounts.map(({ password }) => password)).size).toBe(1)
  })

  test('its people and firms can be reached nowhere', async () => {
    const addresses = await loaded.rows<{ address: string }>(
      `select admin_email as address from site union all select email from customer
       union all select driver_email from vehicle where driver_email <> ''`,
    )
    expect(addresses.filter(({ address }) => !/^[a-z.]+@([a-z-]+\.)?example\.(org|com)$/.test(address))).toEqual([])
    const phones = await loaded.rows<{ phone: string }>(
      `select phone from vehicle, unnest(array[driver_mobile, driver_telephone]) phone where phone <> ''`,
    )
    expect(phones.length).toBeGreaterThan(100)
    expect(phones.filter(({ phone }) => !/^\+32 (400|14 00|82 00) /.test(phone))).toEqual([])
  })

  test('a database that holds something is refused and left as it is', async () => {
    const before = await content(loaded)
    await expect(loadDemo({ client: loaded.client, now: loaded.now })).rejects.toThrow(/empty database/)
    expect(await content(loaded)).toEqual(before)
  })

  test(
    'an owner who is no superuser, and so bound by row-level security, loads it too',
    { tags: 'whole' },
    async () => {
      const database = await testDatabase()
      const admin = new pg.Client({ connectionString: database.adminUrl })
      await admin.connect()
      const owner = `demo_owner_${process.pid}`
      try {
        await admin.query(`create role ${owner} nosuperuser nobypassrls`)
        await admin.query(`grant usage, create on schema public to ${owner}`)
        const { rows } = await admin.query<{ name: string }>(
          `select relname as name from pg_class where relkind in ('r', 'v') and relnamespace = 'public'::regnamespace`,
        )
        for (const { name } of rows) await admin.query(`alter table ${name} owner to ${owner}`)
        await admin.query(`set role ${owner}`)
        await loadDemo({ client: admin, now: loaded.now })
        await admin.query('reset role')
        expect((await admin.query('select from tyre')).rowCount).toBe(1500)
      } finally {
        await admin.end()
        await database.drop()
        await loaded.client.query(`drop role if exists ${owner}`)
      }
    },
  )
})
