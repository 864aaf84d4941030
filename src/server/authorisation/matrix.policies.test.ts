/**
 * Row-level security alone: the handlers take the caller for somebody else, and nothing but the policies stands against it.
 * @module-tag whole
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { calls } from '#contract/index.ts'
import { readInput } from '#contract/readInput.ts'
import { Json, type Scope, type Tx } from '../db/database.ts'
import type { Context, Site, Who } from '../features/handler.ts'
import { findSite } from '../features/sites/sites.ts'
import { handlers } from '../http/handlers.ts'
import { openLabelPrinters } from '../outbound/labelPrinters.ts'
import { openOutbound } from '../outbound/outbound.ts'
import { openSecrets } from '../secrets.ts'
import { rowOf } from '../testing/bodies.ts'
import { tablesWith } from '../testing/fingerprints.ts'
import { openMatrix, printsOf } from '../testing/matrix.ts'
import type { Owned, Owner } from '../testing/owners.ts'
import type { Principal } from '../testing/world.ts'

const { now } = openMatrix()

/** Somebody whom the handlers take the caller for, and for whom the transaction really works. */
type Belief = {
  readonly who: Who
  readonly site: Site
  readonly scope: Scope
  readonly strangers: readonly Owner[]
}

async function beliefs(): Promise<Record<'customer' | 'administrator' | 'superuser', Belief>> {
  const { at } = now()
  const [home, other] = [await findSite(at.database, 'home.test'), await findSite(at.database, 'other.test')]
  if (!home || !other) throw new Error('no site')
  const as = ({ account, type, site, customer, name }: Principal): Who => ({
    account,
    type: type ?? 'user',
    warehouse: false,
    site: type === 'superuser' ? null : site,
    customer,
    username: name,
    fullname: '',
    lang: 'eng',
  })
  const { admin, otherAdmin, superuser } = at.who
  return {
    // taken for the administrator
    customer: {
      who: as(admin),
      site: home,
      scope: { site: home.id, customer: at.customers.a },
      strangers: ['b', 'other'],
    },
    // taken for that of the other site
    administrator: {
      who: as(otherAdmin),
      site: other,
      scope: { site: home.id },
      strangers: ['other'],
    },
    // acts as one site, and is let name the other
    superuser: {
      who: as(superuser),
      site: home,
      scope: { site: home.id },
      strangers: ['other'],
    },
  }
}

/** How often handlers hand out a stranger's word, or change its rows, when nothing but the policies stands against it. */
async function leaksOfPolicies({
  who,
  site,
  scope,
  strangers,
}: Belief): Promise<{ found: string[]; changed: string[] }> {
  const matrix = now()
  const { at, rowsOf } = matrix
  const tables: string[] = []
  const changed: string[] = []
  for (const { name, call } of calls) {
    const row = rowOf(name)
    if (call.who === 'anyone' || !call.who.includes(who.type)) continue
    const [feature = '', entry = ''] = name.split('.')
    const handler = (
      handlers as unknown as Record<string, Record<string, (context: Context<unknown, 'anyone'>) => Promise<unknown>>>
    )[feature]?.[entry]
    for (const stranger of strangers) {
      const foreign = await rowsOf(stranger)
      const sites = foreign.site === scope.site ? [] : [foreign.site]
      const extra = name === 'hotelconfig.edit' && who.type === 'superuser' ? asSuperuser(foreign) : {}
      const { data: input, error } = call.input.safeParse(
        readInput(call.input, { ...(row.body(foreign) as object), ...extra }),
      )
      if (error) throw new Error(`${name} refuses the body of its row`, { cause: error })
      matrix.tried++
      const before = printsOf(await matrix.prints(), [stranger], sites)
      const answer = await at.database
        .transaction(scope, async tx => {
          const request = {
            id: '',
            address: '',
            origin: 'https://home.test',
            superusersNeedFactor: false,
            backupsSince: null,
            site: null,
            page: '',
            session: null,
            demo: [],
            agent: '',
            device: null,
            secrets: openSecrets(null),
            outbound: openOutbound({ allowPrivate: false }),
            register: null,
            outside: <T>(work: () => Promise<T>) => work(),
            isClientGone: () => false,
            sendsMail: true,
            accessPoint: true,
            setSession() {},
            setDevice() {},
            clearCache() {},
            labelPrinters: openLabelPrinters([]),
            invalidateSessions() {},
            invalidateSites() {},
            invalidateTexts() {},
            notify() {},
            etag() {},
            unused() {},
            countSecurityEvent() {},
          }
          const label = { input, who, site, now: at.clock.now, lang: 'eng', request }
          // nobody goes to work at another site
          const bound: Tx = { ...tx, asSite: () => Promise.resolve() }
          const answered = await handler?.({ ...label, tx: bound } as Context<unknown, 'anyone'>)
          // of a print, all that would stand on it
          return answered instanceof Json ? answered.text : JSON.stringify(answered)
        })
        .catch((error: Error) => String(error))
      const secret = [...foreign.words, ...(sites.length > 0 ? [foreign.siteWord] : [])]
      if (secret.some(word => String(answer).includes(word))) tables.push(name)
      if (printsOf(await matrix.prints(), [stranger], sites).join() !== before.join()) changed.push(name)
      await matrix.restore()
    }
  }
  return { found: tables, changed }
}

/** The parts of a site's configuration that a superuser fills in (docs/product/sites.md "Site configuration"). */
const asSuperuser = (owned: Owned) => ({
  webstreamAccount: 'W',
  default_site_code: 'w',
  urls: [owned.host],
  mode: 'both',
})

describe('row-level security alone keeps customers and sites apart', () => {
  beforeAll(async () => {
    const { at } = now()
    for (const site of Object.values(at.sites)) await at.setSite(site, { mode: 'both' })
  })

  test.each(['customer', 'administrator', 'superuser'] as const)(
    'although a %s is taken for somebody else, and the check sees it without it',
    async kind => {
      const belief = (await beliefs())[kind]
      const alone = await leaksOfPolicies(belief)
      const matrix = now()
      matrix.leaks += alone.found.length + alone.changed.length
      expect(alone).toEqual({ found: [], changed: [] })
      const guarded = [...new Set(['site', ...(await tablesWith(matrix.at, 'site_id'))])]
      for (const table of guarded) await matrix.at.query(`alter table ${table} disable row level security`)
      try {
        const open = await leaksOfPolicies(belief)
        expect(open.found).not.toEqual([])
        expect(open.changed).not.toEqual([])
      } finally {
        for (const table of guarded) await matrix.at.query(`alter table ${table} enable row level security`)
      }
    },
  )
})
