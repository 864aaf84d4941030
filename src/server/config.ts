/** The settings in the environment; docs/operations.md lists them. */
import { isIP } from 'node:net'
import { z } from 'zod'

/** Settings that the portal can't start with. The message names each, and says what to write. */
export class InvalidSettings extends Error {
  override name = 'InvalidSettings'
}

/** A setting, and what to write there. */
const setting = <T extends z.ZodType>(wanted: string, schema: T): T => schema.meta({ wanted }) as T

const whole = z.coerce.number().int()
const flag = setting(
  'yes or no',
  z
    .enum(['1', 'true', 'yes', '0', 'false', 'no', ''])
    .transform(value => value === '1' || value === 'true' || value === 'yes'),
)
const wholeFrom = (least: number, most: number, example: number) =>
  setting(`a whole number from ${least} to ${most}, such as ${example}`, whole.min(least).max(most))
const port = (example: number) => setting(`a port from 0 to 65535, such as ${example}`, whole.min(0).max(65_535))
const some = (wanted: string) => setting(wanted, z.string().min(1))
const atLeast = (characters: number, wanted = '') =>
  setting(`at least ${characters} characters${wanted}`, z.string().min(characters))
const address = (protocol: RegExp, example: string) => setting(`an address such as ${example}`, z.url({ protocol }))

/** The address of a database. A password with characters that end a part of an address makes another address of it, or none. */
const databaseUrl = setting(
  'an address such as postgres://user:pass@host:5432/database, in which a password has %2F for /, %23 for #, %3F for ?, %40 for @, %3A for : and %25 for %. Or leave the password out and set DATABASE_PASSWORD, as it is',
  z.string().refine(isDatabaseUrl),
)

function isDatabaseUrl(value: string): boolean {
  const [, beforeHost = ''] = /^postgres(?:ql)?:\/\/(?:(.*)@)?[^@]*$/.exec(value) ?? ['', null]
  // more than one @, or a part of the password after the host
  if (beforeHost === null || /[@/#?\s]/.test(beforeHost) || !/^postgres(?:ql)?:\/\//.test(value)) return false
  if (!URL.canParse(value)) return false
  const { username, password, hash } = new URL(value)
  try {
    decodeURIComponent(username)
    decodeURIComponent(password)
  } catch {
    return false
  }
  return hash === ''
}

/** Networks of proxies, as Fastify takes them. */
function areNetworks(value: string): boolean {
  return value
    .split(',')
    .map(entry => entry.trim())
    .every(entry => {
      if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true
      const [network = '', prefix] = entry.split('/')
      const version = isIP(network)
      if (version === 0) return false
      if (prefix === undefined || (version === 4 && isIP(prefix) === 4)) return true
      return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)
    })
}

const environment = z.object({
  HOST: some('an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all').default('127.0.0.1'),
  PORT: port(3000).default(3000),
  DATA_DIR: some('a folder').default('./data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_PASSWORD: some('the password of the user in DATABASE_URL, as it is').optional(),
  DATABASE_APP_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  DATABASE_POOL: wholeFrom(1, 500, 16).optional(),
  ALLOW_UNSAFE_DATABASE: flag.default(false),
  ALLOW_DEMO: flag.default(false),
  DEFAULT_SITE: some('the code of a site').optional(),
  PRERENDER: flag.default(true),
  PRERENDER_WAIT: wholeFrom(1, 60_000, 2000).default(2000),
  TRUST_PROXY: setting(
    'yes, no, how many proxies stand in front, or their networks, such as 10.0.0.0/8,loopback',
    z
      .string()
      .refine(value => /^(?:no|false|yes|true|\d{1,2})$/i.test(value) || areNetworks(value))
      .transform(value =>
        /^(no|false|0)$/i.test(value)
          ? false
          : /^(yes|true)$/i.test(value)
            ? 1
            : /^\d+$/.test(value)
              ? Number(value)
              : value,
      ),
  ).default(false),
  SECRET_KEY: atLeast(32, ', such as openssl rand -base64 32 prints').optional(),
  SUPERUSERS_NEED_FACTOR: flag.default(false),
  ALLOW_PRIVATE_ADDRESSES: setting('yes, no or customers', z.union([z.literal('customers'), flag]))
    .default(false)
    .transform(value => ({ allowPrivate: value !== false, allowPrivateForCustomers: value === 'customers' })),
  VEHICLE_REGISTER: setting(
    'rdw, or the address of a copy of that data set',
    z.union([z.literal('rdw'), z.url({ protocol: /^https?$/ })]),
  ).optional(),
  BACKUP_TO: some('a folder, or an address such as https://HOST/BUCKET/FOLDER').optional(),
  BACKUP_KEY: atLeast(16).optional(),
  BACKUP_ACCESS_KEY_ID: some('the id of the key to the store').optional(),
  BACKUP_SECRET_ACCESS_KEY: some('the secret of the key to the store').optional(),
  BACKUP_REGION: some('the region of the store').default('us-east-1'),
  SMTP_URL: address(/^smtps?$/, 'smtp://user:pass@host:587, with %40 for @ and %2F for / in a password').optional(),
  MAIL_FROM: setting('an e-mail address, such as portal@example.org', z.email()).optional(),
  LABEL_PRINTERS: z.string().optional(),
  ACCESS_POINT_URL: address(/^https?$/, 'https://peppol.example.org/send').optional(),
  ACCESS_POINT_TOKEN: atLeast(16).optional(),
  PUBLIC_URL: address(/^https?$/, 'https://tyres.example.org').optional(),
  METRICS_PORT: port(9100).optional(),
  METRICS_TOKEN: atLeast(16).optional(),
  SECURITY_EVENTS_KEPT: wholeFrom(1, 1200, 24).optional(),
  SLOW_STATEMENTS: wholeFrom(0, 600_000, 1000).default(1000),
  LOG_LEVEL: setting(
    'silent, fatal, error, warn, info or debug',
    z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug']),
  ).default('warn'),
  NODE_ENV: z.string().default('development'),
})

/** Their values are never printed. */
const secretSettings = /URL|KEY|PASSWORD|TOKEN|PRINTERS/

/** The words after "write" for a setting that is invalid. */
function wantedFor(name: string): string {
  const shape = environment.shape as Record<string, z.ZodType>
  for (let schema: z.ZodType | undefined = shape[name]; schema;) {
    const { wanted } = (schema.meta() ?? {}) as { wanted?: string }
    if (wanted !== undefined) return wanted
    const { innerType, in: from } = schema.def as unknown as { innerType?: z.ZodType; in?: z.ZodType }
    schema = innerType ?? from
  }
  return 'another value'
}

export type Config = z.output<typeof environment>

/** Reads the settings. @throws InvalidSettings with the name of each invalid one and what to write */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map(issue => String(issue.path[0])))]
    const problems = names.map(
      name =>
        `${name} is ${secretSettings.test(name) ? 'not usable' : JSON.stringify(given[name])}; write ${wantedFor(name)}`,
    )
    throw new InvalidSettings(`Invalid settings: ${problems.join('. ')}.`)
  }
  const { data: config } = parsed
  for (const refuse of combinations) refuse(config)
  return config.DATABASE_URL === undefined ? config : { ...config, DATABASE_URL: withPassword(config) }
}

const need = (isMet: boolean, problem: string): void => {
  if (!isMet) throw new InvalidSettings(`Invalid settings: ${problem}`)
}

/** Settings that need or exclude each other. */
const combinations: readonly ((config: Config) => unknown)[] = [
  ({ DATABASE_READ_URL: read, DATABASE_URL: url }) =>
    need(read === undefined || url !== undefined, 'DATABASE_READ_URL is a replica of DATABASE_URL, which is not set'),
  ({ DATABASE_APP_URL: app, DATABASE_URL: url }) =>
    need(app === undefined || url !== undefined, 'DATABASE_APP_URL is another login at DATABASE_URL, which is not set'),
  ({ DATABASE_PASSWORD: password, DATABASE_URL: url }) =>
    need(
      password === undefined || /^\w+:\/\/[^@/:]+@/.test(url ?? ''),
      'DATABASE_PASSWORD is the password of the user in DATABASE_URL, which must name a user, and no password',
    ),
  ({ SMTP_URL: smtp, PUBLIC_URL: url }) =>
    need(
      smtp === undefined || url !== undefined,
      'SMTP_URL needs PUBLIC_URL, the address of the portal, for the links in messages',
    ),
  // a superuser on a page without https can add nothing but an app, whose seed that key encrypts
  ({ SUPERUSERS_NEED_FACTOR: factor, SECRET_KEY: key, DATABASE_URL: url }) =>
    need(
      !factor || key !== undefined || url === undefined,
      'SUPERUSERS_NEED_FACTOR with DATABASE_URL needs SECRET_KEY, without which nobody can add an authenticator app',
    ),
  accessPointOf,
  labelPrintersOf,
  config =>
    need(
      !/^https?:/.test(config.BACKUP_TO ?? '') || backupAccess(config) !== null,
      'BACKUP_TO is an address, which needs BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY',
    ),
]

/** The address of the database with the password that is set beside it. */
function withPassword({ DATABASE_URL: url = '', DATABASE_PASSWORD: password }: Config): string {
  if (password === undefined) return url
  return url.replace(/^(\w+:\/\/[^@/]*)@/, (_, user: string) => `${user}:${encodeURIComponent(password)}@`)
}

/**
 * The access point for e-invoices, `null` without one.
 * @throws InvalidSettings when one of its two settings is missing, or its token would cross a network in the clear
 */
export function accessPointOf(config: Config): { url: string; token: string } | null {
  const { ACCESS_POINT_URL: url, ACCESS_POINT_TOKEN: token } = config
  if (url === undefined && token === undefined) return null
  if (url === undefined || token === undefined)
    throw new InvalidSettings('Invalid settings: ACCESS_POINT_URL and ACCESS_POINT_TOKEN need each other')
  const { protocol, hostname, username, password } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if ((protocol !== 'https:' && !isHere) || username !== '' || password !== '')
    throw new InvalidSettings(
      'Invalid settings: ACCESS_POINT_URL needs https, unless it is on this machine, and has no password: that is ACCESS_POINT_TOKEN',
    )
  return { url, token }
}

/** The key to the store where backups are (BACKUP_TO), when it is one that speaks S3. */
export function backupAccess(config: Config): { keyId: string; secret: string; region: string } | null {
  const { BACKUP_ACCESS_KEY_ID: keyId, BACKUP_SECRET_ACCESS_KEY: secret, BACKUP_REGION: region } = config
  return keyId === undefined || secret === undefined ? null : { keyId, secret, region }
}

/** An entry of LABEL_PRINTERS. */
const printerEntry =
  /^(?<site>[\w-]+)\/(?<name>[^=]{1,40})=(?<host>[\w.:-]+|\[[\da-f:]+\]):(?<port>\d{1,5})(?:@(?<dpi>203|300))?$/i

/**
 * The label printers that the operator has named: `SITE/NAME=HOST:PORT@DPI`, by commas; the dots an inch are 203 without `@`.
 * @throws InvalidSettings with the entry that is none
 */
export function labelPrintersOf({ LABEL_PRINTERS: setting = '' }: Pick<Config, 'LABEL_PRINTERS'>) {
  const printers = setting
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
    .map(entry => {
      const { site = '', name = '', host = '', port = '', dpi = '203' } = printerEntry.exec(entry)?.groups ?? {}
      const printer = {
        site,
        name: name.trim(),
        host: host.replaceAll(/[[\]]/g, ''),
        port: Number(port),
        dpi: Number(dpi),
      }
      if (printer.name === '' || printer.port < 1 || printer.port > 65_535)
        throw new InvalidSettings(`Invalid settings: LABEL_PRINTERS has "${entry}", which is not SITE/NAME=HOST:PORT`)
      return printer
    })
  const names = printers.map(({ site, name }) => `${site}/${name}`)
  const twice = names.find((name, nth) => names.indexOf(name) !== nth)
  if (twice !== undefined) throw new InvalidSettings(`Invalid settings: LABEL_PRINTERS names ${twice} twice`)
  return printers
}
