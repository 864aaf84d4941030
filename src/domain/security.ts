/** What is recorded of accounts, and of what leaves the portal (docs/product.md "Security events"). */

export const securityKinds = [
  'signInRight',
  'signInWrong',
  'signInLocked',
  'signOut',
  'factorAdded',
  'factorRemoved',
  'passwordChanged',
  'rolesChanged',
  'exported',
  'printedMany',
  'foreignId',
] as const
export type SecurityKind = (typeof securityKinds)[number]

/** From more labels than this in one print on, the print is recorded. */
export const manyLabels = 100
