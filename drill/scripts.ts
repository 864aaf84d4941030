/**
 * Stored XSS (docs/promises.md "Scripts in texts"): thirty payloads in every text column, translation and missing key,
 * then every screen in four languages in Chromium. No script runs, no element is created, nothing is requested
 * elsewhere, and the CSP reports nothing.
 */
import type { Page } from 'playwright-core'
import { type Language, languageCodes, languages } from '#domain/people/account.ts'
import { openBrowser, timeoutMs, visit } from '../e2e/browser.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { visitStop, prepare, type Tour } from '../e2e/tour.ts'
import { tours } from '../e2e/tours.ts'
import { flat, namespaces, shippedTexts } from '../src/server/texts/texts.ts'
import { tally, type DrillOptions, type Result, type Tally } from './drill.ts'

export const promise = 22
export const summary = 'stored texts never run as scripts'
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
/** For short columns. */
const shortPayloads = ['<b onload=x>', '"><script>', "'onclick=x '", '<svg/onload>', '<img src=x>']

/** The columns of user-written text. */
const textColumns: Readonly<Record<string, readonly string[]>> = {
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
    'cost_centre',
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
    const where = await plantPayloads(portal, checks)

    const visitTour = async (tour: Tour, lang: Language): Promise<void> => {
      const visitor = await visit(browser, portal.url, { reducedMotion: 'reduce' })
      const { page } = visitor
      const watched = await watch(page)
      await page.reload()
      await visitor.signIn(`${tour.user}-${lang}`, lang)
      for (const stop of await tour.stops(visitor)) {
        if (few && stop.steps.length > 0) continue
        stops++
        await visitStop(visitor, stop, lang).catch((error: Error) => {
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
      const languagesUsed = few ? languageCodes.slice(0, 1) : languageCodes
      // two at a time: more than the number of cores would only wait
      for (let nth = 0; nth < languagesUsed.length; nth += 2)
        await Promise.all(languagesUsed.slice(nth, nth + 2).map(lang => visitTour(tour, lang)))
    }
    checks.check('screens', unreached > stops / 20 ? `${unreached} of ${stops} were not reached` : null)

    await control(portal, checks, await browser.newContext().then(context => context.newPage()))
    return checks.result(
      `${payloads.length} payloads in ${where}`,
      `${stops} screens and dialogs, ${unreached} not reached`,
    )
  } finally {
    await browser.close()
    await portal.close()
  }
}

/** Prepends payloads to every text and returns the places. */
async function plantPayloads(portal: Portal, checks: Tally): Promise<string> {
  let columns = 0
  let rows = 0
  await portal.asOwner(async client => {
    for (const [table, names] of Object.entries(textColumns))
      for (const [nth, name] of names.entries()) {
        let taken = 0
        // without triggers, which would write history
        for (const [choices, kept] of [
          [payloads, true],
          [shortPayloads, true],
          [shortPayloads, false],
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
  /** Returns and clears the reports since the last call, including all that the page sent before. */
  take(): Promise<string[]>
  /** Waits for a report that begins like this, within the page's timeout. It is not cleared. */
  waitForReport(beginning: string): Promise<boolean>
}

/** A probe image that the policy of every page blocks. */
const refused = 'http://last.example/'

/** Watches a page for payloads that run, CSP reports and requests to other origins. */
async function watch(page: Page): Promise<Watch> {
  let reports: string[] = []
  const listeners = new Set<() => void>()
  const report = (what: string): void => {
    reports.push(what)
    for (const listener of listeners) listener()
  }
  const waitForReport = (beginning: string): Promise<boolean> =>
    new Promise(resolve => {
      const check = (): void => {
        if (reports.some(what => what.startsWith(beginning))) end(true)
      }
      const end = (isReported: boolean): void => {
        clearTimeout(timer)
        listeners.delete(check)
        resolve(isReported)
      }
      const timer = setTimeout(end, timeoutMs, false)
      listeners.add(check)
      check()
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
    waitForReport,
    async take() {
      // CSP reports are asynchronous but ordered: a probe image that the policy blocks marks the end of the earlier
      // reports.
      const last = `the policy reports img-src ${refused}`
      await page.evaluate(src => {
        new Image().src = src
      }, refused)
      if (!(await waitForReport(last))) throw new Error('the page sent no report')
      const taken = reports
      reports = []
      return taken.filter(what => !what.startsWith(last))
    },
  }
}

/** Elements that only a payload can have made, also in the frame of the portal's own in which a message is shown. */
const elements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      document,
      ...[...document.querySelectorAll('iframe')].flatMap(({ contentDocument }) => contentDocument ?? []),
    ].flatMap(shown =>
      [
        ...shown.querySelectorAll(
          '[onload],[onerror],[onfocus],[ontoggle],[onclick],[onmouseover],iframe[srcdoc]:not([sandbox]),base,object,embed,video,math,meta[http-equiv],img[src="x"],script:not([src]),[href^="javascript:" i],[href*="evil.example"],[src*="evil.example"],[action*="evil.example"],[style*="evil.example"]',
        ),
      ].map(element => `an element of a payload: ${element.outerHTML.slice(0, 200)}`),
    ),
  )

/** Negative control: a payload that runs, one that the policy blocks and one that becomes an element are detected. */
async function control(portal: Portal, { control: seen }: Tally, page: Page): Promise<void> {
  const watched = await watch(page)
  const payload = '<img src=x onerror=xss(5)>'
  await page.goto(`data:text/html,<p>${encodeURIComponent(payload)}</p>`)
  seen('a payload that runs', await watched.waitForReport('payload 5 ran'))
  await page.goto(portal.url)
  await page.evaluate(html => document.body.insertAdjacentHTML('beforeend', html), payload)
  seen('a payload that the policy stops', await watched.waitForReport('the policy reports script-src-attr'))
  seen('a payload that becomes an element', (await elements(page)).length > 0)
  await page.context().close()
}
