/**
 * Concurrent requests in rounds, for the tests of races and for the drills that run hundreds of rounds
 * (docs/promises.md "Races"). A round returns its outcomes.
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

/** PostgreSQL caches a plan by name, so each replaced text gets another name. */
let replacements = 0

/** Replaces the text of a statement; returns a function that restores it. */
export function replaceStatement(
  statement: Pick<Statement, 'name' | 'text'>,
  text: (text: string) => string,
): () => void {
  const before = { ...statement }
  const other = text(statement.text)
  if (other === statement.text) throw new Error(`${statement.name} has nothing to replace`)
  Object.assign(statement, { name: `${statement.name}.exchanged.${++replacements}`, text: other })
  return () => void Object.assign(statement, before)
}

/** Runs rounds until one fails. Returns whether one did. */
export async function failsWithin(round: () => Promise<boolean>, rounds: number): Promise<boolean> {
  for (let nth = 0; nth < rounds; nth++) if (await round()) return true
  return false
}

/** The number of each value in a list: `2 won, 48 operation.step`. */
export const tallied = (all: readonly string[]): string =>
  [...Map.groupBy(all, outcome => outcome)].map(([outcome, those]) => `${those.length} ${outcome}`).join(', ')

// The last places of a delivery day ---------------------------------------------------------------------------------------

/** A customer with a signed-in account, and a vehicle with four tyres in stock. */
export type RaceCustomer = Principal & { readonly vehicle: number; readonly tyres: readonly number[] }

/** Creates `count` customers at the first site. */
export async function createRaceCustomers(w: World, count: number): Promise<RaceCustomer[]> {
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

/** Sets the clock of the portal and keeps all sessions. */
export async function setClock(w: World, now: Date): Promise<void> {
  w.clock.now = now
  await w.query('update session set created_at = $1, seen_at = $1', [now])
}

/** A customer's request: submit a pending recall for this day. */
type SubmitRequest = { customer: RaceCustomer; day: string }

/**
 * All submit at once; returns who got a place and when. At `clockChange` the clock is set to another time while the
 * first half is being answered, before the second half submits.
 */
export async function submitAtOnce(
  w: World,
  transport: number,
  statement: readonly SubmitRequest[],
  clockChange?: Date,
): Promise<{ outcomes: string[]; taken: { day: string; at: Date }[] }> {
  await w.query('delete from operation where site_id = $1', [w.sites.home])
  const rows = await w.query<{ id: number }>(
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
      statement.map(({ day }) => day),
      statement.map(({ customer: guest }) => guest.customer),
      statement.map(({ customer: guest }) => guest.vehicle),
      transport,
      w.clock.now,
    ],
  )
  const submit = (nth: number): Promise<Reply<unknown>> =>
    w.send(calls.update.path, (statement[nth] as SubmitRequest).customer, {
      operation: { _id: rows[nth]?.id, status: 'submitted' },
    })
  const half = clockChange ? Math.ceil(statement.length / 2) : statement.length
  const first = rows.slice(0, half).map((_, nth) => submit(nth))
  if (clockChange) {
    await Promise.race(first)
    w.clock.now = clockChange
  }
  const replies = await Promise.all([...first, ...rows.slice(half).map((_, nth) => submit(half + nth))])
  const taken = await w.query<{ day: string; at: Date }>(
    `select delivery_date::text as day, submitted_at as at from operation where transport_id = $1 and status = 'submitted'`,
    [transport],
  )
  return { outcomes: replies.map(outcome), taken }
}

/** Counts the places of a day without the lock of its row, as a negative control. */
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

/** The outcome of concurrent steps on one operation. */
type StepOutcome = {
  replies: Map<RacedStep, string[]>
  /** `null` when it is gone. */
  status: string | null
  /** Its steps in the audit. */
  audited: RacedStep[]
  documents: number
}

/** Takes these steps on one operation at once, each by an allowed caller. */
export async function stepAtOnce(
  w: World,
  from: 'pending' | 'submitted',
  steps: readonly RacedStep[],
): Promise<StepOutcome & { made: Made }> {
  const created = await addOperation(w, { status: from, scanned: true })
  const operation = { _id: created.id }
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
  const replies = await Promise.all(steps.map(async (step, nth) => [step, outcome(await ask(step, nth))] as const))
  const [outcomes] = await w.query<{ status: string | null; audited: RacedStep[]; documents: number }>(
    `select (select status from operation where id = $1) as status,
       array(select split_part(action, '.', 2) from audit where subject = 'operation ' || $1 order by id) as audited,
       (select count(*)::int from document d where d.operation_id = $1) as documents`,
    [created.id],
  )
  const grouped = Map.groupBy(replies, ([step]) => step)
  return {
    made: created,
    replies: new Map([...grouped].map(([step, all]) => [step, all.map(([, what]) => what)])),
    ...(outcomes as { status: string | null; audited: RacedStep[]; documents: number }),
  }
}

const resultOf = {
  confirm: 'confirmed',
  cancel: 'cancelled',
  submit: 'submitted',
  undo: 'pending',
  delete: null,
} as const
const startOf = {
  confirm: 'submitted',
  cancel: 'submitted',
  submit: 'pending',
  undo: 'submitted',
  delete: 'pending',
} as const

/**
 * Violations in the outcome: each acknowledged step must be in the audit once, the steps must be a valid sequence,
 * the others must be refused as too late, and a confirmation has one document.
 */
export function violationOf(
  from: 'pending' | 'submitted',
  { replies, status, audited, documents }: StepOutcome,
): string | null {
  const repliesText = [...replies].map(([step, all]) => `${step}: ${tallied(all)}`).join('; ')
  const remaining = new Map(steps.map(step => [step, audited.filter(entry => entry === step).length]))
  // the audit is ordered by writing; some valid order must exist
  let actualStatus: string | null = from
  for (let taken = 0; taken < audited.length; taken++) {
    const next = steps.find(
      step =>
        (remaining.get(step) ?? 0) > 0 &&
        startOf[step] === actualStatus &&
        // a final step is last
        (step === 'submit' || step === 'undo' || taken === audited.length - 1),
    )
    if (!next) return `no valid sequence: ${audited.join(', ')} (${repliesText})`
    remaining.set(next, (remaining.get(next) ?? 0) - 1)
    actualStatus = resultOf[next]
  }
  if (actualStatus !== status) return `it is ${status} after ${audited.join(', ')} (${repliesText})`
  for (const [step, all] of replies) {
    const won = all.filter(what => what === 'won').length
    const before = audited.filter(entry => entry === step).length
    // undoing an operation that is no longer submitted succeeds without a change
    if (step === 'undo' ? won < before : won !== before)
      return `${won} ${step} were answered, ${before} audited (${repliesText})`
    const odd = all.filter(
      what => what !== 'won' && what !== 'operation.step' && !(what === 'record.missing' && audited.includes('delete')),
    )
    if (odd.length > 0) return `${step} was told ${tallied(odd)}`
  }
  const confirmed = audited.filter(step => step === 'confirm').length
  if (documents !== confirmed) return `${documents} documents (${repliesText})`
  return null
}

// Unique records --------------------------------------------------------------------------------------------

/** All add a tyre on the same position of the same set. */
export async function fillOnePosition(w: World, count: number): Promise<{ outcomes: string[]; count: number }> {
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
  return { outcomes: outcomes(replies), count: row?.n ?? 0 }
}

/** Creates `count` configurations and returns their descriptions. */
export async function drawConfigurations(w: World, count: number): Promise<string[]> {
  const rows = await w.query<{ description: string }>(
    `insert into vehicle_config (site_id, description, axles)
     select site_id, 'Drawn ' || nth, axles from vehicle_config, generate_series(1, $2) nth where id = $1 returning description`,
    [w.configs.home, count],
  )
  return rows.map(row => row.description)
}

/** All set a different configuration of a vehicle without one. `kept`: the first acknowledged one was not changed afterwards. */
export async function configureOne(w: World, steps: readonly string[]): Promise<{ outcomes: string[]; kept: boolean }> {
  const vehicle = await w.addVehicle({ config: null })
  const replies = await Promise.all(
    steps.map((configuration, nth) =>
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
  return { outcomes: outcomes(replies), kept: row?.description === steps[first] }
}

/** All create an operation with the same tyre. */
export async function claimOneTyre(w: World, count: number): Promise<{ outcomes: string[]; open: number }> {
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

/** Runs `work` without a trigger or index that would prevent a race. */
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
