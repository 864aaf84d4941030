/** The rules of e-invoices, on files that break them and files that don't (docs/bookkeeping.md "E-invoices"). */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { brokenRules } from '#domain/money/eInvoice.ts'
import { parseXml } from './xml.ts'

const examples = new URL('examples/', import.meta.url)
const filesIn = (folder: string) => readdirSync(new URL(`${folder}/`, examples)).toSorted()
const rulesOf = async (file: string, change: (xml: string) => string = xml => xml) =>
  brokenRules(await parseXml(change(readFileSync(new URL(file, examples), 'utf8'))))

/** The rules that a file of this name breaks: `R043-…` stands for a rule of Peppol's own. */
const ruleIn = (file: string): RegExp => {
  const [rule = ''] = /^(?:BR-CO-\d+|BR-\d+|R\d+|XSD)/.exec(file) ?? []
  return rule.startsWith('R') ? new RegExp(`^PEPPOL-(?:EN16931|COMMON)-${rule}$`) : new RegExp(`^${rule}$`)
}

test.each(filesIn('good'))('%s breaks no rule', async file => {
  expect(await rulesOf(`good/${file}`)).toEqual([])
})

test.each(filesIn('bad'))('%s breaks the rule in its name', async file => {
  const rules = await rulesOf(`bad/${file}`)
  expect(rules.some(rule => ruleIn(file).test(rule))).toBe(true)
})

test('there are files of both kinds', () => {
  expect([filesIn('good').length, filesIn('bad').length]).toEqual([3, 6])
})

describe('one change of a good invoice', () => {
  const without = (element: string) => (xml: string) =>
    xml.replace(new RegExp(`<${element}(?: [^>]*)?>[\\s\\S]*?</${element}>`), '')
  const replaced = (from: string, to: string) => (xml: string) => {
    expect(xml).toContain(from)
    return xml.replace(from, to)
  }
  test.each([
    [without('cbc:ID'), ['BR-02']],
    [without('cbc:IssueDate'), ['BR-03']],
    [without('cbc:DueDate'), ['BR-CO-25']],
    [without('cbc:DocumentCurrencyCode'), ['PEPPOL-EN16931-R051', 'BR-05']],
    [without('cac:TaxTotal'), ['BR-CO-15', 'BR-CO-18', 'BR-S-01']],
    [without('cac:InvoiceLine'), ['BR-16', 'BR-CO-10', 'BR-S-08']],
    [without('cac:PayeeFinancialAccount'), ['BR-61']],
    [replaced('2026-11-01', '01-11-2026'), ['PEPPOL-EN16931-F001']],
    [replaced('>380<', '>381<'), ['PEPPOL-EN16931-P0100']],
    [replaced('billing:01:1.0', 'ordering:01:1.0'), ['PEPPOL-EN16931-R007']],
    [replaced('PO-77', ' '), ['PEPPOL-EN16931-R008', 'PEPPOL-EN16931-R003']],
    [replaced('schemeID="0208">0739484052', 'schemeID="208">0739484052'), ['PEPPOL-EN16931-CL008']],
    [replaced('>21.00<', '>20.99<'), ['BR-CO-14', 'BR-CO-15']],
    [
      replaced('<cbc:PriceAmount currencyID="EUR">50.00', '<cbc:PriceAmount currencyID="EUR">49.00'),
      ['PEPPOL-EN16931-R120'],
    ],
    [
      replaced('<cbc:PriceAmount currencyID="EUR">50.00', '<cbc:PriceAmount currencyID="EUR">-50.00'),
      ['BR-27', 'PEPPOL-EN16931-R120'],
    ],
    [
      replaced('<cbc:LineExtensionAmount currencyID="EUR">100.00', '<cbc:LineExtensionAmount currencyID="EUR">99.00'),
      ['BR-CO-10', 'BR-CO-13'],
    ],
    [
      replaced('<cbc:PayableAmount currencyID="EUR">121.00', '<cbc:PayableAmount currencyID="EUR">120.00'),
      ['BR-CO-16'],
    ],
    [
      replaced('<cbc:TaxableAmount currencyID="EUR">100.00', '<cbc:TaxableAmount currencyID="EUR">90.00'),
      ['BR-CO-17', 'BR-S-08', 'BR-S-09'],
    ],
    [replaced('<cbc:Percent>21', '<cbc:Percent>20'), ['BR-CO-17', 'BR-S-08', 'BR-S-09']],
    [replaced('<cbc:ID>S<', '<cbc:ID>E<'), ['BR-S-01', 'BR-E-08', 'BR-E-09', 'BR-E-10']],
    [replaced('<cbc:IdentificationCode>BE', '<cbc:IdentificationCode>'), ['PEPPOL-EN16931-R008', 'BR-09']],
    [replaced('<cbc:CompanyID>BE0739', '<cbc:CompanyID>0739'), ['BR-CO-09']],
    [replaced('unitCode="C62"', ''), ['BR-23']],
    [replaced('<cbc:Name>Seasonal tyre storage (set of 4)</cbc:Name>', ''), ['BR-25']],
    [replaced('<cbc:BuyerReference>', '<cbc:Note>a</cbc:Note><cbc:BuyerReference>'), ['XSD']],
  ])('breaks its rules: %#', async (change, rules) => {
    expect(await rulesOf('good/be-invoice-380.xml', change)).toEqual(rules)
  })

  const inCountry = (country: string) => (xml: string) =>
    xml.replaceAll(/<cbc:IdentificationCode>[A-Z]{2}</g, `<cbc:IdentificationCode>${country}<`)

  test.each([
    ['DE', (xml: string) => xml, ['DE-R-002']],
    ['DE', without('cac:PaymentMeans'), ['DE-R-001', 'DE-R-002']],
    ['DE', without('cbc:CityName'), ['DE-R-002', 'DE-R-003']],
    ['DE', without('cbc:PostalZone'), ['DE-R-002', 'DE-R-004']],
    ['DE', without('cbc:BuyerReference'), ['PEPPOL-EN16931-R003', 'DE-R-002', 'DE-R-015']],
    ['DK', (xml: string) => xml, ['DK-R-014', 'DK-R-005']],
    ['DK', replaced('>30<', '>31<'), ['DK-R-014', 'DK-R-006']],
    ['DK', replaced('>30<', '>58<'), ['DK-R-014']],
  ])('between two parties in %s breaks the rules of that country: %#', async (country, change, rules) => {
    expect(await rulesOf('good/be-invoice-380.xml', xml => inCountry(country)(change(xml)))).toEqual(rules)
  })

  test('of what is outside the scope of VAT names no rate and no VAT number, and has no other category beside it', async () => {
    const outside = (xml: string) =>
      xml
        .replaceAll('<cbc:ID>S</cbc:ID>', '<cbc:ID>O</cbc:ID>')
        .replaceAll('>21.00<', '>0.00<')
        .replaceAll('>121.00<', '>100.00<')
    expect(await rulesOf('good/be-invoice-380.xml', outside)).toEqual(['BR-O-02', 'BR-O-05', 'BR-CO-17', 'BR-O-10'])
  })

  test('of a reverse charge needs the reason and both VAT numbers', async () => {
    const file = 'good/be-nl-reverse-charge-380.xml'
    expect(
      await rulesOf(file, xml =>
        xml.replace(/<cbc:TaxExemptionReason(?:Code)?>[^<]*<\/cbc:TaxExemptionReason(?:Code)?>/g, ''),
      ),
    ).toEqual(['BR-AE-10'])
    const parties = (xml: string) =>
      xml
        .replace(/<cac:PartyTaxScheme>[\s\S]*?<\/cac:PartyTaxScheme>/g, '')
        .replace(/<cbc:CompanyID[^>]*>[^<]*<\/cbc:CompanyID>/g, '')
    expect(await rulesOf(file, parties)).toEqual(['BR-CO-26', 'BR-AE-02'])
  })
})
