/** The messages of an import about a file and its rows, in a language. */
import type { Language } from '#domain/people/account.ts'
import { translate } from '../../texts/texts.ts'
import type { Message } from './import.refused.ts'

/** A message in a language; the names of columns stay as files have them. */
export const translateMessage = (lang: Language, { text, facts }: Message): string =>
  translate(lang, 'importFaults', text, facts)

/** The field that a message is about, where its facts don't name it. */
const fieldOfMessage: Partial<Record<Message['text'], string>> = {
  no_email: 'email',
  no_plate: 'license_plate',
  plate_too_long: 'license_plate',
  no_vehicle: 'license_plate',
  several_vehicles: 'license_plate',
  no_configuration: 'license_plate',
  several_plates: 'license_plate',
  read_off: 'odometer',
  read_ahead: 'odometer_date',
  read_unordered: 'odometer',
  no_customer: 'customer',
  several_customers: 'customer',
  codes_alike: 'code',
  no_size: 'dimension',
  no_brand: 'brand',
  no_load: 'load_index',
  no_speed: 'speed_index',
  no_season: 'season',
  ean_length: 'ean',
  ean_check: 'ean',
  vat_country: 'vat_number',
  vat_form: 'vat_number',
  vat_digit: 'vat_number',
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
  word_for_kind: 'description',
}
export const fieldOf = ({ text, facts }: Message): string | null =>
  typeof facts.column === 'string' ? facts.column : (fieldOfMessage[text] ?? null)
