import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where the portal's server listens while the browser part is served from source. */
const server = process.env.WHEELHOUSE_SERVER ?? 'http://127.0.0.1:3000'

/** The calls are POST to paths that are pages too (`/fleet/vehicle`), so the method decides, not the path alone. */
const answeredByServer = /^\/(gsc|locales?|images|health)(\/|$|\?)/

export default defineConfig({
  plugins: [react()],
  /** The server puts a fresh nonce in place of this text in every page that it sends (Content-Security-Policy). */
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // A file inlined as data: would need img-src and font-src to allow data:.
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      '/': {
        target: server,
        // A same-origin check on the server must see its own origin.
        headers: { origin: server },
        bypass: request =>
          request.method === 'POST' || answeredByServer.test(request.url ?? '') ? undefined : (request.url ?? '/'),
      },
    },
  },
})
