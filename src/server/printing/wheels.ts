/** The wheels of a paper, each as it was handed over, with the columns that the site shows. */
import type { Language } from '#domain/people/account.ts'
import type { DamageCode } from '#domain/warehouse/damage.ts'
import type { PaperColumn } from '#domain/texts/paper.ts'
import type { WheelWords } from './documentTexts.ts'
import { type Column, locales, type Page, type SitePaper, writeTable } from './paper.ts'

export type PrintedWheel = {
  /** The number on its label. */
  readonly id: number
  readonly position: string
  readonly description: string
  readonly set: string | null
  readonly depth: number | null
  readonly rims: 'steel' | 'aluminum' | null
  readonly bolts: boolean
  readonly hubcaps: boolean
  readonly missing: boolean
  /** Damage that was found until then, and is not mended. */
  readonly damages: readonly DamageCode[]
}

/** Position, description, what the site shows, and remarks. Returns where they end. */
export function writeWheels(
  page: Page,
  wheels: readonly PrintedWheel[],
  { words, paper, lang }: { words: WheelWords; paper: SitePaper; lang: Language },
  startY: number,
): number {
  const shows = (column: PaperColumn): boolean => paper.columns.includes(column)
  const columns: Column<PrintedWheel>[] = [
    { heading: words.position, width: 52, text: wheel => wheel.position },
    {
      heading: words.description,
      text: wheel => (shows('number') ? `${wheel.description}  #${wheel.id}` : wheel.description),
    },
  ]
  if (shows('set')) columns.push({ heading: words.set, width: 66, text: wheel => wheel.set ?? '' })
  if (shows('depth'))
    columns.push({ heading: words.depth, width: 54, text: wheel => millimetres(wheel.depth, words, lang) })
  if (shows('with')) columns.push({ heading: words.with, width: 98, text: wheel => partsOf(wheel, words) })
  columns.push({ heading: words.remarks, width: 78, text: wheel => remarksOf(wheel, words) })
  return writeTable(page, columns, wheels, { title: words.wheels, startY })
}

const remarksOf = ({ missing, damages }: PrintedWheel, words: WheelWords): string =>
  [missing && words.missing, ...damages.map(code => words.damage[code])].filter(Boolean).join(', ')

const partsOf = ({ rims, bolts, hubcaps }: PrintedWheel, words: WheelWords): string =>
  [rims && words[rims], bolts && words.bolts, hubcaps && words.hubcaps].filter(Boolean).join(', ')

/** A depth as it is said; nothing for none. */
export const millimetres = (depth: number | null, words: WheelWords, lang: Language): string =>
  depth === null
    ? ''
    : words.millimetres.replace(
        '{{depth}}',
        new Intl.NumberFormat(locales[lang], { maximumFractionDigits: 2 }).format(depth),
      )
