/** Rows of three owners, two of them customers of one site: each with words that stand nowhere else, so that a leak can be read. */
import { randomUUID } from 'node:crypto'
import type { World } from './world.ts'

/** Rows of one owner. */
export type Owned = {
  customer: number
  site: number
  vehicle: number
  /** At the customer: may be stored. */
  home: number[]
  /** In stock: may be recalled. */
  stored: number[]
  pending: number
  submitted: number
  /** Of the submitted storage. */
  expected: number[]
  /** A pending recall, which has a transport. */
  recall: number
  /** Scrapped tyres that wait for a collector, and a pick-up that took another one. */
  scrap: number[]
  pickup: number
  /** A confirmed storage, which has a receipt. */
  stowed: number
  service: number
  transport: number
  /** Of the site: a transport method that may go. */
  spareTransport: number
  report: number
  article: number
  /** The same, where it is what a call is about and not what stands beside. */
  catalogued: number
  document: number
  /** Of days of the recall's tyres. */
  waiver: number
  account: number
  /** Of this account. */
  session: number
  passkey: number
  /** A named view of it. */
  view: number
  token: number
  /** Of the site itself. */
  siteToken: number
  /** A webhook endpoint, and a delivery to it; and those of the site. */
  endpoint: number
  delivery: number
  siteEndpoint: number
  siteDelivery: number
  /** A reading of the vehicle's odometer. */
  odometer: number
  /** An entry of the audit. */
  entry: number
  /** Scans that were applied: of a tyre, of a location. */
  scan: string
  locationScan: string
  /** A text of the dictionary, which belongs to no site. */
  translation: number
  /** A branch of the warehouse that holds nothing, and a place in it. */
  branch: number
  place: number
  /** A wheel of the site that is nobody's yet, and a tyre of the owner that is missing. */
  orphan: number
  lost: number
  /** Damage of a tyre of the owner in stock, and a photo of it. */
  damage: number
  photo: number
  /** A wave of the site's, without lines. */
  wave: number
  /** A stock count of the branch, and a wheel without a label that it found on the place. */
  stocktake: number
  countScan: string
  finding: number
  /** A delivery note that nobody has signed. */
  note: number
  /** A site of nobody's, that may go. */
  spare: number
  /** Of the site: a vehicle configuration that no vehicle has, and the number of a label report that may go. */
  config: number
  spareReport: number
  /** An import of the site, which changed nothing. */
  import: number
  /** A billing run of the site, which is over. */
  run: number
  /** Rules of the tariff, one of which was never used, and charges: owed, on a document and waived. */
  spareRule: number
  rule: number
  charge: number
  charged: number
  forgiven: number
  /** An invoice of the customer, without documents. */
  invoice: number
  /** A payment of the customer that is on no invoice. Of the site: a bank file, and a line of it that asks. */
  payment: number
  bankFile: number
  bankLine: number
  /** A letter to the customer that reminds of the invoice, and a stop of reminders. */
  letter: number
  stop: number
  /** The site's name of a vehicle configuration, and the address at which it is found. */
  configName: string
  host: string
  /** Words that only rows of this owner have. */
  words: string[]
  /** A word that only rows of its site have, whichever owner they belong to. */
  siteWord: string
}
export type Owner = 'a' | 'b' | 'other'
export const owners = ['a', 'b', 'other'] as const

const siteWords = { home: 'SITEHOME', other: 'SITEELSEWHERE' } as const
const names: Readonly<Record<Owner, readonly string[]>> = {
  a: ['Garage Alfa'],
  b: ['Lease Beta', 'Full customer-b'],
  other: ['Transport Gamma'],
}

export type Owners = {
  /** Fresh rows of an owner: a call that succeeds must not change what the next one finds. */
  rowsOf(owner: Owner): Promise<Owned>
  /** Counts rows from the beginning again, for where the database was set back. */
  rewind(): void
}

export async function openOwners(at: World): Promise<Owners> {
  const idOf = async (text: string, values: unknown[]): Promise<number> => {
    const [row] = await at.query<{ id: number }>(text, values)
    if (!row) throw new Error(`nothing came of ${text}`)
    return row.id
  }
  const ofSite = async (which: 'home' | 'other') => {
    const site = at.sites[which]
    const word = siteWords[which]
    await at.query(`update article set description = description || ' ' || $2 where site_id = $1`, [site, word])
    await at.query(`update label_report set name = name || ' ' || $2 where site_id = $1`, [site, word])
    await at.setSite(site, { invoicing_article: at.articles[which], invoicing_price_excl: 27.5 })
    return {
      service: await idOf(
        `insert into service (site_id, name, operation_type, article_number, article_insertion_method, description_nl, description_fr, description_en, description_de)
         values ($1, 'Washing ' || $2, 'to_stock', '100', 'per_tyre', 'w', 'w', 'w', 'w') returning id`,
        [site, word],
      ),
      transport: await idOf(
        `insert into transport_method (site_id, name, code, is_default, description_nl, description_fr, description_en, description_de)
         values ($1, 'Own van ' || $2, 'VAN', true, 'v', 'v', 'v', 'v') returning id`,
        [site, word],
      ),
      article: at.articles[which],
      vehicleConfig: at.configs[which],
      host: `${which}.test`,
      site,
      word,
    }
  }
  const shared = { home: await ofSite('home'), other: await ofSite('other') }

  let nth = 0
  return {
    rewind: () => void (nth = 0),
    async rowsOf(owner) {
      nth++
      const word = `SECRET${owner.toUpperCase()}${nth}X`
      const customer = at.customers[owner]
      const { site, word: siteWord, vehicleConfig, ...its } = owner === 'other' ? shared.other : shared.home
      const [scan, locationScan] = [randomUUID(), randomUUID()]
      // in one statement, which is prepared: making these rows is what took most of the time
      const {
        rows: [row],
      } = await at.admin.query<
        Omit<
          Owned,
          'customer' | 'site' | 'service' | 'transport' | 'report' | 'article' | 'catalogued' | 'spareReport' | 'words'
        >
      >({
        name: 'rows of an owner',
        text: `with car as (
           insert into vehicle (site_id, customer_id, license_plate, brand, description, driver_name, type, config_id)
           values ($1, $2, $3, 'Volvo', $3, $3, 'car', $4) returning id),
         wheel as (
           insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date, profile_depth, profile_date)
           select $1, $2, car.id, $5, position, 'Michelin Alpin 6 205/55R16 91H', tyre_set, status, since, 3.33, since
           from car, (values ('home', 'at_customer', $6::date), ('stored', 'in_stock', '2026-01-01'),
               ('busyhome', 'at_customer', $6::date), ('busytoo', 'at_customer', $6::date), ('leaving', 'in_stock', '2026-01-01'),
               ('lost', 'at_customer', $6::date), ('scrap', 'waste', '2026-01-01'))
               wanted (tyre_set, status, since),
             unnest(array['1A', '1B', '2A', '2B']) position
           returning id, tyre_set),
         work as (
           insert into operation (site_id, customer_id, vehicle_id, type, status, tyre_count, remarks, submitted_at, handled_at)
           select $1, $2, car.id, type, status, 4, $3, case when status <> 'pending' then now() end, case when status = 'confirmed' then now() end
           from car, (values ('to_stock', 'pending'), ('to_stock', 'submitted'), ('to_customer', 'pending'), ('to_stock', 'confirmed')) wanted (type, status)
           returning id, type, status),
         handed as (
           insert into handed_wheel (site_id, operation_id, wheel, customer_id, position, description, depth, bolts, hubcaps)
           select $1, work.id, 1, $2, '1A', $3, 3.33, true, false from work where work.status = 'confirmed'),
         held as (
           insert into operation_tyre (site_id, operation_id, tyre_id, customer_id)
           select $1, work.id, wheel.id, $2 from work join wheel on wheel.tyre_set =
             case when work.type = 'to_customer' then 'leaving' when work.status = 'pending' then 'busyhome' else 'busytoo' end
           where work.status <> 'confirmed'),
         paper as (
           insert into document (site_id, customer_id, vehicle_id, type, reason, year, number, document_date)
           select $1, $2, car.id, 'worknote', 'operation', 2026, $7, '2026-11-01' from car returning id),
         forgiven as (
           insert into storage_ledger (site_id, tyre_id, customer_id, since, until, state, reason)
           select $1, min(id), $2, '2026-01-01', '2026-01-11', 'waived', $3 from wheel where tyre_set = 'leaving' returning id),
         text as (
           insert into translation (language, namespace, key, value) values ('eng', 'matrix', 'key' || $7::int, 'Said') returning id),
         spare as (
           insert into site (code, name, admin_email) values ('spare-' || $7::int, 'Spare', 'spare@example.org') returning id),
         config as (
           insert into vehicle_config (site_id, description, axles)
           select site_id, 'Spare ' || $8 || ' ' || $7::int, axles from vehicle_config where id = $4 returning id, description),
         van as (
           insert into transport_method (site_id, name, code, description_nl, description_fr, description_en, description_de)
           values ($1, 'Spare van ' || $8, 'SPARE-' || $7::int, 'v', 'v', 'v', 'v') returning id),
         report as (
           insert into label_report (site_id, number, name, layout)
           values ($1, 1000 + $7::int, 'Spare ' || $8 || ' ' || $7::int, 'roll_62x100')),
         login as (
           insert into account (site_id, customer_id, username, fullname, type, password)
           values ($1, $2, $3, $3, 'user', '') returning id),
         begun as (
           insert into session (token_hash, account_id, site_id) select sha256($3::text::bytea), login.id, $1 from login returning id),
         shown as (
           insert into passkey (account_id, site_id, customer_id, credential, public_key, counter, transports, name, created_at)
           select login.id, $1, $2, sha256($3::text::bytea), '', 0, '{}', 'Key of ' || $3, now() from login returning id),
         looked_at as (
           insert into list_view (site_id, customer_id, account_id, list, name)
           select $1, $2, login.id, 'vehicles', 'View of ' || $3 from login returning id),
         granted as (
           insert into api_token (site_id, account_id, customer_id, personal, name, ending, scopes, created_at)
           select $1, login.id, $2, true, 'Program of ' || $3, 'abcd', '{read}', now() from login returning id),
         robot as (
           insert into account (site_id, username, fullname, type, password, is_service)
           values ($1, 'robot ' || $8 || $7::int, 'Robot', 'admin', '', true) returning id),
         permitted as (
           insert into api_token (site_id, account_id, personal, name, ending, scopes, created_at)
           select $1, robot.id, false, 'Program of ' || $8, 'abcd', '{read}', now() from robot returning id),
         hook as (
           insert into webhook_endpoint (site_id, customer_id, url, kinds, secret, created_at, enabled)
           select $1, owner, 'https://hooks.test/' || word, '{tyre.received}', '', now(), false
           from (values ($2::int, $3), (null, $8)) hooks (owner, word) returning id, customer_id),
         happened as (
           insert into webhook_event (site_id, customer_id, kind, object, data)
           values ($1, $2, 'tyre.received', 'tyre 0', '{}') returning id, customer_id),
         noticed as (
           insert into notice (site_id, account_id, customer_id, about_customer, kind, vehicle_id, license_plate, facts, at, listed)
           select $1, $11, $2, $2, 'worn', car.id, $3, '{"tyres": 1, "depth": 1.5}', now(), true from car),
         told as (
           insert into webhook_delivery (site_id, endpoint_id, event_id, customer_id, object)
           select $1, hook.id, happened.id, happened.customer_id, 'tyre 0' from hook, happened returning id, endpoint_id),
         branch as (
           insert into location (site_id, kind, name, site_name, path, capacity)
           values ($1, 'zone', $8 || $7::int, 'Hall', $8 || $7::int, 8) returning id, path),
         place as (
           insert into location (site_id, parent_id, kind, name, site_name, path, capacity)
           select $1, branch.id, 'place', path, 'Hall', path || '-1', 8 from branch returning id),
         scanned as (
           insert into scan (site_id, id, customer_id, operation_id, tyre_id, scanned_at)
           select $1, $9, $2, work.id, min(wheel.id), now() from work, wheel
           where work.status = 'submitted' and wheel.tyre_set = 'busytoo' group by work.id),
         placed as (
           insert into location_scan (site_id, id, location_id, scanned_at) select $1, $10, place.id, now() from place),
         nobodys as (
           insert into orphan (site_id, size, size_key, found_at) values ($1, '205/55R16', '2055516', now()) returning id),
         imported as (
           insert into import_run (site_id, kind, customer_id, file, at) values ($1, 'vehicles', $2, $3, now()) returning id),
         billed as (
           insert into billing_run (site_id, covers, until, days, marks, state, reason, at, turn_at)
           values ($1, 'all', '2026-11-01', 0, false, 'undone', 'Never meant', now(), now()) returning id),
         harmed as (
           insert into damage_report (site_id, tyre_id, customer_id, code, note, at)
           select $1, min(id), $2, 'cut', $3, now() from wheel where tyre_set = 'stored' returning id),
         taken as (
           insert into photo (site_id, report_id, customer_id, digest, width, height, content, small, at)
           select $1, harmed.id, $2, encode(sha256($3::text::bytea), 'hex'), 1, 1, $3::text::bytea, $3::text::bytea, now() from harmed returning id),
         invoiced as (
           insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, net, vat, gross, breakdown, created_at)
           select $1, $2, 'invoice', 'M', 2026, $7, '2026-11-01', '2026-12-01', party, party, 100, 21, 121,
             '[{"category": "S", "rate": 21, "taxable": 100, "vat": 21}]', now()
           from (select jsonb_build_object('name', $3::text, 'street', '', 'zipcode', '', 'city', 'Gent', 'country', 'BE', 'email', '', 'code', '',
             'vat_number', '', 'company_scheme', null, 'company_number', '', 'peppol_scheme', null, 'peppol_id', '', 'iban', '', 'bic', '',
             'note', '', 'exemption', '') as party) as parties returning id, customer_id),
         invoiced_line as (
           insert into invoice_line (site_id, invoice_id, line, customer_id, description, quantity, price_excl, net, category, vat_rate)
           select $1, id, 1, customer_id, $3, 1, 100, 100, 'S', 21 from invoiced),
         paid as (
           insert into payment (site_id, customer_id, kind, paid_on, amount, reason, at)
           values ($1, $2, 'payment', '2026-11-02', 50, $3, now()) returning id),
         statement as (
           insert into bank_file (site_id, name, imported_at) values ($1, $8 || $7::int, now()) returning id),
         booked as (
           insert into bank_line (site_id, file_id, key, account, booked_on, amount, currency, reversal, reference, message, payer, payer_account, question)
           select $1, id, sha256(($8 || $7::int)::bytea), '', '2026-11-02', 121, 'EUR', false, '', $8, $8, '', 'unknown' from statement returning id),
         sentout as (
           insert into reminder_run (site_id, state, at, turn_at) values ($1, 'sent', now(), now()) returning id),
         letter as (
           insert into reminder (site_id, run_id, customer_id, level, day, text, open, fee, interest, compensation, messages)
           select $1, id, $2, 1, '2026-11-02', $3, 121, 0, 0, 0, 0 from sentout returning id),
         letter_line as (
           insert into reminder_invoice (site_id, reminder_id, invoice_id, customer_id, level, open)
           select $1, letter.id, invoiced.id, $2, 1, 121 from letter, invoiced),
         halted as (
           insert into reminder_stop (site_id, customer_id, reason, at) values ($1, $2, $3, now()) returning id),
         hauled as (
           insert into scrap_pickup (site_id, day, form_number, collector, tyres, estimate_kg, at)
           values ($1, '2026-11-01', $3, $3, 1, 10, now()) returning id),
         hauled_tyre as (
           insert into scrap_pickup_tyre (site_id, pickup_id, tyre_id, customer_id, estimate_kg)
           select $1, hauled.id, min(wheel.id), $2, 10 from hauled, wheel where wheel.tyre_set = 'scrap' group by hauled.id),
         flow as (
           insert into wave (site_id, transport_id, day, made_at) select $1, van.id, '2026-11-20', now() from van returning id),
         tallied as (
           insert into stock_count (site_id, location_id, place, started_at) select $1, branch.id, branch.path, now() from branch returning id),
         looked as (
           insert into counted_place (site_id, count_id, scan, location_id, place, zone, tyres, agreeing, counted_at)
           select $1, tallied.id, gen_random_uuid(), place.id, 'Hall', 'Hall', '{}', 0, now() from tallied, place returning id, scan),
         differing as (
           insert into count_finding (site_id, counted_id, outcome) select $1, looked.id, 'unknown' from looked returning id),
         truck as (
           insert into loading (site_id, transport_id, day, begun_at, left_at) select $1, van.id, '2026-11-20', now(), now() from van returning id),
         proof as (
           insert into document (site_id, customer_id, vehicle_id, operation_id, type, reason, year, number, document_date)
           select $1, $2, car.id, work.id, 'deliverynote', 'delivery', 2026, $7::int + 5000, '2026-11-01' from car, work where work.type = 'to_customer'
           returning id, operation_id),
         noted as (
           insert into delivery_note (site_id, document_id, customer_id, operation_id, loading_id, transport, day)
           select $1, proof.id, $2, proof.operation_id, truck.id, '{"nl": "v", "fr": "v", "en": "v", "de": "v"}', '2026-11-20' from proof, truck
           returning document_id),
         tariff as (
           insert into tariff_rule (site_id, customer_id, kind, per, after_days, since, price_excl, created_at)
           select $1, $2, 'overstay', 'tyre', days, '2026-01-01', 5, now() from unnest(array[$7::int, 10000 + $7::int]) days
           returning id, after_days),
         happening as (
           insert into charge (site_id, customer_id, kind, cause, rule_id, happened_on, at, vehicle_id, quantity, price_excl)
           select $1, $2, 'overstay', 'matrix/' || $7::int || '/' || what, tariff.id, '2026-11-01', now(), car.id, 1, 5
           from tariff, car, unnest(array['owed', 'charged', 'waived']) what where tariff.after_days < 10000
           returning id, cause),
         became as (
           insert into charge_ledger (site_id, charge_id, customer_id, state, document_id, reason, at)
           select $1, happening.id, $2, split_part(cause, '/', 3), case when cause like '%charged' then paper.id end,
             case when cause like '%waived' then $3 else '' end, now()
           from happening, paper where cause not like '%owed'),
         driven as (
           insert into odometer (site_id, vehicle_id, customer_id, day, km, source) select $1, id, $2, '2026-01-01', 40000, 'typed' from car
           returning id),
         written as (
           insert into audit (site_id, customer_id, action, subject, facts)
           select $1, $2, 'vehicle.update', 'vehicle ' || car.id, jsonb_build_object('plate', $3) from car returning id)
         select car.id as vehicle, array(select id from wheel where tyre_set = 'home' order by id) as home,
           array(select id from wheel where tyre_set = 'stored' order by id) as stored,
           array(select id from wheel where tyre_set = 'busytoo' order by id) as expected,
           array(select id from wheel where tyre_set = 'scrap' order by id offset 1) as scrap, (select id from hauled) as pickup,
           (select id from work where type = 'to_stock' and status = 'pending') as pending,
           (select id from work where status = 'submitted') as submitted,
           (select id from work where type = 'to_customer') as recall, (select id from work where status = 'confirmed') as stowed,
           (select id from paper) as document, (select id from forgiven)::int as waiver, (select id from text) as translation, (select id from spare) as spare,
           (select id from config) as config, (select description from config) as "configName",
           (select id from van) as "spareTransport",
           (select id from login) as account, (select id from begun)::int as session, (select id from shown) as passkey, (select id from looked_at) as view,
           (select id from granted) as token, (select id from permitted) as "siteToken",
           (select id from hook where customer_id is not null) as endpoint, (select id from hook where customer_id is null) as "siteEndpoint",
           (select told.id::int from told join hook on hook.id = endpoint_id where hook.customer_id is not null) as delivery,
           (select told.id::int from told join hook on hook.id = endpoint_id where hook.customer_id is null) as "siteDelivery", (select id from branch) as branch, (select id from place) as place,
           (select id from nobodys) as orphan, (select min(id) from wheel where tyre_set = 'lost') as lost,
           (select id from imported) as import, (select id from billed) as run, (select id from invoiced) as invoice, (select id from paid) as payment, (select id from statement) as "bankFile", (select id from booked) as "bankLine", (select id from letter) as letter, (select id from halted) as stop, (select id from flow) as wave, (select id from harmed) as damage, (select id from taken) as photo, (select id from tallied) as stocktake, (select id from differing) as finding, (select scan from looked) as "countScan", (select document_id from noted) as note, (select id from tariff where after_days > 10000) as "spareRule", (select id from tariff where after_days < 10000) as rule,
           (select id from happening where cause like '%owed')::int as charge, (select id from happening where cause like '%charged')::int as charged,
           (select id from happening where cause like '%waived')::int as forgiven, (select id from written)::int as entry, (select id from driven)::int as odometer
         from car`,
        values: [
          site,
          customer,
          word,
          vehicleConfig,
          its.article,
          at.clock.now.toISOString().slice(0, 10),
          nth,
          siteWord,
          scan,
          locationScan,
          at.who[owner === 'other' ? 'otherUser' : owner].account,
        ],
      })
      if (!row) throw new Error('no rows were made')
      await at.query(`update wheel set state = 'missing', step = 'miss' where tyre_id = $1`, [row.lost])
      return {
        ...row,
        ...its,
        catalogued: its.article,
        customer,
        site,
        scan,
        locationScan,
        spareReport: 1000 + nth,
        report: 1,
        words: [word, ...names[owner]],
        siteWord,
      }
    },
  }
}

/** Ids that nothing has. */
export const missing = (like: Owned): Owned => ({
  ...like,
  ...Object.fromEntries(
    Object.entries(like).map(([key, value]) => [
      key,
      typeof value === 'number' ? 2e9 : Array.isArray(value) ? [2e9] : value,
    ]),
  ),
  scan: randomUUID(),
  locationScan: randomUUID(),
  countScan: randomUUID(),
  configName: 'No such configuration',
  host: 'nobody.test',
  words: [],
})
