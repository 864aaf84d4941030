/** Faults of a file or a row: messages, and the errors that carry them. */
import type { Facts } from '#domain/failure.ts'
import type texts from '../../../../texts/en/importFaults.json'

/** The texts of the namespace; one with a number is named without its plural. */
type TextName<T extends string = keyof typeof texts> = T extends `${infer Name}_one` | `${infer Name}_other` ? Name : T

/** A text of the namespace `import` with its facts. */
export type Message = { readonly text: TextName; readonly facts: Facts }

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

/** The content of the file makes it unusable. */
export class FileRefused extends Error {
  readonly reason: Message
  constructor(text: Message['text'], facts: Facts = {}, options?: ErrorOptions) {
    super(text, options)
    this.reason = { text, facts }
  }
}
