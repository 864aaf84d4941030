/**
 * The demo's tyres: real sizes that vehicles of their kind wear, in treads that nobody makes. The makers exist;
 * the names of the treads, the label values and the EANs (of the range kept for use inside a house) are invented.
 */
import { articleKeys, parseDimension } from '#domain/tyres/article.ts'
import { chance, type Chance } from './chance.ts'

export type Season = 'summer' | 'winter' | 'all_season'

/** The use that a tyre is made for; a truck's are made for an axle. */
export type Use = 'car' | 'van' | 'steer' | 'drive' | 'trailer' | 'bus' | 'towed' | 'motorcycle'

export type Article = {
  id: number
  readonly use: Use
  /** The size without indices: what a vehicle asks for. */
  readonly size: string
  readonly description: string
  readonly season: Season
  /** Its row, but for the site and the number. */
  readonly row: Readonly<Record<string, unknown>>
}

/** The indices of each size: `91V` for summer and `91H` for winter, or one for both; and how many treads come in it. */
const sizes: Readonly<Record<Use, readonly (readonly [size: string, summer: string, winter: string])[]>> = {
  car: [
    ['165/65R14', '79T', '79T'],
    ['175/65R15', '84H', '84T'],
    ['185/65R15', '88H', '88T'],
    ['195/65R15', '91V', '91T'],
    ['195/55R16', '87H', '87H'],
    ['205/55R16', '91V', '91H'],
    ['205/60R16', '92V', '92H'],
    ['205/55R17', '95V', '95V'],
    ['215/55R17', '98W', '98V'],
    ['225/45R17', '94Y', '94V'],
    ['225/50R17', '98Y', '98V'],
    ['225/40R18', '92Y', '92V'],
    ['235/45R18', '98Y', '98V'],
    ['215/65R16', '98H', '98H'],
    ['215/60R17', '96H', '96H'],
    ['215/55R18', '99V', '99V'],
    ['225/55R18', '98V', '98V'],
    ['235/55R18', '100V', '100H'],
    ['235/60R18', '107V', '107H'],
    ['235/50R19', '103V', '103V'],
    ['255/50R19', '107W', '107V'],
  ],
  van: [
    ['195/70R15C', '104/102R', '104/102R'],
    ['195/75R16C', '107/105R', '107/105R'],
    ['205/65R16C', '107/105T', '107/105T'],
    ['215/65R16C', '109/107T', '109/107R'],
    ['215/60R17C', '109/107T', '109/107T'],
    ['225/65R16C', '112/110R', '112/110R'],
    ['235/65R16C', '115/113R', '115/113R'],
  ],
  steer: [
    ['315/70R22.5', '156/150L', '156/150L'],
    ['315/80R22.5', '156/150L', '156/150L'],
    ['295/80R22.5', '154/149M', '154/149M'],
    ['385/55R22.5', '160K', '160K'],
    ['285/70R19.5', '146/144L', '146/144L'],
    ['245/70R17.5', '136/134M', '136/134M'],
  ],
  drive: [
    ['315/70R22.5', '154/150L', '154/150L'],
    ['315/80R22.5', '156/150L', '156/150L'],
    ['295/80R22.5', '152/148M', '152/148M'],
    ['285/70R19.5', '146/144L', '146/144L'],
    ['245/70R17.5', '136/134M', '136/134M'],
  ],
  trailer: [
    ['385/65R22.5', '160K', '160K'],
    ['385/55R22.5', '160J', '160J'],
    ['435/50R19.5', '160J', '160J'],
    ['265/70R19.5', '143/141J', '143/141J'],
  ],
  bus: [
    ['275/70R22.5', '150/145J', '150/145J'],
    ['295/80R22.5', '152/148M', '152/148M'],
  ],
  towed: [
    ['165/70R13C', '88/86N', '88/86N'],
    ['195/50R13C', '104/101N', '104/101N'],
    ['185R14C', '102/100R', '102/100R'],
  ],
  motorcycle: [
    ['120/70R17', '58W', '58W'],
    ['180/55R17', '73W', '73W'],
    ['120/70R19', '60V', '60V'],
    ['170/60R17', '72V', '72V'],
  ],
}

type Treads = Readonly<Partial<Record<Season, string>>>

const treads: Readonly<Record<Use, readonly (readonly [brand: string, treads: Treads])[]>> = {
  car: [
    ['Michelin', { summer: 'Ligne Claire 5', winter: 'Cimalp 7', all_season: 'Quatre Temps 2' }],
    ['Continental', { summer: 'Leinetal 6', winter: 'Harzfrost TS', all_season: 'Jahreslauf' }],
    ['Goodyear', { summer: 'EverLane 3', winter: 'FrostLane 2', all_season: 'FourLane 4' }],
    ['Bridgestone', { summer: 'Kairo 05', winter: 'Yukimi LM', all_season: 'Shiki Evo' }],
    ['Pirelli', { summer: 'Corsivo P4', winter: 'Bianca W3', all_season: 'Stagioni Due' }],
    ['Hankook', { summer: 'Haneul K2', winter: 'Nunbit W3', all_season: 'Sagyejeol' }],
    ['Vredestein', { summer: 'Veluwe Sport', winter: 'Sneeuwduin Pro', all_season: 'Kwartet 4' }],
    ['Nokian Tyres', { summer: 'Lumo One', winter: 'Talvi R7', all_season: 'Kausi 4' }],
    ['Uniroyal', { summer: 'RegenSpoor 5', winter: 'WinterSpoor 77', all_season: 'JaarSpoor' }],
    ['Kumho', { summer: 'Badaro HS', winter: 'Gyeoul WP', all_season: 'Solara HA' }],
  ],
  van: [
    ['Michelin', { summer: 'Ligne Cargo 3', winter: 'Cimalp Cargo', all_season: 'Quatre Temps Cargo' }],
    ['Continental', { summer: 'Leinetal Van', winter: 'Harzfrost Van', all_season: 'Jahreslauf Van' }],
    ['Goodyear', { summer: 'EverLane Cargo', winter: 'FrostLane Cargo', all_season: 'FourLane Cargo' }],
    ['Hankook', { summer: 'Haneul LT', winter: 'Nunbit LT', all_season: 'Sagyejeol LT' }],
    ['Vredestein', { summer: 'Veluwe Transport', winter: 'Sneeuwduin Transport', all_season: 'Kwartet Transport' }],
  ],
  steer: [
    ['Michelin', { all_season: 'Grand Trajet Z' }],
    ['Continental', { all_season: 'Fernweg S' }],
    ['Goodyear', { all_season: 'Longlane S' }],
    ['Bridgestone', { all_season: 'Tokaido R' }],
  ],
  drive: [
    ['Michelin', { summer: 'Grand Trajet D', winter: 'Grand Froid D' }],
    ['Continental', { summer: 'Fernweg D', winter: 'Frostweg D' }],
    ['Goodyear', { summer: 'Longlane D', winter: 'Icelane D' }],
    ['Hankook', { summer: 'Haneul DH', winter: 'Nunbit DW' }],
  ],
  trailer: [
    ['Michelin', { all_season: 'Grand Trajet T' }],
    ['Continental', { all_season: 'Fernweg T' }],
    ['Goodyear', { all_season: 'Longlane T' }],
    ['Kumho', { all_season: 'Solara RT' }],
  ],
  bus: [
    ['Michelin', { all_season: 'Tour de Ville' }],
    ['Continental', { all_season: 'Stadtweg A' }],
  ],
  towed: [
    ['Continental', { summer: 'Anhang C' }],
    ['Kumho', { summer: 'Solara TR' }],
    ['Vredestein', { all_season: 'Kwartet Trail' }],
  ],
  motorcycle: [
    ['Pirelli', { summer: 'Curva Due' }],
    ['Bridgestone', { summer: 'Touge T3' }],
  ],
}

/** How many treads of a season a dealer keeps in one size: most for cars, and few that are good for both seasons. */
const kept = (use: Use, season: Season): number => {
  if (use === 'car') return season === 'all_season' ? 1 : 3
  if (use === 'van') return season === 'all_season' ? 1 : 2
  return 3
}

/** Every article of one site's catalogue, without ids; about 250, the same at every site. */
export function catalogue(): Article[] {
  const draw = chance('catalogue')
  const articles: Article[] = []
  for (const use of Object.keys(sizes) as Use[]) {
    for (const [size, summer, winter] of sizes[use]) {
      for (const season of ['summer', 'winter', 'all_season'] as const) {
        const makers = draw.shuffled(treads[use].filter(([, names]) => names[season])).slice(0, kept(use, season))
        for (const [brand, names] of makers) {
          const indices = season === 'winter' ? winter : summer
          articles.push(article({ use, size, indices, brand, pattern: names[season] ?? '', season }, draw))
        }
      }
    }
  }
  return articles
}

type Wish = { use: Use; size: string; indices: string; brand: string; pattern: string; season: Season }

function article({ use, size, indices, brand, pattern, season }: Wish, draw: Chance): Article {
  const description = `${brand} ${pattern} ${size} ${indices}`
  const dimension = parseDimension(`${size} ${indices}`)
  if (!dimension) throw new Error(`no tyre size: ${size} ${indices}`)
  const { width, aspect, construction, rim, loadIndex, loadIndexDual, speedSymbol } = dimension
  const labelled = use !== 'motorcycle'
  const ean = inHouseEan(draw)
  return {
    id: 0,
    use,
    size,
    description,
    season,
    row: {
      brand,
      pattern,
      description,
      dimension: size,
      width,
      aspect,
      construction,
      rim,
      load_index: loadIndex,
      load_index_dual: loadIndexDual,
      speed_symbol: speedSymbol,
      season,
      ean,
      fuel_class: labelled ? draw.pick(season === 'winter' ? ['C', 'D', 'E'] : ['A', 'B', 'C', 'C']) : null,
      wet_class: labelled ? draw.pick(season === 'winter' ? ['B', 'C'] : ['A', 'B']) : null,
      noise_db: labelled ? draw.between(67, 74) : null,
      unknown: false,
      ...articleKeys({ dimension: size, loadIndex, speedSymbol, brand, pattern, ean }),
    },
  }
}

/** An EAN-13 of the range that begins with 2: GS1 gives it to nobody, so it is no other product's. */
function inHouseEan(draw: Chance): string {
  const digits = `29${String(draw.between(0, 9_999_999_999)).padStart(10, '0')}`
  const sum = [...digits].reduce((total, digit, nth) => total + Number(digit) * (nth % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
