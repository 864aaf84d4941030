/** The settings in the environment; docs/operations.md lists them. */
import { z } from 'zod'

const whole = z.coerce.number().int()
const flag = z
  .enum(['1', 'true', 'yes', '0', 'false', 'no', ''])
  .transform(value => value === '1' || value === 'true' || value === 'yes')

const environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole.min(0).max(65_535).default(3000),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z.string().startsWith('postgres').optional(),
  DATABASE_APP_URL: z.string().startsWith('postgres').optional(),
  DATABASE_READ_URL: z.string().startsWith('postgres').optional(),
  DATABASE_POOL: whole.min(1).max(500).optional(),
  ALLOW_UNSAFE_DATABASE: flag.default(false),
  ALLOW_DEMO: flag.default(false),
  DEFAULT_SITE: z.string().min(1).optional(),
  PRERENDER: flag.default(true),
  PRERENDER_WAIT: whole.min(1).max(60_000).default(2000),
  TRUST_PROXY: z
    .string()
    .transform(value =>
      /^(no|false|0)$/i.test(value)
        ? false
        : /^(yes|true)$/i.test(value)
          ? 1
          : /^\d+$/.test(value)
            ? Number(value)
            : value,
    )
    .default(false),
  SECRET_KEY: z.string().min(32).optional(),
  SUPERUSERS_NEED_FACTOR: flag.default(false),
  ALLOW_PRIVATE_ADDRESSES: z
    .union([z.literal('customers'), flag])
    .default(false)
    .transform(value => ({ allowPrivate: value !== false, allowPrivateForCustomers: value === 'customers' })),
  VEHICLE_REGISTER: z.union([z.literal('rdw'), z.url({ protocol: /^https?$/ })]).optional(),
  BACKUP_TO: z.string().min(1).optional(),
  BACKUP_KEY: z.string().min(16).optional(),
  BACKUP_ACCESS_KEY_ID: z.string().min(1).optional(),
  BACKUP_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  BACKUP_REGION: z.string().min(1).default('us-east-1'),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.email().optional(),
  LABEL_PRINTERS: z.string().optional(),
  ACCESS_POINT_URL: z.url({ protocol: /^https?$/ }).optional(),
  ACCESS_POINT_TOKEN: z.string().min(16).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  METRICS_PORT: whole.min(0).max(65_535).optional(),
  METRICS_TOKEN: z.string().min(16).optional(),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug']).default('warn'),
  NODE_ENV: z.string().default('development'),
})

export type Config = z.output<typeof environment>

/** Reads the settings. @throws with the name of each invalid one and what it accepts */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(given)
  if (parsed.success) {
    if (parsed.data.DATABASE_READ_URL !== undefined && parsed.data.DATABASE_URL === undefined)
      throw new Error('Invalid settings: DATABASE_READ_URL is a replica of DATABASE_URL, which is not set')
    if (parsed.data.DATABASE_APP_URL !== undefined && parsed.data.DATABASE_URL === undefined)
      throw new Error('Invalid settings: DATABASE_APP_URL is another login at DATABASE_URL, which is not set')
    if (parsed.data.SMTP_URL !== undefined && parsed.data.PUBLIC_URL === undefined)
      throw new Error(
        'Invalid settings: SMTP_URL needs PUBLIC_URL, the address of the portal, for the links in messages',
      )
    // a superuser on a page without https can add nothing but an app, whose seed that key encrypts
    const { SUPERUSERS_NEED_FACTOR, SECRET_KEY, DATABASE_URL } = parsed.data
    if (SUPERUSERS_NEED_FACTOR && SECRET_KEY === undefined && DATABASE_URL !== undefined)
      throw new Error(
        'Invalid settings: SUPERUSERS_NEED_FACTOR with DATABASE_URL needs SECRET_KEY, without which nobody can add an authenticator app',
      )
    accessPointOf(parsed.data)
    labelPrintersOf(parsed.data)
    if (/^https?:/.test(parsed.data.BACKUP_TO ?? '') && backupAccess(parsed.data) === null)
      throw new Error(
        'Invalid settings: BACKUP_TO is an address, which needs BACKUP_ACCESS_KEY_ID and BACKUP_SECRET_ACCESS_KEY',
      )
    return parsed.data
  }
  const problems = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`Invalid settings: ${problems.join('; ')}`)
}

/**
 * The access point for e-invoices, `null` without one.
 * @throws Error when one of its two settings is missing, or its token would cross a network in the clear
 */
export function accessPointOf(config: Config): { url: string; token: string } | null {
  const { ACCESS_POINT_URL: url, ACCESS_POINT_TOKEN: token } = config
  if (url === undefined && token === undefined) return null
  if (url === undefined || token === undefined)
    throw new Error('Invalid settings: ACCESS_POINT_URL and ACCESS_POINT_TOKEN need each other')
  const { protocol, hostname, username, password } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if ((protocol !== 'https:' && !isHere) || username !== '' || password !== '')
    throw new Error(
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
 * @throws Error with the entry that is none
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
        throw new Error(`Invalid settings: LABEL_PRINTERS has "${entry}", which is not SITE/NAME=HOST:PORT`)
      return printer
    })
  const names = printers.map(({ site, name }) => `${site}/${name}`)
  const twice = names.find((name, nth) => names.indexOf(name) !== nth)
  if (twice !== undefined) throw new Error(`Invalid settings: LABEL_PRINTERS names ${twice} twice`)
  return printers
}
