/**
 * The browser globals that the code of the screens expects, in a process that is no browser. There is no `document`: by its absence libraries know
 * that nobody will see effects. Nothing is kept from one page to the next.
 */

const noStorage = { getItem: () => null, setItem: () => {}, removeItem: () => {} }

/** A channel or a stream that never emits anything. */
class Silent {
  static readonly OPEN = 1
  addEventListener() {}
  postMessage() {}
  close() {}
}

let device = { phone: false, secure: false }

/** Queries of a window as wide as a phone that is touched, or as a desk. */
const matchMedia = (query: string) => ({
  matches: /max-width|coarse/.test(query) && device.phone,
  addEventListener() {},
  removeEventListener() {},
})

for (const [name, value] of Object.entries({
  window: globalThis,
  localStorage: noStorage,
  sessionStorage: noStorage,
  location: { pathname: '/', search: '', hash: '', origin: '', href: '/' },
  navigator: { languages: [], platform: '', userAgent: '', onLine: true },
  matchMedia,
  BroadcastChannel: Silent,
  EventSource: Silent,
  addEventListener() {},
  removeEventListener() {},
}))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })

Object.defineProperty(globalThis, 'isSecureContext', { get: () => device.secure })
Object.defineProperty(globalThis, 'PublicKeyCredential', { get: () => (device.secure ? Silent : undefined) })

/** From now on screens are for this device, whose calendar is that of the site. */
export function setDevice({ timeZone, ...rest }: { phone: boolean; secure: boolean; timeZone: string }): void {
  device = rest
  process.env['TZ'] = timeZone
}
