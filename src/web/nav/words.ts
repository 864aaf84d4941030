/** A request in words: "recall rnx monday" (docs/product/screens.md "Find"). */
import { folded } from '#domain/texts/folded.ts'
import { addDays, type IsoDate, isIsoDate } from '#domain/texts/date.ts'
import { type OfferedType, offeredTypes } from '#domain/tyres/tyre.ts'
import { typedDate } from '../ui/dateText.ts'

export type WordsOfLanguage = {
  /** The verbs of each service, in lower case, each one word. */
  verbs: Readonly<Record<OfferedType, readonly string[]>>
  today: readonly string[]
  tomorrow: readonly string[]
  /** For the names of weekdays. */
  language: string
}

export type RequestInWords = {
  type: OfferedType
  /** The search words for the vehicle. */
  rest: string
  day: IsoDate | null
}

/** The fewest letters by which the beginning of a word is recognised. */
const recognisableLetters = 3

/** In small letters, without accents, and with the apostrophe of a keyboard. */
export const plain = (text: string): string => folded(text).replaceAll('’', "'")
const begins = (whole: string, word: string): boolean =>
  whole === word || (word.length >= recognisableLetters && whole.startsWith(word))

/** `null`: the first word is no service. The last word may name a day; a word that could be part of a plate only does behind one. */
export function readRequest(text: string, words: WordsOfLanguage, today: IsoDate): RequestInWords | null {
  const [first = '', ...others] = plain(text).split(/\s+/).filter(Boolean)
  const type = offeredTypes.find(candidate => words.verbs[candidate].some(verb => begins(plain(verb), first)))
  if (!type) return null
  const last = others.at(-1)
  const day = last !== undefined && others.length > 1 ? dayOf(last, words, today) : null
  return { type, day, rest: (day === null ? others : others.slice(0, -1)).join(' ') }
}

function dayOf(word: string, words: WordsOfLanguage, today: IsoDate): IsoDate | null {
  if (words.today.some(candidate => begins(plain(candidate), word))) return today
  if (words.tomorrow.some(candidate => begins(plain(candidate), word))) return addDays(today, 1)
  return weekdayOf(word, words.language, today) ?? typedDate(word) ?? (isIsoDate(word) ? word : nextDate(word, today))
}

/** The next such day after today. */
function weekdayOf(word: string, language: string, today: IsoDate): IsoDate | null {
  const names = (['long', 'short'] as const).map(
    weekday => new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' }),
  )
  for (let ahead = 1; ahead <= 7; ahead++) {
    const day = addDays(today, ahead)
    const [long = '', short = ''] = names.map(name => plain(name.format(new Date(`${day}T00:00:00Z`))))
    if (begins(long, word) || short.replace('.', '') === word) return day
  }
  return null
}

/** A day and month without a year, `30/11`: the next one from today on. */
function nextDate(word: string, today: IsoDate): IsoDate | null {
  const [, day = '', month = ''] = /^(\d{1,2})[-/.](\d{1,2})\.?$/.exec(word) ?? []
  if (day === '') return null
  const year = Number(today.slice(0, 4))
  const dates = [year, year + 1].map(
    candidateYear => `${candidateYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  )
  return dates.find(date => isIsoDate(date) && date >= today) ?? null
}
