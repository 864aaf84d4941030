/**
 * The data set of the benchmark: three sites, 2,000 customers of whom one is large, 50,000 vehicles, 250,000 tyres, 120,000
 * operations with four tyres each, 8,000 articles. Everything follows from numbers, so that every run has the same rows and a
 * script of pgbench can name them by arithmetic. Days are counted back from today.
 */
import pg from 'pg'
import { hashPassword } from '../src/server/features/session/password.ts'

/** Figures that follow from the scale: where rows are found without looking. */
export type Shape = {
  /** The multiple of the usual data set, a quarter at least: the large customer, the small fleets and submitted operations stay as they are. */
  readonly scale: number
  readonly customers: number
  readonly vehicles: number
  readonly articles: number
  readonly operations: number
  /** The customers of the first site are 1 to this one; the others follow. */
  readonly customersOfSite: number
}

/** The site that is measured, and the address at which it is found. */
export const site = 1
export const host = 'one.bench'
const password = 'wheelhouse bench'
/** Administrators 1 to 16 of the first site, and an account for each of its customers. */
export const desks = 16
export const accountOf = (customer: number): number => 1000 + customer
/** The cookie of an account's session. */
export const cookieOf = (account: number): string => `wheelhouse=bench-${account}`

/** The customer with 2,000 vehicles and 10,000 tyres. */
export const large = 1
/** Customers with 25 vehicles and 128 tyres. */
export const small = { first: 2, count: 24 } as const
/** Customers with open operations, at each site: 500 submitted and 100 pending in all. */
export const busy = { first: 26, count: 100, submitted: 500, pending: 100 } as const
/** From here on customers of the first site have 24 vehicles, each with a set in stock and nothing open. */
export const free = { first: 126, vehicles: 24, firstVehicle: 2601 + (126 - 26) * 24 } as const
/** The first vehicle of the first busy customer; of each busy customer the first five have submitted operations. */
export const firstScanned = 2601
/** The first four are the set that is stored, recalled and scanned. */
export const tyresPerVehicle = 5

const shapeOf = (scale: number): Shape => {
  const customers = 2000 * scale
  return {
    scale,
    customers,
    vehicles: 2000 + 600 + (customers - 25) * 24,
    articles: 8000 * scale,
    operations: 120_000 * scale,
    customersOfSite: Math.ceil(667 * scale),
  }
}

const places = 3000

const customerOfVehicle = (v: string) =>
  `case when ${v} <= 2000 then 1 when ${v} <= 2600 then 2 + (${v} - 2001) / 25 else 26 + (${v} - 2601) / 24 end`
const vehicleOf = (c: string, nth: string) => `2601 + (${c} - 26) * 24 + ${nth}`
const since = (days: string) => `current_date - (${days})::int`
const moment = (n: string) => `now() - make_interval(mins => (${n}::bigint * 31 % (3 * 365 * 1440))::int)`

function statements({ scale, customers, vehicles, articles, operations, customersOfSite }: Shape): [string, string][] {
  const siteOfCustomer = (c: string) => `1 + (${c} - 1) / ${customersOfSite}`
  // the hundred customers of a site that have open operations
  const busyFirst = (s: string) => `case ${s} when 0 then ${busy.first} else ${s} * ${customersOfSite} + 1 end`
  const { submitted, pending } = busy
  const openOperations = 3 * (submitted + pending)
  const tyreColumns = `site_id, id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date,
    profile_depth, profile_date, profile_tacho, location_id, rims, bolts, hubcaps, invoiced_on, season`
  const tyre = (v: string, p: string, id: string) => `
    v.site_id, ${id}, v.customer_id, v.id, a.id, ${p}, a.description, set, status, ${since(`30 + ${id} % 700`)},
    2 + (${id} % 60) / 10.0, ${since(`30 + ${id} % 700`)}, 10000 + ${id} % 90000,
    case status when 'in_stock' then (v.site_id - 1) * ${places * scale} + 4 + ${v} % ${places * scale} end,
    case status when 'in_stock' then 'steel' end, status = 'in_stock', false,
    case when ${id} % 2 = 0 and 30 + ${id} % 700 > 200 then ${since(`${id} % 200`)} end, a.season`
  const articleOfVehicle = `join article a on a.id = (v.id * 7 % ${Math.floor(articles / 3)}) * 3 + v.site_id`
  return [
    [
      'sites',
      `insert into site (id, code, name, admin_email, language, unknown_summer_article, invoicing_article, invoicing_price_excl, invoicing_period)
         select s, 'bench' || s, 'Tyre hotel ' || s, 'desk@bench' || s || '.test', 'eng', s, s, 1.5, 30 from generate_series(1, 3) s;
       insert into site_address values ('one.bench', 1), ('two.bench', 2), ('three.bench', 3);
       insert into label_report select s, 1, 'Roll 62 × 100', 'roll_62x100' from generate_series(1, 3) s;
       insert into vehicle_config (site_id, id, description, axles)
         select s, (s - 1) * 3 + k, (array['Car', 'Van', 'Truck'])[k], (
           select jsonb_agg(jsonb_build_object('type', 'axle', 'lift', false, 'drive', a = 1, 'steering', a = 1, 'left', 1, 'right', 1))
           from generate_series(1, 2) a)
         from generate_series(1, 3) s, generate_series(1, 3) k;
       insert into transport_method (site_id, id, name, code, is_default, description_nl, description_fr, description_en, description_de,
           operation_days, operations_per_day, tyres_per_day)
         select s, (s - 1) * 3 + k, 'Transport ' || k, 'T' || k, k = 1, 'Rit', 'Trajet', 'Ride', 'Fahrt', '{1,2,3,4,5}', 40, 200
         from generate_series(1, 3) s, generate_series(1, 3) k;
       insert into service (site_id, id, name, operation_type, article_number, article_insertion_method, preselected,
           description_nl, description_fr, description_en, description_de, price_excl)
         select s, (s - 1) * 9 + (t - 1) * 3 + k, 'Service ' || k, (array['to_stock', 'to_customer', 'to_waste'])[t], '100' || k, 'per_tyre', k = 1,
           'Dienst', 'Service', 'Service', 'Leistung', 5 from generate_series(1, 3) s, generate_series(1, 3) t, generate_series(1, 3) k;
       insert into transport_day (site_id, transport_id, day, operations, tyres)
         select s, (s - 1) * 3 + k, current_date + d, 20 + (d + 700) * 13 % 21, 80 + (d + 700) * 37 % 121
         from generate_series(1, 3) s, generate_series(1, 3) k, generate_series(-700, 60) d`,
    ],
    [
      'customers',
      `insert into customer (site_id, id, code, name, company, street, zipcode, city, email, created_at)
       select ${siteOfCustomer('c')}, c, 'C' || c, 'Customer ' || c, 'Garage ' || (array['Peeters', 'Janssens', 'Maes', 'Jacobs', 'Mertens'])[1 + c % 5] || ' ' || c,
         'Dorpsstraat ' || c % 200, (1000 + c % 8999)::text, (array['Gent', 'Antwerpen', 'Liège', 'Namur', 'Brugge'])[1 + c % 5],
         'customer' || c || '@example.org', now() - interval '3 years'
       from generate_series(1, ${customers}) c`,
    ],
    [
      'accounts',
      `insert into account (site_id, id, customer_id, username, fullname, type, language, password)
         select 1, d, null, 'desk' || d, 'Desk ' || d, 'admin', 'eng', '$PASSWORD' from generate_series(1, ${desks}) d
         union all select 1, 1000 + c, c, 'customer' || c, 'Customer ' || c, 'user', 'eng', '$PASSWORD' from generate_series(1, ${customersOfSite}) c;
       insert into session (token_hash, account_id, site_id)
         select sha256(convert_to('bench-' || id, 'UTF8')), id, site_id from account`,
    ],
    [
      'vehicles',
      `insert into vehicle (site_id, id, customer_id, license_plate, number, chassis_number, brand, description, type, config_id, driver_name,
         driver_mobile, driver_email, created_at)
       select ${siteOfCustomer('c')}, v, c, v % 9 + 1 || chr(65 + v % 26) || chr(65 + v / 26 % 26) || chr(65 + v / 676 % 26) || lpad((v % 1000)::text, 3, '0') || v / 17576,
         (v % 100000)::text, 'WVW' || lpad(v::text, 14, '0'), (array['Volvo', 'Renault', 'BMW', 'Skoda', 'Ford'])[1 + v % 5],
         (array['V60', 'Clio', '320d', 'Octavia', 'Transit'])[1 + v % 5], 'car', (${siteOfCustomer('c')} - 1) * 3 + 1,
         'Driver ' || v, '+32 470 ' || lpad((v % 1000000)::text, 6, '0'), 'driver' || v || '@example.org', now() - interval '3 years'
       from (select v, ${customerOfVehicle('v')} as c from generate_series(1, ${vehicles}) v) v`,
    ],
    [
      'articles',
      `insert into article (site_id, id, brand, pattern, description, dimension, width, aspect, construction, rim, load_index, speed_symbol, season,
         ean, speed_key, load_key, brand_key, words)
       select 1 + (id - 1) % 3, id, brand, 'Road ' || id, brand || ' Road ' || id || ' ' || size || ' ' || load || speed, size, width, aspect, 'R', rim, load, speed,
         (array['summer', 'winter', 'winter', 'all_season'])[1 + id / 3 % 4],
         '40192' || lpad(id::text, 8, '0'), plain || speed, plain || load || speed, upper(brand),
         upper(brand || ' ROAD ' || id || ' ' || size || ' ' || load || speed || ' ' || plain || speed || ' ' || plain || load || speed)
       from (
         select *, width || '/' || aspect || 'R' || rim as size, width || '' || aspect || rim as plain from (
           select id, (array['Michelin', 'Continental', 'Goodyear', 'Pirelli', 'Hankook', 'Bridgestone', 'Nokian', 'Vredestein'])[1 + n / 7 % 8] as brand,
             155 + n % 10 * 10 as width, 40 + n / 10 % 6 * 5 as aspect, 14 + n / 60 % 6 as rim, 80 + n / 5 % 25 as load,
             (array['T', 'H', 'V', 'W', 'Y'])[1 + n / 11 % 5] as speed
           from (select id, (id - 1) / 3 as n from generate_series(1, ${articles}) id) numbered) sized) written`,
    ],
    [
      'locations',
      `insert into location (site_id, id, kind, name, site_name, path) select s, s, 'site', 'Hall ' || s, 'Hall ' || s, '' from generate_series(1, 3) s;
       insert into location (site_id, id, parent_id, kind, name, site_name, path, walk, capacity)
         select s, 3 + (s - 1) * ${places * scale} + n, s, 'place', n::text, 'Hall ' || s, 'R' || n / 50 || '-' || lpad((n % 50)::text, 2, '0'), n, 60
         from generate_series(1, 3) s, generate_series(1, ${places * scale}) n`,
    ],
    [
      'tyres',
      `insert into tyre (${tyreColumns})
         select ${tyre('v.id', "(array['1A', '1B', '2A', '2B', '1A'])[p]", `((v.id - 1) * ${tyresPerVehicle} + p)`)}
         from vehicle v ${articleOfVehicle} cross join lateral (
           select p, case when p <= 4 then 'Winter' end as set, case when p <= 4 then 'in_stock' else 'on_vehicle' end as status
           from generate_series(1, ${tyresPerVehicle}) p) wheel
         -- the last ones have no spare: the small fleets have it
         where p <= 4 or v.id <= ${vehicles - small.count * 3}
         order by v.id, p;
       insert into tyre (${tyreColumns})
         select ${tyre('v.id', "'1B'", `(${vehicles * tyresPerVehicle} + (v.customer_id - ${small.first}) * 3 + nth)`)}
         from (select v.*, (v.id - 2001) % 25 + 1 as nth from vehicle v where v.id between 2001 and 2600) v ${articleOfVehicle}
           cross join (select null::text as set, 'on_spare' as status) wheel
         where nth <= 3;
       insert into tyre_words (site_id, description, tyre_set) select distinct site_id, description, coalesce(tyre_set, '') from tyre;
       analyze`,
    ],
    [
      'forecasts',
      `insert into tyre_forecast (site_id, tyre_id, customer_id, limit_mm, read_on, low, middle, high, turns, paused)
       select site_id, id, customer_id, case when season = 'summer' then 3 else 4 end, profile_date, 50 + id % 400, 110 + id % 400, 300 + id % 400,
         id % 2 = 0, id % 90
       from tyre where profile_depth > 3`,
    ],
    [
      'open operations',
      `insert into operation (site_id, id, customer_id, vehicle_id, account_id, type, status, tyre_count, transport_id, delivery_date, created_at, submitted_at, updated_at)
       select s + 1, o, c, ${vehicleOf('c', 'nth')}, null, type, status, 4, case type when 'to_customer' then s * 3 + 1 end,
         case when type = 'to_customer' and status = 'submitted' then current_date + 1 + o % 20 end,
         now() - make_interval(mins => o), case status when 'submitted' then now() - make_interval(mins => o) end, now() - make_interval(mins => o)
       from (
         select o, s, ${busyFirst('s')} + j % ${busy.count} as c, j / ${busy.count} as nth,
           case when j < ${submitted} then 'submitted' else 'pending' end as status,
           case when j % 5 < 3 then 'to_stock' else 'to_customer' end as type
         from (select o, (o - 1) / ${submitted + pending} as s, (o - 1) % ${submitted + pending} as j
           from generate_series(1, ${openOperations}) o) numbered) placed;
       update tyre t set status = 'at_customer', location_id = null, rims = null, bolts = false from operation o
         where o.type = 'to_stock' and o.status in ('submitted', 'pending') and o.site_id = t.site_id and t.vehicle_id = o.vehicle_id and t.tyre_set = 'Winter'`,
    ],
    [
      'handled operations',
      `insert into operation (site_id, id, customer_id, vehicle_id, type, status, tyre_count, created_at, submitted_at, updated_at, handled_at, handled_by)
       select v.site_id, o, v.customer_id, v.id, case when o % 10 < 5 then 'to_stock' when o % 10 < 9 then 'to_customer' else 'to_waste' end,
         case when o % 20 = 0 then 'cancelled' else 'confirmed' end, 4,
         at - interval '2 days', at - interval '1 day', at, at, case v.site_id when 1 then 1 + o % ${desks} end
       from (select o, (o::bigint * 7919 % ${vehicles})::int + 1 as vehicle, ${moment('o')} as at from generate_series(${openOperations + 1}, ${operations}) o) o
         join vehicle v on v.id = o.vehicle`,
    ],
    [
      'their tyres',
      `insert into operation_tyre (site_id, operation_id, tyre_id, customer_id, open, scanned_at, scan_times)
         select o.site_id, o.id, (o.vehicle_id - 1) * ${tyresPerVehicle} + p, o.customer_id, o.handled_at is null, o.handled_at, case when o.handled_at is null then 0 else 1 end
         from operation o, generate_series(1, 4) p order by o.id, p;
       insert into operation_service (site_id, operation_id, service_id, customer_id, added)
         select o.site_id, o.id, s.id, o.customer_id, 1 from operation o join service s on s.site_id = o.site_id and s.operation_type = o.type and s.preselected`,
    ],
    [
      'wheels',
      `insert into wheel (site_id, tyre_id, customer_id, status, state, location_id, since, began)
         select site_id, tyre_id, customer_id, status, state, location_id, since, state from wheel_by_records order by site_id, tyre_id`,
    ],
    [
      'their history',
      `insert into tyre_event (site_id, tyre_id, customer_id, vehicle_id, kind, at, operation_id, status)
         select o.site_id, (o.vehicle_id - 1) * ${tyresPerVehicle} + p, o.customer_id, o.vehicle_id,
           case o.type when 'to_stock' then 'received' when 'to_customer' then 'delivered' else 'scrapped' end, o.handled_at, o.id, 'in_stock'
         from operation o, generate_series(1, 4) p where o.status = 'confirmed' order by o.id, p;
       insert into scan (site_id, id, customer_id, operation_id, tyre_id, scanned_at, received_at)
         select o.site_id, md5('scan' || o.id || p)::uuid, o.customer_id, o.id, (o.vehicle_id - 1) * ${tyresPerVehicle} + p, o.handled_at, o.handled_at
         from operation o, generate_series(1, 4) p where o.handled_at is not null;
       insert into audit (site_id, customer_id, at, action, subject)
         select site_id, customer_id, handled_at, 'operation.confirm', 'operation ' || id from operation where handled_at is not null order by handled_at;
       insert into security_event (at, kind, site_id, customer_id, account_id)
         select handled_at, 'signInRight', site_id, customer_id, 1 + id % 200 from operation where handled_at is not null order by handled_at;
       insert into security_event_origin (event_id, at, site_id, account_id, address, device)
         select id, at, site_id, account_id, '10.0.0.1', '' from security_event;
       insert into document (site_id, id, customer_id, vehicle_id, operation_id, type, reason, year, number, document_date, created_at, amount_excl)
         select site_id, id, customer_id, vehicle_id, id, 'worknote', 'operation', 2020, row_number() over (partition by site_id order by id), handled_at::date, handled_at, 20
         from operation where status = 'confirmed' and id % 4 = 1;
       insert into document_line (site_id, document_id, line, customer_id, article_number, description, quantity, price_excl)
         select site_id, id, 1, customer_id, '1001', 'Service', 4, 5 from document`,
    ],
    [
      'counts',
      `update location l set held = n from (select location_id, count(*)::int as n from tyre where location_id is not null group by 1) t where l.id = t.location_id;
       ${[
         'customer',
         'account',
         'vehicle',
         'vehicle_config',
         'article',
         'location',
         'tyre',
         'operation',
         'service',
         'transport_method',
         'document',
       ]
         .map(table => `select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`)
         .join(';\n       ')}`,
    ],
  ]
}

/** Fills a migrated, empty database. Constraints and triggers are off: the rows written here keep them. */
export async function fill(url: string, scale = 1, log: (sentence: string) => void = () => {}): Promise<Shape> {
  const shape = shapeOf(scale)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set jit = off; set work_mem = '256MB'; set timezone = 'UTC'`,
    )
    const hash = await hashPassword(password)
    for (const [what, text] of statements(shape)) {
      const begun = performance.now()
      await client.query(text.replaceAll('$PASSWORD', hash))
      log(`${what} ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    }
    await client.query('vacuum (freeze, analyze)')
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
  return shape
}
