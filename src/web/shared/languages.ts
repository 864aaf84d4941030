import type { Language } from '#domain/people/account.ts'

/** Each language by its own name, for readers of no other. */
export const languageNames = {
  dut: { iso: 'nl', name: 'Nederlands' },
  fre: { iso: 'fr', name: 'Français' },
  eng: { iso: 'en', name: 'English' },
  ger: { iso: 'de', name: 'Deutsch' },
} as const satisfies Record<Language, { iso: string; name: string }>
