/** The statements of the season board. */
import { statement } from '../../db/statement.ts'
import { answer, date, int, json, text } from '../../db/types.ts'

/**
 * The facts of open and past operations, places and transports from which domain/season/seasonBoard.ts makes the board. The day of an
 * operation is looked up among the beginnings of all days: converting each moment to the site's clock takes twice as long.
 */
export const boardFacts = statement({
  name: 'board.facts',
  parameters: { site: int, timeZone: text, historyFrom: date, from: date, until: date, today: date },
  row: { json },
  sql: `
    with midnights as materialized (
       select array_agg(day at time zone :timeZone order by day) as all
       from generate_series(:historyFrom::date::timestamp, :today::date + 1, interval '1 day') day
     ), moved as materialized (
       select :historyFrom::date + nth - 1 as day, "in", out from (
         select width_bucket(handled_at, (select "all" from midnights)) as nth,
           coalesce(sum(tyre_count) filter (where type = 'to_stock'), 0)::int as in,
           coalesce(sum(tyre_count) filter (where type <> 'to_stock'), 0)::int as out
         from operation where site_id = :site and status = 'confirmed'
           and handled_at >= :historyFrom::date::timestamp at time zone :timeZone
         group by 1) counted
     ), asked as materialized (
       select delivery_date as day, coalesce(sum(tyre_count) filter (where type = 'to_stock'), 0)::int as in,
         coalesce(sum(tyre_count) filter (where type <> 'to_stock'), 0)::int as out
       from operation where site_id = :site and status = 'submitted' group by 1
     ), coming as materialized (
       select planned_location as id, count(*) as tyres from operation_tyre
       where site_id = :site and open and planned_location is not null group by 1)
     select json_build_object(
       'stored', (select count(*) from tyre where site_id = :site and status = 'in_stock' and removed_at is null),
       'first', (select (handled_at at time zone :timeZone)::date from operation
         where site_id = :site and status = 'confirmed' and handled_at is not null order by handled_at limit 1),
       'moved', (select coalesce(json_agg(moved), '[]') from moved),
       'asked', (select coalesce(json_agg(asked), '[]') from asked where day >= :today::date),
       'undated', (select json_build_object('in', coalesce(sum("in"), 0), 'out', coalesce(sum("out"), 0)) from asked where day is null),
       'late', (select coalesce(sum("out"), 0) from asked where day < :today::date),
       'lateIn', (select coalesce(sum("in"), 0) from asked where day < :today::date),
       'closed', (select coalesce(json_agg(json_build_object('day', day, 'holiday', holiday, 'name', name)), '[]') from closed_day
         where site_id = :site and day >= :historyFrom::date and day <= :until::date),
       'transports', (select coalesce(json_agg(json_build_object('_id', id, 'weekdays', operation_days,
           'operations_per_day', operations_per_day, 'tyres_per_day', tyres_per_day) order by id), '[]')
         from transport_method where site_id = :site and removed_at is null),
       'loads', (select coalesce(json_agg(json_build_object('day', day, 'transport', transport_id, 'operation_count', operations, 'tyre_count', tyres,
           'arrivals', arrivals, 'arriving_tyres', arriving_tyres)
           order by transport_id), '[]')
         from transport_day where site_id = :site and day between :from::date and :until::date and operations + arrivals > 0),
       'classes', (select coalesce(json_agg(class), '[]') from (
         select l.fit_diameter as diameter, l.fit_width as width, l.fit_weight as weight, l.fit_takes as takes, count(*) as place_count,
           sum(l.capacity) as capacity, sum(l.held) as held, coalesce(sum(coming.tyres), 0) as coming
         from location l left join coming on coming.id = l.id
         where l.site_id = :site and l.capacity > 0
         group by 1, 2, 3, 4 order by 1 nulls last, 2 nulls last, 3 nulls last, 4) class))::text as json`,
})

/** Customers with tyres that have lain in the store since a day or longer, in wire form. */
export const unmovedByCustomer = statement({
  name: 'board.unmoved',
  parameters: { site: int, since: date },
  row: answer,
  sql: `select coalesce(json_agg(wire), '[]')::text as json from (
     select c.id as seq_id, coalesce(nullif(c.company, ''), c.name) as companyname, c.city, long.sets, long.wheels as wheel_count, long.since
     from (
       select customer_id, count(*)::int as wheels, min(status_date) as since,
         (count(distinct (vehicle_id, tyre_set)) filter (where tyre_set is not null))::int as sets
       from tyre where site_id = :site and status = 'in_stock' and removed_at is null and status_date <= :since::date
       group by customer_id) long
       join customer c on c.site_id = :site and c.id = long.customer_id
     order by long.wheels desc, long.since, c.id) wire`,
})
