/**
 * Every screen and dialog in a browser: axe, keyboard, texts 40 % longer than the English ones without clipping or
 * overlap (docs/promises.md "Accessibility"); in four languages no missing text, error or layout shift ("Texts and
 * layout").
 */
import type { Browser } from 'playwright-core'
import { type Language, languageCodes } from '#domain/people/account.ts'
import { openBrowser, screens, visit, type Visitor } from '../e2e/browser.ts'
import {
  accountIn,
  addAccounts,
  overflowing,
  useLongTexts,
  layoutShift,
  clippedOrOverlapping,
} from '../e2e/layoutChecks.ts'
import { openPortal, type Portal } from '../e2e/portal.ts'
import { prepare, type Stop, type Tour, type WalkOptions, walkTour } from '../e2e/tour.ts'
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
  { lang, screen, reload }: { lang: Language; screen: Screen; reload: boolean },
  { before, inspect }: { before?: (visitor: Visitor) => Promise<void>; inspect: WalkOptions['inspect'] },
): Promise<void> {
  const visitor = await visit(browser, portal.url, { ...screens[screen], reducedMotion: 'reduce' })
  visitor.page.setDefaultTimeout(45_000)
  try {
    await before?.(visitor)
    await visitor.signIn(accountIn(tour.user, lang), lang)
    const stops = await tour.stops(visitor)
    await walkTour(visitor, short ? sampleStops(stops) : stops, {
      lang,
      reloads: ({ steps }) => reload && steps.length === 0,
      inspect,
      report: (stop, wrong) => checks.check(`${tour.name} ${stop.name}, ${screen}, ${lang}`, wrong.join('; ') || null),
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

const everyAccessibilityTest = {
  files: ['e2e/accessibility.test.ts', 'e2e/keyboard.test.ts', 'e2e/keyboard.admin.test.ts'],
  only: 'axe finds no violation|by keyboard',
} as const

const layoutFaults = async ({ page }: Visitor): Promise<string[]> => [
  ...(await overflowing(page)),
  ...(await clippedOrOverlapping(page)),
]

export const accessibility: Drill = {
  promise: 31,
  summary: 'axe finds nothing, all works by keyboard, longer texts fit',
  long: true,
  run: options =>
    inBrowser(options, async context => {
      const { portal, browser, checks, short } = context
      const before = useLongTexts
      for (const tour of toursFor(short)) {
        await prepare(portal, tour)
        const looks = (['desk', 'phone'] as const).map(screen =>
          visitStops(context, tour, { lang: 'eng', screen, reload: false }, { before, inspect: layoutFaults }),
        )
        await Promise.all(looks)
      }
      // a box that is too small for its text, and two overlapping texts
      const visitor = await visit(browser, portal.url, screens.desk)
      await useLongTexts(visitor)
      await visitor.page.reload()
      await visitor.page.getByRole('button').first().waitFor()
      await visitor.page.evaluate(() => {
        const button = document.querySelector('button[type="submit"]') as HTMLElement
        button.style.cssText = 'width: 2.5em; padding: 0; overflow: hidden; white-space: nowrap'
      })
      checks.control(
        'clipped texts',
        (await clippedOrOverlapping(visitor.page)).some(what => what.startsWith('cut off')),
      )
      await visitor.page.evaluate(() => {
        const labels = document.querySelectorAll<HTMLElement>('label')
        for (const label of labels) label.style.cssText = 'position: fixed; top: 40px; left: 40px; z-index: 9'
      })
      checks.control(
        'overlapping texts',
        (await clippedOrOverlapping(visitor.page)).some(what => what.includes(' overlaps ')),
      )
      await visitor.close()
      if (short) return 'desk and phone'
      const accessibilityTests = await runTests(everyAccessibilityTest, options)
      checks.add(
        accessibilityTests.tried,
        Array.from(
          { length: accessibilityTests.failed },
          () => 'an axe violation, or a control without keyboard access',
        ),
      )
      return `desk and phone, light and dark; ${accessibilityTests.notes.join()} of accessibility and the keyboard`
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
      const inspect: WalkOptions['inspect'] = (_, jumped) => {
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
              return visitStops(context, tour, { lang, screen, reload: true }, { inspect })
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
      checks.control('a layout shift', (await layoutShift(visitor.page)) > 0.1)
      for (const seen of ['provoked', 'missing text'])
        checks.control(
          seen,
          visitor.pageErrors.some(trouble => trouble.includes(seen)),
        )
      await visitor.close()
      return `the largest layout shift is ${most.maxShift.toFixed(3)}`
    }),
}
