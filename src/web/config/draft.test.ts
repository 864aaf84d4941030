import { recommendedLimits } from '#domain/tyres/tread.ts'
import { describe, expect, it } from 'vitest'
import type { AdminConfig } from '#contract/hotelconfig.ts'
import {
  amountIn,
  changedFields,
  errorsOf,
  copyOf,
  type Draft,
  draftOf,
  inputOf,
  merged,
  newService,
  newTransport,
  sectionOf,
  sections,
  sectionsFor,
  withoutSent,
  withService,
  without,
  withTransport,
} from './draft.ts'
import { serviceErrors, transportErrors } from './entryErrors.ts'

const described = { description_nl: 'n', description_fr: 'f', description_en: 'e', description_de: 'd' }
const van = {
  _id: 3,
  name: 'Van',
  code: 'V',
  default: true,
  ...described,
  operationDays: [1, 2],
  advanceDays: 1,
  cutoffHour: '16:00',
  operationsPerDay: 0,
  tyresPerDay: 40,
}
const washing = {
  _id: 7,
  icon: 'wash',
  name: 'Washing',
  operation_type: 'to_stock' as const,
  article_number: '1200',
  article_insertion_method: 'per_tyre' as const,
  preselected: false,
  blocked: false,
  ...described,
  price_excl: 4.5,
}
const saved: AdminConfig = {
  _id: 1,
  version: 4,
  site_number: 1,
  name: 'Tyre hotel',
  lang: 'dut',
  navlogoPath: null,
  landinglogoPath: null,
  faviconPath: null,
  adminEmail: 'desk@hotel.example',
  mode: 'both',
  time_zone: 'Europe/Brussels',
  ...recommendedLimits,
  allowUnknownArticle: false,
  unknownWinterArticleId: null,
  unknownSummerArticleId: null,
  unknownAllSeasonArticleId: null,
  unknownSnowArticleId: null,
  allowDetailedStockReport: true,
  allowProfileDepth: true,
  allowTachometer: true,
  showTyresOnVehicle: true,
  showTyresAtCustomer: true,
  showWasteTyres: false,
  invoicing_quantity: 'per_tyre',
  invoicing_mode: 'per_period',
  invoicing_period: 180,
  invoicing_article_id: 12,
  invoicing_document_type: 'worknote',
  invoicing_price_excl: 2.25,
  autoProcessIntakeOnFullScan: false,
  warehouseConfirmsMissing: false,
  doDocInsert: true,
  docInsertType: 'worknote',
  docInsertAsks: true,
  adminsNeedFactor: false,
  adminSessionHours: 12,
  docInsertExceptions: [],
  transportMethods: [van],
  closedDays: [{ day: '2026-12-25', holiday: 'christmas', name: '' }],
  services: [washing],
  webstreamAccount: 'hotel',
  default_site_code: 'HOTEL',
  urls: ['hotel.example'],
}
const base = draftOf(saved)
const other = (change: Partial<AdminConfig>) => draftOf({ ...saved, version: 5, ...change })

describe('a draft', () => {
  it('of what is saved has no change and no error, and is sent as it was', () => {
    expect(changedFields(base, draftOf(saved))).toEqual([])
    expect(errorsOf(base, false)).toEqual({})
    expect(errorsOf(base, true)).toEqual({})
    expect(inputOf(base, saved, true)).toMatchObject({
      _id: 1,
      version: 4,
      unknownSnowArticleId: null,
      invoicing_price_excl: 2.25,
      transportMethods: [van],
      services: [washing],
      urls: ['hotel.example'],
    })
  })

  it('of an administrator leaves out what only a superuser may change', () => {
    const sent = inputOf(base, saved, false)
    for (const field of ['webstreamAccount', 'default_site_code', 'urls', 'mode', '_id'])
      expect(sent).not.toHaveProperty(field)
    expect(sent.version).toBe(4)
  })

  it('sends no keys of entries, and a new one without an id', () => {
    const draft = withTransport(base, { ...newTransport(false), name: 'Bike' })
    expect(inputOf(draft, saved, false).transportMethods.map(method => Object.keys(method).includes('key'))).toEqual([
      false,
      false,
    ])
    expect(inputOf(draft, saved, false).transportMethods[1]).not.toHaveProperty('_id')
  })

  it('holds the same whether a number was typed or read', () => {
    expect(changedFields(base, { ...base, invoicing_period: '180' })).toEqual([])
    expect(changedFields(base, { ...base, invoicing_period: '' })).toEqual(['invoicing_period'])
  })
})

describe('the rules', () => {
  it('ask for a name, a real e-mail address, and article ids once unknown articles are allowed', () => {
    expect(errorsOf({ ...base, name: ' ', adminEmail: 'desk', allowUnknownArticle: true }, false)).toEqual({
      name: { why: 'required' },
      adminEmail: { why: 'email' },
      unknownWinterArticleId: { why: 'required' },
      unknownSummerArticleId: { why: 'required' },
      unknownAllSeasonArticleId: { why: 'required' },
    })
    expect(errorsOf({ ...base, unknownWinterArticleId: 0 }, false)).toEqual({
      unknownWinterArticleId: { why: 'tooSmall', limit: 1 },
    })
    expect(errorsOf({ ...base, unknownWinterArticleId: 1.5 }, false)).toEqual({
      unknownWinterArticleId: { why: 'whole' },
    })
  })

  it('ask a superuser for account, code and every address', () => {
    expect(
      errorsOf(
        { ...base, webstreamAccount: '', default_site_code: '', urls: ['ok.example', '', 'not an address'] },
        true,
      ),
    ).toEqual({
      webstreamAccount: { why: 'required' },
      default_site_code: { why: 'required' },
      'urls.1': { why: 'required' },
      'urls.2': { why: 'address' },
    })
    expect(errorsOf({ ...base, urls: [] }, true)).toEqual({ urls: { why: 'required' } })
  })

  it('of a transport ask for names, descriptions, whole numbers and a time', () => {
    const wrong = { ...newTransport(false), advanceDays: '', cutoffHour: 'noon', tyresPerDay: 1.5 }
    const errors = transportErrors(wrong, [])
    expect(errors).toEqual({
      name: { why: 'required' },
      code: { why: 'required' },
      description_nl: { why: 'required' },
      description_fr: { why: 'required' },
      description_en: { why: 'required' },
      description_de: { why: 'required' },
      advanceDays: { why: 'required' },
      cutoffHour: { why: 'time' },
      tyresPerDay: { why: 'whole' },
    })
  })

  it('of a transport ask for a weekday, and for a code that no other one has', () => {
    const transport = { ...newTransport(false), ...described, name: 'Van', code: 'VAN' }
    const other = { ...transport, key: 'other', code: ' van ' }
    expect(transportErrors(transport, [transport])).toEqual({})
    expect(transportErrors(transport, [transport, other])).toEqual({ code: { why: 'twice' } })
    expect(transportErrors({ ...transport, operationDays: [] }, [])).toEqual({ operationDays: { why: 'required' } })
    expect(errorsOf({ ...base, transportMethods: [transport, other] }, false)).toEqual({
      'transportMethods.1.code': { why: 'twice' },
    })
  })

  it('of a service ask for an article number of digits, unless it is a line of text', () => {
    const service = { ...newService(), name: 'Wash', operation_type: 'to_stock' as const, ...described }
    expect(serviceErrors(service)).toEqual({ article_number: { why: 'required' } })
    expect(serviceErrors({ ...service, article_number: 'A1' })).toEqual({ article_number: { why: 'digits' } })
    expect(serviceErrors({ ...service, article_insertion_method: 'text_line' })).toEqual({})
    expect(serviceErrors({ ...service, operation_type: null, article_number: '1', price_excl: 1.234 })).toEqual({
      operation_type: { why: 'required' },
      price_excl: { why: 'cents' },
    })
  })

  it('name the entry of a list that is not whole', () => {
    const draft = withService(base, { ...newService(), ...described, operation_type: 'to_stock', article_number: '1' })
    expect(errorsOf(draft, false)).toEqual({ 'services.1.name': { why: 'required' } })
  })
})

describe('an amount', () => {
  it.each([
    ['12,50', 12.5],
    ['12.5', 12.5],
    ['12', 12],
    ['1.234,50', 1234.5],
    ['1,234.50', 1234.5],
    ['€ 1 234,50', 1234.5],
    ['0', 0],
    ['12,', 12],
  ])('%s is %d, whatever the language', (text, amount) => expect(amountIn(text)).toBe(amount))

  it.each(['1.234', '12,3456,7', 'free', '-1', '1e3', ''])('%j is none: nobody guesses a price', text =>
    expect(amountIn(text)).toBeNull(),
  )

  it('that is none is an error, and an empty one is 0', () => {
    const service = {
      ...newService(),
      name: 'Wash',
      operation_type: 'to_stock' as const,
      ...described,
      article_number: '1',
    }
    expect(serviceErrors({ ...service, price_excl: 'free' })).toEqual({ price_excl: { why: 'cents' } })
    expect(serviceErrors({ ...service, price_excl: '' })).toEqual({})
    expect(errorsOf({ ...base, invoicing_price_excl: '1.234' }, false)).toEqual({
      invoicing_price_excl: { why: 'cents' },
    })
  })
})

describe('what somebody else has saved meanwhile', () => {
  it('shows in the fields that I left alone', () => {
    const mine: Draft = { ...base, name: 'Mine', urls: ['hotel.example', 'two.example'] }
    const theirs = other({ name: 'Theirs', adminEmail: 'other@hotel.example', urls: ['three.example'] })
    expect(merged({ base, mine, theirs })).toMatchObject({
      name: 'Mine',
      adminEmail: 'other@hotel.example',
      urls: ['hotel.example', 'two.example'],
    })
  })

  it('meets my edits entry by entry', () => {
    const mine = withService(withService(base, { ...base.services[0]!, price_excl: 5 }), {
      ...newService(),
      name: 'Mine',
    })
    const theirs = other({
      services: [
        { ...washing, name: 'Wash' },
        { ...washing, _id: 8, name: 'Theirs' },
      ],
    })
    const both = merged({ base, mine, theirs }).services
    expect(both.map(({ _id, name, price_excl }) => [_id, name, price_excl])).toEqual([
      [7, 'Wash', 5],
      [8, 'Theirs', 4.5],
      [undefined, 'Mine', 0],
    ])
  })

  it('takes away an entry that I left alone, and leaves one that I changed as a new one', () => {
    const theirs = other({ services: [], transportMethods: [] })
    expect(merged({ base, mine: base, theirs }).services).toEqual([])
    const changed = withService(base, { ...base.services[0]!, name: 'Mine' })
    const [kept] = merged({ base, mine: changed, theirs }).services
    expect(kept).toMatchObject({ name: 'Mine' })
    expect(kept).not.toHaveProperty('_id')
  })

  it('does not bring back what I removed', () => {
    expect(merged({ base, mine: without(base, 'services', '7'), theirs: other({ name: 'Theirs' }) }).services).toEqual(
      [],
    )
  })

  it('meets my edits of closed days day by day', () => {
    const closedDay = (day: string, name = '') => ({ day, holiday: null, name })
    const [christmas] = saved.closedDays
    const before = {
      ...base,
      closedDays: [closedDay('2026-12-24', 'Eve'), ...saved.closedDays, closedDay('2026-12-31')],
    }
    const mine = { ...before, closedDays: [closedDay('2026-12-24', 'Mine'), christmas!, closedDay('2027-01-02')] }
    const theirs = {
      ...before,
      closedDays: [closedDay('2026-12-23'), closedDay('2026-12-24', 'Theirs'), closedDay('2026-12-31')],
    }
    expect(merged({ base: before, mine, theirs }).closedDays).toEqual([
      closedDay('2026-12-23'),
      closedDay('2026-12-24', 'Mine'),
      closedDay('2027-01-02'),
    ])
  })

  it('leaves one default transport: the one that I chose', () => {
    const mine = withTransport(base, { ...newTransport(true), name: 'Mine' })
    const theirs = other({
      transportMethods: [
        { ...van, default: false },
        { ...van, _id: 4, default: true },
      ],
    })
    const defaults = merged({ base, mine, theirs }).transportMethods.filter(method => method.default)
    expect(defaults.map(({ name }) => name)).toEqual(['Mine'])
  })

  it('is what came of my own save: new entries come back once, what was typed since stays', () => {
    const sent = withService(base, { ...newService(), name: 'New' })
    const now = { ...sent, name: 'Typed since' }
    const theirs = other({ services: [washing, { ...washing, _id: 9, name: 'New' }] })
    const after = merged({ base: sent, mine: withoutSent(now, sent), theirs })
    expect(after.name).toBe('Typed since')
    expect(after.services.map(({ _id }) => _id)).toEqual([7, 9])
  })
})

describe('the lists', () => {
  it('have one default transport', () => {
    const draft = withTransport(base, { ...newTransport(true), name: 'New' })
    expect(draft.transportMethods.map(method => method.default)).toEqual([false, true])
  })

  it('copy an entry as a new one that is no default', () => {
    const copy = copyOf(base.transportMethods[0]!)
    expect(copy).toMatchObject({ name: 'Van', default: false })
    expect(copy).not.toHaveProperty('_id')
    expect(copy.key).not.toBe(base.transportMethods[0]!.key)
  })
})

describe('the parts of the form', () => {
  it('hold every field', () => {
    expect(Object.keys(sectionOf).sort()).toEqual(Object.keys(base).sort())
  })

  it('are without the tyre hotel where there is none, and extra ones are the superuser’s', () => {
    expect(sectionsFor({ mode: 'fleetonly' }, false)).toEqual(['site', 'signIn', 'images', 'tyres', 'unknown'])
    expect(sectionsFor({ mode: 'both' }, true)).toEqual(sections)
  })
})
