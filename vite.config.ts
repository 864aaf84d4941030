import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  plugins: [react(), compressed()],
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
