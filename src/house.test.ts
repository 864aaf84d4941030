/**
 * The checks of the house: who may import whom, what comments may cite, that every language says everything, and that the database keeps sites
 * apart and the application small. Each check is first shown a house that breaks its rule.
 */
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { parseSync, Visitor, type ESTree } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureCodes } from '#domain/failure.ts'
import portalProcess from '../bin/lib/portalProcess.json' with { type: 'json' }
import { testDatabase, type TestDatabase } from './server/testing/database.ts'

const project = path.join(import.meta.dirname, '..')

// ---- Who imports whom --------------------------------------------------------------------------------------------------------

type Import = { from: string; specifier: string; names: readonly string[]; to: string | undefined; typeOnly: boolean }

/** Of each zone: the zones that it may import, and the packages when not all. `db` is the demo, a guest of the server. */
const zones: Record<string, { zones: string[]; packages?: string[] }> = {
  domain: { zones: ['domain'], packages: ['zod', '@zxcvbn-ts', 'bowser'] },
  contract: { zones: ['contract', 'domain'], packages: ['zod'] },
  server: { zones: ['server', 'contract', 'domain', 'db'] },
  web: { zones: ['web', 'contract', 'domain'] },
  db: { zones: ['db', 'server', 'contract', 'domain'] },
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith('src/server/testing/')
const zoneOf = (file: string) => (/^(?:src\/)?(\w+)\//.exec(file) ?? [])[1] ?? ''
/** A folder of `web` is a feature, except `shared`, which knows the contract, and `ui`, which holds primitives only. */
const featureOf = (file: string) => /^src\/web\/(?!ui\/|shared\/)(\w+)\//.exec(file)?.[1]

/**
 * The rooms of the server from the ground up: each imports from itself and from those before it. Beside each other in one
 * line, they don't know each other. Features may know each other, in no circle.
 */
const serverRooms: readonly (readonly string[])[] = [
  ['childProcess.ts', 'config.ts', 'fairQueue.ts', 'outbound', 'secrets.ts', 'tokens.ts', 'version.ts', 'worker.ts'],
  ['postgres'],
  ['db'],
  ['texts', 'backup'],
  ['printing'],
  ['features'],
  ['http'],
  ['cli', 'main.ts'],
]
/** Packages that one file stands for, and what another may take of them. */
const wrapped: Record<string, { by: string; others: readonly string[] }> = {
  '@mantine/dates': { by: 'src/web/ui/dateField.tsx', others: ['DatesProvider'] },
}
const serverRoomOf = (file: string) => /^src\/server\/([\w.]+)/.exec(file)?.[1]
const layerOf = (room: string) => serverRooms.findIndex(rooms => rooms.includes(room))

function readSources(): Map<string, string> {
  const files = ['src', 'db'].flatMap(folder =>
    fs
      .readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
      .map(file => path.posix.join(folder, ...file.split(path.sep)))
      .filter(file => /\.tsx?$/.test(file) && file !== 'src/house.test.ts'),
  )
  return new Map(files.map(file => [file, fs.readFileSync(path.join(project, file), 'utf8')]))
}

function importsOf(file: string, text: string): Import[] {
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0]?.message}`)
  const imports = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      names: entries.map(({ importName }) => importName.name ?? '*'),
      typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ specifier: moduleRequest.value, names: ['*'], typeOnly: isType }] : [],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => ({
      specifier: text.slice(moduleRequest.start, moduleRequest.end).replace(/^(['"`])(.*)\1$/s, '$2'),
      names: ['*'],
      typeOnly: false,
    })),
  ]
  return imports.map(entry => ({ ...entry, from: file, to: resolve(file, entry.specifier) }))
}

/** The file of the project that is meant; undefined for a package. */
function resolve(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  return undefined
}

/** Camel case, and dots between the parts of what belongs to one subject: `fleet.sql.ts`. */
const isNamedWell = (file: string) => /^[a-z][a-zA-Z0-9]*(\.[a-z][a-zA-Z0-9]*)*\.tsx?$/.test(path.posix.basename(file))

/** The faults in the imports of these files, in words. */
function wrongImports(sources: Map<string, string>): string[] {
  return [...sources].flatMap(([file, text]) =>
    importsOf(file, text).flatMap(entry => {
      const wrong = wrongImport(entry)
      return wrong ? [`${file} imports ${entry.specifier}: ${wrong}`] : []
    }),
  )
}

/** The first rule that an import breaks. */
function wrongImport(entry: Import): string | undefined {
  const allowed = zones[zoneOf(entry.from)]
  if (!allowed) return `there is no zone ${zoneOf(entry.from)}`
  if (entry.to === undefined) return wrongPackage(entry, allowed.packages)
  if (/^(texts\/.*|package)\.json$/.test(entry.to))
    return zoneOf(entry.from) === 'web' && !entry.typeOnly ? 'texts are fetched, not bundled' : undefined
  const inside = { ...entry, to: entry.to }
  return wrongZone(inside, allowed.zones) ?? wrongPath(inside) ?? layerViolation(inside)
}
type Inside = Import & { readonly to: string }

function wrongPackage({ from, specifier, names }: Import, packages: readonly string[] | undefined): string | undefined {
  if (isTest(from)) return undefined
  const wrapper = wrapped[specifier]
  if (wrapper && wrapper.by !== from && !names.every(name => wrapper.others.includes(name)))
    return `${specifier} is used through ${wrapper.by}`
  if (zoneOf(from) === 'web' && specifier.startsWith('node:')) return 'a browser has no Node'
  const allowed = !packages || packages.includes(specifier.split('/')[0] ?? '')
  return allowed ? undefined : `${zoneOf(from)} is pure and imports only ${packages.join(', ')}`
}

function wrongZone({ from, to }: Inside, allowed: readonly string[]): string | undefined {
  const permitted = allowed.includes(zoneOf(to)) || (isTest(from) && to === 'src/server/testing/database.ts')
  return permitted ? undefined : `${zoneOf(from)} doesn't know ${zoneOf(to)}`
}

function wrongPath({ from, to, specifier }: Inside): string | undefined {
  const same = zoneOf(to) === zoneOf(from)
  if (!same && /^src\/(domain|contract)\//.test(to) && !specifier.startsWith('#'))
    return `another zone is #${zoneOf(to)}/…`
  return same && specifier.startsWith('#') ? 'inside a zone paths are relative' : undefined
}

/** Where in a zone something stands: a test, a room of the server, a folder of the browser. */
function layerViolation({ from, to }: Inside): string | undefined {
  if (from.startsWith('src/web/ui/') && zoneOf(to) === 'contract')
    return 'ui/ holds primitives: what knows the contract goes to shared/'
  if (isTest(from)) return undefined
  if (isTest(to)) return 'what is made for tests stays in tests'
  if (zoneOf(from) !== zoneOf(to)) return undefined
  if (zoneOf(from) === 'server') return wrongRoom(from, to)
  return zoneOf(from) === 'web' ? wrongFolder(from, to) : undefined
}

function wrongRoom(from: string, to: string): string | undefined {
  const [mine = '', theirs = ''] = [serverRoomOf(from), serverRoomOf(to)]
  const unknown = [mine, theirs].find(room => layerOf(room) < 0)
  if (unknown !== undefined) return `there is no room ${unknown}`
  if (mine !== theirs && layerOf(theirs) >= layerOf(mine)) return `${mine} doesn't know ${theirs}`
  return undefined
}

function wrongFolder(from: string, to: string): string | undefined {
  const theirs = featureOf(to)
  if (from.startsWith('src/web/shared/') && theirs) return "shared/ doesn't know the features"
  if (from.startsWith('src/web/ui/') && (theirs || to.startsWith('src/web/shared/')))
    return 'ui/ holds primitives: what knows the contract goes to shared/'
  return undefined
}

/** The folder of a file of the server: a feature is a folder of its own, and so is a file that is in none. */
const serverFolderOf = (file: string) => (path.posix.dirname(file) === 'src/server' ? file : path.posix.dirname(file))

/** Folders that import each other in a circle; files without a folder are left out. */
function folderCycles(sources: Map<string, string>, folderOf: (file: string) => string | undefined): string[] {
  const next = new Map<string, Set<string>>()
  for (const [file, text] of sources) {
    const folder = folderOf(file)
    if (isTest(file) || folder === undefined) continue
    const imported = next.get(folder) ?? new Set()
    next.set(folder, imported)
    for (const { to } of importsOf(file, text)) {
      const other = to === undefined ? undefined : folderOf(to)
      if (other !== undefined && other !== folder) imported.add(other)
    }
  }
  return cyclesIn(new Map([...next].map(([folder, others]) => [folder, [...others]])))
}
const inServer = (file: string) => (file.startsWith('src/server/') ? serverFolderOf(file) : undefined)
/** The files that put the portal together, such as its routes, stand in no feature. */
const inBrowser = (file: string) => featureOf(file)

/** The names of the contract's files, the folders of features and the namespaces of texts. */
function wordsOfThings(files: Iterable<string>, texts: readonly string[]): Set<string> {
  const named = [...files].flatMap(file => {
    if (isTest(file)) return []
    const word = /^src\/(?:contract\/(\w+)\.ts$|server\/features\/(\w+)\/|web\/(\w+)\/)/.exec(file)
    return word ? [word[1] ?? word[2] ?? word[3] ?? ''] : []
  })
  return new Set([...named, ...texts.map(text => path.parse(text).name)])
}

/** Words that differ by case or number only. */
const thingsOfTwoWords = (words: ReadonlySet<string>): string[][] =>
  [...Map.groupBy(words, word => word.toLowerCase().replace(/s$/, '')).values()].filter(alike => alike.length > 1)

/** Files that import each other in a circle, one path for each circle that is found. */
const cycles = (sources: Map<string, string>): string[] =>
  cyclesIn(new Map([...sources].map(([file, text]) => [file, importsOf(file, text).flatMap(({ to }) => to ?? [])])))

function cyclesIn(next: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, way: string[]): void => {
    const at = way.indexOf(file)
    if (at >= 0) {
      circles.push([...way.slice(at), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const other of next.get(file) ?? []) visit(other, [...way, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return circles
}

describe('the zones', () => {
  const sources = readSources()

  it('are all there, and every file in them is read', () => {
    const perZone = Map.groupBy(sources.keys(), zoneOf)
    const count = (zone: string) => perZone.get(zone)?.length ?? 0
    expect(['domain', 'contract', 'server', 'web'].filter(zone => count(zone) <= 3)).toEqual([])
    const edges = [...sources].flatMap(([file, text]) => importsOf(file, text))
    expect(edges.filter(({ to }) => to !== undefined).length).toBeGreaterThan(sources.size)
  })

  it('import only what they know', () => {
    expect(wrongImports(sources)).toEqual([])
  })

  it.each([
    ['src/domain/tyres/tyre.ts', "import { ask } from '#contract/call.ts'"],
    ['src/domain/tyres/tyre.ts', "import type { Call } from '#contract/call.ts'"],
    ['src/domain/tyres/tyre.ts', "import fs from 'node:fs'"],
    ['src/domain/tyres/tyre.ts', "import 'react'"],
    ['src/contract/call.ts', "export * from '#server/serve.ts'"],
    ['src/contract/call.ts', "import '../domain/tyre.ts'"],
    ['src/domain/tyres/tyre.ts', "import '#domain/vehicles/axle.ts'"],
    ['src/server/http/serve.ts', "const { start } = await import('../../web/main.tsx')"],
    ['src/server/http/serve.ts', "import { testDatabase } from '../testing/database.ts'"],
    ['src/server/features/fleet/fleet.ts', "import { serve } from '../../http/serve.ts'"],
    ['src/server/db/database.ts', "import { say } from '../texts/texts.ts'"],
    ['src/server/helpers/misc.ts', "import { say } from '../texts/texts.ts'"],
    ['src/server/http/serve.ts', "import { misc } from '../misc.ts'"],
    ['src/server/db/database.ts', "import { misc } from '../helpers/misc.ts'"],
    ['src/web/main.tsx', "import { pool } from '../server/db/database.ts'"],
    ['src/web/main.tsx', "import fs from 'node:fs'"],
    ['src/web/main.tsx', "import texts from '../../texts/en/common.json'"],
    ['src/web/shared/api.ts', "import { step } from '../operations/wizard/step1.tsx'"],
    ['src/web/ui/sort.tsx', "import { useSite } from '../shared/session.ts'"],
    ['src/web/ui/sort.tsx', "import type { Tyre } from '#contract/wire.ts'"],
    ['src/web/stock/statement.tsx', "import { DateInput } from '@mantine/dates'"],
    ['src/web/portal.tsx', "import { DatePicker, DatesProvider } from '@mantine/dates'"],
    ['src/web/ui/sort.tsx', "import * as dates from '@mantine/dates'"],
  ])('would notice that %s says %s', (file, text) => {
    expect(wrongImports(new Map([[file, text]]))).toHaveLength(1)
  })

  it('have no circles', () => {
    expect(cycles(sources)).toEqual([])
  })

  it.each([
    ['server', inServer],
    ['browser', inBrowser],
  ])('have no folders of the %s that know each other', (_, folderOf) => {
    expect(folderCycles(sources, folderOf)).toEqual([])
  })

  it.each([
    ['server', inServer, 'src/server/features/fleet', 'src/server/features/tyres'],
    ['browser', inBrowser, 'src/web/vehicles', 'src/web/tyres/depths'],
  ])('would notice two folders of the %s that know each other', (_, folderOf, folder, other) => {
    const way = path.posix.relative(folder, other)
    const back = path.posix.relative(other, folder)
    const circle = new Map([
      [`${folder}/one.ts`, `import '${way}/two.ts'`],
      [`${other}/two.ts`, ''],
      [`${other}/three.ts`, `import '${back}/four.ts'`],
    ])
    expect(folderCycles(circle, folderOf)).toHaveLength(1)
  })

  it('names every file in one case', () => {
    const misnamed = [...sources.keys()].filter(file => !isNamedWell(file))
    expect(misnamed).toEqual([])
    expect(isNamedWell('src/web/ui/DateField.tsx')).toBe(false)
    expect(isNamedWell('src/web/ui/date-field.tsx')).toBe(false)
  })

  it('call a thing by one word in contract, server, browser and texts', () => {
    expect(thingsOfTwoWords(wordsOfThings(sources.keys(), fs.readdirSync('texts/en')))).toEqual([])
  })

  it.each([
    [['src/server/features/cards/cards.ts', 'src/web/card/scanCards.tsx'], []],
    [['src/contract/damages.ts'], ['damage.json']],
    [['src/web/views/views.tsx'], ['View.json']],
  ])('would notice two words for one thing in %s and %s', (files, texts) => {
    expect(thingsOfTwoWords(wordsOfThings(files, texts))).toHaveLength(1)
  })

  it('would notice a circle', () => {
    const circle = new Map([
      ['src/domain/a.ts', "import './b.ts'"],
      ['src/domain/b.ts', "export { c } from './c.ts'"],
      ['src/domain/c.ts', "import type { A } from './a.ts'"],
    ])
    expect(cycles(circle)).toEqual(['src/domain/a.ts -> src/domain/b.ts -> src/domain/c.ts -> src/domain/a.ts'])
  })
})

// ---- Citations ---------------------------------------------------------------------------------------------------------------

/** Files in which people read sentences. Migrations never change, and so neither do their comments. */
function readProse(): Map<string, string> {
  const folders = ['src', 'db/demo', 'e2e', 'drill', 'mutants', 'bench', 'bin', 'docs', 'deploy']
  const inside = folders.flatMap(folder =>
    fs
      .readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
      .map(file => path.posix.join(folder, ...file.split(path.sep))),
  )
  const files = [...inside, 'README.md', 'vite.config.ts', 'vitest.config.ts', 'Dockerfile']
    .filter(file => /\.(tsx?|mjs|css|md|yml|service|cfg|ini)$|Dockerfile$/.test(file) && file !== 'src/house.test.ts')
    .filter(file => !file.startsWith('bench/out') && !file.startsWith('e2e/out'))
  return new Map(files.map(file => [file, fs.readFileSync(path.join(project, file), 'utf8')]))
}

const absentDocument = /\b(?:SPEC|DESIGN|QUALITY|PERFORMANCE|STYLE)(?:\.md|:? §| \d|,? "|[,;)])/

/** Citations of documents that are not in the repository, and of headings that are in none. */
function wrongCitations(
  prose: Map<string, string>,
  headings: Record<string, ReadonlySet<string>>,
  decisions: ReadonlySet<string>,
): string[] {
  return [...prose].flatMap(([file, text]) => [
    ...[...text.matchAll(/docs\/decisions\/(\d{4})/g)].flatMap(([, number = '']) =>
      decisions.has(number) ? [] : `${file} cites decision ${number}, which does not exist`,
    ),
    ...text
      .split('\n')
      .flatMap((line, nth) => (absentDocument.test(line) ? `${file}:${nth + 1} cites ${line.trim()}` : [])),
    // a citation may be broken over two lines of a comment
    ...[...text.replaceAll(/\n\s*(?:\*|\/\/|--|#)\s*/g, ' ').matchAll(/docs\/([\w/]+)\.md "([^"]+)"/g)].flatMap(
      ([, document = '', heading = '']) =>
        headings[document]?.has(heading)
          ? []
          : `${file} cites a heading of docs/${document}.md that is not there: ${heading}`,
    ),
  ])
}

describe('citations', () => {
  const headingsOf = (document: string): ReadonlySet<string> =>
    new Set(
      [...fs.readFileSync(path.join(project, 'docs', `${document}.md`), 'utf8').matchAll(/^#+ (.+)$/gm)].map(
        ([, heading = '']) => heading.trim(),
      ),
    )
  const pages = ['', 'product/'].flatMap(folder =>
    fs
      .readdirSync(path.join(project, 'docs', folder))
      .flatMap(file => /^(\w+)\.md$/.exec(file)?.[1] ?? [])
      .map(page => `${folder}${page}`),
  )
  const headings = Object.fromEntries(pages.map(page => [page, headingsOf(page)]))
  const decisionNumbers = fs.readdirSync(path.join(project, 'docs/decisions')).map(file => file.slice(0, 4))
  const decisions = new Set(decisionNumbers)

  it('name one decision by each number', () => {
    expect(decisionNumbers.filter((number, at) => decisionNumbers.indexOf(number) !== at)).toEqual([])
  })

  it('are of documents and headings that a reader of the repository can open', () => {
    expect(Object.keys(headings).filter(page => page.startsWith('product/')).length).toBeGreaterThan(10)
    expect(wrongCitations(readProse(), headings, decisions)).toEqual([])
  })

  it.each([
    ['// a label (SPEC §5 "Barcode")', 1],
    ['// promised by QUALITY 13', 1],
    ['/** docs/product/tyres.md "Nowhere" */', 1],
    ['/** a label (docs/product/tyres.md\n * "Nowhere at all") */', 1],
    ['/** docs/operations.md "Nowhere" */', 1],
    ['/** docs/absent.md "Configure" */', 1],
    ['/** docs/decisions/9999 */', 1],
    ['/** docs/operations.md "Configure" and docs/decisions/0032 */', 0],
    ['/** docs/product/warehouse.md "Barcodes" and docs/promises.md "Races" */', 0],
  ])('would be noticed: %j', (comment, wrong) => {
    expect(wrongCitations(new Map([['src/domain/tyres/tyre.ts', comment]]), headings, decisions)).toHaveLength(wrong)
  })
})

// ---- Links -------------------------------------------------------------------------------------------------------------------

/** Links of documents to files of the repository that are not there. */
function brokenLinks(prose: Map<string, string>): string[] {
  return [...prose].flatMap(([file, text]) =>
    [...text.matchAll(/\]\(([^)\s#]+)/g)].flatMap(([, target = '']) => {
      if (/^[a-z]+:/.test(target)) return []
      const destination = path.join(path.dirname(file), decodeURI(target))
      return fs.existsSync(path.join(project, destination)) ? [] : [`${file} links to ${target}, which does not exist`]
    }),
  )
}

// ---- Excerpts ----------------------------------------------------------------------------------------------------------------

/** Lines of code that a document shows (a fence that names its file), and that the file does not have in this order. */
function wrongExcerpts(document: string, read: (file: string) => string): string[] {
  return [...document.matchAll(/^```ts (\S+)\n(.*?)^```$/gms)].flatMap(([, file = '', excerpt = '']) => {
    const lines = read(file)
      .split('\n')
      .map(line => line.trim())
    let at = 0
    return excerpt
      .trimEnd()
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '…')
      .flatMap(line => {
        const start = lines.indexOf(line, at)
        if (start < 0) return [`${file} has no line: ${line}`]
        at = start + 1
        return []
      })
  })
}

describe('excerpts', () => {
  const read = (file: string) => fs.readFileSync(path.join(project, file), 'utf8')
  const document = read('docs/one-call.md')

  it('are what the code says', () => {
    expect(document.match(/^```ts /gm)?.length).toBeGreaterThan(6)
    expect(wrongExcerpts(document, read)).toEqual([])
  })

  it('would be noticed when they are not', () => {
    const page = '```ts src/a.ts\nconst second = 2\n…\nconst first = 1\n```'
    expect(wrongExcerpts(page, () => 'const first = 1\n  const second = 2')).toHaveLength(1)
  })
})

describe('links', () => {
  it('of documents lead to files of the repository', () => {
    const documents = new Map([...readProse()].filter(([file]) => file.endsWith('.md')))
    expect(documents.size).toBeGreaterThan(50)
    expect(brokenLinks(documents)).toEqual([])
  })

  it.each([
    ['[a page](absent.md)', 1],
    ['[a heading of a page](absent.md#configure)', 1],
    ['[a page that is one folder up](promises.md)', 1],
    ['![a picture](../absent.png)', 1],
    ['[a page](../promises.md), [a heading](../promises.md#calls) and [one of this page](#why)', 0],
    ['[elsewhere](https://example.org/absent.md)', 0],
  ])('would be noticed: %s', (text, broken) => {
    expect(brokenLinks(new Map([['docs/decisions/0001.md', text]]))).toHaveLength(broken)
  })
})

// ---- What every language says ------------------------------------------------------------------------------------------------

type Texts = Map<string, string>

const languages = ['en', 'nl', 'fr', 'de'] as const
const plural = /_(?:zero|one|two|few|many|other)$/

function flatten(value: unknown, key = ''): [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  return Object.entries(value as object).flatMap(([name, inner]) => flatten(inner, key ? `${key}.${name}` : name))
}

function readTexts(language: string): Texts {
  const folder = path.join(project, 'texts', language)
  return new Map(
    fs
      .readdirSync(folder)
      .flatMap(file =>
        flatten(JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')), `${path.parse(file).name}:`),
      )
      .map(([key, text]) => [key.replace(':.', ':'), text]),
  )
}

/** The needs of a text: placeholders, texts it includes, and tags that a screen puts around its words. */
const needs = (text: string) =>
  (text.match(/\{\{-?\s*[^},\s]+|\$t\([^)]*\)|<\/?\w+/g) ?? []).map(part => part.replace(/[{}\s-]/g, ''))

const stem = (key: string) => key.replace(plural, '')

/** Keys, placeholders and forms that a language lacks or has too much of, next to English. */
function wrongTexts(language: string, texts: Texts, english: Texts): string[] {
  // The ending alone says nothing: `login.too_many` is no plural. Every plural has the form for "other".
  const counted = new Set([...english.keys()].filter(key => key.endsWith('_other')).map(stem))
  const isCounted = (key: string) => plural.test(key) && counted.has(stem(key))
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const expected = new Map([...english].filter(([key]) => !isCounted(key)))
  for (const key of counted) for (const form of forms) expected.set(`${key}_${form}`, english.get(`${key}_other`) ?? '')

  const lacking = [...expected].flatMap(([key, model]) => {
    const text = texts.get(key)
    if (text === undefined) return [`${key} is missing`]
    if (text.trim() === '') return [`${key} is empty`]
    if (key.endsWith('_one') && !isCounted(key)) return [`${key} has no form for other numbers`]
    // "One tyre" may say its number as a word.
    const free = isCounted(key) && !key.endsWith('_other') ? 'count' : undefined
    const [here, there] = [text, model].map(each =>
      [...new Set(needs(each))]
        .filter(need => need !== free)
        .sort()
        .join(' '),
    )
    return here === there ? [] : [`${key} has (${here}) where English has (${there})`]
  })
  const extra = [...texts.keys()].filter(key => !expected.has(key) && !isCounted(key))
  return [...lacking, ...extra.map(key => `${key} is not in English`)]
}

/** Texts that mean the wheels of a vehicle, or a tyre with its rim. */
const textsOfWheels = [
  'board:takes.wheel',
  'config:icon*',
  'config:vehicleConfigs.*',
  'failures:configuration.wheels_fixed',
  'imports:field.wheels',
  'locations:class.wheel',
  'tariff:per.wheel',
  'vehicles:configurationHint',
  'vehicles:picture.wheels_*',
]
const wheelWashing = 'sites:template.washing'

/**
 * The words that are not said, each with the one that is, by language: one thing has one word, and no text reads like a word-for-word
 * translation. Where the specification fixes a text, its key is named, or the beginning of several with `*`. Placeholders are no words.
 */
const rejectedWords: Record<(typeof languages)[number], [wrong: RegExp, right: string, but?: string[]][]> = {
  en: [
    [/label reports?|kinds? of label/, 'label format'],
    [/\bma(?:d|k)e\b/, 'create'],
    [/\bshipped\b/, 'original text'],
    [/\bthrow away\b/, 'discard'],
    [/\bforg[eo]t/, 'dismiss (a report), erase (data)', ['login:forgotten']],
    [/\btake in\b/, 'import'],
    [/\bleft empty\b/, 'leave empty'],
    [/\blicence/, 'license plate'],
    [/\bprocess/, 'submit', ['operations:process']],
    [
      /\binserted\b|\binsert (?!document|a document|#)/,
      'submit, type',
      ['wizard:plate', 'wizard:created', 'config:sectionHint.documents'],
    ],
    [
      /\bwaste\b/,
      'disposal',
      [
        'desk:types.to_waste',
        'desk:none.to_waste',
        'desk:print.to_waste',
        'desk:list.to_waste',
        'common:tyreStatus.waste',
        'config:field.showWasteTyres',
        'config:icon.trash',
        'home:finished.to_waste',
        'tyres:action.to_waste',
        'tyres:isWaste',
        'tyres:showWaste',
        'wizard:service.to_waste',
      ],
    ],
    [/\bis no (?!longer|article|tyre)/, 'is not a'],
    [/\bpresent password\b/, 'current password'],
    [/\btax\b/, 'VAT'],
    [
      /\.{3}/,
      '…',
      [
        'config:removing.services',
        'config:removing.transportMethods',
        'config:updating',
        'config:uploading',
        'fleet:updating',
        'wizard:creating',
        'wizard:loadingVehicle',
      ],
    ],
    [/["']/, '‘ ’ “ ”'],
    [/\bin (?:stock|store)\b|\bthe store\b/, 'in storage'],
    [/\bwheels?\b(?! bolt)/, 'tyre', [...textsOfWheels, wheelWashing]],
    [/\bwaves?\b/, 'picking round'],
    [/\bloading gate\b/, 'gate check'],
    [/\bwhoever\b/, 'the person who'],
    [/\bdone otherwise\b/, 'resolved another way'],
    [/\bstands? first\b/, 'shown first'],
    [/\b(?:is|are) told\b/, 'notified'],
    [/\byours to see\b/, 'no access'],
    [/\boff the books\b/, 'permanently deleted'],
  ],
  nl: [
    [/operatie/, 'opdracht'],
    [/kenteken|\bplaat\b/, 'nummerplaat'],
    [/(?<!\bandere )\bwebsites?\b/, 'vestiging', ['config:section.site']],
    [/\bsites?\b|site-id/, 'vestiging'],
    [/locatienaam/, 'magazijn'],
    [/meegeleverd/, 'standaardtekst'],
    [/vergeten/, 'wissen', ['login:forgotten']],
    [/labelrapport|soort label/, 'labelformaat'],
    [/transportwijze/, 'transportmethode'],
    [/profiel(?!diepte)/, 'profieldiepte, meetdatum'],
    [/(?<!aan|klaar|ongedaan (?:worden )?)gemaakt/, 'aangemaakt'],
    [/\bstelling/, 'rek'],
    [/(?<!wiel)bout/, 'wielbout'],
    [/weggooien/, 'niet bewaren'],
    [/\.{3}/, '…'],
    [/["']/, '‘ ’'],
    [/voorraad(?!telling| tellen)/, 'in opslag'],
    [/\bwiel(?:en)?\b/, 'band', [...textsOfWheels, wheelWashing]],
    [/nieuw loopvlak/, 'gecoverd'],
    [/laadpoort/, 'laadcontrole'],
    [/\bpick|gepickt/, 'verzamelronde, verzamelen'],
    [/aangerekend|aanreken|\brekent?\b.*\baan\b/, 'berekend'],
    [/toestel/, 'apparaat'],
    [/openingsuren/, 'openingstijden'],
    [/verwittig/, 'waarschuwen, melden'],
    [/rekenblad/, 'spreadsheet'],
    [/legbord/, 'niveau'],
    [/\bgrens/, 'limiet'],
    [/op komst/, 'onderweg'],
    [/\b(?:deze|een|de) kost\b/, 'kosten'],
    [/voorspel/, 'prognose'],
    [
      /\bverwerking\b/,
      'opdrachten (the desk), verwijderingsbijdrage (the charge)',
      ['documents:proof.fact.treatment', 'documents:proof.treatments.R11', 'stock:field.treatment'],
    ],
    [/\binname\b/, 'scannen'],
    [/toegangssleutel/, 'passkey'],
    [/authenticatie-app/, 'authenticator-app'],
    [/\baanvaard/, 'geaccepteerd'],
  ],
  fr: [
    [/\bprofil\b/, 'profondeur de sculpture, date de mesure'],
    [/hôtels? de pneus/, 'hôtel à pneus'],
    [/soumi(?:s|ss)/, 'transmettre'],
    [/oubli/, 'effacer', ['login:forgotten']],
    [/textes? livrés?/, 'texte d’origine'],
    [/\brack\b/, 'emplacement, rayonnage'],
    [/\bgenre/, 'type'],
    [/(?:modèle|type)s? d’étiquette/, 'format d’étiquette'],
    [/utilitaire/, 'camionnette'],
    [/autobus/, 'bus'],
    [/compteur/, 'kilométrage'],
    [/\bchercher\b/, 'rechercher'],
    [/boulons?\b(?! de roue)/, 'boulon de roue'],
    [/\bville/, 'localité'],
    [/[^\u00A0][:;?!»](?=\s|$)|«(?!\u00A0)/, 'a no-break space before : ; ? ! » and after «'],
    [/\.{3}/, '…'],
    [/["']/, '« » ’'],
    [/\b(?:en|du) stock\b/, 'en gardiennage'],
    [/(?<!boulons? de )\broues?\b/, 'pneu', [...textsOfWheels, wheelWashing]],
    [/\bvagues?\b/, 'tournée de prélèvement'],
    [/renonc/, 'annuler'],
    [/(?<!de |à )\b(?:la|une|cette|leur|nouvelle|chaque|première|bonne) place\b|\bplaces\b/, 'emplacement'],
    [/comptage du stock/, 'inventaire'],
    [/à clarifier/, 'à régulariser'],
    [/\btrains?\b/, 'jeu'],
    [/porte de chargement/, 'contrôle du chargement'],
    [/stocké trop longtemps|stockage prolongé/, 'gardiennage prolongé'],
    [/rendez-vous manqué/, 'livraison manquée'],
    [/quatre saisons/, 'toutes saisons'],
  ],
  de: [
    // a delivery that is late is überfällig, and so is an invoice; a storage that is not invoiced is not
    [/überfällig/, 'abzurechnen', ['desk:late', 'payments:state.overdue']],
    [/faktur|rechnungssystem/, 'Abrechnung'],
    [/als berechnet/, 'abgerechnet'],
    [/leitstand/, 'Auftragsbearbeitung'],
    [/(?<!anderen )\bwebsites?\b(?!-konfiguration)/, 'Standort', ['config:section.site']],
    [/\bboden\b|\bböden\b/, 'Ebene'],
    [/flotte/, 'Fuhrpark'],
    [/etiketten(?:vorlage|art)/, 'Etikettenformat'],
    [/mitgeliefert/, 'Originaltext'],
    [/vergess/, 'verwerfen (a report), löschen (data)', ['login:forgotten']],
    [/schreibmarke/, 'Cursorposition'],
    [/\bbelege?\b|lagerbeleg/, 'Dokument', ['config:icon.receipt']],
    [/(?<!rad)schraube/, 'Radschraube'],
    [/deaktiviert/, 'gesperrt'],
    [/brechen sie/, 'stornieren'],
    [/strichcode/, 'Barcode'],
    [/\.{3}/, '…'],
    [/["']/, '„ “'],
    [/\bauf lager\b|\bins lager\b|reifen im lager/, 'eingelagert'],
    [/\b(?:rad|rädern?)\b/, 'Reifen', textsOfWheels],
    [/\bwellen?\b/, 'Kommissionierrunde'],
    [/entn(?:omm|ehm|ahme)/, 'kommissionieren'],
    [/bereitstellbahn|\bbahn\b/, 'Bereitstellfläche'],
    [/überlagerung|zu lange eingelagert/, 'Langzeitlagerung'],
    [/zählung/, 'Inventur'],
    [/saisontafel/, 'Saisonplanung'],
    [/vorhersag|vorhergesagt/, 'Prognose'],
    [/verladetor|\btor\b/, 'Ladekontrolle'],
    [/nicht abgeholt|verpasste/, 'vergebliche Anfahrt'],
    [/\bgrenze\b/, 'Grenzwert'],
    [/lieferwagen/, 'Transporter'],
    [/aufmerksamkeit/, 'Handlungsbedarf'],
  ],
}

/** The texts of a language that say an unsaid word, and exceptions that no text needs any more. */
function rejectedWordsIn(language: (typeof languages)[number], texts: Texts): string[] {
  return rejectedWords[language].flatMap(([wrong, right, but = []]) => {
    const word = new RegExp(wrong, 'iu')
    const rejected = [...texts].filter(([, text]) =>
      word.test(text.replaceAll(/\{\{.*?\}\}/g, '#').replace('Abrechnungssystem', '')),
    )
    const isOf = (key: string, exception: string) =>
      exception.endsWith('*') ? key.startsWith(exception.slice(0, -1)) : key === exception
    return [
      ...rejected
        .filter(([key]) => !but.some(exception => isOf(key, exception)))
        .map(([key, text]) => `${key} says ${word.exec(text)?.[0] ?? wrong}: ${right}`),
      ...but
        .filter(exception => !rejected.some(([key]) => isOf(key, exception)))
        .map(exception => `${exception} needs no exception for ${wrong.source}`),
    ]
  })
}

// ---- The words of the code ---------------------------------------------------------------------------------------------------

const codeFolders = ['src', 'e2e', 'drill', 'bench', 'bin', 'client', 'db/demo', 'mutants']

/** Participles that hide what a thing is. A name is a noun: `operation`, `tyre`, `input`, `schema`. */
const rejectedNames = ['made', 'found', 'asked', 'known', 'held', 'told', 'said']
const rejectedName = rejectedNames.join('|')
/** Finds every text that may declare such a name, and few others, so that few need a syntax tree. */
const mayDeclare = new RegExp(
  `(?:const|let|var|function|class) +(?:${rejectedName})\\b|(?<![.\\w'"-])(?:${rejectedName})\\s*(?:[,})\\]=:?;({]|extends)`,
)
/** Turns of a comment that a native engineer would not write, and the fault of each. */
const rejectedTurns: readonly (readonly [RegExp, string])[] = [
  [/^[\s*]*What /, 'begins with What'],
  [/\bwhoever\b/i, 'says whoever'],
]
/** Finds every text that may have a comment with such a turn. */
const mayComment = /(?:\/\*|\/\/)[\s*]*What |\bwhoever\b/i

function readCode(): Map<string, string> {
  const files = codeFolders.flatMap(folder =>
    fs
      .readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
      .map(file => path.posix.join(folder, ...file.split(path.sep)))
      .filter(file => /\.(tsx?|mjs)$/.test(file)),
  )
  return new Map(files.map(file => [file, fs.readFileSync(path.join(project, file), 'utf8')]))
}

/** Comments with a rejected turn, and declarations with a rejected name, each with its line. */
function rejectedWordsOfCode(file: string, text: string): string[] {
  const mayHaveNames = mayDeclare.test(text.replaceAll(/^ *(?:\*|\/\/).*$/gm, ''))
  if (!mayHaveNames && !mayComment.test(text)) return []
  const result = parseSync(file, text)
  if (result.errors.length > 0) throw new Error(`${file} can't be parsed: ${result.errors[0]?.message}`)
  const placeOf = (offset: number) => `${file}:${text.slice(0, offset).split('\n').length}`
  return [
    ...result.comments.flatMap(({ value, start }) =>
      rejectedTurns.filter(([turn]) => turn.test(value)).map(([, fault]) => `${placeOf(start)} ${fault}`),
    ),
    ...(mayHaveNames ? declarationsIn(result.program) : [])
      .filter(({ name }) => rejectedNames.includes(name))
      .map(({ name, start }) => `${placeOf(start)} declares ${name}`),
  ]
}

type Pattern = ESTree.BindingPattern | ESTree.ParamPattern | ESTree.BindingRestElement

/** The identifiers that variables, parameters, functions and classes declare. */
function declarationsIn(program: ESTree.Program): ESTree.BindingIdentifier[] {
  const declarations: ESTree.BindingIdentifier[] = []
  const add = (...patterns: readonly (Pattern | null)[]) => declarations.push(...patterns.flatMap(identifiersIn))
  const visitFunction = ({ id, params }: ESTree.Function) => add(id, ...params)
  new Visitor({
    VariableDeclarator: ({ id }) => void add(id),
    FunctionDeclaration: node => void visitFunction(node),
    FunctionExpression: node => void visitFunction(node),
    ArrowFunctionExpression: ({ params }) => void add(...params),
    ClassDeclaration: ({ id }) => void add(id),
    CatchClause: ({ param }) => void add(param),
  }).visit(program)
  return declarations
}

function identifiersIn(pattern: Pattern | null): ESTree.BindingIdentifier[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap(property =>
        identifiersIn(property.type === 'RestElement' ? property : property.value),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap(identifiersIn)
    case 'AssignmentPattern':
      return identifiersIn(pattern.left)
    case 'RestElement':
      return identifiersIn(pattern.argument)
    case 'TSParameterProperty':
      return identifiersIn(pattern.parameter)
    default:
      return []
  }
}

describe('the code', () => {
  it('has nouns for things, and comments that a native engineer would write', () => {
    const code = readCode()
    expect(code.size).toBeGreaterThan(500)
    expect([...code].flatMap(([file, text]) => rejectedWordsOfCode(file, text))).toEqual([])
  })

  it.each([
    ['/** What a card offers. */', 'begins with What'],
    ['/**\n * What a card offers\n */', 'begins with What'],
    ['// What a card offers', 'begins with What'],
    ['/** Shown to whoever asks. */', 'says whoever'],
    ['const found = 1', 'declares found'],
    ['export function told() {}', 'declares told'],
    ['const { rows: [made] } = result', 'declares made'],
    ['const { known = 1, ...held } = result', 'declares known', 'declares held'],
    ['list.map(({ asked }) => asked)', 'declares asked'],
    ['class Ledger { constructor(private said: string) {} }', 'declares said'],
  ])('would be caught with %j', (text, ...faults) => {
    expect(rejectedWordsOfCode('src/a.ts', text).map(fault => fault.replace(/^src\/a\.ts:\d /, ''))).toEqual(faults)
  })

  it('may say these words elsewhere: in texts, keys and the middle of a comment', () => {
    const text = "// tells what was found\nconst tyre = { found: 'made', said: row.known }"
    expect(rejectedWordsOfCode('src/a.ts', text)).toEqual([])
  })
})

describe('the styles', () => {
  it('take colours of light and dark from variables: for our browsers the build turns light-dark() into nothing', () => {
    const folder = path.join(project, 'src/web')
    const styles = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.css'))
    expect(styles.length).toBeGreaterThan(50)
    const wrong = styles.filter(file => fs.readFileSync(path.join(folder, file), 'utf8').includes('light-dark('))
    expect(wrong).toEqual([])
  })
})

/** Texts that say the same as Cancel and are not the button that closes a dialog or a form: beside it, nobody knows which does what. */
const sayCancel = (texts: Texts): string[] =>
  [...texts].flatMap(([key, text]) =>
    text === texts.get('common:cancel') && !/[:.]cancel$|^cards:stopMeasuring$/.test(key) ? [key] : [],
  )

describe('the texts', () => {
  const english = readTexts('en')

  it('are in the four languages and nothing else', () => {
    expect(fs.readdirSync(path.join(project, 'texts')).sort()).toEqual([...languages].sort())
    expect(english.size).toBeGreaterThan(100)
  })

  it.each(languages)('say in %s what they say in English, with the same placeholders and every plural', language => {
    expect(wrongTexts(language, readTexts(language), english)).toEqual([])
  })

  it('would be caught when one lacks a text, a placeholder or a plural, or has one that nobody asks for', () => {
    const model: Texts = new Map([
      ['common:save', 'Save'],
      ['common:code', 'Error code {{code}}'],
      ['common:tyres_one', '{{count}} tyre'],
      ['common:tyres_other', '{{count}} tyres'],
      ['common:too_many', 'Too many'],
      ['common:rims_one', 'one rim'],
    ])
    const french: Texts = new Map([
      ['common:code', 'Code d’erreur {{kode}}'],
      ['common:tyres_one', 'un pneu'],
      ['common:tyres_other', '{{count}} pneus'],
      ['common:too_many', 'Trop'],
      ['common:rims_one', 'une jante'],
      ['common:gone', 'Parti'],
    ])
    expect(wrongTexts('fr', french, model)).toEqual([
      'common:save is missing',
      'common:code has (kode) where English has (code)',
      'common:rims_one has no form for other numbers',
      'common:tyres_many is missing',
      'common:gone is not in English',
    ])
  })

  it.each(languages)('have in %s one word for one thing', language => {
    expect(rejectedWordsIn(language, readTexts(language))).toEqual([])
  })

  it('would be caught when one has another word for a thing, and an exception when no text needs it', () => {
    const texts = readTexts('nl')
    texts.set('audit:fact.plate', 'Kenteken')
    texts.set('audit:action.operation.new', 'Operatie aangemaakt')
    texts.set('config:section.site', 'Portaal')
    texts.set('tyres:longStored', 'Twee wielen in voorraad')
    expect(rejectedWordsIn('nl', texts)).toEqual([
      'audit:action.operation.new says Operatie: opdracht',
      'audit:fact.plate says Kenteken: nummerplaat',
      'config:section.site needs no exception for (?<!\\bandere )\\bwebsites?\\b',
      'tyres:longStored says voorraad: in opslag',
      'tyres:longStored says wielen: band',
    ])
  })

  it.each(languages)('give in %s nothing but closing a dialog the word of Cancel', language => {
    expect(sayCancel(readTexts(language))).toEqual([])
  })

  it('would be caught when the deed of a dialog reads like its Cancel', () => {
    const texts = readTexts('fr')
    texts.set('invoicing:waivers.do', 'Annuler')
    expect(sayCancel(texts)).toEqual(['invoicing:waivers.do'])
  })

  it.each(languages)('tell every failure in %s', language => {
    const texts = readTexts(language)
    expect(failureCodes.length).toBeGreaterThan(10)
    expect(failureCodes.filter(code => !texts.has(`failures:${code}`) && !texts.has(`failures:${code}_other`))).toEqual(
      [],
    )
  })
})

// ---- What the database keeps -------------------------------------------------------------------------------------------------

describe('the database', () => {
  let database: TestDatabase
  let client: Client

  beforeAll(async () => {
    database = await testDatabase()
    client = new Client({ connectionString: database.adminUrl })
    await client.connect()
  })

  afterAll(async () => {
    await client.end()
    await database.drop()
  })

  const ask = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows

  /** Tables that hold rows of a site, and how each is guarded. */
  const guarded = () =>
    ask(`
      select c.oid::regclass::text as table, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
             (select count(*)::int from pg_policy p where p.polrelid = c.oid and p.polpermissive) as policies
        from pg_class c
       where c.relkind in ('r', 'p')
         and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
         and (c.oid = 'site'::regclass
              or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'site_id' and not a.attisdropped))
       order by 1`)

  const unguarded = async () =>
    (await guarded()).filter(({ enabled, forced, policies }) => !enabled || !forced || policies === 0)

  it('keeps every table with a site under forced row-level security, with a policy', async () => {
    expect((await guarded()).length).toBeGreaterThan(10)
    expect(await unguarded()).toEqual([])
  })

  it.each([
    ['without row-level security', 'create table leak (site_id int)'],
    ['that its owner sees through', 'create table leak (site_id int); alter table leak enable row level security'],
    [
      'without a policy',
      'create table leak (site_id int); alter table leak enable row level security; alter table leak force row level security',
    ],
  ])('would show a table %s', async (_, sql) => {
    await client.query('begin')
    await client.query(sql)
    const shown = await unguarded()
    await client.query('rollback')
    expect(shown.map(({ table }) => table)).toEqual(['leak'])
  })

  it('has no view and no function that works with the rights of its owner, past row-level security', async () => {
    expect(
      await ask(`
        select c.oid::regclass::text as name from pg_class c
         where c.relnamespace = 'public'::regnamespace
           and (c.relkind = 'm' or c.relkind = 'v' and not coalesce(c.reloptions && '{security_invoker=true,security_invoker=on}', false))
        union all
        select p.oid::regprocedure::text from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef`),
    ).toEqual([])
  })

  it('gives the application a role that owns nothing, belongs to no other and bypasses nothing', async () => {
    expect(
      await ask(`
        select r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolreplication,
               (select count(*)::int from pg_shdepend d where d.refobjid = r.oid and d.deptype = 'o') as owned,
               (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
          from pg_roles r where r.rolname = 'wheelhouse_app'`),
    ).toEqual([
      {
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        owned: 0,
        memberships: 0,
      },
    ])
  })

  it('lets the application only add to what has happened', async () => {
    expect(
      await ask(`
        select t.name, has_table_privilege('wheelhouse_app', t.name, 'insert') as add,
               has_table_privilege('wheelhouse_app', t.name, 'update, delete, truncate') as change
          from (values ('audit'), ('tyre_event')) as t(name)`),
    ).toEqual([
      { name: 'audit', add: true, change: false },
      { name: 'tyre_event', add: true, change: false },
    ])
  })
})

// ---- The container -----------------------------------------------------------------------------------------------------------

/** The versions of Node in the images of a Dockerfile that are not `version`, major and minor. */
const otherNodes = (dockerfile: string, version: string): string[] =>
  [...dockerfile.matchAll(/^FROM node:(\d+\.\d+)/gm)]
    .map(([, named = '']) => named)
    .filter(named => !version.startsWith(`${named}.`))

describe('the container', () => {
  it('has the Node that is developed and tested with', () => {
    expect(otherNodes('FROM node:24.1-slim AS build\nFROM node:22.21-slim\n', '24.1.3')).toEqual(['22.21'])
    const { devDependencies } = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8')) as {
      devDependencies: { node: string }
    }
    const dockerfile = fs.readFileSync(path.join(project, 'Dockerfile'), 'utf8')
    expect(dockerfile.match(/^FROM node:\d+\.\d+/gm)).toHaveLength(dockerfile.match(/^FROM /gm)?.length ?? 0)
    expect(otherNodes(dockerfile, devDependencies.node)).toEqual([])
  })

  it('is built from images that are named by digest', () => {
    const unpinned = (text: string): string[] =>
      [...text.matchAll(/^(?:FROM| +image:) (\S+:\S+)/gm)]
        .map(([, image = '']) => image)
        .filter(image => !/@sha256:[0-9a-f]{64}$/.test(image))
    expect(unpinned(`FROM node:24.1-slim AS build\n  image: caddy:2@sha256:${'0'.repeat(64)}\n`)).toEqual([
      'node:24.1-slim',
    ])
    const files = ['Dockerfile', 'compose.yaml'].map(file => fs.readFileSync(path.join(project, file), 'utf8'))
    expect(files.flatMap(unpinned)).toEqual([])
  })

  it('starts with the same bounds of memory everywhere', () => {
    const { flags, env } = portalProcess
    const bounds = [...flags, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
    expect(bounds).not.toEqual([])
    for (const file of ['Dockerfile', 'deploy/systemd/wheelhouse@.service', 'deploy/systemd/wheelhouse.service']) {
      const text = fs.readFileSync(path.join(project, file), 'utf8')
      for (const bound of bounds) expect(text, file).toContain(bound)
    }
  })

  it('gets every setting of a portal through compose.yaml', () => {
    const compose = fs.readFileSync(path.join(project, 'compose.yaml'), 'utf8')
    // docs/operations.md "Deploy" says which ones it has no use for
    const own = new Set(['HOST', 'PORT', 'DATA_DIR', 'NODE_ENV', 'METRICS_PORT', 'ALLOW_UNSAFE_DATABASE', 'ALLOW_DEMO'])
    const settings = [
      ...fs.readFileSync(path.join(project, 'src/server/config.ts'), 'utf8').matchAll(/^  ([A-Z_]+): /gm),
    ]
    expect(settings.length).toBeGreaterThan(15)
    for (const [, name = ''] of settings) if (!own.has(name)) expect(compose).toContain(`      ${name}: `)
  })
})
