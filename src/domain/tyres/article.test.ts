import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  articleKeys,
  maxLoadIndex,
  parseArticleSearch,
  parseDimension,
  parseLoadIndex,
  searchKey,
  speedSymbols,
  type Dimension,
  plainEan,
  readSize,
  withMarks,
} from './article.ts'

const nothing: Omit<Dimension, 'written'> = {
  width: 0,
  aspect: null,
  diameter: null,
  construction: 'R',
  rim: 0,
  unit: 'mm',
  commercial: null,
  loadIndex: null,
  loadIndexDual: null,
  speedSymbol: null,
  extraLoad: false,
  key: '',
}

describe('a size as the trade writes it', () => {
  test.each<[string, Partial<Dimension>]>([
    // cars
    ['205/55R16 91V', { width: 205, aspect: 55, rim: 16, loadIndex: 91, speedSymbol: 'V', key: '2055516' }],
    ['205/55 R16 91 V', { width: 205, aspect: 55, rim: 16, loadIndex: 91, speedSymbol: 'V', key: '2055516' }],
    ['205/55R16', { width: 205, aspect: 55, rim: 16, key: '2055516' }],
    ['205/55R16 91', { width: 205, aspect: 55, rim: 16, loadIndex: 91, key: '2055516' }],
    ['205/55R16 V', { width: 205, aspect: 55, rim: 16, speedSymbol: 'V', key: '2055516' }],
    [
      '205/55r16 91v xl',
      { width: 205, aspect: 55, rim: 16, loadIndex: 91, speedSymbol: 'V', extraLoad: true, key: '2055516' },
    ],
    [
      '225/45 ZR17 94Y XL',
      {
        width: 225,
        aspect: 45,
        rim: 17,
        construction: 'ZR',
        loadIndex: 94,
        speedSymbol: 'Y',
        extraLoad: true,
        key: '2254517',
      },
    ],
    [
      '275/45R21 110W EXTRA LOAD M+S 3PMSF',
      { width: 275, aspect: 45, rim: 21, loadIndex: 110, speedSymbol: 'W', extraLoad: true, key: '2754521' },
    ],
    [
      '325/30ZR21 (108Y)',
      { width: 325, aspect: 30, rim: 21, construction: 'ZR', loadIndex: 108, speedSymbol: 'Y', key: '3253021' },
    ],
    ['P215/65R15 95H', { width: 215, aspect: 65, rim: 15, loadIndex: 95, speedSymbol: 'H', key: '2156515' }],
    [
      'HL275/35R21 106Y',
      { width: 275, aspect: 35, rim: 21, loadIndex: 106, speedSymbol: 'Y', extraLoad: true, key: '2753521' },
    ],
    [
      'T125/70D17 98M',
      { width: 125, aspect: 70, rim: 17, construction: 'D', loadIndex: 98, speedSymbol: 'M', key: '1257017' },
    ],
    ['145R13 74S', { width: 145, rim: 13, loadIndex: 74, speedSymbol: 'S', key: '14513' }],
    ['185 HR 14', { width: 185, rim: 14, speedSymbol: 'H', key: '18514' }],
    ['225/50 VR 16 92W', { width: 225, aspect: 50, rim: 16, loadIndex: 92, speedSymbol: 'W', key: '2255016' }],
    [
      '215/90-15 99K',
      { width: 215, aspect: 90, rim: 15, construction: '-', loadIndex: 99, speedSymbol: 'K', key: '2159015' },
    ],
    // vans and light trucks
    [
      '195/75R16C 107/105R',
      {
        width: 195,
        aspect: 75,
        rim: 16,
        commercial: 'C',
        loadIndex: 107,
        loadIndexDual: 105,
        speedSymbol: 'R',
        key: '1957516',
      },
    ],
    [
      '225/75 R16CP 116R',
      { width: 225, aspect: 75, rim: 16, commercial: 'C', loadIndex: 116, speedSymbol: 'R', key: '2257516' },
    ],
    [
      '185R14C 8PR 102/100R',
      { width: 185, rim: 14, commercial: 'C', loadIndex: 102, loadIndexDual: 100, speedSymbol: 'R', key: '18514' },
    ],
    [
      '175/80-16C 98N',
      {
        width: 175,
        aspect: 80,
        rim: 16,
        construction: '-',
        commercial: 'C',
        loadIndex: 98,
        speedSymbol: 'N',
        key: '1758016',
      },
    ],
    [
      'LT245/70R17 119/116Q',
      {
        width: 245,
        aspect: 70,
        rim: 17,
        commercial: 'LT',
        loadIndex: 119,
        loadIndexDual: 116,
        speedSymbol: 'Q',
        key: '2457017',
      },
    ],
    ['245/70R17LT', { width: 245, aspect: 70, rim: 17, commercial: 'LT', key: '2457017' }],
    [
      '31x10.50R15LT 109Q',
      {
        width: 10.5,
        diameter: 31,
        rim: 15,
        unit: 'inch',
        commercial: 'LT',
        loadIndex: 109,
        speedSymbol: 'Q',
        key: '31105015',
      },
    ],
    ['31X10,5R15', { width: 10.5, diameter: 31, rim: 15, unit: 'inch', key: '31105015' }],
    [
      '35×12.50-16LT',
      { width: 12.5, diameter: 35, rim: 16, unit: 'inch', construction: '-', commercial: 'LT', key: '35125016' },
    ],
    [
      '37x12.50R20 128Q',
      { width: 12.5, diameter: 37, rim: 20, unit: 'inch', loadIndex: 128, speedSymbol: 'Q', key: '37125020' },
    ],
    ['31x10R15', { width: 10, diameter: 31, rim: 15, unit: 'inch', key: '311015' }],
    ['6.50-16LT', { width: 6.5, rim: 16, unit: 'inch', construction: '-', commercial: 'LT', key: '65016' }],
    ['7.00R15LT', { width: 7, rim: 15, unit: 'inch', commercial: 'LT', key: '70015' }],
    [
      '285/75R16 126/123Q',
      { width: 285, aspect: 75, rim: 16, loadIndex: 126, loadIndexDual: 123, speedSymbol: 'Q', key: '2857516' },
    ],
    // trucks, buses, trailers
    [
      '315/80 R22.5 156/150L',
      {
        width: 315,
        aspect: 80,
        rim: 22.5,
        commercial: 'truck',
        loadIndex: 156,
        loadIndexDual: 150,
        speedSymbol: 'L',
        key: '31580225',
      },
    ],
    [
      '315/70 R 22.5 156/150L (154/150M)',
      {
        width: 315,
        aspect: 70,
        rim: 22.5,
        commercial: 'truck',
        loadIndex: 156,
        loadIndexDual: 150,
        speedSymbol: 'L',
        key: '31570225',
      },
    ],
    ['425/65R22.5', { width: 425, aspect: 65, rim: 22.5, commercial: 'truck', key: '42565225' }],
    [
      '385/65 R22,5 160K',
      { width: 385, aspect: 65, rim: 22.5, commercial: 'truck', loadIndex: 160, speedSymbol: 'K', key: '38565225' },
    ],
    [
      '235/75R17.5 143/141J',
      {
        width: 235,
        aspect: 75,
        rim: 17.5,
        commercial: 'truck',
        loadIndex: 143,
        loadIndexDual: 141,
        speedSymbol: 'J',
        key: '23575175',
      },
    ],
    ['10R22.5', { width: 10, rim: 22.5, unit: 'inch', commercial: 'truck', key: '10225' }],
    [
      '12.00R20 154/150K',
      {
        width: 12,
        rim: 20,
        unit: 'inch',
        commercial: 'truck',
        loadIndex: 154,
        loadIndexDual: 150,
        speedSymbol: 'K',
        key: '120020',
      },
    ],
    ['10.00R20', { width: 10, rim: 20, unit: 'inch', commercial: 'truck', key: '100020' }],
    [
      '7.50R16 122/121L',
      {
        width: 7.5,
        rim: 16,
        unit: 'inch',
        commercial: 'truck',
        loadIndex: 122,
        loadIndexDual: 121,
        speedSymbol: 'L',
        key: '75016',
      },
    ],
    [
      '425/85R21 156G',
      { width: 425, aspect: 85, rim: 21, commercial: 'truck', loadIndex: 156, speedSymbol: 'G', key: '4258521' },
    ],
    ['145R20', { width: 145, rim: 20, key: '14520' }],
    ['2-22', { width: 2, rim: 22, unit: 'inch', construction: '-', key: '222' }],
    ['4.00-4', { width: 4, rim: 4, unit: 'inch', construction: '-', key: '4004' }],
    ['50/80R49', { width: 50, aspect: 80, rim: 49, unit: 'inch', key: '508049' }],
    ['59/80R63', { width: 59, aspect: 80, rim: 63, unit: 'inch', key: '598063' }],
    // farm
    ['11.2-20', { width: 11.2, rim: 20, unit: 'inch', construction: '-', key: '11220' }],
    ['12.5/80-18 8PR', { width: 12.5, aspect: 80, rim: 18, unit: 'inch', construction: '-', key: '1258018' }],
    [
      '500/50R17 149A8',
      { width: 500, aspect: 50, rim: 17, commercial: 'truck', loadIndex: 149, speedSymbol: 'A8', key: '5005017' },
    ],
    // motorcycles
    [
      '120/70ZR17 (58W)',
      { width: 120, aspect: 70, rim: 17, construction: 'ZR', loadIndex: 58, speedSymbol: 'W', key: '1207017' },
    ],
    [
      '180/55 ZR17 M/C (73W) TL',
      { width: 180, aspect: 55, rim: 17, construction: 'ZR', loadIndex: 73, speedSymbol: 'W', key: '1805517' },
    ],
    ['130/90B16', { width: 130, aspect: 90, rim: 16, construction: 'B', key: '1309016' }],
    [
      '90/90-21 54H',
      { width: 90, aspect: 90, rim: 21, construction: '-', loadIndex: 54, speedSymbol: 'H', key: '909021' },
    ],
    [
      '2.75-18 42P',
      { width: 2.75, rim: 18, unit: 'inch', construction: '-', loadIndex: 42, speedSymbol: 'P', key: '27518' },
    ],
  ])('%s', (text, expected) => {
    const { written = '', ...size } = parseDimension(text) ?? {}
    expect(size).toEqual({ ...nothing, ...expected })
    expect(parseDimension(written)?.written).toBe(written)
    expect(parseDimension(`  ${text.toLowerCase()} `)).toEqual(parseDimension(text))
  })

  test.each([
    '',
    '205',
    '205/55',
    '2055516V',
    'R16',
    'Michelin 205/55R16',
    '205/55R16 Michelin',
    '205/55R16 91V Alpin 6',
    '205/55R16 91Z',
    '205/55R16 91V91',
    '205/55R16 300V',
    '205/55R16 9V',
    '205/55R3',
    '205/55R64',
    '205/15R16',
    '205/115R16',
    '50/55R16',
    '59/55R48',
    '1R13',
    '15x6.00R15',
    '225/55VR390',
    '385/65R22.5 160/15K',
    '195/75R16C 105/107R',
    '205/55R16 XXL',
    '205/55X16',
    '205/55R165',
    '105-2513 60A1',
    '255-45 20',
    '205/55R16 91V 94W',
    'MT90B16',
  ])('%j is none', text => {
    expect(parseDimension(text)).toBeNull()
  })

  const size = fc.record({
    width: fc.integer({ min: 60, max: 999 }),
    aspect: fc.integer({ min: 20, max: 110 }),
    construction: fc.constantFrom('R', 'ZR', 'B', 'D', '-'),
    rim: fc.oneof(fc.integer({ min: 4, max: 63 }), fc.constantFrom(17.5, 19.5, 22.5, 24.5)),
    loadIndex: fc.integer({ min: 10, max: maxLoadIndex }),
    speedSymbol: fc.constantFrom(...Object.keys(speedSymbols)),
  })
  test('is read from any way to space it', () => {
    const gap = fc.constantFrom('', ' ', '  ')
    fc.assert(
      fc.property(size, gap, gap, gap, (tyre, a, b, c) => {
        const { width, aspect, construction, rim, loadIndex, speedSymbol } = tyre
        const text = `${width}/${a}${aspect}${b}${construction}${c}${rim} ${loadIndex}${a}${speedSymbol}`
        expect(parseDimension(text)).toMatchObject(tyre)
      }),
    )
  })
  test('is read from any text or refused, and never an error', () => {
    const signs = fc.string({ unit: fc.constantFrom(...'0123456789/RZCLTXVD.-x (),'), maxLength: 24 })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), signs), text => {
        const parsed = parseDimension(text)
        // two digits at least: the smallest wheels are 4-4
        expect(parsed === null || /^\d{2,}$/.test(parsed.key)).toBe(true)
        expect(['dimension', 'text']).toContain(parseArticleSearch(text).kind)
      }),
    )
  })
})

describe('a load index', () => {
  test.each([
    ['91', { loadIndex: 91, loadIndexDual: null }],
    [' 107/105 ', { loadIndex: 107, loadIndexDual: 105 }],
    ['107 / 105', { loadIndex: 107, loadIndexDual: 105 }],
    ['0', { loadIndex: 0, loadIndexDual: null }],
    ['279', { loadIndex: 279, loadIndexDual: null }],
    ['160/140', { loadIndex: 160, loadIndexDual: 140 }],
    ['103/103', { loadIndex: 103, loadIndexDual: 103 }],
  ])('%s', (text, index) => {
    expect(parseLoadIndex(text)).toEqual(index)
  })
  test.each(['', '280', '1000', '9 1', 'XL', '91V', '105/107', '160/15', '160/139', '107/', '/105', '9.1', '-1'])(
    '%j is none',
    text => {
      expect(parseLoadIndex(text)).toBeNull()
    },
  )
})

test('a speed symbol stands for its speed', () => {
  const published = `A1 5, A2 10, A3 15, A4 20, A5 25, A6 30, A7 35, A8 40, B 50, C 60, D 65, E 70, F 80, G 90, J 100,
    K 110, L 120, M 130, N 140, P 150, Q 160, R 170, S 180, T 190, U 200, H 210, V 240, W 270, Y 300`
  expect(Object.entries(speedSymbols).map(([symbol, kmh]) => `${symbol} ${kmh}`)).toEqual(published.split(/,\s+/))
})

describe('an article is stored', () => {
  test('with keys of its size, with speed and with load and speed', () => {
    expect(
      articleKeys({ dimension: '205/55R16', loadIndex: 91, speedSymbol: 'V', brand: 'Michelin', pattern: 'Primacy 4' }),
    ).toEqual({
      speed_key: '2055516V',
      load_key: '205551691V',
      brand_key: 'MICHELIN',
      words: 'MICHELIN PRIMACY 4 205/55R16 91V 2055516V 205551691V',
    })
  })
  test('with the load and speed in the text of its size, where it has no others', () => {
    expect(articleKeys({ dimension: '195/75R16C 107/105R' })).toMatchObject({
      speed_key: '1957516R',
      load_key: '1957516107R',
    })
    expect(articleKeys({ dimension: '195/75R16C 107/105R', loadIndex: 110, speedSymbol: 't' })).toMatchObject({
      speed_key: '1957516T',
      load_key: '1957516110T',
    })
  })
  test('without load and speed', () => {
    expect(articleKeys({ dimension: '195/60R16C', loadIndex: null, speedSymbol: null })).toEqual({
      speed_key: '1956016',
      load_key: '1956016',
      brand_key: '',
      words: '195/60R16C 1956016 1956016',
    })
  })
  test('under its letters and digits when its size can not be parsed', () => {
    expect(articleKeys({ dimension: 'MT90 B16', loadIndex: 72, speedSymbol: 'H' })).toMatchObject({
      speed_key: 'MT90B16H',
      load_key: 'MT90B1672H',
    })
  })
  test('with its brand and words in upper case without accents, and its EAN', () => {
    const keys = articleKeys({
      dimension: '205/55R16',
      brand: 'Trélebørg & Co.',
      pattern: 'Été  2',
      ean: '4019238817294',
    })
    expect(keys.brand_key).toBe('TRELEBØRGCO')
    expect(keys.words).toBe('TRELEBØRG & CO. ETE 2 205/55R16 2055516 2055516 4019238817294')
  })
})

describe('a search', () => {
  const catalogue = {
    car: articleKeys({ dimension: '205/55R16', loadIndex: 91, speedSymbol: 'V' }),
    van: articleKeys({ dimension: '195/75R16C', loadIndex: 107, speedSymbol: 'R' }),
    truck: articleKeys({ dimension: '315/80R22.5', loadIndex: 156, speedSymbol: 'L' }),
    trailer: articleKeys({ dimension: '215/75R17.5', loadIndex: 135, speedSymbol: 'J' }),
    float: articleKeys({ dimension: '31x10.50R15LT', loadIndex: 109, speedSymbol: 'Q' }),
    tube: articleKeys({ dimension: '7.50R16', loadIndex: 122, speedSymbol: 'L' }),
    light: articleKeys({ dimension: '185R14C', loadIndex: 102, speedSymbol: 'R' }),
  }
  test.each<[string, keyof typeof catalogue]>([
    ['2055516V', 'car'],
    ['2055516 91V', 'car'],
    ['205551691V', 'car'],
    ['205/55R16 91V', 'car'],
    ['205/55R16V', 'car'],
    ['205/55 R16 V', 'car'],
    ['205/55 ZR16 91V XL', 'car'],
    ['205-55-16 91V', 'car'],
    ['205-55 16', 'car'],
    ['205 55/16 91V', 'car'],
    ['20555/16 V', 'car'],
    ['205 55 16 v', 'car'],
    ['205.55.16', 'car'],
    ['P205/55R16', 'car'],
    ['205/55R16 9', 'car'],
    ['205/55R', 'car'],
    ['205/55ZR', 'car'],
    ['205/55', 'car'],
    ['205/5', 'car'],
    ['205', 'car'],
    ['20555R16V', 'car'],
    ['195/75R16C 107/105R', 'van'],
    ['195/75 R16 107R', 'van'],
    ['1957516R', 'van'],
    ['1957516C', 'van'],
    ['1957516C R', 'van'],
    ['1957516 107/105R', 'van'],
    ['1957516C107105R', 'van'],
    ['1957516107105R', 'van'],
    ['195/75R16C 107/105', 'van'],
    ['315/80R22.5 156/150L', 'truck'],
    ['31580225L', 'truck'],
    ['31580225156150L', 'truck'],
    ['31580225 156/150 L', 'truck'],
    ['315 80 22,5', 'truck'],
    ['21575175135J', 'trailer'],
    ['21575175135133J', 'trailer'],
    ['31x10.50R15LT 109Q', 'float'],
    ['31x10.5R15', 'float'],
    ['31105015Q', 'float'],
    ['31X1050R15LT', 'float'],
    ['31x10', 'float'],
    ['7.50R16', 'tube'],
    ['75016L', 'tube'],
    ['7.50R', 'tube'],
    ['7.50', 'tube'],
    ['185R14C 102/100R', 'light'],
    ['185R14R', 'light'],
    ['18514C', 'light'],
  ])('%s finds the %s tyre by its size', (text, name) => {
    const { kind, prefix } = parseArticleSearch(text) as { kind: string; prefix: string }
    expect(kind).toBe('dimension')
    expect(catalogue[name].speed_key.startsWith(prefix) || catalogue[name].load_key.startsWith(prefix)).toBe(true)
    // and none that is of another size
    const candidates = Object.entries(catalogue).filter(([, { speed_key }]) => speed_key.startsWith(prefix.slice(0, 5)))
    expect(candidates.map(([found_]) => found_)).toContain(name)
  })
  test.each([
    ['2055516W', 'another speed'],
    ['205551694V', 'another load'],
    ['2055517', 'another rim'],
    ['205/60R16', 'another height'],
  ])('%s finds none of %s', text => {
    const { prefix } = parseArticleSearch(text) as { prefix: string }
    const all = Object.values(catalogue).flatMap(({ speed_key, load_key }) => [speed_key, load_key])
    expect(all.filter(key => key.startsWith(prefix))).toEqual([])
  })
  test('has the beginning of a brand behind the star', () => {
    expect(parseArticleSearch('2055516V*mich')).toEqual({ kind: 'dimension', prefix: '2055516V', brand: 'MICH' })
    expect(parseArticleSearch('205/55 R16 91V * BF-Goodrich ')).toEqual({
      kind: 'dimension',
      prefix: '205551691V',
      brand: 'BFGOODRICH',
    })
    expect(parseArticleSearch('2055516V*')).toEqual({ kind: 'dimension', prefix: '2055516V', brand: null })
    expect(parseArticleSearch('2055516V*mich*elin')).toMatchObject({ brand: 'MICHELIN' })
    expect(parseArticleSearch('*Michelin')).toEqual({ kind: 'text', words: [], brand: 'MICHELIN' })
    expect(parseArticleSearch('alpin*Michelin')).toEqual({ kind: 'text', words: ['ALPIN'], brand: 'MICHELIN' })
  })
  test.each<[string, string[]]>([
    ['Michelin Alpin 6', ['MICHELIN', 'ALPIN', '6']],
    ['205/55R16 michelin', ['2055516', 'MICHELIN']],
    ['michelin 205/55R16 91V', ['MICHELIN', '2055516', '91V']],
    ['été', ['ETE']],
    ['4x4', ['4X4']],
    ['3PMSF', ['3PMSF']],
    ['91V', ['91V']],
    ['16', ['16']],
    ['225 winter', ['225', 'WINTER']],
    ['2055516OO', ['2055516OO']],
    ['2055516I', ['2055516I']],
    ['4019238817294', ['4019238817294']],
    ['', []],
    ['  ', []],
  ])('%j is a search for words', (text, words) => {
    expect(parseArticleSearch(text)).toEqual({ kind: 'text', words, brand: null })
  })
  test('of a whole size but unfinished speed looks for the size', () => {
    expect(parseArticleSearch('2055516Z')).toMatchObject({ prefix: '2055516' })
    expect(parseArticleSearch('2055516ZR')).toMatchObject({ prefix: '2055516' })
    expect(parseArticleSearch('2055516R')).toMatchObject({ prefix: '2055516R' })
    expect(parseArticleSearch('2055516B')).toMatchObject({ prefix: '2055516B' })
  })
  test('leaves out the load for dual wheels only where it can be one', () => {
    expect(parseArticleSearch('1957516 107/105R')).toMatchObject({ prefix: '1957516107R' })
    expect(parseArticleSearch('1957516 105/107R')).toMatchObject({ prefix: '1957516105107R' })
  })
  test('finds every metric article by its size, with load and speed, however it is spaced', () => {
    // a C behind a size is a van's, never a speed: it finds all speeds of it
    const speed = fc.constantFrom(...Object.keys(speedSymbols).filter(symbol => symbol !== 'C'))
    const separator = fc.constantFrom('', ' ', '-', '/')
    fc.assert(
      fc.property(
        fc.integer({ min: 105, max: 455 }),
        fc.integer({ min: 25, max: 95 }),
        fc.constantFrom('13', '14', '15', '16', '17', '18', '19', '20', '21', '22', '17.5', '19.5', '22.5'),
        fc.integer({ min: 60, max: 180 }),
        speed,
        separator,
        separator,
        (width, aspect, rim, loadIndex, speedSymbol, a, b) => {
          const keys = articleKeys({ dimension: `${width}/${aspect}R${rim}`, loadIndex, speedSymbol })
          const whole = parseArticleSearch(`${width}${a}${aspect}${b}${rim} ${loadIndex}${speedSymbol}`)
          expect(whole).toEqual({ kind: 'dimension', prefix: keys.load_key, brand: null })
          const bare = parseArticleSearch(`${width}${a}${aspect}${b}${rim}${speedSymbol}`)
          expect(bare).toEqual({ kind: 'dimension', prefix: keys.speed_key, brand: null })
        },
      ),
    )
  })
})

test('a search key is letters and digits in upper case', () => {
  expect(searchKey('205/55 R16é')).toBe('20555R16E')
  expect(searchKey(' .-*')).toBe('')
})

describe('a size in a file', () => {
  test.each([
    ['205/55R16', '205/55R16'],
    ['205/55 ZR16', '205/55ZR16'],
    ['31x10.50R15LT', '31x10.50R15LT'],
    ['315/80 R 22.5', '315/80R22.5'],
    ['10.00 R 20', '10.00R20'],
    ['195/65 R15C', '195/65R15C'],
    ['5.20-10', '5.20-10'],
    ['205/55 R16 91V *', '205/55R16', 91, 'V', '*'],
    ['225/45R17 91W FR', '225/45R17', 91, 'W', 'FR'],
    ['245/40 R18 97Y XL AO', '245/40R18', 97, 'Y', 'AO'],
    ['205/55/16', '205/55R16'],
    ['205-55-16', '205/55R16'],
    ['205 55 16', '205/55R16'],
    ['205/55R16 91V M+S 3PMSF', '205/55R16', 91, 'V'],
    ['205/55R16 91V TL', '205/55R16', 91, 'V'],
    ['205/55R16C', '205/55R16C'],
    ['205/65R16C 107/105T 8PR', '205/65R16C', 107, 'T'],
    ['385/65 R22.5 160K (158L)', '385/65R22.5', 160, 'K'],
    ['12R22.5 152/148M', '12R22.5', 152, 'M'],
    ['13 R 22,5', '13R22.5'],
    ['11.2R28', '11.2R28'],
    ['520/85R42', '520/85R42'],
    ['18.4-38', '18.4-38'],
    ['6.00-9', '6.00-9'],
    ['18x7-8', '18x7-8'],
    ['200/60-14.5', '200/60-14.5'],
    ['145 R 13', '145R13'],
    ['165R13', '165R13'],
    ['185/14C', '185R14C'],
    ['185R14C', '185R14C'],
    ['195 R14 C', '195R14C'],
    ['255/70R22,5', '255/70R22.5'],
    ['205/55R16 91V RFT', '205/55R16', 91, 'V'],
    ['205/55R16 RunFlat', '205/55R16'],
    ['205/55R16 91 V', '205/55R16', 91, 'V'],
    ['205/55 R 16 91 V', '205/55R16', 91, 'V'],
    ['P225/70R16', '225/70R16'],
    ['LT235/85R16 120/116R', '235/85R16LT', 120, 'R'],
    ['235/85R16 LT', '235/85R16LT'],
    ['30x9.50R15', '30x9.50R15'],
    ['33x12.5 R15', '33x12.50R15'],
    ['7.50R16', '7.50R16'],
    ['7.50-16', '7.50-16'],
    ['8.25-15', '8.25-15'],
    ['3.50-8', '3.50-8'],
    ['120/70ZR17M/C (58W)', '120/70ZR17', 58, 'W'],
    ['205/55R16 91V DOT2319', '205/55R16', 91, 'V'],
    ['2055516', '205/55R16'],
    ['205/55R16"', '205/55R16'],
    ['Ø205/55R16', '205/55R16'],
    ['205／55R16', '205/55R16'],
    ['205/55r16', '205/55R16'],
    ['205/55 R16 94V XL MFS', '205/55R16', 94, 'V', 'MFS'],
    ['10.0/75-15.3', '10.0/75-15.3'],
    ['425/65R22.5', '425/65R22.5'],
    ['215/75R17.5', '215/75R17.5'],
    ['9.5R17.5', '9.5R17.5'],
    ['255/55ZR18 109Y XL N0', '255/55ZR18', 109, 'Y', 'N0'],
    ['265/70R19,5 140/138M', '265/70R19.5', 140, 'M'],
    ['205/55R16 91V S1', '205/55R16', 91, 'V', 'S1'],
    ['205/50 R17 93W XL', '205/50R17', 93, 'W'],
    ['235/55R19 105V XL ContiSeal', '235/55R19', 105, 'V', 'ContiSeal'],
    ['(205/55R16)', '205/55R16'],
    ['205.55.16', '205/55R16'],
    ['205/55HR16', '205/55R16', null, 'H'],
    ['195/65TR15', '195/65R15', null, 'T'],
    ['265/65 R17', '265/65R17'],
    ['225/55 B17', '225/55B17'],
    ['155SR15', '155R15', null, 'S'],
    ['400/60-15,5', '400/60-15.5'],
    ['500/50-17', '500/50-17'],
    ['16.9R30', '16.9R30'],
    ['31X10.5-15', '31x10.50-15'],
    ['T135/90D16', 'T135/90D16'],
    ['125/80-15', '125/80-15'],
    ['205/55R16 91V ROF studded', '205/55R16', 91, 'V', 'studded'],
    ['205/55R16 * 91V XL', '205/55R16', 91, 'V', '*'],
  ])('%s is %s', (text, written, load: number | null = null, speed: string | null = null, rest = '') => {
    const read = readSize(text)
    expect(read).toMatchObject({ size: { written, loadIndex: load, speedSymbol: speed }, rest, count: null })
    // written once: it is read again as the same
    expect(readSize(written)?.size.written).toBe(written)
  })

  test.each([
    ['2 x 205/55R16', 2],
    ['4x 205/55 R16', 4],
  ])('%s says how many tyres', (text, count) =>
    expect(readSize(text)).toMatchObject({ size: { written: '205/55R16' }, count, rest: '' }),
  )

  test.each([
    ['205/55R16 91V DOT2319', 'DOT2319', ''],
    ['205/55R16 91V DOT 4B9R JU1X 2319 AO', 'DOT 4B9R JU1X 2319', 'AO'],
  ])('%s has a DOT code', (text, dot, rest) => expect(readSize(text)).toMatchObject({ dot, rest }))

  test.each([
    '205/55R16 + 225/50R16',
    '27.5x2.25',
    '700x38C',
    '205/55R16 9IV',
    '205/55R16 x4',
    '205/55R16 4 stuks',
    'winter',
    '',
  ])('%j is none', text => expect(readSize(text)).toBeNull())

  test('with marks is described once', () => {
    expect(withMarks('Michelin Alpin 205/55R16 91V', 'AO')).toBe('Michelin Alpin 205/55R16 91V AO')
    expect(withMarks('Michelin Alpin AO', 'ao')).toBe('Michelin Alpin AO')
  })
})

describe('an EAN', () => {
  test.each([
    ['029142123453', '0029142123453'],
    ['0029142123453', '0029142123453'],
    ['00029142123453', '0029142123453'],
    [']E00029142123453', '0029142123453'],
    [']e0 0029142-123453', '0029142123453'],
    ['96385074', '96385074'],
    ['0000096385074', '96385074'],
    // a case of them is another product
    ['14019238817291', '14019238817291'],
    ['abc', 'abc'],
  ])('%s is kept as %s', (text, ean) => expect(plainEan(text)).toBe(ean))
})
