/** What stands in the audit (DESIGN §6), and how it is told to a person. */

import { formatDate, isIsoDate } from './date.ts'

/** Everything that is written down, by what it is done to. */
export const auditActions = {
  operation: ['new', 'edit', 'submit', 'undo', 'confirm', 'cancel', 'delete'],
  vehicle: ['new', 'update', 'inactivate'],
  tyre: ['add', 'set', 'measure', 'remove'],
  driver: ['export', 'erase'],
  location: ['make', 'edit', 'remove', 'move', 'plan'],
  invoicing: ['inject', 'mark', 'clear'],
  customer: ['create', 'edit'],
  account: ['create', 'edit', 'disable', 'enable', 'password', 'export', 'erase'],
  import: ['vehicles', 'articles', 'customers'],
  config: ['edit', 'image'],
  vehicleConfig: ['add', 'edit', 'remove'],
  labelReport: ['add', 'edit', 'remove'],
  site: ['create', 'retire'],
  translation: ['create', 'update', 'delete', 'forget'],
} as const
export type AuditGroup = keyof typeof auditActions
export const auditGroups = Object.keys(auditActions) as AuditGroup[]

/** What a superuser sees of it: sites and their administrators, and the dictionary; never what is a customer's. */
export const superuserGroups = ['site', 'config', 'account', 'translation'] as const satisfies readonly AuditGroup[]

/** Whether this is one of `auditActions`, written `group.verb`. */
export function isAuditAction(action: string): boolean {
  const [group = '', verb = '', ...rest] = action.split('.')
  return (
    rest.length === 0 && Object.hasOwn(auditActions, group) && (auditActions as Verbs)[group]?.includes(verb) === true
  )
}
type Verbs = Record<string, readonly string[]>

/** The facts that have a name of their own; those of a configuration are named as its fields are. */
const named = new Set(
  `account added amount axle_height axle_width axles before bolts capacity changed chassis_number city code companyname
   config_id created_at created_by customer date deliveryDate description description_de description_en description_fr
   description_nl driver_email driver_mobile driver_name driver_telephone email favicon fields file forgotten from fullname
   icon kind landinglogo lang layout levels license_plate made mode moved name navlogo number own path plate planned
   quantity refused released remarks removed services set site street tachometer to transport type tyres unchanged urls
   username vehicle walk withBolts withHubcaps withRims zipcode brand`.split(/\s+/),
)
const fieldsOfSite = new Set(
  `adminEmail time_zone webstreamAccount default_site_code allowProfileDepth allowTachometer showTyresOnVehicle
   showTyresAtCustomer showWasteTyres allowDetailedStockReport allowUnknownArticle unknownWinterArticleId
   unknownSummerArticleId unknownAllSeasonArticleId unknownSnowArticleId invoicing_quantity invoicing_mode
   invoicing_period invoicing_article_id invoicing_document_type invoicing_price_excl doDocInsert docInsertType
   docInsertExceptions autoProcessIntakeOnFullScan transportMethods`.split(/\s+/),
)
const fieldsOfTransport = new Set('operationDays advanceDays cutoffHour operationsPerDay tyresPerDay'.split(' '))
const fieldsOfService = new Set(
  'operation_type article_number article_insertion_method price_excl preselected blocked'.split(' '),
)

/** Under which text a fact is named, `null` for one that only a programmer knows. */
export function factText(fact: string): string | null {
  if (named.has(fact)) return `audit:fact.${fact}`
  if (fieldsOfSite.has(fact)) return `config:field.${fact}`
  if (fieldsOfTransport.has(fact)) return `config:transport.${fact}`
  if (fieldsOfService.has(fact)) return `config:service.${fact}`
  return fact === 'default' ? 'config:transport.isDefault' : null
}

const operationTypes = new Set(['to_stock', 'to_customer', 'to_waste', 'to_spare'])
const roles = new Set(['user', 'admin', 'superuser'])

/** Says the text of a key `namespace:key`. */
type Say = (key: string, params?: Record<string, string | number>) => string

/** One thing that an entry says: what it is called, and its value, or how it changed. */
export type Told = { readonly name: string; readonly value: string }

/** In these a pair is what something was and what it is. */
const changing = new Set(['config.edit', 'vehicleConfig.edit', 'labelReport.edit'])

/** The facts of an entry in words, in their order. */
export function toldFacts(action: string, facts: Readonly<Record<string, unknown>>, say: Say): Told[] {
  const name = (fact: string): string => {
    const key = factText(fact)
    return key === null ? fact : say(key)
  }
  const word = (value: unknown, fact: string): string => {
    if (value === null || value === undefined || value === '') return say('audit:nothing')
    if (typeof value === 'boolean') return say(value ? 'common:yes' : 'common:no')
    if (typeof value === 'string') {
      if (fact === 'fields') return name(value)
      if (isIsoDate(value)) return formatDate(value)
      if (operationTypes.has(value)) return say(`common:operationType.${value}`)
      if (fact === 'type' && roles.has(value)) return say(`nav:roles.${value}`)
      return value
    }
    if (Array.isArray(value))
      return value.length === 0 ? say('audit:nothing') : value.map(one => word(one, fact)).join(', ')
    if (typeof value === 'object') return inside(value as Record<string, unknown>)
    return String(value)
  }
  // what has a name of its own is called by it
  const inside = (row: Record<string, unknown>): string =>
    typeof row['name'] === 'string'
      ? row['name']
      : Object.entries(row)
          .map(([key, value]) => `${name(key)}: ${word(value, key)}`)
          .join(', ')
  const change = (pair: readonly unknown[], fact: string): string =>
    say('audit:change', { from: word(pair[0], fact), to: word(pair[1], fact) })

  const told = ([fact, value]: [string, unknown]): Told[] => {
    const isList = value !== null && typeof value === 'object' && 'added' in value && 'removed' in value
    if (isList) return toldList(fact, value as Lists)
    const isChange = changing.has(action) && Array.isArray(value) && value.length === 2
    return [{ name: name(fact), value: isChange ? change(value, fact) : word(value, fact) }]
  }
  const toldList = (fact: string, { added = [], changed = [], removed = [] }: Lists): Told[] => {
    const rows = (which: 'added' | 'removed', list: readonly Row[]): Told[] =>
      list.map(row => ({ name: `${name(fact)}: ${name(which)}`, value: inside(row) }))
    return [
      ...rows('added', added),
      ...changed.map(({ _id, name: called, ...fields }) => {
        // a row that was renamed says so itself
        const was = Array.isArray(called) ? String(called[0]) : String(called)
        const parts = Object.entries({ ...(Array.isArray(called) && { name: called }), ...fields })
        const changes = parts.map(
          ([key, pair]) => `${name(key)}: ${Array.isArray(pair) ? change(pair, key) : word(pair, key)}`,
        )
        return { name: `${name(fact)}: ${name('changed')}`, value: `${was} (${changes.join('; ')})` }
      }),
      ...rows('removed', removed),
    ]
  }
  return Object.entries(facts).flatMap(told)
}
type Row = Record<string, unknown>
type Lists = { added?: readonly Row[]; changed?: readonly Row[]; removed?: readonly Row[] }
