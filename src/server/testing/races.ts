/**
 * Requests at the same moment, a round at a time: for the tests of races and for the drills that play hundreds of them
 * (docs/promises.md "Races"). A round says what came of it, and what is wrong with that.
 */
import { createHash, randomBytes } from 'node:crypto'
import { contract } from '#contract/index.ts'
import type { Statement } from '../db/statement.ts'
import { addOperation, type Made } from './operations.ts'
import type { Principal, Reply, World } from './world.ts'

const calls = contract.operations

/** `won`, or the code of the refusal, in order. */
export const outcomes = (replies: readonly Reply<unknown>[]): string[] => replies.map(outcome).sort()
const outcome = (reply: Reply<unknown>): string => (reply.status === 200 ? 'won' : reply.refusal.code)

/** PostgreSQL keeps a plan under its name, so each exchanged text has one of its own. */
let exchanges = 0

/** Puts something else in the place of a statement; answers what puts it back. */
export function exchange(asked: Pick<Statement, 'name' | 'text'>, text: (text: string) => string): () => void {
  const kept = { ...asked }
  const other = text(asked.text)
  if (other === asked.text) throw new Error(`${asked.name} has nothing to exchange`)
  Object.assign(asked, { name: `${asked.name}.exchanged.${++exchanges}`, text: other })
  return () => void Object.assign(asked, kept)
}

/** Plays rounds until one goes wrong; whether one did. */
export async function goesWrong(round: () => Promise<boolean>, rounds: number): Promise<boolean> {
  for (let nth = 0; nth < rounds; nth++) if (await round()) return true
  return false
}

/** How often each stands in a list: `2 won, 48 operation.step`. */
export const tallied = (all: readonly string[]): string =>
  [...Map.groupBy(all, one => one)].map(([one, those]) => `${those.length} ${one}`).join(', ')

// The last places of a delivery day ---------------------------------------------------------------------------------------

/** A customer with an account who is signed in, and a vehicle with four tyres in stock. */
export type Guest = Principal & { readonly vehicle: number; readonly tyres: readonly number[] }

/** So many customers at the first site. */
export async function invite(w: World, count: number): Promise<Guest[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  const rows = await w.query<{ nth: number; customer: number; account: number; vehicle: number; tyres: number[] }>(
    `with guest as (
       select nth, hash, nextval(pg_get_serial_sequence('customer', 'id'))::int as customer,
         nextval(pg_get_serial_sequence('account', 'id'))::int as account, nextval(pg_get_serial_sequence('vehicle', 'id'))::int as vehicle
       from unnest($2::bytea[]) with ordinality as g(hash, nth)),
     owner as (insert into customer (site_id, id, name) select $1, customer, 'Guest ' || customer from guest),
     login as (
       insert into account (id, site_id, customer_id, username, fullname, type, language, password)
       select account, $1, customer, 'guest-' || account, 'Guest', 'user', 'eng', '' from guest),
     signed as (
       insert into session (token_hash, account_id, site_id, created_at, seen_at) select hash, account, $1, $3, $3 from guest),
     car as (
       insert into vehicle (site_id, id, customer_id, license_plate, brand, description, type, config_id)
       select $1, vehicle, customer, 'GUEST' || vehicle, 'Volvo', 'V60', 'car', $4 from guest),
     wheel as (
       insert into tyre (site_id, customer_id, vehicle_id, article_id, position, description, tyre_set, status, status_date)
       select $1, customer, vehicle, $5, position, 'Alpin 6', 'Winter', 'in_stock', $3::date
       from guest, unnest(array['1A', '1B', '2A', '2B']) position
       returning id, vehicle_id)
     select nth::int, customer, account, vehicle, array(select id from wheel where vehicle_id = vehicle order by id) as tyres
     from guest order by nth`,
    [
      w.sites.home,
      tokens.map(token => createHash('sha256').update(token).digest()),
      w.clock.now,
      w.configs.home,
      w.articles.home,
    ],
  )
  return rows.map(({ nth, customer, account, vehicle, tyres }) => ({
    ...w.who.a,
    name: `guest-${account}`,
    account,
    customer,
    cookie: `wheelhouse=${tokens[nth - 1]}`,
    vehicle,
    tyres,
  }))
}

/** The clock of the portal, with nobody signed out by it. */
export async function beAt(w: World, now: Date): Promise<void> {
  w.clock.now = now
  await w.query('update session set created_at = $1, seen_at = $1', [now])
}

/** What a guest asks for: a recall that is pending is to be submitted for this day. */
type Asked = { guest: Guest; day: string }

/**
 * All submit at once; answers who got a place and when that was. At `clockChange` the clock is set to another time while the
 * first half is being answered, before the second half asks.
 */
export async function submitAtOnce(
  w: World,
  transport: number,
  asked: readonly Asked[],
  clockChange?: Date,
): Promise<{ outcomes: string[]; taken: { day: string; at: Date }[] }> {
  await w.query('delete from operation where site_id = $1', [w.sites.home])
  const made = await w.query<{ id: number }>(
    `with asked as (
       select nth, day, customer, vehicle, nextval(pg_get_serial_sequence('operation', 'id'))::int as id
       from unnest($2::date[], $3::int[], $4::int[]) with ordinality as a(day, customer, vehicle, nth)),
     recall as (
       insert into operation (site_id, id, customer_id, vehicle_id, type, status, tyre_count, transport_id, delivery_date, created_at, updated_at)
       select $1, id, customer, vehicle, 'to_customer', 'pending', 4, $5, day, $6, $6 from asked),
     held as (
       insert into operation_tyre (site_id, operation_id, tyre_id, customer_id)
       select $1, a.id, t.id, a.customer from asked a join tyre t on t.vehicle_id = a.vehicle)
     select id from asked order by nth`,
    [
      w.sites.home,
      asked.map(({ day }) => day),
      asked.map(({ guest }) => guest.customer),
      asked.map(({ guest }) => guest.vehicle),
      transport,
      w.clock.now,
    ],
  )
  const submit = (nth: number): Promise<Reply<unknown>> =>
    w.send(calls.update.path, (asked[nth] as Asked).guest, { operation: { _id: made[nth]?.id, status: 'submitted' } })
  const half = clockChange ? Math.ceil(asked.length / 2) : asked.length
  const first = made.slice(0, half).map((_, nth) => submit(nth))
  if (clockChange) {
    await Promise.race(first)
    w.clock.now = clockChange
  }
  const replies = await Promise.all([...first, ...made.slice(half).map((_, nth) => submit(half + nth))])
  const taken = await w.query<{ day: string; at: Date }>(
    `select delivery_date::text as day, submitted_at as at from operation where transport_id = $1 and status = 'submitted'`,
    [transport],
  )
  return { outcomes: replies.map(outcome), taken }
}

/** Counts the places of a day after they were given away, as if nobody else asked: what happens without the lock of its row. */
export async function withoutCounting(w: World, work: () => Promise<boolean>): Promise<boolean> {
  const [{ body } = { body: '' }] = await w.query<{ body: string }>(
    `select pg_get_functiondef('count_transport_day'::regproc) as body`,
  )
  await w.query(`create or replace function count_transport_day() returns trigger language plpgsql as $$ begin
    if new.status = 'submitted' and (select count(*) from operation o where o.transport_id = new.transport_id and o.status = 'submitted')
      > (select operations_per_day from transport_method m where m.id = new.transport_id) then
      raise exception 'no place left on this day' using errcode = 'WH001';
    end if; return null; end $$`)
  try {
    return await work()
  } finally {
    await w.query(body)
  }
}

// Steps on one operation ---------------------------------------------------------------------------------------------------

const steps = ['confirm', 'cancel', 'submit', 'undo', 'delete'] as const
export type RacedStep = (typeof steps)[number]

/** What became of an operation on which many steps were taken at once. */
type Fate = {
  replies: Map<RacedStep, string[]>
  /** `null` when it is gone. */
  status: string | null
  /** Its steps in the audit. */
  audited: RacedStep[]
  documents: number
}

/** Takes these steps on one operation at the same moment, by whoever may take them. */
export async function stepAtOnce(
  w: World,
  from: 'pending' | 'submitted',
  wanted: readonly RacedStep[],
): Promise<Fate & { made: Made }> {
  const made = await addOperation(w, { status: from, scanned: true })
  const operation = { _id: made.id }
  const ask = (step: RacedStep, nth: number): Promise<Reply<unknown>> => {
    const person = nth % 2 ? w.who.admin : w.who.a
    if (step === 'confirm')
      return w.send(calls.confirm.path, w.who.admin, { operation, ...(nth % 3 === 0 && { here: 'all' }) })
    if (step === 'cancel') return w.send(calls.cancel.path, w.who.admin, { operation })
    if (step === 'undo')
      return w.send(calls.update.path, w.who.admin, { operation: { ...operation, status: 'pending' } })
    if (step === 'submit')
      return w.send(calls.update.path, person, { operation: { ...operation, status: 'submitted' } })
    return w.send(calls.delete.path, person, { operation })
  }
  const replies = await Promise.all(wanted.map(async (step, nth) => [step, outcome(await ask(step, nth))] as const))
  const [fate] = await w.query<{ status: string | null; audited: RacedStep[]; documents: number }>(
    `select (select status from operation where id = $1) as status,
       array(select split_part(action, '.', 2) from audit where subject = 'operation ' || $1 order by id) as audited,
       (select count(*)::int from document d where d.operation_id = $1) as documents`,
    [made.id],
  )
  const grouped = Map.groupBy(replies, ([step]) => step)
  return {
    made,
    replies: new Map([...grouped].map(([step, all]) => [step, all.map(([, what]) => what)])),
    ...(fate as { status: string | null; audited: RacedStep[]; documents: number }),
  }
}

const led = { confirm: 'confirmed', cancel: 'cancelled', submit: 'submitted', undo: 'pending', delete: null } as const
const begins = {
  confirm: 'submitted',
  cancel: 'submitted',
  submit: 'pending',
  undo: 'submitted',
  delete: 'pending',
} as const

/**
 * What is wrong with what became of it: each step that was answered as taken stands once in the audit, they follow each
 * other as a life of an operation does, the rest was told that it came too late, and a confirmation has one document.
 */
export function wrongWith(from: 'pending' | 'submitted', { replies, status, audited, documents }: Fate): string | null {
  const told = [...replies].map(([step, all]) => `${step}: ${tallied(all)}`).join('; ')
  const left = new Map(steps.map(step => [step, audited.filter(one => one === step).length]))
  // the order of the audit is that of its writing, and one order has to be possible
  let stands: string | null = from
  for (let taken = 0; taken < audited.length; taken++) {
    const next = steps.find(
      step =>
        (left.get(step) ?? 0) > 0 &&
        begins[step] === stands &&
        // what ends it comes last
        (step === 'submit' || step === 'undo' || taken === audited.length - 1),
    )
    if (!next) return `no life of an operation is ${audited.join(', ')} (${told})`
    left.set(next, (left.get(next) ?? 0) - 1)
    stands = led[next]
  }
  if (stands !== status) return `it is ${status} after ${audited.join(', ')} (${told})`
  for (const [step, all] of replies) {
    const won = all.filter(what => what === 'won').length
    const kept = audited.filter(one => one === step).length
    // to take a submission back that is none any more changes nothing, and is answered so
    if (step === 'undo' ? won < kept : won !== kept) return `${won} ${step} were answered, ${kept} audited (${told})`
    const odd = all.filter(
      what => what !== 'won' && what !== 'operation.step' && !(what === 'record.missing' && audited.includes('delete')),
    )
    if (odd.length > 0) return `${step} was told ${tallied(odd)}`
  }
  const confirmed = audited.filter(step => step === 'confirm').length
  if (documents !== confirmed) return `${documents} documents (${told})`
  return null
}

// What there can be only one of --------------------------------------------------------------------------------------------

/** Everybody adds a tyre on the same position of the same set. */
export async function fillOnePosition(w: World, count: number): Promise<{ outcomes: string[]; there: number }> {
  const vehicle = await w.addVehicle({})
  const replies = await Promise.all(
    Array.from({ length: count }, (_, nth) =>
      w.send(contract.tyres.add.path, nth % 2 ? w.who.admin : w.who.a, {
        flt_id: vehicle,
        tyre_set: 'Winter',
        tyres: [{ position: '1A', art_id: w.articles.home }],
      }),
    ),
  )
  const [row] = await w.query<{ n: number }>('select count(*)::int as n from tyre where vehicle_id = $1', [vehicle])
  return { outcomes: outcomes(replies), there: row?.n ?? 0 }
}

/** So many configurations, by their descriptions. */
export async function drawConfigurations(w: World, count: number): Promise<string[]> {
  const rows = await w.query<{ description: string }>(
    `insert into vehicle_config (site_id, description, axles)
     select site_id, 'Drawn ' || nth, axles from vehicle_config, generate_series(1, $2) nth where id = $1 returning description`,
    [w.configs.home, count],
  )
  return rows.map(row => row.description)
}

/** Everybody gives a vehicle that has none another configuration; answers how often it was told to be set, and changed after that. */
export async function configureOne(
  w: World,
  wanted: readonly string[],
): Promise<{ outcomes: string[]; kept: boolean }> {
  const vehicle = await w.addVehicle({ config: null })
  const replies = await Promise.all(
    wanted.map((configuration, nth) =>
      w.send(contract.fleet.update.path, nth % 2 ? w.who.admin : w.who.a, {
        vehicle: { flt_id: vehicle, configuration },
      }),
    ),
  )
  const [row] = await w.query<{ description: string }>(
    'select c.description from vehicle v join vehicle_config c on c.id = v.config_id where v.id = $1',
    [vehicle],
  )
  const first = replies.findIndex(reply => reply.status === 200)
  return { outcomes: outcomes(replies), kept: row?.description === wanted[first] }
}

/** Everybody makes an operation that has the same tyre among its own. */
export async function takeOneTyre(w: World, count: number): Promise<{ outcomes: string[]; open: number }> {
  const vehicle = await w.addVehicle({})
  const tyres = await w.addSet({ vehicle })
  const asks = [tyres, [tyres[3]], tyres.toReversed(), tyres.slice(2)]
  const replies = await Promise.all(
    Array.from({ length: count }, (_, nth) =>
      w.send(calls.new.path, nth % 2 ? w.who.admin : w.who.a, {
        operation: { flt_id: vehicle, tyres: asks[nth % asks.length], operationType: 'to_stock' },
      }),
    ),
  )
  const [row] = await w.query<{ n: number }>(
    'select count(*)::int as n from operation_tyre where tyre_id = $1 and open',
    [tyres[3]],
  )
  return { outcomes: outcomes(replies), open: row?.n ?? 0 }
}

/** Works while a trigger or an index that would stop a race is not there. */
export async function withoutConstraint(
  w: World,
  name: 'operation_tyre_open' | 'tyre_set_position' | 'vehicle_config_is_set_once',
  work: () => Promise<boolean>,
  clean: () => Promise<unknown>,
): Promise<boolean> {
  if (name === 'vehicle_config_is_set_once') {
    await w.query(`alter table vehicle disable trigger ${name}`)
    try {
      return await work()
    } finally {
      await w.query(`alter table vehicle enable trigger ${name}`)
    }
  }
  const [{ def } = { def: '' }] = await w.query<{ def: string }>(
    'select indexdef as def from pg_indexes where indexname = $1',
    [name],
  )
  await w.query(`drop index ${name}`)
  try {
    return await work()
  } finally {
    await clean()
    await w.query(def)
  }
}
