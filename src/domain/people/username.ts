/** Names of accounts: what looks the same is the same, and what can't be seen is refused (docs/product/accounts.md "Accounts and roles"). */

/** A username as it is stored and looked up: forms of a letter that Unicode calls compatible are one. */
export const normaliseUsername = (name: string): string => name.normalize('NFKC').trim()

/**
 * Whether two names are the same but for capitals, letter by letter as Unicode folds them. A database may fold more: to PostgreSQL a Turkish
 * `İ` is an `i`, so `ADMİN`, which can be another person elsewhere, finds `admin`.
 */
export const isSameUsername = (name: string, other: string): boolean => name.toLowerCase() === other.toLowerCase()

export const maxUsernameLength = 60

/** The proposed username for an e-mail address: the address itself, which nobody forgets; empty if it is too long. */
export const usernameFor = (email: string): string => (email.length <= maxUsernameLength ? email : '')

/** The letters of Europe's alphabets that look like one another. */
const scripts = [/\p{Script=Latin}/u, /\p{Script=Greek}/u, /\p{Script=Cyrillic}/u, /\p{Script=Armenian}/u]
const otherLetter = /(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Armenian})\p{L}/u
/** Controls, joiners, marks of direction, fillers, unassigned and private characters, separators other than a space. */
const invisible = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u

/** Whether a name could pass for another one: it has characters that can't be seen, or letters of several alphabets. */
export function isDeceptive(name: string): boolean {
  if (invisible.test(name)) return true
  const alphabets = scripts.filter(script => script.test(name)).length + (otherLetter.test(name) ? 1 : 0)
  return alphabets > 1
}
