/**
 * What somebody writes never runs in somebody else's browser (docs/promises.md "Scripts in texts"): thirty payloads in every text that people write, in
 * every text of the dictionary and in reports of missing ones, then every screen in four languages in a real Chromium. Nothing
 * runs, nothing becomes an element, nothing is fetched from elsewhere, and the page's policy has nothing to report.
 */
import type { Page } from 'playwright-core'
import { type Language, languageCodes, languages } from '#domain/account.ts'
import { openBrowser, patience, visit } from '../e2e/browser.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { arrive, prepare, type Tour } from '../e2e/tour.ts'
import { tours } from '../e2e/tours.ts'
import { flat, namespaces, shippedTexts } from '../src/server/texts/texts.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'

export const promise = 22
export const summary = 'what people write runs in nobody’s browser'
export const long = true

const payloads: readonly string[] = [
  '<script>xss(1)</script>',
  '"><script>xss(2)</script>',
  "'><img src=x onerror=xss(3)>",
  '<svg onload=xss(4)>',
  '<img src=x onerror=xss(5)>',
  '<iframe srcdoc="<script>parent.xss(6)</script>">',
  '<a href="javascript:xss(7)">a</a>',
  'javascript:xss(8)//',
  '<details open ontoggle=xss(9)>',
  '<body onload=xss(10)>',
  '<input autofocus onfocus=xss(11)>',
  '<video><source onerror=xss(12)>',
  '<math><mtext><img src=x onerror=xss(13)>',
  '<style>@import "//evil.example/x"</style>',
  '<link rel=stylesheet href=//evil.example>',
  '<base href=//evil.example/>',
  '<form action=//evil.example><button>go',
  '<meta http-equiv=refresh content=0;xss>',
  '<object data="javascript:xss(19)">',
  '<embed src="javascript:xss(20)">',
  "{{constructor.constructor('xss(21)')()}}",
  '${xss(22)}',
  '</textarea><script>xss(23)</script>',
  '</title><script>xss(24)</script>',
  '--><script>xss(25)</script>',
  ']]><script>xss(26)</script>',
  '" onmouseover="xss(27)" x="',
  "' style='background:url(//evil.example)",
  '&lt;img src=x onerror=xss(29)&gt;',
  '<img src=//evil.example/x.png>',
]
/** Where a text has no room for one of those. */
const short = ['<b onload=x>', '"><script>', "'onclick=x '", '<svg/onload>', '<img src=x>']

/** The columns that people's texts are kept in. */
const written: Readonly<Record<string, readonly string[]>> = {
  account: ['fullname'],
  article: ['brand', 'description'],
  customer: ['name', 'code', 'company', 'street', 'zipcode', 'city', 'email'],
  document_line: ['article_number', 'description'],
  label_report: ['name'],
  location: ['name', 'path', 'site_name'],
  operation: ['remarks'],
  service: ['name', 'description_nl', 'description_fr', 'description_en', 'description_de'],
  site: ['name', 'admin_email'],
  transport_method: ['name', 'code', 'description_nl', 'description_fr', 'description_en', 'description_de'],
  tyre: ['tyre_set', 'memo', 'description'],
  tyre_event: ['note'],
  // a plate takes letters and digits only
  vehicle: [
    'number',
    'chassis_number',
    'brand',
    'description',
    'driver_name',
    'driver_mobile',
    'driver_telephone',
    'driver_email',
  ],
  vehicle_config: ['description'],
}

export async function run({ short: few, log }: DrillOptions): Promise<Result> {
  const checks = tally(log)
  const portal = await openPortal()
  const browser = await openBrowser()
  let stops = 0
  let unreached = 0
  try {
    await portal.sql(
      `insert into account (site_id, customer_id, username, fullname, type, language, password)
       select site_id, customer_id, username || '-' || lang, fullname, type, lang, password from account cross join unnest($1::text[]) lang`,
      [languageCodes],
    )
    const places = await poison(portal, checks)

    const walk = async (tour: Tour, lang: Language): Promise<void> => {
      const visitor = await visit(browser, portal.url, { reducedMotion: 'reduce' })
      const { page } = visitor
      const watched = await watch(page)
      await page.reload()
      await visitor.signIn(`${tour.user}-${lang}`, lang)
      for (const stop of await tour.stops(visitor)) {
        if (few && stop.steps.length > 0) continue
        stops++
        await arrive(visitor, stop, lang).catch((error: Error) => {
          unreached++
          log(`not reached: ${tour.name} ${stop.name}, ${lang}: ${error.message.split('\n')[0]}`)
        })
        const wrong = [...(await watched.take()), ...(await elements(page))]
        checks.check(`${tour.name} ${stop.name}, ${lang}`, wrong.length > 0 ? wrong.join('; ') : null)
      }
      await visitor.close()
    }
    for (const tour of few ? tours.slice(0, 2) : tours) {
      await prepare(portal, tour)
      const spoken = few ? languageCodes.slice(0, 1) : languageCodes
      // two at a time: more than there are cores only wait for each other
      for (let nth = 0; nth < spoken.length; nth += 2)
        await Promise.all(spoken.slice(nth, nth + 2).map(lang => walk(tour, lang)))
    }
    checks.check('screens', unreached > stops / 20 ? `${unreached} of ${stops} were not reached` : null)

    await control(portal, checks, await browser.newContext().then(context => context.newPage()))
    return checks.result(
      `${payloads.length} payloads in ${places}`,
      `${stops} screens and dialogs, ${unreached} not reached`,
    )
  } finally {
    await browser.close()
    await portal.close()
  }
}

/** Puts payloads before every text; answers where. */
async function poison(portal: Portal, checks: Tally): Promise<string> {
  let columns = 0
  let rows = 0
  await portal.asOwner(async client => {
    for (const [table, names] of Object.entries(written))
      for (const [nth, name] of names.entries()) {
        let taken = 0
        // without triggers, which would record changes that nobody made
        for (const [choices, kept] of [
          [payloads, true],
          [short, true],
          [short, false],
        ] as const) {
          await client.query('begin')
          try {
            await client.query(`set local session_replication_role = replica`)
            const { rowCount } = await client.query(
              `update ${table} set ${name} = ($1::text[])[1 + (hashtext(coalesce(${name}, '') || ctid::text) & 65535 + $2) % $3] ${kept ? `|| ' ' || ${name}` : ''} where ${name} is not null`,
              [choices, nth, choices.length],
            )
            await client.query('commit')
            taken = rowCount ?? 0
            break
          } catch {
            await client.query('rollback')
          }
        }
        checks.check(`${table}.${name}`, taken > 0 ? null : 'takes no payload')
        columns++
        rows += taken
      }
    const texts = languageCodes.flatMap(lang =>
      namespaces.flatMap(ns =>
        flat(shippedTexts(languages[lang], ns) ?? {}).map(([key, text], nth) => ({
          language: lang,
          namespace: ns,
          key,
          value: `${text} ${payloads[nth % payloads.length]}`,
        })),
      ),
    )
    await client.query(
      `insert into translation (language, namespace, key, value)
       select language, namespace, key, value from json_to_recordset($1) as t (language text, namespace text, key text, value text)`,
      [JSON.stringify(texts)],
    )
    await client.query(
      `insert into missing_text (language, namespace, key, place, first_at, last_at)
       select 'eng', 'common', payload, payload, now(), now() from unnest($1::text[]) payload`,
      [payloads],
    )
    await client.query('update dictionary set changes = changes + 1').catch(() => {})
    rows += texts.length
  })
  return `${rows} texts of ${columns} columns and the dictionary`
}

type Watch = {
  /** Takes what was reported since the last call. Everything that the page reported before is in it. */
  take(): Promise<string[]>
  /** Whether a report that begins like this comes, within the page's patience. It is not taken. */
  comes(beginning: string): Promise<boolean>
}

/** A picture that the policy of every page of the portal refuses. */
const refused = 'http://last.example/'

/** Watches a page for what should not happen in it: payloads that run, reports of its policy, requests to elsewhere. */
async function watch(page: Page): Promise<Watch> {
  let reports: string[] = []
  const listeners = new Set<() => void>()
  const report = (what: string): void => {
    reports.push(what)
    for (const listener of listeners) listener()
  }
  const comes = (beginning: string): Promise<boolean> =>
    new Promise(resolve => {
      const look = (): void => {
        if (reports.some(what => what.startsWith(beginning))) end(true)
      }
      const end = (came: boolean): void => {
        clearTimeout(timer)
        listeners.delete(look)
        resolve(came)
      }
      const timer = setTimeout(end, patience, false)
      listeners.add(look)
      look()
    })

  await page.exposeFunction('report', report)
  await page.addInitScript(() => {
    const here = globalThis as unknown as { report(what: string): void; xss(nth: number): void }
    here.xss = nth => here.report(`payload ${nth} ran`)
    document.addEventListener('securitypolicyviolation', event =>
      here.report(`the policy reports ${event.violatedDirective} ${event.blockedURI}`),
    )
  })
  page.on('request', request => {
    if (request.url().includes('evil.example')) report(`asked ${request.url()}`)
  })
  page.on('dialog', dialog => {
    report(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return {
    comes,
    async take() {
      // A page reports later than it refuses: a busy one finishes what it is doing first. Reports keep their order, so the one
      // of a picture that is refused now comes after all others.
      const last = `the policy reports img-src ${refused}`
      await page.evaluate(src => {
        new Image().src = src
      }, refused)
      if (!(await comes(last))) throw new Error('the page reports nothing')
      const taken = reports
      reports = []
      return taken.filter(what => !what.startsWith(last))
    },
  }
}

/** Elements that only a payload can have made. */
const elements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '[onload],[onerror],[onfocus],[ontoggle],[onclick],[onmouseover],iframe[srcdoc],base,object,embed,video,math,meta[http-equiv],img[src="x"],script:not([src]),[href^="javascript:" i],[href*="evil.example"],[src*="evil.example"],[action*="evil.example"],[style*="evil.example"]',
      ),
    ].map(element => `an element of a payload: ${element.outerHTML.slice(0, 200)}`),
  )

/** Negative control: the watch sees a payload that runs, one that the policy stops, and one that becomes an element. */
async function control(portal: Portal, { control: seen }: Tally, page: Page): Promise<void> {
  const watched = await watch(page)
  const payload = '<img src=x onerror=xss(5)>'
  await page.goto(`data:text/html,<p>${encodeURIComponent(payload)}</p>`)
  seen('a payload that runs', await watched.comes('payload 5 ran'))
  await page.goto(portal.url)
  await page.evaluate(html => document.body.insertAdjacentHTML('beforeend', html), payload)
  seen('a payload that the policy stops', await watched.comes('the policy reports script-src-attr'))
  seen('a payload that becomes an element', (await elements(page)).length > 0)
  await page.context().close()
}
