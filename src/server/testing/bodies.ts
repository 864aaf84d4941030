/** For every call a body that is right for the owner of some rows. A call without one does not compile. */
import { randomUUID } from 'node:crypto'
import type { Role } from '#domain/people/account.ts'
import type { Call } from '#contract/call.ts'
import { plainMapping } from '#domain/money/bookkeeping.ts'
import type { Contract } from '#contract/index.ts'
import type { Owned } from './owners.ts'
import type { Principal, Reply, World } from './world.ts'

export type Row = {
  /** A body that is right for the owner of these rows. */
  body: (of: Owned) => unknown
  /** Which ids of an owner it names; none: it answers the caller's own rows for any input. */
  names: readonly (keyof Owned)[]
  /** Instead, where an administrator's are others than a customer's. */
  byAdmin?: Pick<Row, 'body' | 'names'>
  /** It answers also without a record: nothing is named, or nothing found. */
  optional?: true
  /** The rest of a GET's path. */
  path?: (of: Owned) => string
}

/** A description in every language. */
const dictionaryText = (text: string) => ({
  description_nl: text,
  description_fr: text,
  description_en: text,
  description_de: text,
})

/** A picture of one white pixel. */
const drawn = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const period = () => ({ startDate: '2020-01-01', endDate: '2099-12-31' })
const none = () => ({})
const inAll = (text: string) => ({ nl: text, fr: text, en: text, de: text })
const paper = { header: inAll('Open on Saturdays'), footer: inAll(''), terms: inAll(''), columns: ['depth'] }

/** The day at the site by the clock of the database, on which an owner's storage was submitted. */
const thisDay = () =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Europe/Brussels', dateStyle: 'short' }).format(new Date())

/** The content of a transport form. */
const hauled = { day: '2026-01-31', form_number: 'F-1', collector: 'Scrap Ltd' }

/** Of no browser, about no challenge. */
const ofNoBrowser = { id: 'bm90IG9uZQ', type: 'public-key' as const }
const clientDataJSON = Buffer.from('{"challenge":"none"}').toString('base64url')
const shownPasskey = { ...ofNoBrowser, response: { clientDataJSON, authenticatorData: 'AA', signature: 'AA' } }
const madePasskey = { ...ofNoBrowser, response: { clientDataJSON, attestationObject: 'AA' } }

const numbersOf = (number: string) =>
  ({
    country: 'BE',
    vat_number: `BE${number}`,
    company_scheme: '0208',
    company_number: number,
    peppol_scheme: null,
    peppol_id: '',
    exemption: '',
  }) as const
/** The billing details of a site, and of a customer. */
export const sellerDetails = {
  ...numbersOf('0739484052'),
  invoices: true,
  legal_name: 'Bandenhotel BV',
  street: 'Kaai 1',
  zipcode: '9000',
  city: 'Gent',
  email: 'office@hotel.example',
  iban: 'BE68539007547034',
  bic: 'KREDBEBB',
  payment_days: 30,
  invoice_series: 'F',
  credit_series: 'CN',
  vat_rate: 21,
  note: '',
} as const
export const buyerDetails = {
  ...numbersOf('0202239951'),
  legal_name: 'Fleet NV',
  buyer_reference: 'PO-77',
} as const

/** About a webhook endpoint: a customer's, or for an administrator one of the site. */
const ofEndpoint = (body: (endpoint: number) => unknown): Row => ({
  body: owned => body(owned.endpoint),
  names: ['endpoint'],
  byAdmin: { body: owned => body(owned.siteEndpoint), names: ['siteEndpoint'] },
})

const rows: { [F in keyof Contract]: { [C in keyof Contract[F]]: Row } } = {
  users: {
    authenticate: { body: () => ({ username: 'customer-a', password: 'not the one' }), names: [] },
    loginstate: { body: none, names: [] },
    logout: { body: none, names: [] },
    language: { body: () => ({ lang: 'eng' }), names: [] },
    password: { body: () => ({ password: 'not the one', wanted: 'another one that is long' }), names: [] },
    forgotten: { body: () => ({ username: 'customer-a' }), names: [] },
    link: { body: () => ({ token: 'not one' }), names: [] },
    setpassword: { body: () => ({ token: 'not one', password: 'another one that is long' }), names: [] },
    newpassword: { body: () => ({ step: 'not one', password: 'another one that is long' }), names: [] },
    factor: { body: () => ({ step: 'not one', code: '123456' }), names: [] },
    askpasskey: { body: none, names: [] },
    passkey: { body: () => ({ response: shownPasskey }), names: [] },
    offer: { body: () => ({ step: 'not one' }), names: [] },
    enrolapp: { body: () => ({ step: 'not one', sealed: 'not one', code: '123456' }), names: [] },
    enrolpasskey: { body: () => ({ step: 'not one', name: 'Key ring', response: madePasskey }), names: [] },
  },
  tokens: {
    own: { body: none, names: [] },
    make: { body: () => ({ name: 'Accounting', scopes: ['read'], days: 30 }), names: [] },
    revoke: { body: owned => ({ _id: owned.token }), names: ['token'] },
    site: { body: none, names: [] },
    makesite: { body: () => ({ name: 'Accounting', scopes: ['read'], days: null }), names: [] },
    revokesite: { body: owned => ({ _id: owned.siteToken }), names: ['siteToken'] },
  },
  webhooks: {
    list: { body: none, names: [] },
    ofcustomers: { body: none, names: [] },
    save: ofEndpoint(_id => ({ _id, url: 'https://192.0.2.1/hook', kinds: ['tyre.received'], enabled: true })),
    remove: ofEndpoint(_id => ({ _id })),
    rotate: ofEndpoint(_id => ({ _id })),
    test: ofEndpoint(_id => ({ _id })),
    log: ofEndpoint(_id => ({ _id })),
    replay: {
      body: owned => ({ _id: owned.delivery }),
      names: ['delivery'],
      byAdmin: { body: owned => ({ _id: owned.siteDelivery }), names: ['siteDelivery'] },
    },
  },
  account: {
    sessions: { body: none, names: [] },
    endsession: { body: owned => ({ _id: owned.session }), names: ['session'] },
    endothers: { body: none, names: [] },
    confirm: { body: () => ({ passkey: shownPasskey }), names: [] },
    askpasskey: { body: none, names: [] },
    factors: { body: none, names: [] },
    offer: { body: none, names: [] },
    addapp: { body: () => ({ sealed: 'not one', code: '123456' }), names: [] },
    removeapp: { body: none, names: [] },
    addpasskey: { body: () => ({ name: 'Key ring', response: madePasskey }), names: [] },
    removepasskey: { body: owned => ({ _id: owned.passkey }), names: ['passkey'] },
    renewcodes: { body: none, names: [] },
  },
  signOn: {
    begin: { body: none, names: [] },
    finish: { body: () => ({ answer: 'code=none&state=none' }), names: [] },
    settings: { body: none, names: [] },
    save: {
      body: owned => ({
        name: 'Provider',
        issuer: 'https://127.0.0.1',
        client_id: 'portal',
        client_secret: 'secret',
        claim: 'email',
        seq_id: owned.customer,
      }),
      names: ['customer'],
    },
    remove: { body: none, names: [] },
    unlink: { body: owned => ({ _id: owned.account }), names: ['account'] },
  },
  site: {
    gsc: { body: none, names: [] },
    tsconfigdata: { body: none, names: [] },
    getvehicleconfigs: { body: none, names: [] },
  },
  hotelconfig: {
    adminconfig: { body: owned => ({ id: owned.site }), names: ['site'] },
    edit: {
      body: owned => ({
        _id: owned.site,
        name: 'Edited',
        adminEmail: 'desk@example.org',
        lang: 'eng',
        time_zone: 'Europe/Brussels',
        allowUnknownArticle: false,
        unknownWinterArticleId: null,
        unknownSummerArticleId: null,
        unknownAllSeasonArticleId: null,
        unknownSnowArticleId: owned.article,
        allowDetailedStockReport: true,
        allowProfileDepth: true,
        allowTachometer: true,
        showTyresOnVehicle: true,
        showTyresAtCustomer: true,
        showWasteTyres: true,
        invoicing_quantity: 'per_set',
        invoicing_mode: 'per_period',
        invoicing_period: 180,
        invoicing_article_id: null,
        invoicing_document_type: 'reservation',
        autoProcessIntakeOnFullScan: false,
        doDocInsert: false,
        docInsertType: 'worknote',
        docInsertAsks: true,
        docInsertExceptions: [],
        transportMethods: [
          {
            _id: owned.transport,
            name: `Own van ${owned.siteWord}`,
            code: 'VAN',
            default: true,
            ...dictionaryText('v'),
            operationDays: [2, 3, 4, 5],
            advanceDays: 1,
            cutoffHour: null,
            operationsPerDay: 0,
            tyresPerDay: 0,
          },
        ],
        closedDays: [{ day: '2026-12-31', holiday: null, name: `Stocktaking ${owned.siteWord}` }],
        services: [
          {
            _id: owned.service,
            icon: null,
            name: `Washing ${owned.siteWord}`,
            operation_type: 'to_stock',
            article_number: '100',
            article_insertion_method: 'per_tyre',
            preselected: false,
            blocked: false,
            ...dictionaryText('w'),
            price_excl: 0,
          },
        ],
      }),
      names: ['site'],
    },
    editentries: {
      body: owned => ({
        id: owned.site,
        transportMethods: [
          {
            _id: owned.transport,
            name: `Van of one's own ${owned.siteWord}`,
            code: 'VAN',
            default: true,
            ...dictionaryText('v'),
            operationDays: [2, 3, 4, 5],
            advanceDays: 1,
            cutoffHour: null,
            operationsPerDay: 0,
            tyresPerDay: 0,
          },
        ],
        removed: { closedDays: ['2026-12-30'] },
        closedDays: [{ day: '2026-12-28', holiday: null, name: `Works ${owned.siteWord}` }],
        services: [
          {
            _id: owned.service,
            icon: null,
            name: `Washing by hand ${owned.siteWord}`,
            operation_type: 'to_stock',
            article_number: '100',
            article_insertion_method: 'per_tyre',
            preselected: false,
            blocked: false,
            ...dictionaryText('w'),
            price_excl: 0,
          },
        ],
      }),
      names: ['site', 'transport', 'service'],
    },
    plannedrecalls: { body: owned => ({ id: owned.site, days: ['2026-12-25'] }), names: ['site'] },
    editconfigimage: { body: owned => ({ id: owned.site }), names: ['site'] },
    getall: { body: none, names: [] },
    new: {
      body: () => ({ name: 'New', webstreamAccount: 'W', adminEmail: 'new@example.org', urls: ['new.example.org'] }),
      names: [],
    },
    // as text, so that a list of ids is not taken for its first one: a retired record here stays so
    delete: { body: owned => ({ _id: String(owned.spare) }), names: ['spare'] },
    firststeps: { body: none, names: [] },
    dismissfirststeps: { body: none, names: [] },
    admins: { body: owned => ({ id: owned.site }), names: ['site'] },
    newadmin: {
      body: owned => ({
        id: owned.site,
        username: `admin-${Math.random().toString(36).slice(2)}`,
        password: 'long enough',
      }),
      names: ['site'],
    },
  },
  transports: {
    usage: { body: owned => ({ id: owned.site, transport: owned.spareTransport }), names: ['site', 'spareTransport'] },
    remove: {
      body: owned => ({ id: owned.site, transport: owned.spareTransport, by: owned.transport }),
      names: ['site', 'spareTransport', 'transport'],
    },
  },
  vehicleConfigs: {
    all: { body: none, names: [] },
    save: {
      body: owned => ({ _id: owned.config, description: `Edited ${owned.siteWord} ${String(owned.config)}` }),
      names: ['config'],
    },
    remove: { body: owned => ({ _id: owned.config }), names: ['config'] },
  },
  labelReports: {
    all: { body: none, names: [] },
    save: {
      body: owned => ({
        rpt_number: owned.spareReport,
        rpt_name: `Edited ${owned.siteWord} ${String(owned.spareReport)}`,
        rpt_layout: 'roll_57x32',
      }),
      names: ['spareReport'],
    },
    remove: { body: owned => ({ rpt_number: owned.spareReport }), names: ['spareReport'] },
  },
  imports: {
    check: { body: owned => ({ kind: 'vehicles', seq_id: owned.customer }), names: ['customer'] },
    take: { body: owned => ({ kind: 'vehicles', seq_id: owned.customer }), names: ['customer'] },
    progress: { body: none, names: [] },
    list: { body: none, names: [] },
    undo: { body: owned => ({ _id: owned.import }), names: ['import'] },
  },
  articles: {
    list: { body: none, names: [] },
    sameEan: { body: none, names: [] },
    save: {
      body: owned => ({
        _id: owned.catalogued,
        brand: 'Michelin',
        pattern: `Alpin ${owned.catalogued}`,
        dimension: '205/55R16',
        load_index: '91',
        speed_index: 'H',
        season: 'winter',
        ean: '',
        eprel: '',
        fuel_class: '',
        wet_class: '',
        noise_db: null,
        description: '',
      }),
      names: ['catalogued'],
    },
    retire: { body: owned => ({ _id: owned.catalogued, retired: false }), names: ['catalogued'] },
    unknown: { body: none, names: [] },
    merge: {
      body: owned => ({ from: { description: 'nothing', season: null }, into: owned.catalogued }),
      names: ['catalogued'],
    },
  },
  fleet: {
    fetch: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    health: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    nearing: { body: owned => ({ seq_id: owned.customer, season: 'winter' }), names: ['customer'] },
    reaching: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    vehicle: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    new: {
      body: owned => ({
        vehicleData: {
          license_plate: `N${Math.random().toString(36).slice(2, 10)}`,
          brand: 'Volvo',
          description: 'V60',
          type: 'car',
          configuration: 'Car',
        },
        seq_id: owned.customer,
      }),
      names: ['customer'],
    },
    update: { body: owned => ({ vehicle: { flt_id: owned.vehicle, brand: 'Saab' } }), names: ['vehicle'] },
    inactivate: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    transfer: {
      body: owned => ({ flt_id: owned.vehicle, seq_id: owned.customer, date: '2026-11-01' }),
      names: ['vehicle', 'customer'],
    },
    registered: { body: () => ({ license_plate: 'BZHR04' }), names: [] },
    history: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    historydocument: { body: owned => ({ db_id: owned.document, doctype: 'worknote' }), names: ['document'] },
    searcharticles: { body: () => ({ search_value: '2055516H' }), names: [] },
    findcustomerbyname: { body: () => ({ string: 'a' }), names: [] },
    getTyreLabels: { body: owned => ({ tyres: owned.home, report_id: owned.report }), names: ['home'] },
  },
  tyres: {
    add: {
      body: owned => ({ flt_id: owned.vehicle, tyre_set: 'spare', tyres: [{ position: '1A', art_id: owned.article }] }),
      names: ['vehicle'],
    },
    changeset: { body: owned => ({ tyres: owned.home, tyre_set: 'other name' }), names: ['home'] },
    undoset: {
      body: owned => ({ tyres: owned.home.map(db_id => ({ db_id, tyre_set: 'before' })), expected: 'home' }),
      names: ['home'],
    },
    remove: { body: owned => ({ tyres: owned.home }), names: ['home'] },
    measure: {
      body: owned => ({
        readings: owned.home.map(tyre => ({ db_id: tyre, profile_depth: 2.5, profile_date: '2026-11-01' })),
        deeper: true,
      }),
      names: ['home'],
    },
    unmeasure: {
      body: owned => ({
        readings: owned.home.map(tyre => ({ db_id: tyre, profile_depth: 2.5, profile_date: '2026-11-01' })),
      }),
      names: ['home'],
    },
    notedot: {
      body: owned => ({
        db_id: owned.home[0],
        dot: 'DOT 4B9R JU1X 2319',
        retreaded: '',
        expected: { dot: '', retreaded: '' },
      }),
      names: ['home'],
    },
    dots: { body: owned => ({ tyres: [...owned.home, ...owned.stored] }), names: ['home', 'stored'] },
    events: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    forecast: { body: owned => ({ tyres: [...owned.home, ...owned.stored] }), names: ['home', 'stored'] },
    find: { body: owned => ({ tyre: owned.home[0] }), names: [] },
    recentstocklocations: { body: owned => ({ tyreIds: owned.stored }), names: ['stored'] },
  },
  mounts: {
    vehicle: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    fleet: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    change: {
      body: owned => ({
        flt_id: owned.vehicle,
        date: '2026-11-01',
        km: 54_600,
        unordered: true,
        put: owned.home.map(db_id => ({ db_id })),
        swap: true,
      }),
      names: ['vehicle', 'home'],
    },
    deny: { body: owned => ({ flt_id: owned.vehicle, tyres: owned.home }), names: ['vehicle', 'home'] },
    undo: { body: owned => ({ flt_id: owned.vehicle, change: 1 }), names: ['vehicle'] },
  },
  moves: {
    tyres: {
      body: owned => ({ flt_id: owned.vehicle, tyres: [{ db_id: owned.home[0], position: '1A' }], tyre_set: 'moved' }),
      names: ['home', 'vehicle'],
    },
    leave: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    left: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
  },
  odometers: {
    record: {
      body: owned => ({ readings: [{ flt_id: owned.vehicle, date: '2026-11-01', km: 61_000 }], unordered: true }),
      names: ['vehicle'],
    },
    withdraw: { body: owned => ({ flt_id: owned.vehicle, reading: owned.odometer }), names: ['vehicle', 'odometer'] },
  },
  operations: {
    new: {
      body: owned => ({ operation: { flt_id: owned.vehicle, tyres: owned.home, operationType: 'to_stock' } }),
      names: ['vehicle', 'home'],
    },
    update: {
      body: owned => ({ operation: { _id: owned.pending, remarks: 'seen', services: [owned.service], expected: {} } }),
      names: ['pending'],
    },
    delete: { body: owned => ({ operation: { _id: owned.pending } }), names: ['pending'] },
    fetch: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    bookedtransportdays: { body: owned => ({ transportMethod: owned.transport }), names: ['transport'] },
    plan: {
      body: owned => ({ transport: owned.transport, from: '2026-11-23', until: '2026-11-27', counts: [4] }),
      names: ['transport'],
    },
    swap: {
      body: owned => ({
        flt_id: owned.vehicle,
        recall: owned.stored,
        store: owned.home,
        transport: owned.transport,
        deliveryDate: '2026-11-25',
      }),
      names: ['vehicle', 'stored', 'home', 'transport'],
    },
    completedbydate: {
      body: owned => ({ startDate: '2026-01-01', endDate: '2026-12-31', seq_id: owned.customer }),
      names: ['customer'],
    },
    admin: { body: () => ({ status: 'submitted' }), names: [] },
    adminopsbydate: { body: period, names: [] },
    adminopsbydate_light: { body: period, names: [] },
    cancel: { body: owned => ({ operation: { _id: owned.submitted } }), names: ['submitted'] },
    withdraw: { body: owned => ({ operation: { _id: owned.submitted, expected: {} } }), names: ['submitted'] },
    reschedule: {
      body: owned => ({ operation: { _id: owned.submitted, deliveryDate: '2026-11-27', expected: {} } }),
      names: ['submitted'],
    },
    confirm: {
      body: owned => ({ operation: { _id: owned.submitted }, here: owned.expected }),
      names: ['submitted', 'expected'],
    },
    missing: { body: none, names: [] },
    closemissing: {
      body: owned => ({ operation: owned.submitted, db_id: owned.expected[0], reason: 'It was never sent' }),
      names: ['submitted', 'expected'],
    },
    noshow: { body: owned => ({ operation: owned.submitted }), names: ['submitted'] },
    markscan: { body: owned => ({ operation: { _id: owned.submitted } }), names: ['submitted'] },
    trail: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    unscan: { body: owned => ({ tyres: owned.expected }), names: ['expected'] },
  },
  invoicing: {
    customers: { body: () => ({ days: 0 }), names: [] },
    tyres: { body: owned => ({ seq_id: owned.customer, days: 0 }), names: ['customer'] },
    preview: { body: owned => ({ tyres: owned.stored, seq_id: owned.customer }), names: ['stored', 'customer'] },
    inject: { body: owned => ({ tyres: owned.stored, seq_id: owned.customer }), names: ['stored', 'customer'] },
    markinvoiced: { body: owned => ({ tyres: owned.stored, date: '2026-11-01' }), names: ['stored'] },
    unmarkinvoiced: { body: owned => ({ tyreIds: owned.stored }), names: ['stored'] },
    waive: {
      body: owned => ({ tyres: owned.stored, seq_id: owned.customer, reason: 'Agreed' }),
      names: ['stored', 'customer'],
    },
    unwaive: { body: owned => ({ _id: owned.waiver, reason: 'Not agreed' }), names: ['waiver'] },
    waivers: { body: none, names: [] },
    left: { body: none, names: [] },
    lefttyres: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    credits: { body: none, names: [] },
    credit: { body: owned => ({ tyres: owned.stored, reason: 'Credit note 12' }), names: ['stored'] },
    undomarking: { body: owned => ({ tyres: owned.stored }), names: ['stored'] },
    withdraw: { body: owned => ({ db_id: owned.document, reason: 'A mistake' }), names: ['document'] },
    documents: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
  },
  tariff: {
    list: { body: none, names: [] },
    add: {
      body: owned => ({
        kind: 'service',
        per: 'tyre',
        service: owned.service,
        seq_id: owned.customer,
        since: '2026-11-01',
        price_excl: 4.5,
      }),
      names: ['service', 'customer'],
    },
    succeed: { body: owned => ({ _id: owned.rule, since: '2026-12-01', price_excl: 6 }), names: ['rule'] },
    end: { body: owned => ({ _id: owned.rule, until: '2026-11-30' }), names: ['rule'] },
    remove: { body: owned => ({ _id: owned.spareRule }), names: ['spareRule'] },
  },
  charges: {
    list: { body: owned => ({ seq_id: owned.customer, all: true }), names: ['customer'] },
    preview: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    inject: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    waive: { body: owned => ({ charges: [owned.charge], reason: 'Agreed' }), names: ['charge'] },
    unwaive: { body: owned => ({ _id: owned.forgiven, reason: 'Not agreed' }), names: ['forgiven'] },
    counter: { body: owned => ({ _id: owned.charged, reason: 'A mistake' }), names: ['charged'] },
  },
  billing: {
    list: { body: none, names: [] },
    owing: { body: () => ({ days: 0 }), names: [] },
    read: { body: owned => ({ _id: owned.run }), names: ['run'] },
    begin: { body: () => ({ covers: 'all', until: '2026-11-01', days: 0, marks: true }), names: [] },
    make: { body: owned => ({ _id: owned.run }), names: ['run'] },
    cancel: { body: owned => ({ _id: owned.run }), names: ['run'] },
    resume: { body: owned => ({ _id: owned.run }), names: ['run'] },
    undo: { body: owned => ({ _id: owned.run, reason: 'A wrong price' }), names: ['run'] },
    pdf: { body: owned => ({ _id: owned.run }), names: ['run'] },
    zip: { body: owned => ({ _id: owned.run }), names: ['run'] },
    mail: { body: owned => ({ _id: owned.run }), names: ['run'] },
  },
  invoices: {
    settings: { body: none, names: [] },
    setup: { body: () => sellerDetails, names: [] },
    buyer: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    savebuyer: { body: owned => ({ ...buyerDetails, seq_id: owned.customer }), names: ['customer'] },
    open: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    list: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    make: { body: owned => ({ seq_id: owned.customer, documents: [owned.document] }), names: ['customer', 'document'] },
    makerun: { body: owned => ({ _id: owned.run }), names: ['run'] },
    credit: { body: owned => ({ _id: owned.invoice, reason: 'A wrong price' }), names: ['invoice'] },
    lines: { body: owned => ({ _id: owned.invoice }), names: ['invoice'] },
    send: { body: owned => ({ _id: owned.invoice }), names: ['invoice'] },
    pdf: { body: owned => ({ _id: owned.invoice }), names: ['invoice'] },
    ubl: { body: owned => ({ _id: owned.invoice }), names: ['invoice'] },
    mapping: { body: none, names: [] },
    savemapping: {
      body: () => ({
        ...structuredClone(plainMapping),
        accounts: [{ category: 'S', rate: 21, account: '700000', vat_code: 'S21' }],
      }),
      names: [],
    },
    export: { body: () => ({ from: '2026-11-01', to: '2026-11-30' }), names: [] },
  },
  payments: {
    settings: { body: none, names: [] },
    setup: { body: () => ({ followed_from: '2026-01-01' }), names: [] },
    list: { body: owned => ({ _id: owned.invoice }), names: ['invoice'] },
    record: { body: owned => ({ _id: owned.invoice, paid_on: '2026-11-02', amount: 21 }), names: ['invoice'] },
    writeoff: { body: owned => ({ _id: owned.invoice, reason: 'Bankrupt' }), names: ['invoice'] },
    allocate: {
      body: owned => ({ _id: owned.payment, invoice: owned.invoice }),
      names: ['payment', 'invoice'],
    },
    refund: { body: owned => ({ _id: owned.payment, paid_on: '2026-11-02', amount: 10 }), names: ['payment'] },
    undo: { body: owned => ({ _id: owned.payment, reason: 'A mistake' }), names: ['payment'] },
    take: { body: () => ({ name: 'statement.xml' }), names: [] },
    files: { body: none, names: [] },
    undofile: { body: owned => ({ _id: owned.bankFile, reason: 'A mistake' }), names: ['bankFile'] },
    lines: { body: none, names: [] },
    answer: {
      body: owned => ({ _id: owned.bankLine, invoice_ids: [owned.invoice] }),
      names: ['bankLine', 'invoice'],
    },
    setaside: { body: owned => ({ _id: owned.bankLine, reason: 'Rent' }), names: ['bankLine'] },
    account: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    statement: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
  },
  reminders: {
    settings: { body: none, names: [] },
    setup: {
      body: () => ({
        levels: [{ days: 7, fee: 0, text: inAll('Please pay') }],
        interest_rate: 10.5,
        compensation: true,
      }),
      names: [],
    },
    due: { body: none, names: [] },
    send: { body: none, names: [] },
    runs: { body: none, names: [] },
    pdf: { body: owned => ({ _id: owned.letter }), names: ['letter'] },
    stops: { body: none, names: [] },
    stop: {
      body: owned => ({ seq_id: owned.customer, invoice: owned.invoice, reason: 'A complaint' }),
      names: ['customer', 'invoice'],
    },
    unstop: { body: owned => ({ _id: owned.stop }), names: ['stop'] },
  },
  customers: {
    list: { body: () => ({ search: 'a' }), names: [] },
    customer: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    save: { body: owned => ({ seq_id: owned.customer, city: 'Brugge' }), names: ['customer'] },
    accounts: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    saveaccount: {
      body: owned => ({ _id: owned.account, seq_id: owned.customer, type: 'user', fullname: 'Jo' }),
      names: ['account', 'customer'],
    },
    setdisabled: { body: owned => ({ _id: owned.account, disabled: true }), names: ['account'] },
    resetpassword: { body: owned => ({ _id: owned.account }), names: ['account'] },
    resetfactors: { body: owned => ({ _id: owned.account }), names: ['account'] },
    sendlink: { body: owned => ({ _id: owned.account }), names: ['account'] },
    export: { body: none, names: [] },
    import: { body: () => ({ csv: 'name\nNobody\n', dryRun: true }), names: [] },
  },
  locations: {
    all: { body: none, names: [] },
    tyres: { body: owned => ({ _id: owned.branch }), names: ['branch'] },
    make: {
      body: owned => ({ parent: owned.branch, levels: [{ kind: 'rack', pattern: '7 to 8' }], capacity: 4 }),
      names: ['branch'],
    },
    edit: { body: owned => ({ _id: owned.branch, capacity: 5 }), names: ['branch'] },
    remove: { body: owned => ({ _id: owned.branch }), names: ['branch'] },
    move: { body: owned => ({ tyres: owned.stored, location: owned.place }), names: ['stored', 'place'] },
    unmove: {
      body: owned => ({
        location: owned.place,
        wheels: owned.stored.map(db_id => ({ db_id, state: 'received', location: null, kept: null })),
      }),
      names: ['stored', 'place'],
    },
    plan: { body: owned => ({ operation: owned.submitted }), names: ['submitted'] },
    labels: { body: owned => ({ locations: [owned.place], report_id: owned.report }), names: ['place'] },
  },
  wheels: {
    step: { body: owned => ({ tyres: owned.stored, step: 'miss' }), names: ['stored'] },
    close: { body: owned => ({ db_id: owned.lost, reason: 'Sold' }), names: ['lost'] },
    clearup: { body: none, names: [] },
    tally: { body: none, names: [] },
    settle: { body: () => ({ kind: 'three', key: 'one of nobody', reason: 'A trailer' }), names: [] },
    orphan: { body: owned => ({ size: '205/55R16', location: owned.place }), names: ['place'], optional: true },
    candidates: { body: owned => ({ orphan: owned.orphan }), names: ['orphan'] },
    identify: { body: owned => ({ orphan: owned.orphan, db_id: owned.lost }), names: ['orphan', 'lost'] },
    dismiss: { body: owned => ({ orphan: owned.orphan, reason: 'Scrapped' }), names: ['orphan'] },
  },
  counts: {
    all: { body: none, names: [] },
    start: { body: owned => ({ location: owned.branch }), names: ['branch'] },
    places: { body: owned => ({ count: owned.stocktake }), names: ['stocktake'] },
    next: { body: none, names: [] },
    place: {
      body: owned => ({
        count: owned.stocktake,
        location: owned.place,
        scanId: randomUUID(),
        wheels: [{ db_id: owned.stored[0], ticsId: owned.site }],
      }),
      names: ['stocktake', 'place'],
    },
    solve: { body: owned => ({ finding: owned.finding, how: 'done', reason: 'Scrapped' }), names: ['finding'] },
    end: { body: owned => ({ count: owned.stocktake }), names: ['stocktake'] },
    report: { body: owned => ({ count: owned.stocktake }), names: ['stocktake'] },
  },
  damages: {
    list: { body: owned => ({ tyres: owned.stored }), names: ['stored'] },
    report: { body: owned => ({ db_id: owned.stored[0], code: 'nail', note: 'In the shoulder' }), names: ['stored'] },
    end: { body: owned => ({ damage: owned.damage, how: 'repaired' }), names: ['damage'] },
    addphoto: { body: owned => ({ damage: owned.damage }), names: ['damage'] },
    photo: { body: owned => ({ photo: owned.photo }), names: ['photo'] },
    small: { body: owned => ({ photos: [owned.photo] }), names: ['photo'] },
  },
  waves: {
    all: { body: none, names: [] },
    plan: {
      body: owned => ({ day: '2026-11-20', transport: owned.transport, most: 8, unit: 'wheels' }),
      names: ['transport'],
    },
    planday: { body: () => ({ day: '2026-11-20' }), names: [] },
    round: { body: owned => ({ wave: owned.wave }), names: ['wave'] },
    scan: { body: owned => ({ wave: owned.wave, db_id: owned.stored[0] }), names: ['wave'] },
    miss: { body: owned => ({ wave: owned.wave }), names: ['wave'] },
    undo: { body: owned => ({ wave: owned.wave, tyres: owned.stored }), names: ['wave'] },
    end: { body: owned => ({ wave: owned.wave }), names: ['wave'] },
  },
  today: { read: { body: none, names: [] } },
  board: {
    read: { body: none, names: [] },
    unmoved: { body: none, names: [] },
  },
  figures: {
    revenue: { body: none, names: [] },
    occupancy: { body: none, names: [] },
    customers: { body: none, names: [] },
    deliveries: { body: none, names: [] },
    unpaid: { body: none, names: [] },
  },
  labels: {
    day: { body: () => ({ day: '2026-01-31' }), names: [] },
    // each site numbers its label reports from 1
    print: { body: owned => ({ day: thisDay(), report_id: owned.report }), names: [] },
    printers: { body: none, names: [] },
    send: { body: owned => ({ printer: 'Dock', tyres: owned.home, report_id: owned.report }), names: ['home'] },
  },
  stock: {
    statement: { body: owned => ({ date: '2026-01-31', seq_id: owned.customer }), names: ['customer'] },
    statementpdf: { body: owned => ({ date: '2026-01-31', seq_id: owned.customer }), names: ['customer'] },
  },
  disposals: {
    waiting: { body: none, names: [] },
    record: { body: owned => ({ ...hauled, tyres: owned.scrap }), names: ['scrap'] },
    edit: { body: owned => ({ ...hauled, _id: owned.pickup }), names: ['pickup'] },
    withdraw: { body: owned => ({ _id: owned.pickup, reason: 'Wrong day' }), names: ['pickup'] },
    list: { body: owned => ({ ...period(), seq_id: owned.customer }), names: ['customer'] },
    proof: { body: owned => ({ _id: owned.pickup, seq_id: owned.customer }), names: ['pickup', 'customer'] },
  },
  gate: {
    read: { body: owned => ({ day: '2026-11-20', transport: owned.transport }), names: ['transport'] },
    lane: { body: owned => ({ location: owned.place }), names: ['place'] },
    load: {
      body: owned => ({ day: '2026-11-20', transport: owned.transport, db_id: owned.stored[0] }),
      names: ['transport', 'stored'],
    },
    leave: { body: owned => ({ day: '2026-11-20', transport: owned.transport }), names: ['transport'] },
    sign: { body: owned => ({ documents: [owned.note], name: 'A driver', signature: drawn }), names: ['note'] },
  },
  cards: {
    read: { body: owned => ({ tyre: owned.stored[0] }), names: ['stored'], optional: true },
    commands: { body: none, names: [] },
  },
  find: { all: { body: owned => ({ words: String(owned.stored[0]), recent: [owned.vehicle] }), names: [] } },
  papers: {
    receipt: { body: owned => ({ operation: owned.stowed }), names: ['stowed'] },
    receiptpdf: { body: owned => ({ operation: owned.stowed }), names: ['stowed'] },
    sign: { body: owned => ({ operation: owned.stowed, name: 'A driver', signature: drawn }), names: ['stowed'] },
    mail: { body: owned => ({ operation: owned.stowed }), names: ['stowed'] },
    overview: { body: owned => ({ seq_id: owned.customer }), names: ['customer'] },
    layout: { body: none, names: [] },
    save: { body: () => ({ ...paper, version: 0 }), names: [] },
    preview: { body: () => ({ ...paper, shows: 'receipt', lang: 'en' }), names: [] },
  },
  people: {
    driver: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    erasedriver: { body: owned => ({ flt_id: owned.vehicle }), names: ['vehicle'] },
    account: { body: owned => ({ _id: owned.account }), names: ['account'] },
    eraseaccount: { body: owned => ({ _id: owned.account }), names: ['account'] },
  },
  audit: {
    list: { body: owned => ({ search: 'vehicle', seq_id: owned.customer }), names: [] },
    people: { body: none, names: [] },
    export: { body: owned => ({ seq_id: owned.customer }), names: [] },
  },
  security: {
    list: { body: none, names: [] },
    people: { body: none, names: [] },
    // an export is an event itself: the next one would answer more
    export: { body: () => ({ kind: 'signInRight' }), names: [] },
  },
  locale: {
    file: { body: none, names: [], path: () => '/locales/en/failures.json' },
    add: { body: none, names: [], path: () => '/locales/add/en/failures' },
    all: { body: none, names: [] },
    shipped: { body: none, names: [] },
    new: {
      body: () => ({ language: 'ger', namespace: 'common', key: 'cancel', value: 'Abbrechen' }),
      names: [],
    },
    update: { body: owned => ({ id: owned.translation, value: 'Another' }), names: ['translation'] },
    preview: {
      body: () => ({ language: 'eng', namespace: 'mail', key: 'reset.subject', value: 'Another for {{site}}' }),
      names: [],
    },
    delete: { body: owned => ({ id: owned.translation }), names: ['translation'] },
    missing: { body: none, names: [] },
    forget: { body: () => ({ texts: [{ language: 'eng', namespace: 'common', key: 'nothing' }] }), names: [] },
    export: { body: () => ({ language: 'eng', form: 'csv' }), names: [] },
    import: { body: () => ({ language: 'eng', text: 'namespace,key,value\n', dryRun: true }), names: [] },
  },
  backups: { latest: { body: none, names: [] } },
  changes: {
    vehicles: { body: owned => ({ seq_id: owned.customer, limit: 1000 }), names: ['customer'] },
    tyres: { body: owned => ({ seq_id: owned.customer, limit: 1000 }), names: ['customer'] },
    mounts: { body: owned => ({ seq_id: owned.customer, limit: 1000 }), names: ['customer'] },
    odometers: { body: owned => ({ seq_id: owned.customer, limit: 1000 }), names: ['customer'] },
    operations: { body: owned => ({ seq_id: owned.customer, limit: 1000 }), names: ['customer'] },
    documents: { body: owned => ({ seq_id: owned.customer, limit: 1000 }), names: ['customer'] },
    customers: { body: () => ({ limit: 1000 }), names: [] },
  },
  notices: {
    list: { body: none, names: [] },
    read: { body: () => ({ last: 1 }), names: [] },
    settings: { body: none, names: [] },
    choose: { body: () => ({ hidden: ['planned'], mailed: ['done'], daily: true }), names: [] },
    unsubscribe: { body: () => ({ key: '00000000-0000-4000-8000-000000000000' }), names: [] },
  },
  views: {
    list: { body: none, names: [] },
    save: {
      body: owned => ({ _id: owned.view, list: 'vehicles', name: 'To do', filter: { season: 'winter' }, shared: true }),
      names: ['view'],
    },
    mail: { body: owned => ({ _id: owned.view, weekday: null }), names: ['view'] },
    remove: { body: owned => ({ _id: owned.view }), names: ['view'] },
  },
  mails: {
    list: { body: none, names: [] },
  },
}

/** The row of a call by an account of this type. @throws where a call has none: it would be tried by nobody */
export function rowOf(name: string, type?: Role | null): Row {
  const [feature = '', entry = ''] = name.split('.')
  const row = (rows as Record<string, Record<string, Row>>)[feature]?.[entry]
  if (!row) throw new Error(`${name} has no row in the matrix`)
  return type === 'admin' && row.byAdmin ? { ...row, ...row.byAdmin } : row
}

/** Makes a call with anything as the body, `of` says whose rows a GET asks for. */
export async function send(
  at: World,
  call: Call,
  row: Row,
  who: Principal,
  body: unknown,
  owned: Owned,
): Promise<Reply<unknown>> {
  const path = row.path?.(owned) ?? call.path
  if (call.method === 'POST') return at.send(path, who, body)
  const reply = await at.app.inject({
    method: 'GET',
    url: path,
    headers: {
      host: who.host,
      ...(who.cookie ? { cookie: who.cookie } : {}),
      ...(who.token ? { authorization: `Bearer ${who.token}` } : {}),
    },
  })
  return {
    status: reply.statusCode,
    headers: reply.headers,
    text: reply.payload,
    answer: null,
    refusal: JSON.parse(reply.payload || 'null'),
  }
}

/** An answer without the parts that differ at every request. */
export const withoutRequest = (reply: Reply<unknown>): string =>
  `${reply.status} ${reply.text.replace(/"(requestId|challenge)":"[^"]*"/, '').replace(/"seconds":\d+/, '')}`
