/** The messages that the portal sends about an account (docs/product/messages.md "E-mail"). */

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
  'paper',
  'view',
] as const
export type MailKind = (typeof mailKinds)[number]

/** How long the link of a message can be used, in minutes from its sending. The other kinds have none. */
export const linkMinutes = { invitation: 7 * 24 * 60, reset: 30 } as const
export const linkKinds = ['invitation', 'reset'] as const satisfies readonly (keyof typeof linkMinutes)[]

/** Whether mails of this kind hold a link that expires. */
export const hasLink = (kind: MailKind): kind is (typeof linkKinds)[number] => Object.hasOwn(linkMinutes, kind)

/** Kinds that state from where something was done: the recipient may have done it themselves. */
export const tellsWhere: readonly MailKind[] = ['passwordChanged', 'newDevice', 'factorChanged', 'locked']

/** The kinds of messages that a text of the dictionary is part of: none for a text of screens. */
export function mailsWith({ namespace, key }: { namespace: string; key: string }): readonly MailKind[] {
  const [group] = key.split('.')
  // what happened stands in a message as it does on the screen
  if (namespace === 'notices') return group === 'text' ? ['notices'] : []
  if (namespace !== 'mail') return []
  switch (group) {
    case 'hello':
      return mailKinds
    case 'open':
      return mailKinds.filter(kind => !hasLink(kind))
    case 'until':
      return linkKinds
    case 'where':
      return tellsWhere
    default:
      return mailKinds.filter(kind => kind === group)
  }
}

/** The page that a link opens. Its token is behind `#`, so that no server logs it. */
export const linkPath = '/password'
