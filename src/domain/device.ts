/** Devices, as far as a browser tells of the one that it runs on. */

const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|HeadlessChrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* .*Safari\//],
]
const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Windows', /Windows NT/],
  ['Android', /Android/],
  ['iOS', /iPhone|iPad|iPod/],
  ['macOS', /Macintosh/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /Linux/],
]

/** What people call a device by its user agent: `Chrome 142, Windows`; the first words of one that is no browser we know. */
export function deviceName(userAgent: string): string {
  const browser = browsers.map(([name, mark]) => [name, mark.exec(userAgent)?.[1]] as const).find(([, found]) => found)
  const system = systems.find(([, mark]) => mark.test(userAgent))?.[0]
  const known = [browser?.join(' '), system].filter(Boolean)
  return known.length > 0 ? known.join(', ') : userAgent.slice(0, 40)
}
