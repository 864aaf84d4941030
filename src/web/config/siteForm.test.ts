import { recommendedLimits } from '#domain/tyres/tread.ts'
import { describe, expect, it } from 'vitest'
import type { AdminConfig } from '#contract/config.ts'
import { amountIn } from './numerals.ts'
import { isField, pagesFor, pagesWith } from './pages.ts'
import { changedFields, errorsOf, formOf, inputOf, fieldSections, sectionOf } from './siteForm.ts'
import { newService, serviceInput, serviceValues, type ServiceValues } from './serviceForm.ts'
import { newTransport, transportErrors, transportInput, transportValues } from './transportForm.ts'
import { serviceForm } from '#contract/config.ts'
import { fieldErrorsOf } from '../shared/form/fieldErrors.ts'

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
  presumeMounts: false,
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
const base = formOf(saved)
const serviceErrors = (service: ServiceValues) => fieldErrorsOf(serviceForm, serviceInput(service))

describe('the form', () => {
  it('of what is saved has no change and no error, and is sent as it was', () => {
    expect(changedFields(base, formOf(saved))).toEqual([])
    expect(errorsOf(base, false)).toEqual({})
    expect(errorsOf(base, true)).toEqual({})
    expect(inputOf(base, saved, true)).toMatchObject({
      _id: 1,
      version: 4,
      unknownSnowArticleId: null,
      invoicing_price_excl: 2.25,
      urls: ['hotel.example'],
    })
  })

  it('leaves out what is saved entry by entry', () => {
    for (const list of ['transportMethods', 'closedDays', 'services'])
      expect(inputOf(base, saved, true)).not.toHaveProperty(list)
    expect(transportInput(transportValues({ ...van, cutoffHour: '16:00:00' }))).toEqual({ ...van, _id: undefined })
    expect(serviceInput(serviceValues(washing))).toEqual({ ...washing, _id: undefined })
  })

  it('of an administrator leaves out what only a superuser may change', () => {
    const sent = inputOf(base, saved, false)
    for (const field of ['webstreamAccount', 'default_site_code', 'urls', 'mode', '_id'])
      expect(sent).not.toHaveProperty(field)
    expect(sent.version).toBe(4)
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
    expect(transportErrors(transport, [])).toEqual({})
    expect(transportErrors(transport, [{ code: ' van ' }])).toEqual({ code: { why: 'twice' } })
    expect(transportErrors({ ...transport, operationDays: [] }, [])).toEqual({ operationDays: { why: 'required' } })
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

describe('the parts of the form', () => {
  it('hold every field', () => {
    expect(Object.keys(sectionOf).sort()).toEqual(Object.keys(base).sort())
  })

  it('are each on one page', () => {
    const all = pagesFor('both', true).flatMap(({ sections }) => sections.filter(isField))
    expect(all.toSorted()).toEqual(fieldSections.toSorted())
    expect(pagesWith(['name', 'urls.1'])).toEqual(new Set(['company']))
  })

  it('are without the tyre hotel where there is none, and extra ones are the superuser’s', () => {
    const shown = pagesFor('fleetonly', false)
    expect(shown.map(({ page }) => page)).toEqual(['company', 'vehicles', 'team', 'developers'])
    expect(shown.flatMap(({ sections }) => sections.filter(isField))).toEqual([
      'site',
      'images',
      'tyres',
      'unknown',
      'signIn',
    ])
    expect(pagesFor('both', true).find(({ page }) => page === 'company')?.sections).toEqual(['site', 'extra', 'images'])
  })
})
