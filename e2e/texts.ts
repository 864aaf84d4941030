/** The portal's texts, for journeys in every language. */
import { readFileSync } from 'node:fs'
import { type Language, languageCodes, languages } from '#domain/people/account.ts'
import { whole } from '../src/server/testing/whole.ts'

type Texts = { readonly [key: string]: string | Texts }
const read = new Map<string, Texts>()

/**
 * The name of a control in a language, by its key (`fleet:addTyres`), as a pattern: any value matches a variable, and
 * any plural form matches.
 */
export function named(lang: Language, key: string): RegExp {
  const [space = '', path = ''] = key.split(':')
  const file = new URL(`../texts/${languages[lang]}/${space}.json`, import.meta.url)
  const texts = read.get(file.href) ?? (JSON.parse(readFileSync(file, 'utf8')) as Texts)
  read.set(file.href, texts)
  const find = (which: string) =>
    which.split('.').reduce<string | Texts | undefined>((in_, name) => (in_ as Texts | undefined)?.[name], texts)
  const forms = ['', '_one', '_many', '_other'].map(form => find(path + form)).filter(text => typeof text === 'string')
  if (forms.length === 0) throw new Error(`there is no text ${key} in ${lang}`)
  const patterns = forms.map(text =>
    text
      .split(/\{\{\w+\}\}/)
      .map(piece => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s/g, String.raw`\s`))
      .join('.*'),
  )
  return new RegExp(`^(${patterns.join('|')})`)
}

/** The languages in which a journey is made: usually this one, in a whole run all. */
export const languagesOf = (usual: Language): readonly Language[] => (whole ? languageCodes : [usual])
