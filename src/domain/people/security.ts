/** Security events of accounts and of data that leaves the portal, and how they are described to a person (docs/product/calls.md "Security events"). */
import { roles } from './account.ts'
import type { FactLine } from './audit.ts'
import { tokenRefusals } from './token.ts'

export const securityKinds = [
  'signInRight',
  'signInWrong',
  'signInLocked',
  'signOut',
  'factorAdded',
  'factorRemoved',
  'passwordChanged',
  'rolesChanged',
  'signOnChanged',
  'signOnLinked',
  'emailChanged',
  'tokenMade',
  'tokenRevoked',
  'tokenRefused',
  'exported',
  'printedMany',
  'foreignId',
] as const
export type SecurityKind = (typeof securityKinds)[number]

export const isSecurityKind = (kind: string): kind is SecurityKind =>
  (securityKinds as readonly string[]).includes(kind)

/** Second factors, as events name them. */
const securityFactors = ['passkey', 'totp', 'recoveryCodes'] as const
export type SecurityFactor = (typeof securityFactors)[number]

/** The kinds of record that a foreign id can belong to. */
const recordKinds = [
  'site',
  'account',
  'session',
  'passkey',
  'customer',
  'vehicle',
  'vehicle_config',
  'tyre',
  'odometer',
  'article',
  'operation',
  'service',
  'transport_method',
  'document',
  'location',
  'orphan',
  'wave',
  'stock_count',
  'count_finding',
  'damage_report',
  'photo',
  'scrap_pickup',
  'import_run',
  'billing_run',
  'invoice',
  'storage_ledger',
  'tariff_rule',
  'charge',
  'api_token',
  'list_view',
  'webhook_endpoint',
  'webhook_delivery',
] as const
export type RecordKind = (typeof recordKinds)[number]

/** From more labels than this in one print on, the print is recorded. */
export const manyLabels = 100

/** The facts of events, and the texts of those that are words; others are numbers, names, or yes and no. */
export const securityFacts = {
  what: { texts: 'security:exportOf', words: ['audit', 'customers', 'security', 'driver', 'account'] },
  link: { texts: 'security:linkOf', words: ['invitation', 'reset'] },
  factor: { texts: 'security:factorOf', words: securityFactors },
  record: { texts: 'security:recordOf', words: recordKinds },
  token: null,
  ofSite: null,
  refusal: { texts: 'security:refusalOf', words: tokenRefusals },
  sessions: { texts: 'security:sessionsOf', words: ['one', 'others'] },
  id: null,
  call: null,
  type: { texts: 'nav:roles', words: roles },
  was: { texts: 'nav:roles', words: roles },
  vehicle: null,
  labels: null,
  created: null,
  disabled: null,
  erased: null,
  commandLine: null,
  provider: null,
  failure: null,
  problem: null,
  flood: null,
} as const satisfies Record<string, Words | null>
type Words = { readonly texts: string; readonly words: readonly string[] }

/** The facts of an event in words. What a newer node says that this one does not know stands as it is. */
export function describeSecurityFacts(
  facts: Readonly<Record<string, unknown>>,
  translate: (key: string) => string,
): FactLine[] {
  const valueOf = (fact: string, value: unknown): string => {
    if (typeof value === 'boolean') return translate(value ? 'common:yes' : 'common:no')
    const vocabulary = (securityFacts as Readonly<Record<string, Words | null>>)[fact]
    return vocabulary?.words.includes(String(value)) ? translate(`${vocabulary.texts}.${String(value)}`) : String(value)
  }
  const declaredFacts = Object.keys(securityFacts)
  const orderedFacts = [
    ...declaredFacts.filter(fact => fact in facts),
    ...Object.keys(facts).filter(fact => !declaredFacts.includes(fact)),
  ]
  return orderedFacts.map(fact => ({
    name: declaredFacts.includes(fact) ? translate(`security:fact.${fact}`) : fact,
    value: valueOf(fact, facts[fact]),
  }))
}
