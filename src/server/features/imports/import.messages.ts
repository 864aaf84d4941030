/** What an import reports: messages about a file and its rows, and the errors that carry them. */
import type { Language } from '#domain/account.ts'
import type { Facts } from '#domain/failure.ts'
import type texts from '../../../../texts/en/import.json'
import { translate } from '../../texts/texts.ts'

/** A text of the namespace `import` with its facts. */
export type Message = { readonly text: keyof typeof texts; readonly facts: Facts }

/** A message in a language; the names of columns stay as files have them. */
export const translateMessage = (lang: Language, { text, facts }: Message): string =>
  translate(lang, 'import', text, facts)

/** A row that is not imported, and why. */
export class RowRefused extends Error {
  readonly reason: Message
  constructor(text: Message['text'], facts: Facts = {}) {
    super(text)
    this.reason = { text, facts }
  }
}

/** Nothing was imported. The message explains why, in English, for the terminal. */
export class ImportRefused extends Error {}

/** The content of the file makes it unusable; `reason` is the message for other languages. */
export class FileRefused extends ImportRefused {
  readonly reason: Message
  constructor(text: Message['text'], facts: Facts = {}, options?: ErrorOptions) {
    super(translateMessage('eng', { text, facts }), options)
    this.reason = { text, facts }
  }
}
