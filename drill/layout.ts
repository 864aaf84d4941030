/**
 * Every screen and dialog in a browser: axe, keyboard, texts 40 % longer than the English ones without clipping or
 * overlap (docs/promises.md "Accessibility"); in four languages no missing text, error or layout shift ("Texts and
 * layout").
 */
import type { Browser } from 'playwright-core'
import { type Language, languageCodes } from '#domain/account.ts'
import { openBrowser, screens, visit, type Visitor } from '../e2e/browser.ts'
import { accountIn, addAccounts, misfits, readLonger, shift, unreadable } from '../e2e/look.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { prepare, type Stop, type Tour, type Walk, walk } from '../e2e/tour.ts'
import { tours } from '../e2e/tours.ts'
import { tally, type Drill, type DrillOptions, type Result, type Tally } from './drill.ts'
import { runTests } from './tests.ts'

type Screen = keyof typeof screens
type LayoutContext = {
  readonly portal: Portal
  readonly browser: Browser
  readonly checks: Tally
  readonly short: boolean
}

async function inBrowser(
  { short, log }: DrillOptions,
  work: (context: LayoutContext) => Promise<string>,
): Promise<Result> {
  const checks = tally(log)
  const portal = await openPortal()
  try {
    await addAccounts(portal)
    const browser = await openBrowser()
    try {
      return checks.result(await work({ portal, browser, checks, short }))
    } finally {
      await browser.close()
    }
  } finally {
    await portal.close()
  }
}

/** Visits the stops of a tour and inspects each; a stop that can't be reached fails. */
async function visitStops(
  { portal, browser, checks, short }: LayoutContext,
  tour: Tour,
  { lang, screen, fresh: reload }: { lang: Language; screen: Screen; fresh: boolean },
  { before, look }: { before?: (visitor: Visitor) => Promise<void>; look: Walk['look'] },
): Promise<void> {
  const visitor = await visit(browser, portal.url, { ...screens[screen], reducedMotion: 'reduce' })
  visitor.page.setDefaultTimeout(45_000)
  try {
    await before?.(visitor)
    await visitor.signIn(accountIn(tour.user, lang), lang)
    const stops = await tour.stops(visitor)
    await walk(visitor, short ? sampleStops(stops) : stops, {
      lang,
      loads: ({ steps }) => reload && steps.length === 0,
      look,
      tell: (stop, wrong) => checks.check(`${tour.name} ${stop.name}, ${screen}, ${lang}`, wrong.join('; ') || null),
    })
  } finally {
    await visitor.close()
  }
}

/** One screen in ten of a tour, and a dialog. */
const sampleStops = (stops: readonly Stop[]): Stop[] => [
  ...stops.filter(({ steps }, nth) => steps.length === 0 && nth % 10 === 0).slice(0, 3),
  ...stops.filter(({ steps }) => steps.length > 0).slice(0, 1),
]
const toursFor = (short: boolean): readonly Tour[] => (short ? tours.slice(0, 2) : tours)

const everyBarrier = {
  files: ['e2e/barriers.test.ts', 'e2e/keyboard.test.ts', 'e2e/keyboard.admin.test.ts'],
  only: 'nobody meets a barrier|by keyboard',
  env: { TOUR: 'whole' },
} as const

const layoutFaults = async ({ page }: Visitor): Promise<string[]> => [
  ...(await misfits(page)),
  ...(await unreadable(page)),
]

export const accessibility: Drill = {
  promise: 31,
  summary: 'axe finds nothing, all works by keyboard, longer texts fit',
  long: true,
  run: options =>
    inBrowser(options, async context => {
      const { portal, browser, checks, short } = context
      const before = readLonger
      for (const tour of toursFor(short)) {
        await prepare(portal, tour)
        const looks = (['desk', 'phone'] as const).map(screen =>
          visitStops(context, tour, { lang: 'eng', screen, fresh: false }, { before, look: layoutFaults }),
        )
        await Promise.all(looks)
      }
      // a box that is too small for its text, and two overlapping texts
      const visitor = await visit(browser, portal.url, screens.desk)
      await readLonger(visitor)
      await visitor.page.reload()
      await visitor.page.getByRole('button').first().waitFor()
      await visitor.page.evaluate(() => {
        const button = document.querySelector('button[type="submit"]') as HTMLElement
        button.style.cssText = 'width: 2.5em; padding: 0; overflow: hidden; white-space: nowrap'
      })
      checks.control(
        'words cut off',
        (await unreadable(visitor.page)).some(what => what.startsWith('cut off')),
      )
      await visitor.page.evaluate(() => {
        const labels = document.querySelectorAll<HTMLElement>('label')
        for (const label of labels) label.style.cssText = 'position: fixed; top: 40px; left: 40px; z-index: 9'
      })
      checks.control(
        'words over words',
        (await unreadable(visitor.page)).some(what => what.includes(' lies over ')),
      )
      await visitor.close()
      if (short) return 'desk and phone'
      const barriers = await runTests(everyBarrier, options)
      checks.add(
        barriers.tried,
        Array.from({ length: barriers.failed }, () => 'a barrier, or a way without a keyboard'),
      )
      return `desk and phone, light and dark; ${barriers.notes.join()} of barriers and the keyboard`
    }),
}

export const languages: Drill = {
  promise: 32,
  summary: 'four languages: no missing text, error or layout shift',
  long: true,
  run: options =>
    inBrowser(options, async context => {
      const { portal, browser, checks, short } = context
      const most = { maxShift: 0 }
      const look: Walk['look'] = (_, jumped) => {
        most.maxShift = Math.max(most.maxShift, jumped)
        return Promise.resolve([])
      }
      const languagePairs = [languageCodes.slice(0, 2), languageCodes.slice(2)]
      for (const tour of toursFor(short)) {
        await prepare(portal, tour)
        for (const pair of short ? [languageCodes.slice(0, 1)] : languagePairs)
          await Promise.all(
            pair.map((lang, nth) => {
              // each tour on desktop and phone, and each language on both in some tour
              const screen = (nth + tours.indexOf(tour)) % 2 ? 'phone' : 'desk'
              return visitStops(context, tour, { lang, screen, fresh: true }, { look })
            }),
          )
      }
      // negative controls: a layout shift, a console error and a missing text
      const visitor = await visit(browser, portal.url, screens.desk)
      await visitor.page.evaluate(async () => {
        const wide = document.createElement('div')
        wide.style.height = '60vh'
        await new Promise(resolve => setTimeout(resolve, 700))
        document.body.prepend(wide)
        await new Promise(resolve => setTimeout(resolve, 100))
        // oxlint-disable-next-line no-console -- the error to detect
        console.error('provoked')
        await fetch('/locales/add/en/common', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"drill.missing":"drill.missing"}',
        })
      })
      checks.control('a layout shift', (await shift(visitor.page)) > 0.1)
      for (const seen of ['provoked', 'missing text'])
        checks.control(
          seen,
          visitor.troubles.some(trouble => trouble.includes(seen)),
        )
      await visitor.close()
      return `the widest jump is ${most.maxShift.toFixed(3)}`
    }),
}
