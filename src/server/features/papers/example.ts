/** An example of each paper, about nobody: how what a site prints looks before it is saved. */
import type { Language } from '#domain/people/account.ts'
import type { PaperPreview } from '#domain/texts/paper.ts'
import { documentTexts, overviewTexts, receiptTexts } from '../../printing/documentTexts.ts'
import type { PaperHead, SitePaper } from '../../printing/paper.ts'
import type { PrintJob } from '../../printing/pool.ts'
import type { PrintedWheel } from '../../printing/wheels.ts'

type Example = {
  readonly shows: PaperPreview
  readonly paper: SitePaper
  readonly lang: Language
  readonly site: { readonly site: string; readonly email: string }
  readonly date: string
  /** Whether the site shows tread depth. */
  readonly withDepth: boolean
}

const depths = [6.5, 6.4, 7.1, 7.25]
const description = 'Michelin Alpin 6 205/55R16 91H'

export function exampleJob({ shows, paper, lang, site, date, withDepth }: Example): PrintJob {
  const wheels = depths.map((depth, nth): PrintedWheel => {
    const position = `${nth < 2 ? 1 : 2}${nth % 2 ? 'B' : 'A'}`
    const with_ = { rims: 'aluminum', bolts: true, hubcaps: false, missing: false, damages: [] } as const
    return { id: 1001 + nth, position, description, set: 'Winter', depth: withDepth ? depth : null, ...with_ }
  })
  const head: PaperHead = {
    ...site,
    customer: {
      name: 'Jo Peeters',
      company: 'Peeters Transport',
      street: 'Kerkstraat 1',
      zipcode: '2300',
      city: 'Turnhout',
    },
    plate: '1ABC234',
    vehicle: 'Volvo V60',
    paper,
  }
  if (shows === 'overview') {
    const set = {
      positions: wheels.map(({ position }) => position),
      depths: wheels.map(({ depth }) => depth),
      description,
    }
    const sets = [{ ...set, plate: '1ABC234', set: 'Winter', since: date, paid: null }]
    const overview = { ...head, plate: null, vehicle: '', date, wheels: wheels.length, sets }
    return { kind: 'overview', overview, texts: overviewTexts(overview, lang), lang }
  }
  if (shows === 'receipt') {
    const signing = {
      photos: [],
      signed: null,
      signature: null,
      url: 'https://tyres.example.com/receipt?operation=1234',
    }
    const receipt = { ...head, operation: 1234, date, wheels, ...signing }
    return { kind: 'receipt', receipt, texts: receiptTexts(receipt, lang), lang }
  }
  const document = {
    ...head,
    type: 'worknote',
    year: Number(date.slice(0, 4)),
    number: 12,
    date,
    amount: 0,
    lines: [],
    wheels,
    tyres: [],
    delivery: null,
    photos: [],
    payment: null,
  } as const
  return { kind: 'document', document, texts: documentTexts(document, lang), lang }
}
