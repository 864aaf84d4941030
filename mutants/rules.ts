/**
 * Rules of the trade, each with the smallest change that breaks it, and the files of tests that have to notice. `npm run mutants`
 * breaks them one at a time (docs/testing.md "Broken rules"). A text that is not in its file exactly once is refused, so that the table
 * follows the code: mutants/rules.test.ts.
 */

export type Rule = {
  /** The rule that is broken. */
  readonly rule: string
  readonly file: string
  readonly find: string
  readonly put: string
  /** The nearest tests, each a file. */
  readonly tests: readonly string[]
}

const feature = (name: string): string => `src/server/features/${name}`
const domain = (file: string): Pick<Rule, 'file' | 'tests'> => ({
  file: `src/domain/${file}.ts`,
  tests: [`src/domain/${file}.test.ts`],
})
const audited = [feature('audit/audited.test.ts')]

export const rules: readonly Rule[] = [
  // what leaves the hall
  {
    rule: 'one wheel left behind keeps a transport back',
    ...domain('warehouse/gate'),
    find: 'left_behind: ({ loaded, waiting }) => loaded === 0 && waiting > 0',
    put: 'left_behind: ({ loaded, waiting }) => loaded === 0 && waiting > 1',
  },
  {
    rule: 'a set does not leave in part',
    ...domain('warehouse/gate'),
    find: 'loaded > 0 && waiting + other > 0',
    put: 'loaded > 0 && waiting + other > 1',
  },
  {
    rule: 'a wheel without a recall passes with no reason',
    ...domain('warehouse/gate'),
    find: "const overridable = ['other_transport',",
    put: "const overridable = ['not_recalled', 'other_transport',",
  },
  {
    rule: 'the gate stops a worn wheel',
    ...domain('warehouse/gate'),
    find: "verdict === 'illegal' || verdict === 'worn'",
    put: "verdict === 'illegal'",
  },
  {
    rule: 'a wheel of another day does not pass the gate',
    ...domain('warehouse/gate'),
    find: "if (!isSameLoad(wheel.load, load)) return 'other_day'",
    put: '',
  },
  {
    rule: 'an account of the warehouse overrides no stop',
    file: feature('gate/gate.ts'),
    find: 'if (warehouse && reason !== null)',
    put: 'if (false)',
    tests: [feature('gate/gate.test.ts'), feature('customers/warehouse.test.ts')],
  },
  {
    rule: 'a wave takes no more than it may',
    ...domain('warehouse/wave'),
    find: 'if (count + size > most) continue',
    put: 'if (count > most) continue',
  },
  {
    rule: 'a wheel of another set is not picked',
    ...domain('warehouse/wave'),
    find: "return wheel.line === line ? 'picked' : 'other_set'",
    put: "return 'picked'",
  },
  {
    rule: 'a scrapped wheel is handed to nobody',
    file: 'src/domain/tyres/wheel.ts',
    tests: [feature('wheels/wheel.states.test.ts')],
    find: "hand_back: [{ from: ['received', 'on_cart'], to: 'with_customer' }]",
    put: "hand_back: [{ from: ['received', 'on_cart', 'scrapped'], to: 'with_customer' }]",
  },
  {
    rule: 'the database lets no scrapped wheel be handed back',
    file: 'db/migrations/0037_wheels.sql',
    find: "'hand_back: received > with_customer',",
    put: "'hand_back: received > with_customer', 'hand_back: scrapped > with_customer',",
    tests: [feature('wheels/wheel.states.test.ts')],
  },
  // operations
  {
    rule: 'a customer undoes no submission as an administrator does',
    ...domain('operations/operation'),
    find: "undo: { from: 'submitted', to: 'pending', by: ['admin'] }",
    put: "undo: { from: 'submitted', to: 'pending', by: ['user', 'admin'] }",
  },
  {
    rule: 'a blocked service stays on its operation',
    ...domain('operations/operation'),
    find: 'return service?.blocked !== true',
    put: 'return true',
  },
  {
    rule: 'a customer takes nothing back that the warehouse has begun with',
    file: feature('operations/operations.ts'),
    find: "if (begun) throw new Failure('operation.begun')",
    put: '',
    tests: [feature('operations/operations.test.ts'), feature('operations/takenBack.test.ts')],
  },
  {
    rule: 'nothing is confirmed as a whole that is missing',
    file: feature('operations/operations.ts'),
    find: "if (unsaid.length > 0) throw new Failure('operation.not_scanned', { tyres: unsaid })",
    put: '',
    tests: [feature('operations/missing.test.ts'), feature('operations/operations.test.ts')],
  },
  {
    rule: 'the warehouse confirms without a missing tyre only where its site lets it',
    file: feature('operations/operations.ts'),
    find: 'if (missing.length > 0 && saysMissing && !mayConfirmMissing(who, site))',
    put: 'if (saysMissing && missing.length < 0)',
    tests: [feature('operations/missing.test.ts')],
  },
  {
    rule: 'a delivery is not missed before its day',
    file: feature('operations/operations.ts'),
    find: "if (day > thisDay) throw new Failure('operation.not_due')",
    put: '',
    tests: [feature('charges/charges.test.ts')],
  },
  {
    rule: 'a tyre in an open operation is in no other',
    ...domain('tyres/tyre'),
    find: '(tyre.operation ?? null) === null && ',
    put: '',
  },
  {
    rule: 'waste is not recalled',
    ...domain('tyres/tyre'),
    find: "to_customer: ['waste', 'at_customer', 'on_vehicle'],",
    put: "to_customer: ['at_customer', 'on_vehicle'],",
  },
  // days
  {
    rule: 'a day with all its tyres is full',
    ...domain('operations/delivery'),
    find: 'taken.tyres >= tyresPerDay',
    put: 'taken.tyres > tyresPerDay',
  },
  {
    rule: 'a closed day delivers nothing',
    ...domain('operations/delivery'),
    find: "if (at.closedDays.includes(date)) return 'delivery.closed'",
    put: '',
  },
  {
    rule: 'after the cut-off a day later is the first',
    ...domain('operations/delivery'),
    find: 'if (time >= cutoffHour) return addDays(date, 1)',
    put: 'if (time > cutoffHour) return addDays(date, 1)',
  },
  {
    rule: 'the database refuses a day with all its tyres',
    file: 'db/functions/count_transport_day.sql',
    find: 'taken.tyres - new.tyre_count >= m.tyres_per_day',
    put: 'taken.tyres - new.tyre_count > m.tyres_per_day',
    tests: [feature('operations/arrivals.test.ts')],
  },
  {
    rule: 'the database refuses a day with all its operations',
    file: 'db/functions/count_transport_day.sql',
    find: 'taken.operations > m.operations_per_day',
    put: 'taken.operations > m.operations_per_day + 1',
    tests: [feature('operations/arrivals.test.ts')],
  },
  {
    rule: 'the King’s birthday on a Sunday is celebrated on Saturday',
    ...domain('operations/closedDays'),
    find: 'weekday(birthday) === 0 ? addDays(birthday, -1)',
    put: 'weekday(birthday) === 0 ? addDays(birthday, 1)',
  },
  // tread
  {
    rule: 'a depth on a limit is not below it',
    ...domain('tyres/tread'),
    find: "if (depth < legal) return 'illegal'",
    put: "if (depth <= legal) return 'illegal'",
  },
  {
    rule: 'a customer’s limit counts where it is the highest',
    ...domain('tyres/tread'),
    find: 'Math.max(legal, own, customer)',
    put: 'Math.max(legal, own)',
  },
  {
    rule: 'a winter tyre has its winter minimum in the winter alone',
    ...domain('tyres/tread'),
    find: 'verified && forSnow && isInWinter(law, at.date)',
    put: 'verified && forSnow',
  },
  {
    rule: 'a tyre is old after six years',
    ...domain('tyres/dot'),
    find: 'const yearsOf = { old: 6,',
    put: 'const yearsOf = { old: 7,',
  },
  {
    rule: 'a tyre was not retreaded before it was made',
    ...domain('tyres/dot'),
    find: 'producedOn && retreadedOn && retreadedOn < producedOn',
    put: 'false',
  },
  {
    rule: 'a reading is clamped to ten millimetres',
    ...domain('tyres/tyre'),
    find: 'Math.min(depth.max, Math.max(depth.min, value))',
    put: 'Math.max(depth.min, value)',
  },
  // money
  {
    rule: 'a customer’s own rule goes before the site’s',
    ...domain('money/tariff'),
    find: 'Number(rule.own) * 8 +',
    put: '',
  },
  {
    rule: 'a document of nothing owes no minimum',
    ...domain('money/tariff'),
    find: 'amount > 0 ? Math.max(0, centsOf(minimum)',
    put: 'true ? Math.max(0, centsOf(minimum)',
  },
  {
    rule: 'nothing is charged twice: a charge has one state',
    file: 'db/migrations/0084_charges.sql',
    find: 'create unique index one_state_a_charge',
    put: 'create index one_state_a_charge',
    tests: [feature('charges/charges.test.ts')],
  },
  {
    rule: 'a settled charge that is waived is refused in words',
    file: 'src/server/db/database.ts',
    find: "one_state_a_charge: 'charge.settled',",
    put: '',
    tests: [feature('charges/charges.test.ts')],
  },
  {
    rule: 'a charge is corrected once',
    file: feature('charges/charges.ts'),
    find: "if (countered) throw new Failure('charge.countered')",
    put: "if (countered) throw new Failure('charge.not_charged')",
    tests: [feature('charges/charges.test.ts')],
  },
  {
    rule: 'a billing run makes no document of another amount than its preview',
    file: feature('billing/work.ts'),
    find: 'amount === customer.amount &&',
    put: '',
    tests: [feature('billing/billing.test.ts')],
  },
  {
    rule: 'a billing run makes no document of other tyres than its preview',
    file: feature('billing/work.ts'),
    find: 'tyreCount(tyres) === customer.tyres &&',
    put: '',
    tests: [feature('billing/billing.test.ts')],
  },
  {
    rule: 'a season is owed once a stay from before it has more than its days of grace',
    ...domain('money/tariff'),
    find: 'last - since + 1 > rule.graceDays',
    put: 'last - since > rule.graceDays',
  },
  {
    rule: 'a season that is charged is not charged again',
    ...domain('money/tariff'),
    find: 'if (paid) return { document: paid[1] }',
    put: '',
  },
  {
    rule: 'who comes back in a period that has begun owes nothing more',
    ...domain('money/tariff'),
    find: 'const cover = { until: end ?? to, due: newDue }',
    put: 'const cover = { until: to, due: newDue }',
  },
  {
    rule: 'a day that a document charges for one wheel of a set is not charged for another',
    file: 'src/domain/money/tariff.ts',
    find: 'const payer = isOfSet ? payerOf',
    put: 'const payer = false ? payerOf',
    tests: [feature('billing/runDays.test.ts')],
  },
  {
    rule: 'a day of a set on which another wheel was there is no credit',
    file: 'db/functions/unit_days.sql',
    find: 'from (select distinct tyre_id from one) wheel',
    put: 'from (select tyre_id from one limit 1) wheel',
    tests: [feature('invoicing/storedDays.test.ts')],
  },
  {
    rule: 'days before an arrival that is corrected are credit',
    file: 'db/functions/settle_stay.sql',
    find: 'or l.since < new.since)',
    put: ')',
    tests: [feature('billing/corrections.test.ts')],
  },
  {
    rule: 'a period on whose first day nothing was there is none',
    file: 'db/functions/wrong_since.sql',
    find: 'where not days @> first::date',
    put: 'where false',
    tests: [feature('billing/corrections.test.ts')],
  },
  {
    rule: 'a period that is paid for a wheel is paid on another vehicle',
    file: 'src/domain/money/tariff.ts',
    find: 'const earlier = new Set(its.flatMap(({ id }) => ofTyre.get(id) ?? []))',
    put: 'const earlier = new Set<{ rows: T[] }>()',
    tests: [feature('billing/corrections.test.ts')],
  },
  {
    rule: 'a wheel that is refitted leaves its days with the former vehicle',
    file: feature('moves/moves.sql.ts'),
    find: 'as parts\n',
    put: 'and false as parts\n',
    tests: [feature('billing/corrections.test.ts')],
  },
  {
    rule: 'a run that is discarded makes no documents',
    ...domain('money/billingRun'),
    find: "make: { from: ['ready'], to: 'making' }",
    put: "make: { from: ['ready', 'discarded'], to: 'making' }",
  },
  {
    rule: 'an amount five times the last is remarked',
    ...domain('money/billingRun'),
    find: 'const unusualFactor = 5',
    put: 'const unusualFactor = 6',
  },
  {
    rule: 'VAT is rounded once for each rate, halves away from zero',
    ...domain('money/invoice'),
    find: 'Math.floor((Math.abs(dividend) * 2 + divisor) / (2 * divisor))',
    put: 'Math.floor(Math.abs(dividend) / divisor)',
  },
  {
    rule: 'nobody owes VAT by reverse charge within one country',
    ...domain('money/invoice'),
    find: ' || seller.country === buyer.country) return false',
    put: ') return false',
  },
  {
    rule: 'credit notes come to their invoice and never to more',
    ...domain('money/invoice'),
    find: 'taxable: total.taxable - (was?.taxable ?? 0), vat: total.vat - (was?.vat ?? 0)',
    put: 'taxable: total.taxable - (was?.taxable ?? 0)',
  },
  {
    rule: 'a line of an invoice is credited once',
    file: 'db/migrations/0095_partial_credit.sql',
    find: 'create unique index invoice_line_credited_once',
    put: 'create index invoice_line_credited_once',
    tests: [feature('invoices/invoices.test.ts')],
  },
  {
    rule: 'an account number is mistyped when its check digits are wrong',
    ...domain('money/iban'),
    find: ' && mod97(iban.slice(4) + iban.slice(0, 4)) === 1',
    put: '',
  },
  {
    rule: 'nothing is paid by a code without an amount',
    ...domain('money/epcQr'),
    find: 'cents < 1 || ',
    put: '',
  },
  {
    rule: 'a Belgian number ends with its check digits',
    ...domain('money/vat'),
    find: '&& 97 - (Number(number.slice(0, 8)) % 97) === Number(number.slice(8))',
    put: '',
  },
  {
    rule: 'a line of the bank does not pay for another customer than its account',
    ...domain('money/bankMatch'),
    find: "if (payers.size > 0 && !payers.has(customer)) return 'other_payer'",
    put: '',
  },
  {
    rule: 'a part of an invoice is believed only from whom it can be',
    ...domain('money/bankMatch'),
    find: 'if (payers.size === 0 || invoices.length > 1)',
    put: 'if (invoices.length > 1)',
  },
  {
    rule: 'money in another currency pays nothing by itself',
    ...domain('money/bankMatch'),
    find: "if (line.currency !== 'EUR') return ask('currency')",
    put: '',
  },
  {
    rule: 'of twins an amount pays none',
    ...domain('money/bankMatch'),
    find: 'if (same.length === 1) return',
    put: 'if (same.length > 0) return',
  },
  {
    rule: 'levels of reminders lie apart',
    ...domain('money/reminder'),
    find: 'if (last && reminded !== null && daysBetween(reminded, today) < next.days - last.days) return null',
    put: '',
  },
  // whose it is
  {
    rule: 'a customer names no other customer',
    file: feature('customers/customers.ts'),
    find: "if (named !== undefined && named !== who.customer) throw new Failure('record.missing')",
    put: '',
    tests: [feature('customers/acting.test.ts')],
  },
  {
    rule: 'a customer’s account has its own customer, whatever it names',
    file: feature('customers/customers.ts'),
    find: "if (who.type !== 'user') return named ?? null",
    put: 'return named ?? who.customer',
    tests: [feature('customers/acting.test.ts')],
  },
  {
    rule: 'a customer prints no labels of another',
    file: feature('fleet/labels.sql.ts'),
    find: ' and (:customer::int is null or t.customer_id = :customer)`',
    put: ' and (:customer::int is null or true)`',
    tests: [feature('fleet/labels.test.ts')],
  },
  {
    rule: 'a customer sees no pick-up that was withdrawn',
    file: feature('disposals/disposals.sql.ts'),
    find: 'and customer_id = :customer and stands group by',
    put: 'and customer_id = :customer group by',
    tests: [feature('disposals/disposals.test.ts')],
  },
  {
    rule: 'a customer gets no proof of a pick-up that was withdrawn',
    file: feature('disposals/disposals.sql.ts'),
    find: 'p.id = :pickup and p.withdrawn_at is null and exists (select from wheel)',
    put: 'p.id = :pickup and exists (select from wheel)',
    tests: [feature('disposals/disposals.test.ts')],
  },
  {
    rule: 'nobody gets the proof of a pick-up that was withdrawn',
    file: feature('disposals/disposals.sql.ts'),
    find: 'where p.site_id = :site and p.id = :pickup and p.withdrawn_at is null`',
    put: 'where p.site_id = :site and p.id = :pickup`',
    tests: [feature('disposals/disposals.test.ts')],
  },
  {
    rule: 'a proof shows a customer the own tyres alone',
    file: feature('disposals/disposals.sql.ts'),
    find: "wheels('and taken.customer_id = :customer')",
    put: "wheels('and (taken.customer_id = :customer or true)')",
    tests: [feature('disposals/disposals.test.ts')],
  },
  {
    rule: 'a site keeps an administrator who can sign in',
    file: feature('customers/accountRules.ts'),
    find: "if (!locked.disabled && !enabled.some(({ id }) => id !== account)) throw new Failure('account.last_admin')",
    put: '',
    tests: [feature('customers/accounts.test.ts')],
  },
  {
    rule: 'an export asks who is there, after a quarter of an hour',
    file: feature('security/fresh.ts'),
    find: "> freshMinutes * 60_000) throw new Failure('session.stale')",
    put: "> freshMinutes * 60_000_000) throw new Failure('session.stale')",
    tests: [feature('session/signIn.test.ts'), feature('people/people.test.ts')],
  },
  {
    rule: 'a cell of an export is no formula',
    ...domain('texts/cell'),
    find: '|\\s*[=+\\-@',
    put: '|\\s*[+\\-@',
  },
  {
    rule: 'a guessable password is refused',
    ...domain('people/password'),
    find: 'const leastStrength: Strength = 2',
    put: 'const leastStrength: Strength = 0',
  },
  // the audit
  {
    rule: 'the audit has each rule of the tariff that is added',
    file: feature('tariff/tariff.sql.ts'),
    find: ":afterDays, :service, :since, :until, :price, :vatRate,\n       nullif(:article, ''), :description, :now, :actor)\n     returning *\n   ), audited as (${audited('added')})",
    put: ":afterDays, :service, :since, :until, :price, :vatRate,\n       nullif(:article, ''), :description, :now, :actor)\n     returning *\n   ), audited as (${audited('added')} where false)",
    tests: audited,
  },
  {
    rule: 'the audit has each rule of the tariff that ends',
    file: feature('tariff/tariff.sql.ts'),
    find: "${audited('ended')}`",
    put: "${audited('ended')} where false`",
    tests: audited,
  },
  {
    rule: 'the audit has each rescheduling',
    file: feature('operations/operations.ts'),
    find: "action: 'operation.reschedule'",
    put: "action: ''",
    tests: audited,
  },
  {
    rule: 'the audit has each pick-up',
    file: feature('disposals/disposals.sql.ts'),
    find: 'from made, given group by made.id, customer)',
    put: 'from made, given where false group by made.id, customer)',
    tests: audited,
  },
  {
    rule: 'the audit has each pick-up that is withdrawn',
    file: feature('disposals/disposals.sql.ts'),
    find: "jsonb_build_object('reason', :reason::text) from withdrawn)",
    put: "jsonb_build_object('reason', :reason::text) from withdrawn where false)",
    tests: audited,
  },
  {
    rule: 'the audit has the end of each wave',
    file: feature('waves/waves.sql.ts'),
    find: "'wave.end', 'wave ' || id from ended`",
    put: "'wave.end', 'wave ' || id from ended where false`",
    tests: audited,
  },
  {
    rule: 'the audit has each wave that is planned',
    file: feature('waves/waves.sql.ts'),
    find: "'quantity', cardinality(:tyres::int[]))\n       from made",
    put: "'quantity', cardinality(:tyres::int[]))\n       from made where false",
    tests: [feature('waves/waves.test.ts')],
  },
  {
    rule: 'the audit has each load that leaves',
    file: feature('gate/gate.ts'),
    find: "await audit(at, 'leave', operations, { date: day, ...(stop && { reason }) })",
    put: '',
    tests: [feature('gate/gate.test.ts')],
  },
  {
    rule: 'the audit has each step of a billing run',
    file: feature('billing/billing.ts'),
    find: 'await audit({ tx, site, who, now }, input._id, action, facts)\n  return',
    put: 'return',
    tests: [feature('billing/billing.test.ts')],
  },
  {
    rule: 'the audit has each charge that is waived',
    file: feature('charges/charges.sql.ts'),
    find: 'from waived group by customer_id',
    put: 'from waived where false group by customer_id',
    tests: audited,
  },
]
