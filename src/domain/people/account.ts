/** Accounts, roles and languages (docs/product/accounts.md "Accounts and roles", "Languages"). */

/** The account types. A `user` is a customer's account. */
export const roles = ['user', 'admin', 'superuser'] as const
export type Role = (typeof roles)[number]

/** The fewest characters of a password. */
export const minPasswordLength = 10

/** The password of the demo's accounts. It is public: a portal for real data has none of them (docs/operations.md "First accounts"). */
export const demoPassword = 'wheelhouse'

/** Language codes as they travel, and the two-letter codes that name the text files. */
export const languages = { dut: 'nl', fre: 'fr', eng: 'en', ger: 'de' } as const
export type Language = keyof typeof languages
export type LanguageIso = (typeof languages)[Language]
export const languageCodes = Object.keys(languages) as Language[]
export const languageIsoCodes = Object.values(languages)

/** The language code of a two-letter code, `null` for a language without texts. */
export function languageOf(iso: string): Language | null {
  const two = iso.slice(0, 2).toLowerCase()
  return languageCodes.find(code => languages[code] === two) ?? null
}

/** The first language of an `Accept-Language` header, or of `navigator.languages`, that has texts. */
export function preferredLanguage(wanted: readonly string[], otherwise: Language): Language {
  for (const tag of wanted) {
    const language = languageOf(tag)
    if (language) return language
  }
  return otherwise
}
