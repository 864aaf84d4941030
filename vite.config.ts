import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import sharp from 'sharp'
import { build, defineConfig, parseSync, type Plugin, type Rolldown, Visitor } from 'vite'
import { type OfflineBuild, opensOffline } from './src/contract/offline.ts'

/** Where the portal's server listens while the browser part is served from source. */
const server = process.env.WHEELHOUSE_SERVER ?? 'http://127.0.0.1:3000'

/** The calls are POST to paths that are pages too (`/fleet/vehicle`), so the method decides, not the path alone. */
const answeredByServer = /^\/(gsc|locales?|images|health|live|docs)(\/|$|\?)/

/** Puts a `.br` and a `.gz` beside every asset, once at build, so that the server never compresses a file. */
function compressed(): Plugin {
  const shrink = {
    br: (bytes: Buffer) =>
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
  }
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const assets = readdirSync(`${dir}/assets`).filter(name => /\.(js|css|svg|wasm)$/.test(name))
      await Promise.all(
        assets.flatMap(name =>
          Object.entries(shrink).map(async ([ending, by]) => {
            const bytes = readFileSync(`${dir}/assets/${name}`)
            const small = await by(bytes)
            if (small.length < bytes.length) writeFileSync(`${dir}/assets/${name}.${ending}`, small)
          }),
        ),
      )
    },
  }
}

const inWeb = (file: string): string => fileURLToPath(new URL(`src/web/${file}`, import.meta.url))

/** The address of each screen and the file of its code, read from the table of the screens. */
function readScreens(): [path: string, module: string][] {
  const screens: [string, string][] = []
  let path = ''
  new Visitor({
    Property({ key }) {
      if (key.type === 'Literal' && typeof key.value === 'string') path = key.value
    },
    ImportExpression({ source }) {
      if (source.type === 'Literal') screens.push([path, inWeb(String(source.value))])
    },
  }).visit(parseSync('screens.ts', readFileSync(inWeb('screens.ts'), 'utf8')).program)
  if (screens.length === 0) throw new Error('src/web/screens.ts has no screen')
  return screens
}

/** All direct and indirect imports of a file: each after its own imports, as it is evaluated and as styles are to follow each other. */
function reached(from: string, importsOf: (name: string) => readonly string[]): Set<string> {
  const begun = new Set<string>()
  const all = new Set<string>()
  const reach = (name: string) => {
    if (begun.has(name)) return
    begun.add(name)
    importsOf(name).forEach(reach)
    all.add(name)
  }
  reach(from)
  return all
}

/**
 * Writes `firstLoad.json`: which fonts, scripts, styles and texts each screen needs before it shows anything. The server names them in the
 * page (src/server/http/pages.ts), so that the browser fetches them together instead of one after another has run.
 */
function firstLoads(): Plugin {
  return {
    name: 'first-loads',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      const named = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
      const chunksOf = (chunk: Rolldown.OutputChunk | undefined) =>
        reached(chunk?.fileName ?? this.error('no chunk of its own'), name => named.get(name)?.imports ?? [])
      const modulesOf = (module: string) => reached(module, name => this.getModuleInfo(name)?.importedIds ?? [])
      const page = chunksOf(chunks.find(({ isEntry }) => isEntry))
      /** The namespace that a component names first. Others it may need later: for a refusal, in a dialog. */
      const textsOf = (module: string): string[] =>
        [...(this.getModuleInfo(module)?.code ?? '').matchAll(/useTranslation\(\[?["'](\w+)["']/g)].map(
          ([, first = '']) => first,
        )
      const portal = modulesOf(inWeb('portal.tsx'))
      const loadOf = (module: string) => {
        const scripts = [...chunksOf(chunks.find(({ facadeModuleId }) => facadeModuleId === module))].filter(
          name => !page.has(name),
        )
        return {
          scripts,
          styles: scripts.flatMap(name => [...(named.get(name)?.viteMetadata?.importedCss ?? [])]),
          // every page has `common`
          texts: [
            ...new Set(
              [...modulesOf(module)]
                .flatMap(name => (portal.has(name) ? [] : textsOf(name)))
                .filter(name => name !== 'common'),
            ),
          ],
        }
      }
      /** The faces with the letters of nearly every text; others are fetched where a text has theirs. */
      const fontsOf = (...names: string[]) =>
        Object.keys(bundle).filter(
          file =>
            file.endsWith('.woff2') && !file.includes('latin-ext') && names.some(name => file.includes(`/${name}-`)),
        )
      const login = loadOf(inWeb('login/login.tsx'))
      const strange = login.scripts.filter(name => ['most', 'many'].includes(named.get(name)?.name ?? ''))
      if (strange.length > 0)
        this.error(`the sign-in would load ${strange.join()}: add what it needs of that to signInParts`)
      this.emitFile({
        type: 'asset',
        fileName: 'firstLoad.json',
        source: JSON.stringify({
          login: { ...login, fonts: fontsOf('inter') },
          camera: loadOf(inWeb('scanning/camera/cameraPanel.tsx')),
          portal: { ...loadOf(inWeb('portal.tsx')), texts: ['nav'], fonts: fontsOf('inter', 'barlow') },
          screens: Object.fromEntries(readScreens().map(([path, module]) => [path, loadOf(module)])),
        }),
      })
    },
  }
}

/** Ends the build where `mantine.css` lacks the styles of a component that the portal shows, or has those of another. */
function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    generateBundle(_, bundle) {
      // each component with styles has a module with their names
      const styled = new Set(
        Object.values(bundle).flatMap(output =>
          output.type === 'chunk'
            ? output.moduleIds.flatMap(id => /@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(id)?.slice(1) ?? [])
            : [],
        ),
      )
      const named = readFileSync(inWeb('mantine.css'), 'utf8').matchAll(/styles\/(\w+)\.layer\.css/g)
      const listed = new Set([...named].map(([, name = '']) => name))
      const missing = [...styled].filter(name => !listed.has(name))
      const unused = [...listed].filter(name => !styled.has(name))
      if (missing.length > 0) this.error(`src/web/mantine.css lacks ${missing.join(', ')}`)
      if (unused.length > 0) this.error(`src/web/mantine.css has ${unused.join(', ')}, which nothing uses`)
    },
  }
}

/** Changes with the contract: an answer that a device keeps is read only by a build that decodes it in the same way. */
function answerForm(): string {
  const folder = fileURLToPath(new URL('src/contract', import.meta.url))
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).toSorted()) hash.update(readFileSync(`${folder}/${file}`))
  return hash.digest('hex').slice(0, 16)
}

/** Our mark as an icon of an installed portal. Where a device cuts icons to its own shape, the mark keeps away from the edge. */
const icons = [
  { name: 'icon-192.png', size: 192, mark: 192 },
  { name: 'icon-512.png', size: 512, mark: 512 },
  { name: 'icon-whole.png', size: 512, mark: 352, background: '#f6f8f9' },
] as const

async function drawn({ size, mark, ...whole }: { size: number; mark: number; background?: string }): Promise<Buffer> {
  const picture = await sharp(inWeb('ui/mark.svg'), { density: (72 * mark) / 32 })
    .resize(mark)
    .png()
    .toBuffer()
  const background = whole.background ?? { r: 0, g: 0, b: 0, alpha: 0 }
  return sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: picture }])
    .png({ compressionLevel: 9 })
    .toBuffer()
}

const namespaces = readdirSync(fileURLToPath(new URL('texts/en', import.meta.url))).map(file => basename(file, '.json'))

/** Whether this code shows texts of a namespace: of those that a component names, or by the whole name of a text. */
const namesText = (code: string, name: string): boolean =>
  new RegExp(`useTranslation\\(\\[?[^)\\]]*["']${name}["']|["'\`]${name}:\\w`).test(code)

/** Code that is loaded when it is used, and is of no use without a network: signing in, passwords, customers' rows, workbooks; and the camera of
 * another document. */
const onlineOnly = [
  '/src/web/login/login.tsx',
  '/src/web/account/changePassword.tsx',
  '/src/web/nav/palette.tsx',
  '/src/web/scanning/camera/cameraPanel.tsx',
  '/src/web/operations/request/requestSheet.tsx',
  '/src/domain/people/password.ts',
  '/@simplewebauthn/',
  '/write-excel-file/',
]

/**
 * Writes what the screens need that open without a network (docs/decisions/0072): `sw.js`, the service worker, which knows the files of
 * those screens and of nothing else, and `offline.json`, with the icons and those files for the server and its tests.
 */
function offline(): Plugin {
  /** The options of the worker's build, once the names of all files are known. */
  let offline: OfflineBuild | undefined
  return {
    name: 'offline',
    apply: 'build',
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
      const named = new Map(chunks.map(chunk => [chunk.fileName, chunk]))
      const entry = chunks.find(({ isEntry }) => isEntry) ?? this.error('no entry')
      const screens = new Map(readScreens().map(([path, module]) => [module, path]))
      /** Code that these screens load on use, except other screens and code that is of no use without a network. */
      const isLeftOut = ({ facadeModuleId }: Rolldown.OutputChunk): boolean => {
        const path = screens.get(facadeModuleId ?? '')
        if (path !== undefined) return !opensOffline(path)
        return onlineOnly.some(module => facadeModuleId?.includes(module))
      }
      const reached = new Set<Rolldown.OutputChunk>()
      const reach = (chunk: Rolldown.OutputChunk) => {
        if (reached.has(chunk)) return
        reached.add(chunk)
        for (const name of [...chunk.imports, ...chunk.dynamicImports]) {
          const next = named.get(name)
          if (next && (chunk.imports.includes(name) || !isLeftOut(next))) reach(next)
        }
      }
      reach(entry)
      const code = [...reached]
      const styles = code.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
      const pictures = code.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedAssets ?? [])])
      const fonts = Object.keys(bundle).filter(file => file.endsWith('.woff2') && !file.includes('latin-ext'))
      const sources = code
        .flatMap(({ moduleIds }) => moduleIds)
        .flatMap(module => (module.startsWith(inWeb('')) ? (this.getModuleInfo(module)?.code ?? []) : []))
      const texts = namespaces.filter(name => sources.some(source => namesText(source, name)))
      const pngs = await Promise.all(
        icons.map(async icon => {
          const reference = this.emitFile({ type: 'asset', name: icon.name, source: await drawn(icon) })
          return { src: `/${this.getFileName(reference)}`, size: icon.size, whole: 'background' in icon }
        }),
      )
      offline = {
        build: entry.fileName,
        files: [...new Set([...code.map(({ fileName }) => fileName), ...styles, ...pictures, ...fonts])].map(
          file => `/${file}`,
        ),
        texts,
        icons: pngs,
      }
      this.emitFile({ type: 'asset', fileName: 'offline.json', source: JSON.stringify(offline) })
    },
    async writeBundle({ dir = '' }) {
      await build({
        configFile: false,
        root: fileURLToPath(new URL('.', import.meta.url)),
        logLevel: 'warn',
        define: { __OFFLINE__: JSON.stringify(offline) },
        build: {
          outDir: dir,
          emptyOutDir: false,
          copyPublicDir: false,
          target: 'es2022',
          modulePreload: false,
          rolldownOptions: { input: inWeb('worker/worker.ts'), output: { format: 'iife', entryFileNames: 'sw.js' } },
        },
      })
    },
  }
}

/**
 * Builds what makes pages that come with their screen (docs/decisions/0076): `prerender/renderer.js`, which the server runs in a process of its own, and the
 * first script of such a page.
 */
function prerendered(): Plugin {
  return {
    name: 'prerendered',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const root = fileURLToPath(new URL('.', import.meta.url))
      const common = { configFile: false, root, logLevel: 'warn' } as const
      const output = { emptyOutDir: false, copyPublicDir: false, target: 'es2022', modulePreload: false } as const
      await build({
        ...common,
        build: {
          ...output,
          outDir: `${dir}/assets`,
          rolldownOptions: {
            input: inWeb('prerender/handOver.ts'),
            output: { format: 'iife', entryFileNames: '[name]-[hash].js' },
          },
        },
      })
      await build({
        ...common,
        plugins: [react()],
        resolve: { alias },
        define: { ...define, 'process.env.NODE_ENV': '"production"' },
        // one file for a process that has no packages beside it
        ssr: { noExternal: true },
        build: { ...output, outDir: `${dir}/prerender`, ssr: inWeb('prerender/renderer.tsx'), assetsInlineLimit: 0 },
      })
    },
  }
}

const alias = [
  // The writer of workbooks compresses without workers: the file says why.
  { find: /^fflate$/, replacement: fileURLToPath(new URL('src/web/shared/fflate.ts', import.meta.url)) },
]
const define = { 'import.meta.env.ANSWER_FORM': JSON.stringify(answerForm()) }

/** The parts of the sign-in, most of which every screen has, too. */
const signInParts =
  /src\/web\/(login\/(?!login\.tsx|secondStep|enrolment)|shared\/(screen|insecure|languages)\.tsx?|shared\/factors\/passkeys|ui\/form\/(form|passwordField|useForm)\.)|@mantine\/core\/esm\/components\/(Alert|Button|Paper|Stack|Text|TextInput|Title)\/|icons-react\/.*\/IconFingerprint\./

const isStart = /\/index\.html|\/src\/web\/(main|gate)\.tsx/

/**
 * Files that screens share, in few bundles: left to itself the build makes a hundred small ones for a screen, and a browser asks a host for six
 * at a time. Each takes with it what it imports, except what one above it has. `minShareCount` counts screens and dialogs.
 */
const bundles: Rolldown.CodeSplittingGroup[] = [
  // zod is told to compile nothing before any other file reads it: src/web/noEval.ts
  { name: 'zod', test: /node_modules\/zod\/|web\/noEval\.ts/, priority: 6 },
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 5 },
  // Code that the portal starts with, except its first file: a page has breaks between two files (src/web/prerender/handOver.ts).
  { name: 'contract', tags: ['$initial'], test: /\/src\/(contract|domain)\//, priority: 5 },
  { name: 'page', tags: ['$initial'], test: module => !isStart.test(module), priority: 4 },
  { name: 'signIn', test: signInParts, priority: 3 },
  { name: 'most', minShareCount: 30, priority: 2 },
  { name: 'many', minShareCount: 6, priority: 1 },
  { name: 'icons', test: /@tabler\/icons-react/, minShareCount: 2 },
]

export default defineConfig({
  plugins: [react(), compressed(), firstLoads(), mantineStyles(), offline(), prerendered()],
  resolve: { alias },
  define,
  /** The server puts a fresh nonce in place of this text in every page that it sends (Content-Security-Policy). */
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // A file inlined as data: would need img-src and font-src to allow data:.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: bundles },
      },
    },
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/': {
        // The host stays the browser's: by it the server finds the site and knows its own origin.
        target: server,
        bypass: request =>
          request.method === 'POST' || answeredByServer.test(request.url ?? '') ? undefined : (request.url ?? '/'),
      },
    },
  },
})
