/**
 * `npm run licences`: the licences of all packages, from package-lock.json, and those that nobody has decided on. It is part of
 * `npm run check`: a package under a new licence is decided on before it is used.
 */
import { readFileSync } from 'node:fs'
import satisfies from 'spdx-satisfies'

/** May be used, changed and passed on in a product whose source is closed, with their notice. */
const allowed = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
]

/** Packages under other licences, and why they may be used. Names may end in `*`. */
const exceptions = [
  {
    packages: ['@fontsource-variable/inter', '@fontsource/barlow-semi-condensed'],
    licence: 'OFL-1.1',
    why: 'fonts, served unchanged; the licence asks for nothing of what uses them',
  },
  {
    packages: ['@fontsource-variable/noto-sans-sc'],
    licence: 'OFL-1.1',
    why: 'a font without a reserved name, embedded in prints; the licence asks for nothing of a document that uses it',
  },
  {
    packages: ['@img/sharp-libvips-*'],
    licence: 'LGPL-3.0-or-later',
    why: 'libvips is a shared library that can be replaced; unchanged',
  },
  {
    packages: ['@img/sharp-win32-*', '@img/sharp-wasm32'],
    licence: /LGPL-3\.0-or-later/,
    why: 'sharp for platforms where libvips is inside; unchanged',
  },
  {
    packages: ['lightningcss*', 'axe-core', '@axe-core/playwright'],
    licence: 'MPL-2.0',
    why: 'builds and tests only; unchanged',
    dev: true,
  },
  {
    packages: ['spdx-exceptions', 'spdx-ranges'],
    licence: /CC-BY-3\.0/,
    why: 'lists of licences, for this check only',
    dev: true,
  },
  {
    packages: ['dejavu-fonts-ttf'],
    licence: /^SEE LICENSE/,
    why: 'Bitstream Vera: fonts may be embedded and passed on under their name',
  },
  {
    packages: ['@e-invoice-eu/core', '@esgettext/runtime'],
    licence: 'WTFPL',
    why: 'permissive without any condition; writes e-invoices',
  },
  {
    packages: ['argparse'],
    licence: /^(?:Python-2\.0|PSF-2\.0)$/,
    why: 'permissive; under js-yaml, which writes the types of the client package, and which xmlbuilder2 brings',
  },
  { packages: ['png-js'], licence: undefined, why: 'its LICENSE file is MIT; package.json does not say so' },
]

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))
const libraries = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, { license: licence, version, dev = false }]) => ({
    name: path.replace(/^.*node_modules\//, ''),
    version,
    licence,
    dev,
  }))

const isNamed = (name, pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern)
const exceptionFor = ({ name, licence, dev }) =>
  exceptions.find(
    one =>
      one.packages.some(pattern => isNamed(name, pattern)) &&
      (one.licence instanceof RegExp ? one.licence.test(licence) : one.licence === licence) &&
      (!one.dev || dev),
  )

function isAllowed(licence) {
  try {
    return satisfies(licence, allowed)
  } catch {
    // no expression of SPDX, or none at all
    return false
  }
}

const undecided = libraries.filter(one => !isAllowed(one.licence) && !exceptionFor(one))
const unneeded = exceptions.filter(
  exception => !libraries.some(one => !isAllowed(one.licence) && exceptionFor(one) === exception),
)

const byLicence = Map.groupBy(
  libraries,
  ({ licence, dev }) => `${licence ?? 'not said'}${dev ? ', development only' : ''}`,
)
for (const [licence, those] of [...byLicence].sort(([a], [b]) => a.localeCompare(b))) {
  const reason = exceptionFor(those[0])?.why
  console.log(`${String(those.length).padStart(4)}  ${licence}${reason ? ` (${reason})` : ''}`)
}
for (const { name, version, licence } of undecided)
  console.log(`Undecided: ${name} ${version}, ${licence ?? 'which declares no licence'}`)
for (const { packages: names } of unneeded) console.log(`No longer needed: the exception for ${names.join(', ')}`)
process.exitCode = undecided.length + unneeded.length > 0 ? 1 : 0
