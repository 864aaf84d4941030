/** The actions that the audit records, and how an entry is described to a person (docs/product/calls.md "Audit"). */

import { jobKinds } from '../warehouse/clearUp.ts'
import { allSolutions, differences } from '../warehouse/count.ts'
import { damageCodes } from '../warehouse/damage.ts'
import { formatDate, isIsoDate } from '../texts/date.ts'
import { moneyIn } from '../texts/number.ts'
import { tariffKinds } from '../money/tariff.ts'

/** Every action that is recorded, by what it is done to. */
export const auditActions = {
  operation: [
    'new',
    'edit',
    'submit',
    'undo',
    'withdraw',
    'reschedule',
    'confirm',
    'cancel',
    'delete',
    'unscan',
    'closemissing',
    'noshow',
  ],
  vehicle: ['leave', 'new', 'update', 'inactivate', 'transfer'],
  tyre: ['add', 'set', 'respell', 'measure', 'unmeasure', 'remove', 'refit', 'dot', 'mount', 'unmount', 'remount'],
  odometer: ['record', 'withdraw'],
  driver: ['export', 'erase'],
  location: ['make', 'edit', 'remove', 'move', 'unmove', 'plan'],
  wheel: ['pick', 'miss', 'find', 'hand_back', 'close', 'settle', 'orphan', 'identify', 'dismiss'],
  damage: ['report', 'end', 'addphoto'],
  wave: ['plan', 'end'],
  gate: ['pass', 'leave', 'sign'],
  invoicing: ['inject', 'mark', 'clear', 'undo', 'waive', 'unwaive', 'withdraw', 'credit'],
  invoice: ['make', 'credit', 'setup', 'buyer', 'mapping', 'send'],
  payment: ['setup', 'record', 'writeoff', 'allocate', 'refund', 'undo', 'import', 'undofile', 'answer', 'setaside'],
  reminder: ['setup', 'send', 'stop', 'unstop'],
  tariff: ['add', 'end', 'remove'],
  charge: ['waive', 'unwaive', 'counter'],
  billing: ['begin', 'make', 'cancel', 'resume', 'undo', 'mail'],
  count: ['start', 'end', 'solve'],
  papers: ['sign', 'mail', 'save'],
  pickup: ['record', 'edit', 'withdraw'],
  customer: ['create', 'edit'],
  account: ['create', 'edit', 'disable', 'enable', 'password', 'link', 'factors', 'unlink', 'export', 'erase'],
  article: ['add', 'edit', 'retire', 'restore', 'merge'],
  import: ['vehicles', 'tyres', 'articles', 'customers', 'locations', 'services', 'accounts', 'odometers', 'undo'],
  config: ['edit', 'image'],
  signOn: ['save', 'remove'],
  webhook: ['add', 'edit', 'rotate', 'remove'],
  vehicleConfig: ['add', 'edit', 'remove'],
  labelReport: ['add', 'edit', 'remove'],
  site: ['create', 'retire'],
  translation: ['create', 'update', 'delete', 'forget'],
} as const
export type AuditGroup = keyof typeof auditActions
export type AuditVerb<G extends AuditGroup> = (typeof auditActions)[G][number]
export type AuditAction = { [G in AuditGroup]: `${G}.${AuditVerb<G>}` }[AuditGroup]
export const auditGroups = Object.keys(auditActions) as AuditGroup[]

/** The groups that a superuser sees: sites with their administrators, and the dictionary; never a customer's data. */
export const superuserGroups = ['site', 'config', 'account', 'translation'] as const satisfies readonly AuditGroup[]

/** Whether this is one of `auditActions`, written `group.verb`. */
export function isAuditAction(action: string): boolean {
  const [group = '', verb = '', ...rest] = action.split('.')
  return (
    rest.length === 0 && Object.hasOwn(auditActions, group) && (auditActions as Verbs)[group]?.includes(verb) === true
  )
}
type Verbs = Record<string, readonly string[]>

/** The facts that have a text of their own. Those of a configuration, and of a vehicle, have the texts of its form. */
const named = new Set(
  `account added amount automatic axle_height axle_width axles before bolts capacity carried changed charges city claim client_id code companyname
   config_id created_at created_by customer customers damage date days deliveryDate document description description_de description_en description_fr
   description_nl driver_email driver_mobile driver_name driver_telephone email favicon fields file followed_from forgotten from fullname
   host how icon issuer kind km landinglogo lang layout levels license_plate maxDiameter maxWeight maxWidth made matched missing mode moved name navlogo number outcome own path place plate planned price
   quantity reason refused released remarks removed rows secret services set site size street tachometer takes to transport type tyres unchanged unmatched unscanned urls
   username vehicle walk withBolts withHubcaps withRims wornTyres zipcode brand min_tread_summer min_tread_winter presume_mounts`.split(
    /\s+/,
  ),
)
const fieldsOfSite = new Set(
  `adminEmail time_zone webstreamAccount default_site_code allowProfileDepth allowTachometer showTyresOnVehicle
   showTyresAtCustomer showWasteTyres allowDetailedStockReport allowUnknownArticle unknownWinterArticleId
   unknownSummerArticleId unknownAllSeasonArticleId unknownSnowArticleId invoicing_quantity invoicing_mode
   invoicing_period invoicing_article_id invoicing_document_type invoicing_price_excl doDocInsert docInsertType
   docInsertAsks minTreadSummer minTreadWinter minTreadTruckSummer minTreadTruckWinter adminsNeedFactor adminSessionHours docInsertExceptions autoProcessIntakeOnFullScan warehouseConfirmsMissing presumeMounts
   transportMethods closedDays`.split(/\s+/),
)
const fieldsOfInvoices = new Set(
  `invoices legal_name country vat_number company_scheme company_number peppol_scheme peppol_id iban bic payment_days invoice_series
   credit_series vat_rate exemption note buyer_reference sends`.split(/\s+/),
)
const fieldsOfTransport = new Set('operationDays advanceDays cutoffHour operationsPerDay tyresPerDay'.split(' '))
const fieldsOfService = new Set(
  'operation_type article_number article_insertion_method price_excl preselected blocked'.split(' '),
)

/** The key of the text that names a fact, or a field that an action changed; `null` for one without a text. */
export function factTextKey(fact: string, action = ''): string | null {
  if (named.has(fact)) return `audit:fact.${fact}`
  if (fieldsOfSite.has(fact)) return `config:field.${fact}`
  if (fieldsOfTransport.has(fact)) return `config:transport.${fact}`
  if (fieldsOfService.has(fact)) return `config:service.${fact}`
  if (fieldsOfInvoices.has(fact)) return `invoices:field.${fact}`
  if (fact === 'default') return 'config:transport.isDefault'
  return action === 'vehicle.update' ? `vehicles:${fact}` : null
}

/** The values of facts that have words of their own, and the texts of those. */
const valueTexts: Record<string, readonly { readonly values: readonly string[]; readonly texts: string }[]> = {
  damage: [{ values: damageCodes, texts: 'common:damage' }],
  kind: [
    { values: tariffKinds, texts: 'tariff:kind' },
    { values: jobKinds, texts: 'locations:clearUp.kind' },
  ],
  outcome: [{ values: differences, texts: 'counts:outcome' }],
  how: [{ values: allSolutions, texts: 'counts:solved' }],
}

/** The key of the text of a value that is a word of the portal's own; `null` for what somebody entered. */
function valueTextKey(fact: string, value: string): string | null {
  const vocabulary = valueTexts[fact]?.find(({ values }) => values.includes(value))
  return vocabulary ? `${vocabulary.texts}.${value}` : null
}

const prices = new Set(['price', 'price_excl', 'invoicing_price_excl'])
/** Facts that are amounts in EUR. Merging articles counts wheels, not money. */
const isMoney = (fact: string, action: string): boolean =>
  prices.has(fact) || (fact === 'amount' && !action.startsWith('article.'))

const operationTypes = new Set(['to_stock', 'to_customer', 'to_waste', 'to_spare'])
const roles = new Set(['user', 'admin', 'superuser'])

/** The text of a key `namespace:key`. */
type Translate = (key: string, params?: Record<string, string | number>) => string

/** A fact of an entry in words: its name, and its value or how that changed. */
export type FactLine = { readonly name: string; readonly value: string }

/** In the facts of these actions a pair is the value before and after. */
const actionsWithPairs = new Set(['config.edit', 'vehicleConfig.edit', 'labelReport.edit'])

/** Facts that are only shown when they are not empty: that no tyre is missing is no news. */
const exceptional = new Set(['missing', 'unscanned'])

/** The kinds of record that an entry can be about. `subject` holds one of them, followed by the record's number. */
export const auditSubjects = [
  'account',
  'accounts',
  'article',
  'articles',
  'bank file',
  'bank line',
  'billing run',
  'count',
  'customer',
  'customers',
  'document',
  'finding',
  'invoice',
  'label report',
  'location',
  'locations',
  'operation',
  'orphan',
  'payment',
  'pickup',
  'reminders',
  'services',
  'site',
  'tariff rule',
  'tyres',
  'vehicle',
  'vehicle configuration',
  'vehicles',
  'warehouse',
  'wave',
] as const

/** The subject of an entry: `Count 1`; an invoice by its number; the key of a text and the code of a site unchanged. */
export function describeSubject(
  { subject, facts }: { readonly subject: string; readonly facts: Readonly<Record<string, unknown>> },
  translate: Translate,
): string {
  const [, noun = '', id] = /^(\D*?)(?: (\d+))?$/.exec(subject) ?? []
  if (!auditSubjects.some(auditSubject => auditSubject === noun)) return subject
  const number = noun === 'invoice' && typeof facts['number'] === 'string' ? facts['number'] : id
  return [translate(`audit:subject.${noun}`), number].filter(Boolean).join(' ')
}

/** The name of a row; a closed day is called by its date. */
const called = (name: string): string => (isIsoDate(name) ? formatDate(name) : name)

/** The facts of an entry in words, in their order; amounts as `language` (`nl`) writes them. */
export function describeFacts(
  action: string,
  facts: Readonly<Record<string, unknown>>,
  translate: Translate,
  language: string,
): FactLine[] {
  const money = moneyIn(language)
  const labelled = (label: string, value: string): string => translate('common:labelled', { label, value })
  const textOfKey = (key: string | null, fact: string): string => (key === null ? fact : translate(key))
  const name = (fact: string): string => textOfKey(factTextKey(fact), fact)
  const fieldName = (field: string): string => textOfKey(factTextKey(field, action), field)
  const textOf = (value: unknown, fact: string): string => {
    if (value === null || value === undefined || value === '') return translate('audit:nothing')
    if (typeof value === 'boolean') return translate(value ? 'common:yes' : 'common:no')
    if (typeof value === 'number' && isMoney(fact, action)) return money.format(value)
    if (typeof value === 'string') {
      const key = valueTextKey(fact, value)
      if (key !== null) return translate(key)
      if (fact === 'fields') return fieldName(value)
      if (isIsoDate(value)) return formatDate(value)
      if (operationTypes.has(value)) return translate(`common:operationType.${value}`)
      if (fact === 'type' && roles.has(value)) return translate(`nav:roles.${value}`)
      return value
    }
    if (Array.isArray(value))
      return value.length === 0 ? translate('audit:nothing') : value.map(element => textOf(element, fact)).join(', ')
    if (typeof value === 'object') return describeRow(value as Record<string, unknown>)
    return String(value)
  }
  // a row that has a name is described by it
  const describeRow = (row: Record<string, unknown>): string =>
    typeof row['name'] === 'string'
      ? called(row['name'])
      : Object.entries(row)
          .map(([key, value]) => labelled(name(key), textOf(value, key)))
          .join(', ')
  const change = (pair: readonly unknown[], fact: string): string =>
    translate('audit:change', { from: textOf(pair[0], fact), to: textOf(pair[1], fact) })

  const describe = ([fact, value]: [string, unknown]): FactLine[] => {
    if (exceptional.has(fact) && (value === 0 || (Array.isArray(value) && value.length === 0))) return []
    const isList = value !== null && typeof value === 'object' && 'added' in value && 'removed' in value
    if (isList) return describeLists(fact, value as Lists)
    const isChange = actionsWithPairs.has(action) && Array.isArray(value) && value.length === 2
    return [{ name: name(fact), value: isChange ? change(value, fact) : textOf(value, fact) }]
  }
  const describeLists = (fact: string, { added = [], changed = [], removed = [] }: Lists): FactLine[] => {
    const rows = (which: 'added' | 'removed', list: readonly Row[]): FactLine[] =>
      list.map(row => ({ name: labelled(name(fact), name(which)), value: describeRow(row) }))
    return [
      ...rows('added', added),
      ...changed.map(({ _id, name: rowName, ...fields }) => {
        // a row that was renamed says so itself
        const was = called(Array.isArray(rowName) ? String(rowName[0]) : String(rowName))
        const parts = Object.entries({ ...(Array.isArray(rowName) && { name: rowName }), ...fields })
        const changes = parts.map(([key, pair]) =>
          labelled(name(key), Array.isArray(pair) ? change(pair, key) : textOf(pair, key)),
        )
        return { name: labelled(name(fact), name('changed')), value: `${was} (${changes.join('; ')})` }
      }),
      ...rows('removed', removed),
    ]
  }
  return Object.entries(facts).flatMap(describe)
}
type Row = Record<string, unknown>
type Lists = { added?: readonly Row[]; changed?: readonly Row[]; removed?: readonly Row[] }
