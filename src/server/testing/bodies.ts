/** For every call a body that is right for the owner of some rows. A call without one does not compile. */
import { randomUUID } from 'node:crypto'
import type { Role } from '#domain/account.ts'
import type { Call } from '#contract/call.ts'
import { plainMapping } from '#domain/bookkeeping.ts'
import type { Contract } from '#contract/index.ts'
import type { Owned } from './owners.ts'
import type { Principal, Reply, World } from './world.ts'

export type Row = {
  /** A body that is right for the owner of these rows. */
  body: (of: Owned) => unknown
  /** Which ids of an owner it names; none: it answers the caller's own rows whatever is asked. */
  names: readonly (keyof Owned)[]
  /** Instead, where an administrator's are others than a customer's. */
  byAdmin?: Pick<Row, 'body' | 'names'>
  /** It answers also without a record: nothing is named, or nothing found. */
  optional?: true
  /** What is left of a GET's path. */
  path?: (of: Owned) => string
}

/** A description in every language. */
const said = (text: string) => ({
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

/** What stands on a transport form. */
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
  body: of => body(of.endpoint),
  names: ['endpoint'],
  byAdmin: { body: of => body(of.siteEndpoint), names: ['siteEndpoint'] },
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
    revoke: { body: of => ({ _id: of.token }), names: ['token'] },
    site: { body: none, names: [] },
    makesite: { body: () => ({ name: 'Accounting', scopes: ['read'], days: null }), names: [] },
    revokesite: { body: of => ({ _id: of.siteToken }), names: ['siteToken'] },
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
      body: of => ({ _id: of.delivery }),
      names: ['delivery'],
      byAdmin: { body: of => ({ _id: of.siteDelivery }), names: ['siteDelivery'] },
    },
  },
  account: {
    sessions: { body: none, names: [] },
    endsession: { body: of => ({ _id: of.session }), names: ['session'] },
    endothers: { body: none, names: [] },
    confirm: { body: () => ({ passkey: shownPasskey }), names: [] },
    askpasskey: { body: none, names: [] },
    factors: { body: none, names: [] },
    offer: { body: none, names: [] },
    addapp: { body: () => ({ sealed: 'not one', code: '123456' }), names: [] },
    removeapp: { body: none, names: [] },
    addpasskey: { body: () => ({ name: 'Key ring', response: madePasskey }), names: [] },
    removepasskey: { body: of => ({ _id: of.passkey }), names: ['passkey'] },
    renewcodes: { body: none, names: [] },
  },
  signOn: {
    begin: { body: none, names: [] },
    finish: { body: () => ({ answer: 'code=none&state=none' }), names: [] },
    settings: { body: none, names: [] },
    save: {
      body: of => ({
        name: 'Provider',
        issuer: 'https://127.0.0.1',
        client_id: 'portal',
        client_secret: 'secret',
        claim: 'email',
        seq_id: of.customer,
      }),
      names: ['customer'],
    },
    remove: { body: none, names: [] },
    unlink: { body: of => ({ _id: of.account }), names: ['account'] },
  },
  site: {
    gsc: { body: none, names: [] },
    tsconfigdata: { body: none, names: [] },
    getvehicleconfigs: { body: none, names: [] },
  },
  hotelconfig: {
    adminconfig: { body: of => ({ id: of.site }), names: ['site'] },
    edit: {
      body: of => ({
        _id: of.site,
        name: 'Edited',
        adminEmail: 'desk@example.org',
        lang: 'eng',
        time_zone: 'Europe/Brussels',
        allowUnknownArticle: false,
        unknownWinterArticleId: null,
        unknownSummerArticleId: null,
        unknownAllSeasonArticleId: null,
        unknownSnowArticleId: of.article,
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
            _id: of.transport,
            name: `Own van ${of.siteWord}`,
            code: 'VAN',
            default: true,
            ...said('v'),
            operationDays: [2, 3, 4, 5],
            advanceDays: 1,
            cutoffHour: null,
            operationsPerDay: 0,
            tyresPerDay: 0,
          },
        ],
        closedDays: [{ day: '2026-12-31', holiday: null, name: `Stocktaking ${of.siteWord}` }],
        services: [
          {
            _id: of.service,
            icon: null,
            name: `Washing ${of.siteWord}`,
            operation_type: 'to_stock',
            article_number: '100',
            article_insertion_method: 'per_tyre',
            preselected: false,
            blocked: false,
            ...said('w'),
            price_excl: 0,
          },
        ],
      }),
      names: ['site'],
    },
    plannedrecalls: { body: of => ({ id: of.site, days: ['2026-12-25'] }), names: ['site'] },
    editconfigimage: { body: of => ({ id: of.site }), names: ['site'] },
    getall: { body: none, names: [] },
    new: {
      body: () => ({ name: 'New', webstreamAccount: 'W', adminEmail: 'new@example.org', urls: ['new.example.org'] }),
      names: [],
    },
    // as text, so that a list of ids is not taken for its first one: what is retired here stays so
    delete: { body: of => ({ _id: String(of.spare) }), names: ['spare'] },
    firststeps: { body: none, names: [] },
    dismissfirststeps: { body: none, names: [] },
    admins: { body: of => ({ id: of.site }), names: ['site'] },
    newadmin: {
      body: of => ({ id: of.site, username: `admin-${Math.random().toString(36).slice(2)}`, password: 'long enough' }),
      names: ['site'],
    },
  },
  transports: {
    usage: { body: of => ({ id: of.site, transport: of.spareTransport }), names: ['site', 'spareTransport'] },
    remove: {
      body: of => ({ id: of.site, transport: of.spareTransport, by: of.transport }),
      names: ['site', 'spareTransport', 'transport'],
    },
  },
  vehicleConfigs: {
    all: { body: none, names: [] },
    save: {
      body: of => ({ _id: of.config, description: `Edited ${of.siteWord} ${String(of.config)}` }),
      names: ['config'],
    },
    remove: { body: of => ({ _id: of.config }), names: ['config'] },
  },
  labelReports: {
    all: { body: none, names: [] },
    save: {
      body: of => ({
        rpt_number: of.spareReport,
        rpt_name: `Edited ${of.siteWord} ${String(of.spareReport)}`,
        rpt_layout: 'roll_57x32',
      }),
      names: ['spareReport'],
    },
    remove: { body: of => ({ rpt_number: of.spareReport }), names: ['spareReport'] },
  },
  imports: {
    check: { body: of => ({ kind: 'vehicles', seq_id: of.customer }), names: ['customer'] },
    take: { body: of => ({ kind: 'vehicles', seq_id: of.customer }), names: ['customer'] },
    progress: { body: none, names: [] },
    list: { body: none, names: [] },
    undo: { body: of => ({ _id: of.import }), names: ['import'] },
  },
  articles: {
    list: { body: none, names: [] },
    save: {
      body: of => ({
        _id: of.catalogued,
        brand: 'Michelin',
        pattern: `Alpin ${of.catalogued}`,
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
    retire: { body: of => ({ _id: of.catalogued, retired: false }), names: ['catalogued'] },
    unknown: { body: none, names: [] },
    merge: {
      body: of => ({ from: { description: 'nothing', season: null }, into: of.catalogued }),
      names: ['catalogued'],
    },
  },
  fleet: {
    fetch: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    health: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    nearing: { body: of => ({ seq_id: of.customer, season: 'winter' }), names: ['customer'] },
    reaching: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    vehicle: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    new: {
      body: of => ({
        vehicleData: {
          license_plate: `N${Math.random().toString(36).slice(2, 10)}`,
          brand: 'Volvo',
          description: 'V60',
          type: 'car',
          configuration: 'Car',
        },
        seq_id: of.customer,
      }),
      names: ['customer'],
    },
    update: { body: of => ({ vehicle: { flt_id: of.vehicle, brand: 'Saab' } }), names: ['vehicle'] },
    inactivate: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    transfer: {
      body: of => ({ flt_id: of.vehicle, seq_id: of.customer, date: '2026-11-01' }),
      names: ['vehicle', 'customer'],
    },
    registered: { body: () => ({ license_plate: 'BZHR04' }), names: [] },
    history: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    historydocument: { body: of => ({ db_id: of.document, doctype: 'worknote' }), names: ['document'] },
    searcharticles: { body: () => ({ search_value: '2055516H' }), names: [] },
    findcustomerbyname: { body: () => ({ string: 'a' }), names: [] },
    getTyreLabels: { body: of => ({ tyres: of.home, report_id: of.report }), names: ['home'] },
  },
  tyres: {
    add: {
      body: of => ({ flt_id: of.vehicle, tyre_set: 'spare', tyres: [{ position: '1A', art_id: of.article }] }),
      names: ['vehicle'],
    },
    changeset: { body: of => ({ tyres: of.home, tyre_set: 'other name' }), names: ['home'] },
    undoset: {
      body: of => ({ tyres: of.home.map(db_id => ({ db_id, tyre_set: 'before' })), expected: 'home' }),
      names: ['home'],
    },
    refit: {
      body: of => ({ db_id: of.home[0], flt_id: of.vehicle, position: '1A', tyre_set: 'refitted' }),
      names: ['home', 'vehicle'],
    },
    remove: { body: of => ({ tyres: of.home }), names: ['home'] },
    measure: {
      body: of => ({
        readings: of.home.map(tyre => ({ db_id: tyre, profile_depth: 2.5, profile_date: '2026-11-01' })),
        deeper: true,
      }),
      names: ['home'],
    },
    unmeasure: {
      body: of => ({
        readings: of.home.map(tyre => ({ db_id: tyre, profile_depth: 2.5, profile_date: '2026-11-01' })),
      }),
      names: ['home'],
    },
    notedot: {
      body: of => ({
        db_id: of.home[0],
        dot: 'DOT 4B9R JU1X 2319',
        retreaded: '',
        expected: { dot: '', retreaded: '' },
      }),
      names: ['home'],
    },
    dots: { body: of => ({ tyres: [...of.home, ...of.stored] }), names: ['home', 'stored'] },
    events: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    forecast: { body: of => ({ tyres: [...of.home, ...of.stored] }), names: ['home', 'stored'] },
    find: { body: of => ({ tyre: of.home[0] }), names: [] },
    recentstocklocations: { body: of => ({ tyreIds: of.stored }), names: ['stored'] },
  },
  operations: {
    new: {
      body: of => ({ operation: { flt_id: of.vehicle, tyres: of.home, operationType: 'to_stock' } }),
      names: ['vehicle', 'home'],
    },
    update: {
      body: of => ({ operation: { _id: of.pending, remarks: 'seen', services: [of.service], expected: {} } }),
      names: ['pending'],
    },
    delete: { body: of => ({ operation: { _id: of.pending } }), names: ['pending'] },
    fetch: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    bookedtransportdays: { body: of => ({ transportMethod: of.transport }), names: ['transport'] },
    plan: {
      body: of => ({ transport: of.transport, from: '2026-11-23', until: '2026-11-27', counts: [4] }),
      names: ['transport'],
    },
    swap: {
      body: of => ({
        flt_id: of.vehicle,
        recall: of.stored,
        store: of.home,
        transport: of.transport,
        deliveryDate: '2026-11-25',
      }),
      names: ['vehicle', 'stored', 'home', 'transport'],
    },
    completedbydate: {
      body: of => ({ startDate: '2026-01-01', endDate: '2026-12-31', seq_id: of.customer }),
      names: ['customer'],
    },
    admin: { body: () => ({ status: 'submitted' }), names: [] },
    adminopsbydate: { body: period, names: [] },
    adminopsbydate_light: { body: period, names: [] },
    cancel: { body: of => ({ operation: { _id: of.submitted } }), names: ['submitted'] },
    withdraw: { body: of => ({ operation: { _id: of.submitted, expected: {} } }), names: ['submitted'] },
    reschedule: {
      body: of => ({ operation: { _id: of.submitted, deliveryDate: '2026-11-27', expected: {} } }),
      names: ['submitted'],
    },
    confirm: {
      body: of => ({ operation: { _id: of.submitted }, here: of.expected }),
      names: ['submitted', 'expected'],
    },
    missing: { body: none, names: [] },
    closemissing: {
      body: of => ({ operation: of.submitted, db_id: of.expected[0], reason: 'It was never sent' }),
      names: ['submitted', 'expected'],
    },
    noshow: { body: of => ({ operation: of.submitted }), names: ['submitted'] },
    markscan: { body: of => ({ operation: { _id: of.submitted } }), names: ['submitted'] },
    trail: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    unscan: { body: of => ({ tyres: of.expected }), names: ['expected'] },
  },
  invoicing: {
    customers: { body: () => ({ days: 0 }), names: [] },
    tyres: { body: of => ({ seq_id: of.customer, days: 0 }), names: ['customer'] },
    preview: { body: of => ({ tyres: of.stored, seq_id: of.customer }), names: ['stored', 'customer'] },
    inject: { body: of => ({ tyres: of.stored, seq_id: of.customer }), names: ['stored', 'customer'] },
    markinvoiced: { body: of => ({ tyres: of.stored, date: '2026-11-01' }), names: ['stored'] },
    unmarkinvoiced: { body: of => ({ tyreIds: of.stored }), names: ['stored'] },
    waive: {
      body: of => ({ tyres: of.stored, seq_id: of.customer, reason: 'Agreed' }),
      names: ['stored', 'customer'],
    },
    unwaive: { body: of => ({ _id: of.waiver, reason: 'Not agreed' }), names: ['waiver'] },
    waivers: { body: none, names: [] },
    left: { body: none, names: [] },
    lefttyres: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    credits: { body: none, names: [] },
    credit: { body: of => ({ tyres: of.stored, reason: 'Credit note 12' }), names: ['stored'] },
    undomarking: { body: of => ({ tyres: of.stored }), names: ['stored'] },
    withdraw: { body: of => ({ db_id: of.document, reason: 'A mistake' }), names: ['document'] },
    documents: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
  },
  tariff: {
    list: { body: none, names: [] },
    add: {
      body: of => ({
        kind: 'service',
        per: 'tyre',
        service: of.service,
        seq_id: of.customer,
        since: '2026-11-01',
        price_excl: 4.5,
      }),
      names: ['service', 'customer'],
    },
    succeed: { body: of => ({ _id: of.rule, since: '2026-12-01', price_excl: 6 }), names: ['rule'] },
    end: { body: of => ({ _id: of.rule, until: '2026-11-30' }), names: ['rule'] },
    remove: { body: of => ({ _id: of.spareRule }), names: ['spareRule'] },
  },
  charges: {
    list: { body: of => ({ seq_id: of.customer, all: true }), names: ['customer'] },
    preview: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    inject: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    waive: { body: of => ({ charges: [of.charge], reason: 'Agreed' }), names: ['charge'] },
    unwaive: { body: of => ({ _id: of.forgiven, reason: 'Not agreed' }), names: ['forgiven'] },
    counter: { body: of => ({ _id: of.charged, reason: 'A mistake' }), names: ['charged'] },
  },
  billing: {
    list: { body: none, names: [] },
    read: { body: of => ({ _id: of.run }), names: ['run'] },
    begin: { body: () => ({ covers: 'all', until: '2026-11-01', days: 0, marks: true }), names: [] },
    make: { body: of => ({ _id: of.run }), names: ['run'] },
    cancel: { body: of => ({ _id: of.run }), names: ['run'] },
    resume: { body: of => ({ _id: of.run }), names: ['run'] },
    undo: { body: of => ({ _id: of.run, reason: 'A wrong price' }), names: ['run'] },
    pdf: { body: of => ({ _id: of.run }), names: ['run'] },
    zip: { body: of => ({ _id: of.run }), names: ['run'] },
    mail: { body: of => ({ _id: of.run }), names: ['run'] },
  },
  invoices: {
    settings: { body: none, names: [] },
    setup: { body: () => sellerDetails, names: [] },
    buyer: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    savebuyer: { body: of => ({ ...buyerDetails, seq_id: of.customer }), names: ['customer'] },
    open: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    list: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    make: { body: of => ({ seq_id: of.customer, documents: [of.document] }), names: ['customer', 'document'] },
    makerun: { body: of => ({ _id: of.run }), names: ['run'] },
    credit: { body: of => ({ _id: of.invoice, reason: 'A wrong price' }), names: ['invoice'] },
    lines: { body: of => ({ _id: of.invoice }), names: ['invoice'] },
    send: { body: of => ({ _id: of.invoice }), names: ['invoice'] },
    pdf: { body: of => ({ _id: of.invoice }), names: ['invoice'] },
    ubl: { body: of => ({ _id: of.invoice }), names: ['invoice'] },
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
  customers: {
    list: { body: () => ({ search: 'a' }), names: [] },
    customer: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    save: { body: of => ({ seq_id: of.customer, city: 'Brugge' }), names: ['customer'] },
    accounts: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    saveaccount: {
      body: of => ({ _id: of.account, seq_id: of.customer, type: 'user', fullname: 'Jo' }),
      names: ['account', 'customer'],
    },
    setdisabled: { body: of => ({ _id: of.account, disabled: true }), names: ['account'] },
    resetpassword: { body: of => ({ _id: of.account }), names: ['account'] },
    resetfactors: { body: of => ({ _id: of.account }), names: ['account'] },
    sendlink: { body: of => ({ _id: of.account }), names: ['account'] },
    export: { body: none, names: [] },
    import: { body: () => ({ csv: 'name\nNobody\n', dryRun: true }), names: [] },
  },
  locations: {
    all: { body: none, names: [] },
    tyres: { body: of => ({ _id: of.branch }), names: ['branch'] },
    make: {
      body: of => ({ parent: of.branch, levels: [{ kind: 'rack', pattern: '7 to 8' }], capacity: 4 }),
      names: ['branch'],
    },
    edit: { body: of => ({ _id: of.branch, capacity: 5 }), names: ['branch'] },
    remove: { body: of => ({ _id: of.branch }), names: ['branch'] },
    move: { body: of => ({ tyres: of.stored, location: of.place }), names: ['stored', 'place'] },
    unmove: {
      body: of => ({
        location: of.place,
        wheels: of.stored.map(db_id => ({ db_id, state: 'received', location: null, kept: null })),
      }),
      names: ['stored', 'place'],
    },
    plan: { body: of => ({ operation: of.submitted }), names: ['submitted'] },
    labels: { body: of => ({ locations: [of.place], report_id: of.report }), names: ['place'] },
  },
  wheels: {
    step: { body: of => ({ tyres: of.stored, step: 'miss' }), names: ['stored'] },
    close: { body: of => ({ db_id: of.lost, reason: 'Sold' }), names: ['lost'] },
    clearup: { body: none, names: [] },
    tally: { body: none, names: [] },
    settle: { body: () => ({ kind: 'three', key: 'one of nobody', reason: 'A trailer' }), names: [] },
    orphan: { body: of => ({ size: '205/55R16', location: of.place }), names: ['place'], optional: true },
    candidates: { body: of => ({ orphan: of.orphan }), names: ['orphan'] },
    identify: { body: of => ({ orphan: of.orphan, db_id: of.lost }), names: ['orphan', 'lost'] },
    dismiss: { body: of => ({ orphan: of.orphan, reason: 'Scrapped' }), names: ['orphan'] },
  },
  counts: {
    all: { body: none, names: [] },
    start: { body: of => ({ location: of.branch }), names: ['branch'] },
    places: { body: of => ({ count: of.stocktake }), names: ['stocktake'] },
    next: { body: none, names: [] },
    place: {
      body: of => ({
        count: of.stocktake,
        location: of.place,
        scanId: randomUUID(),
        wheels: [{ db_id: of.stored[0], ticsId: of.site }],
      }),
      names: ['stocktake', 'place'],
    },
    solve: { body: of => ({ finding: of.finding, how: 'done', reason: 'Scrapped' }), names: ['finding'] },
    end: { body: of => ({ count: of.stocktake }), names: ['stocktake'] },
    report: { body: of => ({ count: of.stocktake }), names: ['stocktake'] },
  },
  damages: {
    list: { body: of => ({ tyres: of.stored }), names: ['stored'] },
    report: { body: of => ({ db_id: of.stored[0], code: 'nail', note: 'In the shoulder' }), names: ['stored'] },
    end: { body: of => ({ damage: of.damage, how: 'repaired' }), names: ['damage'] },
    addphoto: { body: of => ({ damage: of.damage }), names: ['damage'] },
    photo: { body: of => ({ photo: of.photo }), names: ['photo'] },
    small: { body: of => ({ photos: [of.photo] }), names: ['photo'] },
  },
  waves: {
    all: { body: none, names: [] },
    plan: {
      body: of => ({ day: '2026-11-20', transport: of.transport, most: 8, unit: 'wheels' }),
      names: ['transport'],
    },
    planday: { body: () => ({ day: '2026-11-20' }), names: [] },
    round: { body: of => ({ wave: of.wave }), names: ['wave'] },
    scan: { body: of => ({ wave: of.wave, db_id: of.stored[0] }), names: ['wave'] },
    miss: { body: of => ({ wave: of.wave }), names: ['wave'] },
    undo: { body: of => ({ wave: of.wave, tyres: of.stored }), names: ['wave'] },
    end: { body: of => ({ wave: of.wave }), names: ['wave'] },
  },
  board: {
    read: { body: none, names: [] },
    unmoved: { body: none, names: [] },
  },
  figures: {
    revenue: { body: none, names: [] },
    occupancy: { body: none, names: [] },
    customers: { body: none, names: [] },
    deliveries: { body: none, names: [] },
  },
  labels: {
    day: { body: () => ({ day: '2026-01-31' }), names: [] },
    // each site numbers its label reports from 1
    print: { body: of => ({ day: thisDay(), report_id: of.report }), names: [] },
    printers: { body: none, names: [] },
    send: { body: of => ({ printer: 'Dock', tyres: of.home, report_id: of.report }), names: ['home'] },
  },
  stock: {
    statement: { body: of => ({ date: '2026-01-31', seq_id: of.customer }), names: ['customer'] },
    statementpdf: { body: of => ({ date: '2026-01-31', seq_id: of.customer }), names: ['customer'] },
  },
  disposals: {
    waiting: { body: none, names: [] },
    record: { body: of => ({ ...hauled, tyres: of.scrap }), names: ['scrap'] },
    edit: { body: of => ({ ...hauled, _id: of.pickup }), names: ['pickup'] },
    withdraw: { body: of => ({ _id: of.pickup, reason: 'Wrong day' }), names: ['pickup'] },
    list: { body: of => ({ ...period(), seq_id: of.customer }), names: ['customer'] },
    proof: { body: of => ({ _id: of.pickup, seq_id: of.customer }), names: ['pickup', 'customer'] },
  },
  gate: {
    read: { body: of => ({ day: '2026-11-20', transport: of.transport }), names: ['transport'] },
    lane: { body: of => ({ location: of.place }), names: ['place'] },
    load: {
      body: of => ({ day: '2026-11-20', transport: of.transport, db_id: of.stored[0] }),
      names: ['transport', 'stored'],
    },
    leave: { body: of => ({ day: '2026-11-20', transport: of.transport }), names: ['transport'] },
    sign: { body: of => ({ documents: [of.note], name: 'A driver', signature: drawn }), names: ['note'] },
  },
  cards: {
    read: { body: of => ({ tyre: of.stored[0] }), names: ['stored'], optional: true },
    commands: { body: none, names: [] },
  },
  find: { all: { body: of => ({ words: String(of.stored[0]), recent: [of.vehicle] }), names: [] } },
  papers: {
    receipt: { body: of => ({ operation: of.stowed }), names: ['stowed'] },
    receiptpdf: { body: of => ({ operation: of.stowed }), names: ['stowed'] },
    sign: { body: of => ({ operation: of.stowed, name: 'A driver', signature: drawn }), names: ['stowed'] },
    mail: { body: of => ({ operation: of.stowed }), names: ['stowed'] },
    overview: { body: of => ({ seq_id: of.customer }), names: ['customer'] },
    layout: { body: none, names: [] },
    save: { body: () => ({ ...paper, version: 0 }), names: [] },
    preview: { body: () => ({ ...paper, shows: 'receipt', lang: 'en' }), names: [] },
  },
  people: {
    driver: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    erasedriver: { body: of => ({ flt_id: of.vehicle }), names: ['vehicle'] },
    account: { body: of => ({ _id: of.account }), names: ['account'] },
    eraseaccount: { body: of => ({ _id: of.account }), names: ['account'] },
  },
  audit: {
    list: { body: of => ({ search: 'vehicle', seq_id: of.customer }), names: [] },
    people: { body: none, names: [] },
    export: { body: of => ({ seq_id: of.customer }), names: [] },
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
    update: { body: of => ({ id: of.translation, value: 'Another' }), names: ['translation'] },
    preview: {
      body: () => ({ language: 'eng', namespace: 'mail', key: 'reset.subject', value: 'Another for {{site}}' }),
      names: [],
    },
    delete: { body: of => ({ id: of.translation }), names: ['translation'] },
    missing: { body: none, names: [] },
    forget: { body: () => ({ texts: [{ language: 'eng', namespace: 'common', key: 'nothing' }] }), names: [] },
    export: { body: () => ({ language: 'eng', form: 'csv' }), names: [] },
    import: { body: () => ({ language: 'eng', text: 'namespace,key,value\n', dryRun: true }), names: [] },
  },
  backups: { latest: { body: none, names: [] } },
  changes: {
    vehicles: { body: of => ({ seq_id: of.customer, limit: 1000 }), names: ['customer'] },
    tyres: { body: of => ({ seq_id: of.customer, limit: 1000 }), names: ['customer'] },
    operations: { body: of => ({ seq_id: of.customer, limit: 1000 }), names: ['customer'] },
    documents: { body: of => ({ seq_id: of.customer, limit: 1000 }), names: ['customer'] },
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
      body: of => ({ _id: of.view, list: 'vehicles', name: 'To do', filter: { season: 'winter' }, shared: true }),
      names: ['view'],
    },
    mail: { body: of => ({ _id: of.view, weekday: null }), names: ['view'] },
    remove: { body: of => ({ _id: of.view }), names: ['view'] },
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
  of: Owned,
): Promise<Reply<unknown>> {
  const path = row.path?.(of) ?? call.path
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

/** An answer without what is another one at every request. */
export const withoutRequest = (reply: Reply<unknown>): string =>
  `${reply.status} ${reply.text.replace(/"(requestId|challenge)":"[^"]*"/, '').replace(/"seconds":\d+/, '')}`
