/**
 * Every screen and dialog in a real browser: no barrier, every journey by keyboard alone, and with texts that are 40 % longer than
 * the English ones nothing is cut off or lies over something else (docs/promises.md "Accessibility"); in four languages nothing is missing, fails or jumps ("Texts and layout").
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
type House = { readonly portal: Portal; readonly browser: Browser; readonly checks: Tally; readonly short: boolean }

async function inBrowser({ short, log }: DrillOptions, work: (house: House) => Promise<string>): Promise<Result> {
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

/** Goes through a tour and has each stop looked at; what cannot be reached is wrong, too. */
async function go(
  { portal, browser, checks, short }: House,
  tour: Tour,
  { lang, screen, fresh }: { lang: Language; screen: Screen; fresh: boolean },
  { before, look }: { before?: (visitor: Visitor) => Promise<void>; look: Walk['look'] },
): Promise<void> {
  const visitor = await visit(browser, portal.url, { ...screens[screen], reducedMotion: 'reduce' })
  visitor.page.setDefaultTimeout(45_000)
  try {
    await before?.(visitor)
    await visitor.signIn(accountIn(tour.user, lang), lang)
    const stops = await tour.stops(visitor)
    await walk(visitor, short ? few(stops) : stops, {
      lang,
      loads: ({ steps }) => fresh && steps.length === 0,
      look,
      tell: (stop, wrong) => checks.check(`${tour.name} ${stop.name}, ${screen}, ${lang}`, wrong.join('; ') || null),
    })
  } finally {
    await visitor.close()
  }
}

/** Of a tour a screen in ten, and a dialog. */
const few = (stops: readonly Stop[]): Stop[] => [
  ...stops.filter(({ steps }, nth) => steps.length === 0 && nth % 10 === 0).slice(0, 3),
  ...stops.filter(({ steps }) => steps.length > 0).slice(0, 1),
]
const toured = (short: boolean): readonly Tour[] => (short ? tours.slice(0, 2) : tours)

const everyBarrier = {
  files: ['e2e/barriers.test.ts', 'e2e/keyboard.test.ts', 'e2e/keyboard.admin.test.ts'],
  only: 'nobody meets a barrier|by keyboard',
  env: { TOUR: 'whole' },
} as const

const fitting = async ({ page }: Visitor): Promise<string[]> => [...(await misfits(page)), ...(await unreadable(page))]

export const readable: Drill = {
  promise: 31,
  summary: 'no barrier, all by keyboard, nothing cut off with texts 40 % longer',
  long: true,
  run: options =>
    inBrowser(options, async house => {
      const { portal, browser, checks, short } = house
      const before = readLonger
      for (const tour of toured(short)) {
        await prepare(portal, tour)
        const looks = (['desk', 'phone'] as const).map(screen =>
          go(house, tour, { lang: 'eng', screen, fresh: false }, { before, look: fitting }),
        )
        await Promise.all(looks)
      }
      // a box that is too small for its words, and two texts on one place
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

export const spoken: Drill = {
  promise: 32,
  summary: 'four languages: nothing missing, failing or jumping',
  long: true,
  run: options =>
    inBrowser(options, async house => {
      const { portal, browser, checks, short } = house
      const most = { jump: 0 }
      const look: Walk['look'] = (_, jumped) => {
        most.jump = Math.max(most.jump, jumped)
        return Promise.resolve([])
      }
      const twos = [languageCodes.slice(0, 2), languageCodes.slice(2)]
      for (const tour of toured(short)) {
        await prepare(portal, tour)
        for (const two of short ? [languageCodes.slice(0, 1)] : twos)
          await Promise.all(
            two.map((lang, nth) => {
              // each tour on both screens, and each language on each of them in one tour or another
              const screen = (nth + tours.indexOf(tour)) % 2 ? 'phone' : 'desk'
              return go(house, tour, { lang, screen, fresh: true }, { look })
            }),
          )
      }
      // what jumps, fails and is missing is seen
      const visitor = await visit(browser, portal.url, screens.desk)
      await visitor.page.evaluate(async () => {
        const wide = document.createElement('div')
        wide.style.height = '60vh'
        await new Promise(resolve => setTimeout(resolve, 700))
        document.body.prepend(wide)
        await new Promise(resolve => setTimeout(resolve, 100))
        // oxlint-disable-next-line no-console -- that is what has to be seen
        console.error('provoked')
        await fetch('/locales/add/en/common', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"drill.missing":"drill.missing"}',
        })
      })
      checks.control('a jump', (await shift(visitor.page)) > 0.1)
      for (const seen of ['provoked', 'missing text'])
        checks.control(
          seen,
          visitor.troubles.some(trouble => trouble.includes(seen)),
        )
      await visitor.close()
      return `the widest jump is ${most.jump.toFixed(3)}`
    }),
}
