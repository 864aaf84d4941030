/**
 * The two tyre hotels of the demo: one Flemish, which also looks after fleets, one Walloon, which only stores. Firms,
 * streets and persons are invented; towns are real. Phone numbers begin with digits that no network has been given.
 */
import type { Language } from '#domain/people/account.ts'
import type { DocumentType, Mode } from '#domain/site.ts'
import type { OfferedType, OperationType } from '#domain/tyres/tyre.ts'
import type { Family } from './models.ts'
import type { Season } from './catalogue.ts'

export type Fleet = Partial<Record<Family, number>>

export type CustomerPlan = {
  readonly name: string
  readonly company: string
  readonly street: string
  readonly zipcode: string
  readonly city: string
  readonly fleet: Fleet
  /** How many of a hundred vehicles have Dutch plates; the others are Belgian. */
  readonly dutch?: number
  /** The prefix of its vehicle numbers; customers without a fleet of their own have none. */
  readonly numbers?: string
  /** Only small cars, as district nurses drive. */
  readonly small?: boolean
  /** A person, who drives the vehicles. */
  readonly person?: boolean
  readonly account?: { readonly username: string; readonly fullname: string; readonly language: Language }
}

type Texts = { readonly nl: string; readonly fr: string; readonly en: string; readonly de: string }

export type ServicePlan = {
  readonly icon: string
  readonly type: OfferedType
  readonly article: string | null
  readonly method: 'per_tyre' | 'global' | 'text_line'
  readonly price: number
  readonly preselected?: boolean
  readonly blocked?: boolean
  /** How many of a hundred operations have it, when it isn't preselected. */
  readonly share?: number
  readonly texts: Texts
}

export type TransportPlan = {
  readonly code: string
  readonly default?: boolean
  readonly days: readonly number[]
  readonly advance: number
  readonly cutoff: string | null
  readonly operations: number
  readonly tyres: number
  readonly texts: Texts
}

export type ZonePlan = {
  readonly name: string
  readonly racks: number
  readonly shelves: number
  readonly places: number
  readonly capacity: number
  readonly holds: 'sets' | 'loose' | 'heavy'
}

export type SitePlan = {
  readonly code: string
  readonly name: string
  readonly hosts: readonly string[]
  readonly language: Extract<Language, 'dut' | 'fre'>
  readonly mode: Mode
  readonly email: string
  readonly admin: { readonly fullname: string }
  /** An administrator with access to the warehouse only. */
  readonly warehouse: { readonly fullname: string }
  readonly account: string
  readonly defaultSiteCode: string
  readonly rules: {
    readonly allowUnknownArticle: boolean
    readonly allowTachometer: boolean
    readonly showTyresOnVehicle: boolean
    readonly autoProcessIntakeOnFullScan: boolean
    readonly docInsertType: DocumentType
    readonly docInsertExceptions: readonly OperationType[]
    readonly invoicing: {
      readonly quantity: 'per_set' | 'per_tyre'
      readonly mode: 'per_day' | 'per_period'
      readonly period: number
      readonly price: number
      readonly documentType: DocumentType
    }
  }
  /** The share of customers who drive off on the tyres at once, so that the site knows them as mounted. */
  readonly mounts: number
  /** How many tyres the site knows, thrown away ones included. */
  readonly tyres: number
  /** How many operations are open when the demo begins. */
  readonly open: { readonly pending: Open; readonly submitted: Open }
  readonly warehouses: readonly { readonly name: string; readonly zones: readonly ZonePlan[] }[]
  readonly labels: readonly { readonly layout: string; readonly name: string }[]
  readonly transports: readonly TransportPlan[]
  readonly services: readonly ServicePlan[]
  readonly customers: readonly CustomerPlan[]
  readonly names: { readonly first: readonly string[]; readonly last: readonly string[] }
  readonly phone: { readonly mobile: string; readonly fixed: string }
  readonly words: {
    readonly sets: Readonly<Record<Season, string>>
    /** Sets of the driven axles only. */
    readonly driven: Readonly<Record<'summer' | 'winter', string>>
    readonly wholeYear: string
    readonly storage: string
    readonly unknown: Readonly<Record<'summer' | 'winter' | 'all_season' | 'snow', string>>
    /** Winter tyres that the catalogue doesn't know. */
    readonly unknownTyre: readonly string[]
    readonly movedBecause: readonly string[]
    readonly memos: readonly string[]
    readonly remarks: Readonly<Record<OfferedType, readonly string[]>>
    readonly worn: string
    readonly cancelled: readonly string[]
  }
}

type Open = Readonly<Record<OfferedType, number>>

const cents = (amount: number): number => Math.round(amount * 100) / 100

/** The services of a hotel, at a multiple of the usual prices. */
const services = (times: number): readonly ServicePlan[] => [
  {
    icon: 'building-warehouse',
    type: 'to_stock',
    article: '90100',
    method: 'per_tyre',
    price: cents(2.4 * times),
    preselected: true,
    blocked: true,
    texts: { nl: 'Inslag', fr: 'Mise en stockage', en: 'Putting away', de: 'Einlagern' },
  },
  {
    icon: 'ruler-measure',
    type: 'to_stock',
    article: null,
    method: 'text_line',
    price: 0,
    preselected: true,
    texts: {
      nl: 'Profieldiepte meten',
      fr: 'Mesure de la profondeur',
      en: 'Measure tread depth',
      de: 'Profiltiefe messen',
    },
  },
  {
    icon: 'wash',
    type: 'to_stock',
    article: '90110',
    method: 'per_tyre',
    price: cents(1.9 * times),
    share: 35,
    texts: { nl: 'Banden wassen', fr: 'Lavage des pneus', en: 'Wash tyres', de: 'Reifen waschen' },
  },
  {
    icon: 'truck-return',
    type: 'to_stock',
    article: '90120',
    method: 'global',
    price: cents(18 * times),
    share: 45,
    texts: {
      nl: 'Ophalen bij de klant',
      fr: 'Enlèvement chez le client',
      en: 'Pick up from customer',
      de: 'Abholung beim Kunden',
    },
  },
  {
    icon: 'tool',
    type: 'to_stock',
    article: '90130',
    method: 'per_tyre',
    price: cents(6.5 * times),
    share: 6,
    texts: { nl: 'Velg richten', fr: 'Redressage de jante', en: 'Straighten rim', de: 'Felge richten' },
  },
  {
    icon: 'truck-delivery',
    type: 'to_customer',
    article: '90200',
    method: 'global',
    price: cents(18 * times),
    preselected: true,
    texts: { nl: 'Levering', fr: 'Livraison', en: 'Delivery', de: 'Lieferung' },
  },
  {
    icon: 'wheel',
    type: 'to_customer',
    article: '90210',
    method: 'per_tyre',
    price: cents(9.5 * times),
    share: 50,
    texts: {
      nl: 'Monteren en balanceren',
      fr: 'Montage et équilibrage',
      en: 'Mount and balance',
      de: 'Montieren und wuchten',
    },
  },
  {
    icon: 'gauge',
    type: 'to_customer',
    article: '90220',
    method: 'per_tyre',
    price: cents(3.5 * times),
    share: 22,
    texts: { nl: 'Nieuw ventiel', fr: 'Nouvelle valve', en: 'New valve', de: 'Neues Ventil' },
  },
  {
    icon: 'clock-bolt',
    type: 'to_customer',
    article: null,
    method: 'text_line',
    price: 0,
    share: 10,
    texts: {
      nl: 'Dringend: eerst bellen',
      fr: 'Urgent : appeler d’abord',
      en: 'Urgent: call first',
      de: 'Dringend: vorher anrufen',
    },
  },
  {
    icon: 'recycle',
    type: 'to_waste',
    article: '90300',
    method: 'per_tyre',
    price: cents(2.1 * times),
    preselected: true,
    blocked: true,
    texts: {
      nl: 'Milieubijdrage',
      fr: 'Contribution environnementale',
      en: 'Environmental contribution',
      de: 'Umweltbeitrag',
    },
  },
  {
    icon: 'certificate',
    type: 'to_waste',
    article: '90310',
    method: 'global',
    price: cents(7.5 * times),
    share: 30,
    texts: {
      nl: 'Attest van verwerking',
      fr: 'Attestation de recyclage',
      en: 'Certificate of disposal',
      de: 'Entsorgungsnachweis',
    },
  },
  {
    icon: 'arrow-back-up',
    type: 'to_waste',
    article: null,
    method: 'text_line',
    price: 0,
    share: 25,
    texts: {
      nl: 'Velgen terug naar de klant',
      fr: 'Jantes à rendre au client',
      en: 'Return rims to customer',
      de: 'Felgen zurück an Kunden',
    },
  },
]

const ownVan = (name: Texts, operations: number, tyres: number): TransportPlan => ({
  code: 'VAN',
  default: true,
  days: [1, 2, 3, 4, 5],
  advance: 1,
  cutoff: '15:00',
  operations,
  tyres,
  texts: name,
})

const collect: TransportPlan = {
  code: 'COLLECT',
  days: [1, 2, 3, 4, 5, 6],
  advance: 0,
  cutoff: '16:30',
  operations: 0,
  tyres: 0,
  texts: { nl: 'Zelf afhalen', fr: 'Enlèvement par le client', en: 'Collect yourself', de: 'Selbst abholen' },
}

const zevenwegen: SitePlan = {
  code: 'zevenwegen',
  name: 'Bandenhotel Zevenwegen',
  // every address of the demo belongs to this site
  hosts: ['*', 'localhost'],
  language: 'dut',
  mode: 'both',
  email: 'bandenhotel@zevenwegen.example.org',
  admin: { fullname: 'Hanne Vlietmeester' },
  warehouse: { fullname: 'Joris Rekkenaar' },
  account: 'ZW-2100',
  defaultSiteCode: 'ZW',
  rules: {
    allowUnknownArticle: true,
    allowTachometer: true,
    showTyresOnVehicle: true,
    autoProcessIntakeOnFullScan: false,
    docInsertType: 'worknote',
    docInsertExceptions: ['to_waste'],
    invoicing: { quantity: 'per_set', mode: 'per_period', period: 180, price: 27.5, documentType: 'reservation' },
  },
  mounts: 0.35,
  tyres: 950,
  open: {
    pending: { to_stock: 5, to_customer: 5, to_waste: 2 },
    submitted: { to_stock: 11, to_customer: 12, to_waste: 4 },
  },
  warehouses: [
    {
      name: 'Zevenwegen',
      zones: [
        { name: 'A', racks: 3, shelves: 3, places: 14, capacity: 4, holds: 'sets' },
        { name: 'B', racks: 2, shelves: 3, places: 12, capacity: 4, holds: 'sets' },
        { name: 'L', racks: 1, shelves: 3, places: 8, capacity: 8, holds: 'loose' },
        { name: 'T', racks: 2, shelves: 2, places: 8, capacity: 6, holds: 'heavy' },
      ],
    },
  ],
  labels: [
    { layout: 'roll_62x100', name: 'Etiket 62 × 100 mm (rol)' },
    { layout: 'roll_57x32', name: 'Etiket 57 × 32 mm (rol)' },
    { layout: 'sheet_a4_2x7', name: 'A4-vel, 14 etiketten' },
  ],
  transports: [
    ownVan({ nl: 'Onze bestelwagen', fr: 'Notre camionnette', en: 'Our van', de: 'Unser Transporter' }, 5, 32),
    {
      code: 'ROUND',
      days: [3],
      advance: 2,
      cutoff: '12:00',
      operations: 10,
      tyres: 60,
      texts: { nl: 'Wekelijkse ronde', fr: 'Tournée hebdomadaire', en: 'Weekly round', de: 'Wöchentliche Tour' },
    },
    collect,
  ],
  services: services(1),
  customers: [
    {
      name: 'Kempenrand Lease',
      company: 'Kempenrand Lease & Rent nv',
      street: 'Zilverdennenlaan 18',
      zipcode: '2300',
      city: 'Turnhout',
      fleet: { car: 29, suv: 11, van: 11, truck: 4, tractor: 3, semitrailer: 2, trailer: 1, motorcycle: 1 },
      dutch: 12,
      numbers: 'KL',
      account: { username: 'customer', fullname: 'Bram Roggestal', language: 'dut' },
    },
    {
      name: 'Transport Noorderbocht',
      company: 'Transport Noorderbocht bv',
      street: 'Kanaaldijk-Oost 204',
      zipcode: '2320',
      city: 'Hoogstraten',
      fleet: { tractor: 7, semitrailer: 7, truck: 4, van: 2, car: 2 },
      dutch: 45,
      numbers: 'NB',
      account: { username: 'customer2', fullname: 'Elke Steenuyl', language: 'dut' },
    },
    {
      name: 'Gemeente Oudervoorde',
      company: 'Gemeente Oudervoorde, technische dienst',
      street: 'Raadhuisplein 1',
      zipcode: '2990',
      city: 'Oudervoorde',
      fleet: { car: 5, van: 8, truck: 3, bus: 1, trailer: 2 },
      numbers: 'G',
    },
    {
      name: 'Garage De Kruisboog',
      company: 'Garage De Kruisboog bv',
      street: 'Steenovenstraat 77',
      zipcode: '2960',
      city: 'Brecht',
      fleet: { car: 18, suv: 5, van: 2, motorcycle: 1, caravan: 1 },
      dutch: 6,
    },
    {
      name: 'Autobedrijf Heidestart',
      company: 'Autobedrijf Heidestart vof',
      street: 'Hoge Heideweg 9',
      zipcode: '2387',
      city: 'Baarle-Hertog',
      fleet: { car: 13, suv: 4, van: 2 },
      dutch: 75,
    },
    {
      name: 'Thuiszorg Wilgenrij',
      company: 'Thuiszorg Wilgenrij vzw',
      street: 'Wilgenrij 3',
      zipcode: '2200',
      city: 'Herentals',
      fleet: { car: 10 },
      small: true,
      numbers: 'W',
    },
    {
      name: 'Elektro Spanningsveld',
      company: 'Elektro Spanningsveld bv',
      street: 'Ampèrestraat 12',
      zipcode: '2440',
      city: 'Geel',
      fleet: { van: 6, car: 1 },
      numbers: 'E',
    },
    {
      name: 'Taxi Morgenster',
      company: 'Taxi Morgenster bv',
      street: 'Stationsdreef 40',
      zipcode: '2300',
      city: 'Turnhout',
      fleet: { car: 5, van: 1 },
      numbers: 'M',
    },
    {
      name: 'Tuinen Groenewal',
      company: 'Tuinen Groenewal',
      street: 'Boskantweg 31',
      zipcode: '2460',
      city: 'Kasterlee',
      fleet: { van: 3, trailer: 2 },
    },
    {
      name: 'Bakkerij Het Roggeveld',
      company: 'Bakkerij Het Roggeveld',
      street: 'Molenakker 5',
      zipcode: '2275',
      city: 'Lille',
      fleet: { van: 2, car: 1 },
    },
    ...(
      [
        ['Nele Duinslager', 'Vossenpad 8', '2350', 'Vosselaar', { car: 2, caravan: 1 }],
        ['Wout Hooistapper', 'Beukendreef 25', '2340', 'Beerse', { suv: 1, motorcycle: 1 }],
        ['Fien Zonderland', 'Korte Hei 2', '2360', 'Oud-Turnhout', { car: 1 }],
        ['Joris Lichtwever', 'Linde 114', '2380', 'Ravels', { car: 1 }],
        ['Amber Molenwiek', 'Pastorijveld 6', '2370', 'Arendonk', { suv: 1 }],
        ['Dries Kruisbloem', 'Driehoek 17', '2330', 'Merksplas', { car: 1 }],
        ['Tine Wouterbeek', 'Oude Baan 90', '2310', 'Rijkevorsel', { car: 1 }],
      ] as const
    ).map(([name, street, zipcode, city, fleet]) => ({
      name,
      company: '',
      street,
      zipcode,
      city,
      fleet,
      person: true,
    })),
  ],
  names: {
    first: [
      'Lotte',
      'Bram',
      'Jef',
      'Nele',
      'Wout',
      'Fien',
      'Stan',
      'Hanne',
      'Koen',
      'Ilse',
      'Ruben',
      'Marijke',
      'Senne',
      'Tine',
      'Joris',
      'Leen',
      'Pieter',
      'Amber',
      'Dries',
      'Elke',
      'Sander',
      'Noor',
      'Thijs',
      'Roos',
    ],
    last: [
      'Vlietmeester',
      'Roggestal',
      'Duinslager',
      'Kruisbloem',
      'Wouterbeek',
      'Hooistapper',
      'Zonderland',
      'Wilgenaer',
      'Steenuyl',
      'Lichtwever',
      'Heidesterre',
      'Molenwiek',
      'Zilverdenne',
      'Eikenhage',
      'Windkorf',
      'Veldmuys',
      'Sluiswachter',
      'Regenboogh',
      'Klaverdries',
      'Zandloper',
    ],
  },
  phone: { mobile: '+32 400 00 ', fixed: '+32 14 00 ' },
  words: {
    sets: { summer: 'Zomer', winter: 'Winter', all_season: 'Vierseizoenen' },
    driven: { summer: 'Zomer trekas', winter: 'Winter trekas' },
    wholeYear: 'Jaarrond',
    storage: 'Bandenopslag per set',
    unknown: {
      summer: 'Zomerband (onbekend artikel)',
      winter: 'Winterband (onbekend artikel)',
      all_season: 'Vierseizoenenband (onbekend artikel)',
      snow: 'Sneeuwband (onbekend artikel)',
    },
    unknownTyre: [
      'Winterband {size}, merk onleesbaar',
      'Gecoverde winterband {size}',
      'Winterband {size} van een huismerk',
    ],
    movedBecause: ['Rek heringedeeld', 'Plaats gemaakt voor wintersets', 'Verkeerd gelegd, rechtgezet'],
    memos: [
      'Kleine schade aan de flank',
      'Gerepareerd lek',
      'Velg met krassen',
      'Onregelmatige slijtage aan de binnenkant',
    ],
    remarks: {
      to_stock: [
        'Wieldoppen zitten in de koffer.',
        'Eén ventieldopje ontbreekt.',
        'Graag linksvoor nakijken, verliest lucht.',
        'Bandenspanningssensoren zitten in de velg.',
        'Wagen staat tot 17 uur aan poort 2.',
      ],
      to_customer: [
        'Graag voor 10 uur leveren.',
        'Levering aan de achterkant, bel bij aankomst.',
        'Wielbouten meegeven.',
        'Bestuurder komt om 14 uur.',
        'Bij voorkeur samen met de andere sets van die dag.',
      ],
      to_waste: ['Onder de slijtagegrens.', 'Bult in de flank van 1B.', 'Ouder dan tien jaar.'],
    },
    worn: 'Profiel te laag, mag weg.',
    cancelled: ['Afspraak verplaatst door de bestuurder.', 'Dubbel ingegeven.', 'Wagen ingeruild.'],
  },
}

const troisVallees: SitePlan = {
  code: 'trois-vallees',
  name: 'Trois Vallées Pneus',
  hosts: ['second.localhost'],
  language: 'fre',
  mode: 'hotelonly',
  email: 'gardiennage@trois-vallees.example.org',
  admin: { fullname: 'Maëlle Clairbuisson' },
  warehouse: { fullname: 'Lucien Rayonnet' },
  account: 'TV-0081',
  defaultSiteCode: 'TV',
  rules: {
    allowUnknownArticle: false,
    allowTachometer: false,
    showTyresOnVehicle: false,
    autoProcessIntakeOnFullScan: true,
    docInsertType: 'deliverynote',
    docInsertExceptions: ['to_stock', 'to_waste'],
    invoicing: { quantity: 'per_tyre', mode: 'per_day', period: 120, price: 0.05, documentType: 'reservation' },
  },
  mounts: 0.12,
  tyres: 550,
  open: {
    pending: { to_stock: 4, to_customer: 4, to_waste: 1 },
    submitted: { to_stock: 9, to_customer: 9, to_waste: 3 },
  },
  warehouses: [
    {
      name: 'Dépôt Est',
      zones: [
        { name: 'A', racks: 3, shelves: 3, places: 10, capacity: 4, holds: 'sets' },
        { name: 'D', racks: 1, shelves: 2, places: 8, capacity: 8, holds: 'loose' },
      ],
    },
    {
      name: 'Dépôt Ouest',
      zones: [
        { name: 'A', racks: 2, shelves: 3, places: 8, capacity: 4, holds: 'sets' },
        { name: 'P', racks: 1, shelves: 2, places: 9, capacity: 6, holds: 'heavy' },
      ],
    },
  ],
  labels: [
    { layout: 'roll_62x100', name: 'Étiquette 62 × 100 mm (rouleau)' },
    { layout: 'roll_57x32', name: 'Étiquette 57 × 32 mm (rouleau)' },
    { layout: 'sheet_a4_2x7', name: 'Feuille A4, 14 étiquettes' },
  ],
  transports: [
    ownVan({ nl: 'Onze bestelwagen', fr: 'Notre camionnette', en: 'Our van', de: 'Unser Transporter' }, 4, 24),
    {
      code: 'TOUR',
      days: [2],
      advance: 3,
      cutoff: '11:00',
      operations: 8,
      tyres: 48,
      texts: {
        nl: 'Wekelijkse ronde door de valleien',
        fr: 'Tournée hebdomadaire des vallées',
        en: 'Weekly round of the valleys',
        de: 'Wöchentliche Tour durch die Täler',
      },
    },
    collect,
  ],
  services: services(0.95),
  customers: [
    {
      name: 'Garage du Vieux Tilleul',
      company: 'Garage du Vieux Tilleul srl',
      street: 'Rue du Vieux Tilleul 22',
      zipcode: '5500',
      city: 'Dinant',
      fleet: { car: 17, suv: 7, van: 5, truck: 2, trailer: 1, motorcycle: 1, caravan: 1 },
      account: { username: 'customer', fullname: 'Rémi Fontamère', language: 'fre' },
    },
    {
      name: 'Commune de Valmoray',
      company: 'Commune de Valmoray, service travaux',
      street: 'Place du Kiosque 1',
      zipcode: '5590',
      city: 'Valmoray',
      fleet: { car: 4, van: 7, truck: 3, bus: 2 },
      numbers: 'CV',
      account: { username: 'customer2', fullname: 'Sander Windkorf', language: 'dut' },
    },
    {
      name: 'Ardenne Mobilité',
      company: 'Ardenne Mobilité Leasing sa',
      street: 'Avenue des Genêts 145',
      zipcode: '6900',
      city: 'Marche-en-Famenne',
      fleet: { car: 14, suv: 6 },
      numbers: 'AM',
    },
    {
      name: 'Transports Belle-Rive',
      company: 'Transports Belle-Rive srl',
      street: 'Quai des Chalands 60',
      zipcode: '5300',
      city: 'Andenne',
      fleet: { tractor: 3, semitrailer: 3, truck: 2 },
      numbers: 'BR',
    },
    {
      name: 'Carrosserie des Étangs',
      company: 'Carrosserie des Étangs srl',
      street: 'Chemin des Étangs 4',
      zipcode: '5580',
      city: 'Rochefort',
      fleet: { car: 7, suv: 3, van: 1 },
    },
    {
      name: 'Soins à domicile Aubépine',
      company: 'Soins à domicile Aubépine asbl',
      street: 'Clos de l’Aubépine 11',
      zipcode: '5530',
      city: 'Yvoir',
      fleet: { car: 6 },
      small: true,
    },
    {
      name: 'Toitures Hautecime',
      company: 'Toitures Hautecime srl',
      street: 'Rue des Ardoisiers 37',
      zipcode: '6870',
      city: 'Saint-Hubert',
      fleet: { van: 4 },
    },
    {
      name: 'La Mie Claire',
      company: 'Boulangerie La Mie Claire',
      street: 'Grand-Rue 58',
      zipcode: '5570',
      city: 'Beauraing',
      fleet: { van: 2, car: 1 },
    },
    ...(
      [
        ['Élise Rochebrume', 'Rue du Ruisseau 3', '5520', 'Onhaye', { car: 2 }],
        ['Bastien Hautclair', 'Sentier des Hêtres 14', '5560', 'Houyet', { suv: 1, motorcycle: 1 }],
        ['Noémie Valtendre', 'Rue Basse 29', '5540', 'Hastière', { car: 1 }],
        ['Loïc Montfleury', 'Impasse du Lavoir 2', '5537', 'Anhée', { car: 1, caravan: 1 }],
        ['Camille Petitjour', 'Chaussée du Moulin 80', '5600', 'Philippeville', { car: 1 }],
      ] as const
    ).map(([name, street, zipcode, city, fleet]) => ({
      name,
      company: '',
      street,
      zipcode,
      city,
      fleet,
      person: true,
    })),
  ],
  names: {
    first: [
      'Élise',
      'Bastien',
      'Noémie',
      'Loïc',
      'Camille',
      'Rémi',
      'Maëlle',
      'Gaspard',
      'Solène',
      'Hugues',
      'Aline',
      'Benoît',
      'Clémence',
      'Damien',
      'Florence',
      'Guillaume',
      'Inès',
      'Jérôme',
      'Laure',
      'Thibaut',
    ],
    last: [
      'Rochebrume',
      'Hautclair',
      'Valtendre',
      'Montfleury',
      'Petitjour',
      'Fontamère',
      'Clairbuisson',
      'Belleroche',
      'Dumoulinet',
      'Grandpreux',
      'Lavigneau',
      'Sauvenelle',
      'Boisdoré',
      'Chantevent',
      'Froidmanteau',
      'Merlebois',
    ],
  },
  phone: { mobile: '+32 400 01 ', fixed: '+32 82 00 ' },
  words: {
    sets: { summer: 'Été', winter: 'Hiver', all_season: '4 saisons' },
    driven: { summer: 'Été essieu moteur', winter: 'Hiver essieu moteur' },
    wholeYear: 'Toute l’année',
    storage: 'Gardiennage par pneu et par jour',
    unknown: {
      summer: 'Pneu été (article inconnu)',
      winter: 'Pneu hiver (article inconnu)',
      all_season: 'Pneu 4 saisons (article inconnu)',
      snow: 'Pneu neige (article inconnu)',
    },
    unknownTyre: [],
    movedBecause: ['Rayonnage réorganisé', 'Place faite pour les pneus hiver', 'Mal rangé, corrigé'],
    memos: ['Flanc légèrement abîmé', 'Crevaison réparée', 'Jante griffée', 'Usure irrégulière à l’intérieur'],
    remarks: {
      to_stock: [
        'Les enjoliveurs sont dans le coffre.',
        'Il manque un bouchon de valve.',
        'Vérifier l’avant gauche, perd de l’air.',
        'Capteurs de pression dans les jantes.',
      ],
      to_customer: [
        'Livrer avant 10 heures, s’il vous plaît.',
        'Livraison à l’arrière, appeler à l’arrivée.',
        'Joindre les boulons de roue.',
        'Le conducteur passe à 14 heures.',
      ],
      to_waste: ['Sous le témoin d’usure.', 'Hernie au flanc du 1B.', 'Plus de dix ans.'],
    },
    worn: 'Profil trop bas, à éliminer.',
    cancelled: ['Rendez-vous déplacé par le conducteur.', 'Introduit deux fois.', 'Véhicule repris.'],
  },
}

/** The demo's sites; the first answers at every address that isn't another's. */
export const sitePlans: readonly SitePlan[] = [zevenwegen, troisVallees]
