import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

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
      const assets = readdirSync(`${dir}/assets`).filter(name => /\.(js|css|svg)$/.test(name))
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
      /** What this one imports, and what that imports. */
      const reached = (from: string, importsOf: (name: string) => readonly string[], seen = new Set<string>()) => {
        if (!seen.has(from)) {
          seen.add(from)
          for (const name of importsOf(from)) reached(name, importsOf, seen)
        }
        return seen
      }
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
      const routes = readFileSync(inWeb('routes.tsx'), 'utf8')
      const screens = [...routes.matchAll(/path: '([^']+)',[^]*?import\('\.\/([^']+)'\)/g)]
      if (screens.length === 0) this.error('src/web/routes.tsx has no screen')
      this.emitFile({
        type: 'asset',
        fileName: 'firstLoad.json',
        source: JSON.stringify({
          login: { ...loadOf(inWeb('login/login.tsx')), fonts: fontsOf('inter') },
          portal: { ...loadOf(inWeb('portal.tsx')), texts: ['nav'], fonts: fontsOf('inter', 'barlow') },
          screens: Object.fromEntries(screens.map(([, path = '', module = '']) => [path, loadOf(inWeb(module))])),
        }),
      })
    },
  }
}

export default defineConfig({
  plugins: [react(), compressed(), firstLoads()],
  resolve: {
    // What writes workbooks compresses without workers: the file says why.
    alias: [{ find: /^fflate$/, replacement: fileURLToPath(new URL('src/web/shared/fflate.ts', import.meta.url)) }],
  },
  /** The server puts a fresh nonce in place of this text in every page that it sends (Content-Security-Policy). */
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // A file inlined as data: would need img-src and font-src to allow data:.
    assetsInlineLimit: 0,
  },
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
