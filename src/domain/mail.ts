/** The messages that the portal sends about an account (docs/product.md "E-mail"). */

export const mailKinds = [
  'invitation',
  'reset',
  'passwordChanged',
  'roleChanged',
  'emailChanged',
  'newDevice',
  'factorChanged',
  'locked',
  'backupLate',
  'webhookDisabled',
  'notices',
] as const
export type MailKind = (typeof mailKinds)[number]

/** How long the link of a message can be used, in minutes from its sending. The other kinds have none. */
export const linkMinutes = { invitation: 7 * 24 * 60, reset: 30 } as const
export const linkKinds = ['invitation', 'reset'] as const satisfies readonly (keyof typeof linkMinutes)[]

export const hasLink = (kind: MailKind): kind is (typeof linkKinds)[number] => Object.hasOwn(linkMinutes, kind)

/** The page that a link opens. Its token is behind `#`, so that no server logs it. */
export const linkPath = '/password'
