/** Texts per language and namespace, fetched when a screen needs them (docs/product/sites.md "Languages"). */
import i18next from 'i18next'
import type { HttpBackendOptions } from 'i18next-http-backend'
import { initReactI18next } from 'react-i18next'
import { type Language, languageIsoCodes, languages, preferredLanguage } from '#domain/people/account.ts'
import { numbersInTexts } from '#domain/texts/number.ts'
import { firstAnswers, firstTexts } from './firstLoad.ts'
import { TextsBackend } from './textsBackend.ts'
import { isPrerendering } from './ui/prerendering.ts'
import { stored } from './ui/stored.ts'
import type { TextKey } from './ui/texts.ts'

/** The language that was chosen on this device, or that the last account here spoke. */
const chosen = stored('language')

/** Before anybody is signed in: the language chosen here, else the browser's, else the site's (if it is known yet). */
export function initialLanguage(site: Language = 'eng'): Language {
  const remembered = chosen.read()
  return preferredLanguage([...(typeof remembered === 'string' ? [remembered] : []), ...navigator.languages], site)
}

/** The initial language of the page: the account's, where the page has a session. */
function openingLanguage(): Language {
  const session = firstAnswers?.session
  return session?.isAuthenticated ? session.lang : initialLanguage()
}

/** The event that re-renders all components when texts have changed. */
const textsChanged = 'textsChanged'

/** Starts loading the texts of the first screen. Resolves when they are there. */
export const textsReady = i18next
  .use(TextsBackend)
  .use(initReactI18next)
  .use(numbersInTexts)
  .init<HttpBackendOptions>({
    lng: languages[openingLanguage()],
    supportedLngs: languageIsoCodes,
    load: 'languageOnly',
    // Every language is complete (house.test.ts): a second language would be a second download of everything.
    fallbackLng: false,
    ns: ['common', ...firstTexts],
    defaultNS: 'common',
    saveMissing: true,
    saveMissingTo: 'current',
    backend: {
      loadPath: '/locales/{{lng}}/{{ns}}.json',
      addPath: '/locales/add/{{lng}}/{{ns}}',
      requestOptions: { credentials: 'include' },
    },
    interpolation: { escapeValue: false, alwaysFormat: true },
    react: { useSuspense: true, bindI18n: `languageChanged ${textsChanged}` },
  })

i18next.on('languageChanged', iso => {
  // a screen that is rendered for its page has none: the server sets the language there
  if (!isPrerendering) document.documentElement.lang = iso
})

/**
 * Refetches the texts of this page and shows those that a superuser has changed. Unchanged texts get an empty answer.
 * Without a network the page keeps its texts.
 */
export async function reloadTexts(): Promise<void> {
  const lng = i18next.language
  const namespaces = Object.keys(i18next.getDataByLanguage(lng) ?? {})
  const changed = await Promise.all(namespaces.map(ns => fetchedAnew(lng, ns).catch(() => false)))
  if (changed.includes(true)) i18next.emit(textsChanged)
}

async function fetchedAnew(lng: string, ns: string): Promise<boolean> {
  const reply = await fetch(`/locales/${lng}/${ns}.json`, { credentials: 'include' })
  if (!reply.ok) return false
  const texts: unknown = await reply.json()
  if (JSON.stringify(texts) === JSON.stringify(i18next.getResourceBundle(lng, ns))) return false
  i18next.removeResourceBundle(lng, ns)
  i18next.addResourceBundle(lng, ns, texts)
  return true
}

/** Polling interval without live changes, in ms; also polled when the page becomes visible. */
const pollMs = 5 * 60_000
let looked = performance.now()
function look(patience: number) {
  if (document.visibilityState !== 'visible' || performance.now() - looked < patience) return
  looked = performance.now()
  void reloadTexts()
}
/** Keeps the texts of this page fresh from now on. */
export function watchTexts(): void {
  document.addEventListener('visibilitychange', () => look(10_000))
  addEventListener('focus', () => look(10_000))
  setInterval(() => look(0), pollMs)
}

/** Switches to this language and stores it on this device. */
export async function setLanguage(language: Language): Promise<void> {
  const iso = languages[language]
  chosen.write(iso)
  if (i18next.language !== iso) await i18next.changeLanguage(iso)
}

/** Translates outside of a component, while something happens (a toast), never at module load. */
export function say(key: TextKey, params: Record<string, unknown> = {}): string {
  return i18next.t(key as 'common:unknownError', params)
}

/** A value with its name before it, as the language sets a colon: `Customer: Garage Alpha`. With no value the name and its colon. */
export const labelled = (label: string, value: string | number = ''): string => say('common:labelled', { label, value })

export { i18next as i18n }
