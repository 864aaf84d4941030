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

/** The field that a message is about, where its facts don't name it. */
const fieldOfMessage: Partial<Record<Message['text'], string>> = {
  no_email: 'email',
  no_plate: 'license_plate',
  plate_too_long: 'license_plate',
  no_vehicle: 'license_plate',
  several_vehicles: 'license_plate',
  no_configuration: 'license_plate',
  no_customer: 'customer',
  several_customers: 'customer',
  no_size: 'dimension',
  no_brand: 'brand',
  no_load: 'load_index',
  no_speed: 'speed_index',
  no_season: 'season',
  ean_length: 'ean',
  ean_check: 'ean',
  no_position: 'position',
  positions_full: 'position',
  position_taken: 'position',
  set_reserved: 'tyre_set',
  set_needed: 'tyre_set',
  no_location: 'location',
  several_locations: 'location',
  place_full: 'location',
  too_small: 'capacity',
  name_deceptive: 'username',
  account_taken: 'username',
  role_differs: 'role',
  customer_differs: 'customer',
  admin_customer: 'customer',
  stored_ahead: 'stored_since',
  paid_before: 'paid_until',
  not_stored: 'location',
}
export const fieldOf = ({ text, facts }: Message): string | null =>
  typeof facts.column === 'string' ? facts.column : (fieldOfMessage[text] ?? null)

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
