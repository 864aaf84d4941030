/** The site of a request, its configuration and its images. */
import type { FastifyInstance } from 'fastify'
import { Failure } from '#domain/failure.ts'
import { vehicleKinds } from '#domain/vehicles/vehicle.ts'
import type { Branding } from '#contract/wire.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { Handlers, Site } from '../handler.ts'
import * as sql from './sites.sql.ts'

/** How long a node caches sites, in ms. After its own change it reads them again at once. */
const cacheFor = 2000
const cache = new WeakMap<Database, { sites: Promise<readonly Site[]>; until: number }>()

/** Reads the sites again at the next request. */
export const invalidateSites = (database: Database): void => void cache.delete(database)

function readSites(database: Database): Promise<readonly Site[]> {
  const now = performance.now()
  const cached = cache.get(database)
  if (cached && cached.until > now) return cached.sites
  const sites = database.transaction({ system: true }, tx => tx.single.rows(sql.everySite, {}))
  cache.set(database, { sites, until: now + cacheFor })
  sites.catch(() => cache.delete(database))
  return sites
}

/**
 * The site of a host (docs/product/sites.md "Sites"): the one that claims it among its addresses, else the default site by its code,
 * else the one that claims `*`, else the only one there is. `null` when the address belongs to no site.
 */
export async function findSite(database: Database, host: string, defaultCode?: string): Promise<Site | null> {
  const sites = await readSites(database)
  const siteWith = (address: string): Site | undefined => sites.find(({ hosts }) => hosts.includes(address))
  return (
    siteWith(host.toLowerCase()) ??
    (defaultCode ? sites.find(({ code }) => code === defaultCode) : undefined) ??
    siteWith('*') ??
    (sites.length === 1 ? sites[0] : undefined) ??
    null
  )
}

/** A site that is open, by its id. */
export const openSite = async (database: Database, id: number): Promise<Site | undefined> =>
  (await readSites(database)).find(site => site.id === id)

/** The branding of a portal without a site: its superuser signs in there, to create the first one. */
const portalItself: Branding = {
  name: 'Wheelhouse',
  lang: 'eng',
  navlogoPath: null,
  landinglogoPath: null,
  faviconPath: null,
  signOn: null,
}

async function isWithoutSites(tx: Tx): Promise<boolean> {
  await tx.asSystem()
  return (await tx.one(sql.countSites, {})).count === 0
}

export const site: Handlers['site'] = {
  async gsc(context) {
    const { tx, who, request } = context
    if (request.site === null && (await isWithoutSites(tx))) return portalItself
    const { id } = context.site
    const { demo } = request
    if (who && who.type !== 'superuser') return tx.json(sql.configOf, { site: id })
    if (who || demo.length === 0) return tx.json(sql.brandingOf, { site: id })
    await tx.asSystem()
    const [accounts, hashes] = [demo.map(({ account }) => account), demo.map(({ hash }) => hash)]
    return tx.json(sql.demoBrandingOf, { site: id, accounts, hashes })
  },
  tsconfigdata: ({ tx, site: { id } }) => tx.json(sql.extraOf, { site: id, kinds: [...vehicleKinds] }),
  getvehicleconfigs: ({ tx, site: { id } }) => tx.json(sql.vehicleConfigsOf, { site: id }),
}

const imageOf = (database: Database, digest: string) =>
  database.transaction({ system: true }, tx => tx.single.maybe(sql.imageOf, { digest }))

/** Serves logos and favicons. Their path changes with their content, so browsers may cache them for ever. */
export function mountImages(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { file: string } }>('/images/:file', async (request, reply) => {
    const digest = /^([0-9a-f]{64})\.(png|jpeg|webp)$/.exec(request.params.file)?.[1]
    const image = digest && (await app.runAnonymously(request, () => imageOf(database, digest)))
    if (!image) throw new Failure('record.missing')
    return reply.type(image.type).header('cache-control', 'public, max-age=31536000, immutable').send(image.content)
  })
}
