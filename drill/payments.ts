/**
 * docs/promises.md "Payments": of 10,000 lines of simulated bank statements none pays what it was not meant for, and those that say plainly what they are
 * for are matched. The simulation knows what each payer means, and writes it as people do: in parts, twice, with mistyped references and those of other
 * papers, from new accounts, under other names, in other currencies. The portal reads the files; what it says of each line is compared with what was meant.
 */
import { createHash } from 'node:crypto'
import { addDays } from '#domain/texts/date.ts'
import { formatCommunication, structuredCommunication } from '#domain/money/paymentReference.ts'
import { payments as calls } from '#contract/payments.ts'
import { camtFile, type CamtEntry } from '../src/server/testing/statements.ts'
import { chance, type Chance } from '../db/demo/chance.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'
import { type InProcessPortal, openInProcess } from './inProcess.ts'

export const promise = 60
export const summary = 'each bank line pays what it was meant for, or asks, and is imported once'

const linesPerFile = 500
const versions = ['02', '04', '08'] as const
const firstDay = '2026-03-01'
/** Storage of a set costs the same for most customers: many invoices are twins. */
const amounts = [4725, 6050, 12_100, 12_100, 18_150, 24_200, 30_250, 99_99, 145_20, 217_80]

type Invoice = { id: number; customer: number; number: string; reference: string; open: number }
type Payer = { customer: number; name: string; accounts: string[]; invoices: Invoice[] }
/** The purpose of a line. `null`: for no invoice. `plain`: nobody could mistake it, so it has to be matched. */
type Meaning = { kind: string; customer: number | null; invoice: Invoice | null; plain: boolean }
type Line = { entry: CamtEntry; meaning: Meaning }

const eur = (cents: number): string => (cents / 100).toFixed(2)
const iban = (nth: number): string => `BE${String((nth * 7) % 97).padStart(2, '0')}${String(nth).padStart(12, '0')}`

export async function run({ short, log }: DrillOptions): Promise<Result> {
  const { check, control, result } = tally(log)
  const by = chance('bank lines')
  const portal = await openInProcess()
  try {
    const world = await openWorld(portal, by, short)
    const seen = { kinds: new Map<string, { lines: number; matched: number }>(), refused: 0, slowest: 0 }
    const files = (short ? 1000 : 10_000) / linesPerFile
    for (let nth = 0; nth < files; nth++) await playFile(world, nth, { check, seen })
    await compareBalances(world, check)
    control('an amount that goes to the wrong customer', byAmountAlone(world.payers) > 0)
    const all = [...seen.kinds.values()]
    const lines = all.reduce((sum, kind) => sum + kind.lines, 0)
    const matched = all.reduce((sum, kind) => sum + kind.matched, 0)
    const words = [...seen.kinds].map(([kind, count]) => `${kind} ${count.matched}/${count.lines}`)
    return result(
      `${matched} of ${lines} lines matched, the rest asked; by kind: ${words.join(', ')}`,
      `${seen.refused} damaged files refused; the slowest file of ${linesPerFile} lines took ${seen.slowest.toFixed(0)} ms`,
    )
  } finally {
    await portal.close()
  }
}

type Simulation = {
  readonly portal: InProcessPortal
  readonly by: Chance
  readonly site: number
  readonly payers: readonly Payer[]
  readonly take: (file: Buffer) => Promise<{ status: number; text: string }>
}

async function openWorld(portal: InProcessPortal, by: Chance, short: boolean): Promise<Simulation> {
  const [{ site, username, host } = { site: 0, username: '', host: '' }] = await portal.sql<{
    site: number
    username: string
    host: string
  }>(
    `select s.id as site, a.username, (select min(nullif(host, '*')) from site_address where site_id = s.id) as host
     from site s join account a on a.site_id = s.id and a.type = 'admin' and a.disabled_at is null and not a.is_service and not a.warehouse_only
     order by s.id, a.id limit 1`,
  )
  const cookie = await portal.signIn(username, site)
  return {
    portal,
    by,
    site,
    payers: await books(portal, by, { site, customers: short ? 60 : 500, each: short ? 8 : 24 }),
    take: file => upload(portal, { cookie, host: host ?? 'localhost', file }),
  }
}

type Seen = { kinds: Map<string, { lines: number; matched: number }>; refused: number; slowest: number }

/** Imports a file damaged, whole, and three times more, and compares what came of it with what was meant. */
async function playFile(
  { portal, by, site, payers, take }: Simulation,
  nth: number,
  { check, seen }: { check: Tally['check']; seen: Seen },
): Promise<void> {
  const lines = Array.from({ length: linesPerFile }, (_, at) => line(by, payers, nth * linesPerFile + at))
  const entries = lines.map(({ entry }) => entry)
  const options = { version: by.pick(versions), id: `STMT-${nth}` }
  const file = camtFile(entries, options)
  const damaged = await take(harmed(by, file))
  seen.refused += damaged.status === 400 ? 1 : 0
  check(`file ${nth}, damaged`, damaged.status === 400 ? null : `was taken: ${damaged.text}`)
  const begun = performance.now()
  const answer = await take(file)
  seen.slowest = Math.max(seen.slowest, performance.now() - begun)
  if (answer.status !== 200) throw new Error(answer.text)
  const outcomes = await outcomesOf(portal, site)
  for (const [at, { meaning, entry }] of lines.entries()) {
    const outcome = outcomes[at]
    check(`file ${nth}, line ${at + 1} (${meaning.kind})`, fault(meaning, entry, outcome))
    const before = seen.kinds.get(meaning.kind) ?? { lines: 0, matched: 0 }
    const isMatched = outcome !== undefined && outcome.customer !== null
    seen.kinds.set(meaning.kind, { lines: before.lines + 1, matched: before.matched + (isMatched ? 1 : 0) })
    for (const part of outcome?.parts ?? []) settle(payers, part)
  }
  const before = await fingerprint(portal, site)
  // each line has a number of the bank, so that it is known in another statement, too
  for (const version of versions) await take(camtFile(entries, { version, id: 'again' }))
  check(`file ${nth}, three times more`, (await fingerprint(portal, site)) === before ? null : 'something has changed')
}

/** Customers with their accounts and invoices, in the database of the portal. */
async function books(
  portal: InProcessPortal,
  by: Chance,
  { site, customers, each }: { site: number; customers: number; each: number },
): Promise<Payer[]> {
  await portal.sql(
    `insert into payment_settings (site_id, followed_from) values ($1, '2026-01-01') on conflict (site_id) do update set followed_from = excluded.followed_from`,
    [site],
  )
  const payers: Payer[] = []
  let number = 0
  for (let nth = 0; nth < customers; nth++) {
    const name = `Drill Garage ${nth}`
    const [row] = await portal.sql<{ id: number }>(
      `insert into customer (site_id, name, company, code) values ($1, $2, $2, $3) returning id`,
      [site, name, `DRILL-${nth}`],
    )
    const customer = row?.id ?? 0
    const rows = Array.from({ length: each }, () => ({ number: ++number, gross: by.pick(amounts) }))
    const inserted = await portal.sql<{ id: number; number: number }>(
      `insert into invoice (site_id, customer_id, kind, series, year, number, issued_on, due_on, seller, buyer, net, vat, gross, breakdown, created_at, payment_reference)
       select $1, $2, 'invoice', 'Z', 2026, r.number, '2026-02-01', '2026-03-03', '{}', '{}', r.gross, 0, r.gross, '[]', now(), r.reference
       from jsonb_to_recordset($3::jsonb) as r (number int, gross numeric, reference text) returning id, number`,
      [
        site,
        customer,
        JSON.stringify(
          rows.map(r => ({ ...r, gross: r.gross / 100, reference: structuredCommunication(5_000_000 + r.number) })),
        ),
      ],
    )
    const grossOf = new Map(rows.map(r => [r.number, r.gross]))
    payers.push({
      customer,
      name,
      accounts: [iban(nth * 2 + 1), iban(nth * 2 + 2)],
      invoices: inserted.map(r => ({
        id: r.id,
        customer,
        number: `Z-2026-${String(r.number).padStart(5, '0')}`,
        reference: structuredCommunication(5_000_000 + r.number),
        open: grossOf.get(r.number) ?? 0,
      })),
    })
  }
  return payers
}

/** The kinds of lines, and how often of a hundred each comes. */
const kinds = [
  ['reference', 30],
  ['number', 8],
  ['account', 10],
  ['part', 10],
  ['too much', 3],
  ['twice', 5],
  ['mistyped', 8],
  ['of another paper', 6],
  ['of another customer', 6],
  ['new account', 5],
  ['currency', 3],
  ['reversal', 1],
  ['no invoice', 5],
] as const

function weighted(by: Chance): (typeof kinds)[number][0] {
  let at = by.between(0, kinds.reduce((sum, [, weight]) => sum + weight, 0) - 1)
  return kinds.find(([, weight]) => (at -= weight) < 0)?.[0] ?? 'reference'
}

type Payment = Omit<NonNullable<CamtEntry['payments']>[number], 'amount'>
/** How somebody pays: how much, how it is written, which invoice that names, and whether it is plain. `invoice` null: it names none. */
type Written = Payment & { amount: number; invoice?: Invoice | null; plain?: boolean; more?: Partial<CamtEntry> }
type Intent = {
  by: Chance
  payer: Payer
  payers: readonly Payer[]
  invoice: Invoice
  nth: number
  from: Payment
  named: Payment
}

/** How each kind of line is written. */
const written: Readonly<Record<(typeof kinds)[number][0], (intent: Intent) => Written>> = {
  reference: ({ invoice, from, named }) => ({ amount: invoice.open, ...from, ...named, plain: true }),
  number: ({ by, invoice, from }) => {
    const number = by.pick([invoice.number, invoice.number.replaceAll('-', ' '), invoice.number.replaceAll('-', '')])
    return { amount: invoice.open, ...from, message: `invoice ${number} thanks`, plain: true }
  },
  account: ({ invoice, from }) => ({ amount: invoice.open, ...from, message: 'storage', invoice: null }),
  part: ({ by, invoice, from, named }) => ({
    amount: Math.max(1, Math.floor(invoice.open * (0.2 + 0.6 * by.next()))),
    ...from,
    ...named,
  }),
  'too much': ({ by, invoice, from, named }) => ({
    amount: invoice.open + by.pick([100, 1000, 4725]),
    ...from,
    ...named,
  }),
  twice: ({ by, payer, invoice, from }) => {
    const again = payer.invoices.find(({ open }) => open === 0) ?? invoice
    return { amount: by.pick(amounts), ...from, reference: again.reference, invoice: again }
  },
  mistyped: ({ by, invoice: { open, reference }, from }) => {
    const at = by.between(0, 11)
    const digit = (Number(reference[at]) + by.between(1, 9)) % 10
    const typed = `${reference.slice(0, at)}${digit}${reference.slice(at + 1)}`
    return {
      amount: open,
      ...from,
      ...(by.likely(0.5) ? { reference: typed } : { message: formatCommunication(typed) }),
    }
  },
  // whatever the payer had in mind, the invoice that is named is paid
  'of another paper': ({ by, payer, invoice, from }) => {
    const other = by.pick(payer.invoices.filter(({ open }) => open > 0))
    return { amount: invoice.open, ...from, reference: other.reference, invoice: other }
  },
  'of another customer': ({ by, payer, payers, invoice, nth, from }) => ({
    amount: invoice.open,
    ...(by.likely(0.7) ? from : { payer: payer.name, account: iban(800_000 + nth) }),
    reference: by.pick(by.pick(payers).invoices).reference,
    invoice: null,
  }),
  'new account': ({ by, payer, invoice, nth, named }) => ({
    amount: invoice.open,
    payer: by.likely(0.5) ? payer.name : `Accountant ${nth}`,
    account: payer.accounts[1] ?? '',
    ...named,
    plain: true,
  }),
  currency: ({ by, invoice, from, named }) => ({
    amount: invoice.open,
    ...from,
    ...named,
    more: { currency: by.pick(['USD', 'GBP', 'CHF']) },
  }),
  reversal: ({ invoice, from, named }) => ({
    amount: invoice.open,
    ...from,
    ...named,
    more: { direction: 'DBIT', reversal: true },
  }),
  'no invoice': ({ by, nth }) => ({
    amount: by.pick(amounts),
    payer: `Stranger ${nth}`,
    account: iban(900_000 + nth),
    message: 'sale of a van',
  }),
}
const forNobody: readonly string[] = ['currency', 'reversal', 'no invoice']

/** A line as a payer writes it. Each has a number of the bank of its own, as real ones do. */
function line(by: Chance, payers: readonly Payer[], nth: number): Line {
  const payer = by.pick(payers)
  const open = payer.invoices.filter(candidate => candidate.open > 0)
  const invoice = open.length > 0 ? by.pick(open) : null
  const wanted = weighted(by)
  const kind = invoice ? wanted : 'no invoice'
  const intended = invoice ?? by.pick(payer.invoices)
  const { reference } = intended
  const {
    amount,
    invoice: named = intended,
    plain = false,
    more = {},
    ...payment
  } = written[kind]({
    by,
    payer,
    payers,
    invoice: intended,
    nth,
    from: { payer: payer.name, account: payer.accounts[0] ?? '' },
    named: by.likely(0.5) ? { reference } : { message: formatCommunication(reference) },
  })
  const meaning = forNobody.includes(kind)
    ? { kind, customer: null, invoice: null, plain: false }
    : { kind, customer: payer.customer, invoice: named, plain }
  const bank = `B${String(nth).padStart(8, '0')}`
  return {
    entry: { amount: eur(amount), booked: addDays(firstDay, Math.floor(nth / 40)), bank, payments: [payment], ...more },
    meaning,
  }
}

type Outcome = { customer: number | null; amount: number; parts: { invoice: number; amount: number }[] }

/** The outcomes of the last file's lines, in their order. */
async function outcomesOf(portal: InProcessPortal, site: number): Promise<Outcome[]> {
  return portal.sql<Outcome>(
    `select p.customer_id as customer, (l.amount * 100)::int as amount,
       coalesce((select json_agg(json_build_object('invoice', q.invoice_id, 'amount', (q.amount * 100)::int)) from payment_part q where q.site_id = p.site_id and q.payment_id = p.id), '[]') as parts
     from bank_line l left join payment p on p.site_id = l.site_id and p.line_id = l.id
     where l.site_id = $1 and l.file_id = (select max(id) from bank_file where site_id = $1) order by l.id`,
    [site],
  )
}

/** The fault in what the portal says of a line; null where it pays what was meant, or asks. */
function fault(
  { customer, invoice, plain, kind }: Meaning,
  entry: CamtEntry,
  outcome: Outcome | undefined,
): string | null {
  if (!outcome) return 'is not there'
  if (eur(outcome.amount) !== entry.amount) return `has ${eur(outcome.amount)} and not ${entry.amount}`
  if (outcome.customer === null)
    return plain && invoice && Number(entry.amount) * 100 === invoice.open ? 'asks, though it is plain' : null
  if (outcome.customer !== customer)
    return `pays for customer ${outcome.customer}, and was meant for ${customer ?? 'none'} (${kind})`
  const others = outcome.parts.filter(part => invoice !== null && part.invoice !== invoice.id)
  return others.length > 0 ? `pays invoice ${others[0]?.invoice}, and was meant for ${invoice?.id}` : null
}

function settle(payers: readonly Payer[], part: { invoice: number; amount: number }): void {
  for (const { invoices } of payers) {
    const invoice = invoices.find(({ id }) => id === part.invoice)
    if (invoice) invoice.open -= part.amount
  }
}

/** The rest of each invoice is what the simulation has counted, and never less than nothing. */
async function compareBalances({ portal, site, payers }: Simulation, check: Tally['check']): Promise<void> {
  const rows = await portal.sql<{ invoice_id: number; open: number }>(
    `select invoice_id, (open * 100)::int as open from invoice_balance where site_id = $1`,
    [site],
  )
  const open = new Map(rows.map(row => [row.invoice_id, row.open]))
  const wrong = payers
    .flatMap(({ invoices }) => invoices)
    .filter(invoice => open.get(invoice.id) !== invoice.open || invoice.open < 0)
  check(
    'what is left of the invoices',
    wrong.length === 0 ? null : `${wrong.length} differ, such as ${wrong[0]?.number}`,
  )
}

/** How many open invoices a rule would pay wrongly that goes by the amount alone, each with the sum that is open of it. */
function byAmountAlone(payers: readonly Payer[]): number {
  const open = payers.flatMap(({ invoices }) => invoices).filter(invoice => invoice.open > 0)
  return open.slice(0, 500).filter(invoice => {
    const first = open.find(other => other.open === invoice.open)
    const { customer = null, id = 0 } = first ?? {}
    const outcome = { customer, amount: invoice.open, parts: [{ invoice: id, amount: invoice.open }] }
    const meaning = { kind: 'amount', customer: invoice.customer, invoice, plain: false }
    return fault(meaning, { amount: eur(invoice.open) }, outcome) !== null
  }).length
}

async function fingerprint(portal: InProcessPortal, site: number): Promise<string> {
  const hash = createHash('sha256')
  for (const table of ['bank_file', 'bank_line', 'payment', 'payment_part', 'invoice_balance'])
    hash.update(JSON.stringify(await portal.sql(`select * from ${table} where site_id = $1 order by 2, 3`, [site])))
  return hash.digest('hex')
}

/** A file that is cut off, or in which an amount, a date or a tag is harmed. */
function harmed(by: Chance, file: Buffer): Buffer {
  const text = file.toString()
  return Buffer.from(
    by.pick([
      text.slice(0, Math.floor(text.length * (0.2 + 0.7 * by.next()))),
      text.replace(/<Amt Ccy="[A-Z]{3}">\d/, whole => `${whole.slice(0, -1)}-1`),
      text
        .replace(/<BookgDt><Dt>[\d-]+/, '<BookgDt><Dt>2026-02-30')
        .replace(/<ValDt><Dt>[\d-]+/, '<ValDt><Dt>yesterday'),
      text.replace('</Ntry>', '</Ntri>'),
      text.replace('camt.053', 'camt.054'),
    ]),
  )
}

async function upload(
  portal: InProcessPortal,
  { cookie, host, file }: { cookie: string; host: string; file: Buffer },
): Promise<{ status: number; text: string }> {
  const form = new FormData()
  form.append('name', 'statement.xml')
  form.append('file', new Blob([new Uint8Array(file)], { type: 'application/xml' }), 'statement.xml')
  const encoded = new Response(form)
  const reply = await portal.app.inject({
    method: 'POST',
    url: calls.take.path,
    headers: { host, cookie, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: reply.statusCode, text: reply.body }
}
