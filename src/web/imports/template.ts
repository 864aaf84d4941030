/** A workbook to fill in for each kind of import, with examples (docs/product/files.md "Imports"). */
import { importFields, type ImportField, type ImportKind } from '#domain/texts/importColumn.ts'
import { say } from '../i18n.ts'
import type { Sheet, SheetColumns } from '../shared/workbook.ts'

type Example = Partial<Record<ImportField, string | number>>

const examples: Readonly<Record<ImportKind, () => readonly Example[]>> = {
  vehicles: () => [
    { license_plate: '1-ABC-234', kind: 'car', brand: 'Volvo', description: 'V60', wheels: 4, driver_name: 'Ann' },
    { license_plate: '2-XYZ-890', kind: 'van', brand: 'Ford', description: 'Transit Custom', wheels: 4 },
    {
      license_plate: 'QABC123',
      kind: 'trailer',
      brand: 'Krone',
      description: 'SD',
      chassis_number: 'WKESD000000123456',
    },
  ],
  tyres: () => [
    {
      license_plate: '1-ABC-234',
      dimension: '205/55 R16 91V',
      brand: 'Michelin',
      pattern: 'Alpin 6',
      season: say('tyres:season.winter'),
      position: '1A',
      depth: 7.5,
      location: 'A-01-1',
      stored_since: '2026-04-15',
      paid_until: '2026-10-14',
      rims: 'steel',
      bolts: 'x',
    },
    {
      license_plate: '2-XYZ-890',
      dimension: '215/65R16C 109/107T',
      brand: 'Continental',
      pattern: 'VanContact Winter',
      season: say('tyres:season.winter'),
      quantity: 4,
      depth: 6.2,
      location: 'A-01-2',
      stored_since: '2026-04-16',
    },
  ],
  articles: () => [
    {
      brand: 'Michelin',
      pattern: 'Alpin 6',
      dimension: '205/55R16',
      load_index: '91',
      speed_index: 'V',
      season: say('tyres:season.winter'),
      ean: '4019238012347',
      fuel_class: 'C',
      wet_class: 'B',
      noise_db: 69,
    },
    {
      brand: 'Continental',
      pattern: 'VanContact Winter',
      dimension: '215/65R16C',
      load_index: '109/107',
      speed_index: 'T',
    },
  ],
  customers: () => [
    {
      name: 'Garage Alfa',
      code: 'K-001',
      street: 'Stationsstraat 1',
      zipcode: '9000',
      city: 'Gent',
      email: 'desk@example.org',
    },
    {
      name: 'Lease Beta',
      code: 'K-002',
      company: 'Lease Beta NV',
      zipcode: '2000',
      city: 'Antwerpen',
      vat_number: 'BE0202239951',
    },
  ],
  locations: () => [
    { site_name: 'Hall 1', zone: 'A', rack: '01', shelf: '1', place: '1', capacity: 4, walk: 1 },
    { site_name: 'Hall 1', zone: 'A', rack: '01', shelf: '1', place: '2', capacity: 4, walk: 2 },
    { site_name: 'Hall 2', rack: 'R1', place: '01', capacity: 8 },
  ],
  services: () => [
    {
      name: 'Wash',
      operation_type: say('common:operationType.to_stock'),
      article_number: '1001',
      insertion_method: say('config:insertion.per_tyre'),
      description_en: 'Washing wheels',
      description_nl: 'Wielen wassen',
      description_fr: 'Lavage des roues',
      description_de: 'Räder waschen',
      price: '2,50',
    },
    {
      name: 'Call',
      operation_type: say('common:operationType.to_customer'),
      insertion_method: say('config:insertion.text_line'),
      description_en: 'Call before delivery',
      description_nl: 'Bellen voor levering',
      description_fr: 'Appeler avant la livraison',
      description_de: 'Vor der Lieferung anrufen',
    },
  ],
  odometers: () => [
    { license_plate: '1-ABC-234', odometer: 54_600, odometer_date: '2026-11-12' },
    { license_plate: '2-XYZ-890', odometer: 131_250, odometer_date: '2026-11-14' },
  ],
  accounts: () => [
    { username: 'ann', fullname: 'Ann Peeters', email: 'ann@example.org', customer: 'Garage Alfa', language: 'nl' },
    { username: 'desk2', fullname: 'Jan Maes', email: 'jan@example.org', role: 'admin', language: 'fr' },
  ],
}

/** The template of a kind, with headings in the reader's language. */
export function templateOf(kind: ImportKind): Sheet<Example> {
  const columns: SheetColumns<Example> = importFields[kind].map(field => {
    const header = say(`imports:field.${field}`)
    return field === 'depth'
      ? { header, number: row => (typeof row.depth === 'number' ? row.depth : null), format: '0.0#' }
      : { header, text: row => (row[field] === undefined ? null : String(row[field])) }
  })
  return { name: say(`imports:kind.${kind}`), columns, rows: examples[kind]() }
}
