/** Words stay whole: between a phone and a wide desk a table or a list makes room in another way than by breaking a name. */
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { languageCodes } from '#domain/people/account.ts'
import { screens as devices, shareJourneys, type Visitor } from './browser.ts'
import { accountIn, addAccounts, clippedOrOverlapping, giveLongestNames, overflowing } from './layoutChecks.ts'
import { prepare, walkTour } from './tour.ts'
import { toured } from './tours.ts'

const journeys = shareJourneys({ prepare: addAccounts })
const widths = [360, 390, 768, 1024, 1280, 1440, 1920]
const screens = {
  admin: [
    '/admin/operations',
    '/admin/operations?tab=completed',
    '/admin/intake?type=to_stock',
    '/admin/locations',
    '/admin/invoicing?days=100',
    '/admin/invoicing?tab=documents',
    '/admin/customers',
    '/admin/board',
    '/season',
    '/fleet',
    '/tyres',
  ],
  customer: [
    '/',
    '/fleet',
    '/tyres',
    '/operations',
    '/operations?tab=submitted',
    '/season?to=winter',
    '/buying?to=winter',
  ],
}

/** The words of a part of the page that stand on more than one line. A rack, a plate, a number are words with their dashes. */
function brokenWords(part = 'main'): string[] {
  const broken = new Set<string>()
  const texts = document.createTreeWalker(
    [...document.querySelectorAll(part)].at(-1) ?? document.body,
    NodeFilter.SHOW_TEXT,
  )
  while (texts.nextNode()) {
    const text = texts.currentNode as Text
    // a secret is no word
    if (text.parentElement?.closest('style, .wh-hidden, svg, code[translate="no"]')) continue
    for (const { 0: word, index } of text.data.matchAll(
      /(?=[\p{L}-]*\p{N})[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+|[\p{L}\p{N}]{2,}/gu,
    )) {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))
      if (new Set(lines).size > 1) broken.add(word)
    }
  }
  return [...broken]
}

/** The tables that have to be scrolled sideways. */
function wideTables(): string[] {
  return [...document.querySelectorAll('table')].flatMap(table => {
    let box = table.parentElement
    while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement
    const hidden = box && table.checkVisibility() ? box.scrollWidth - box.clientWidth : 0
    return hidden > 1 ? [`${hidden} px of a table hidden: ${table.tHead?.textContent}`] : []
  })
}

test.each(['admin', 'customer'])(
  'no word of the bar at the bottom of a phone of the %s breaks',
  { tags: 'whole' },
  async user => {
    const faults: string[] = []
    for (const lang of languageCodes) {
      const visitor = await journeys.signedIn(accountIn(user, lang), { ...devices.phone, lang })
      await visitor.page.goto('/')
      const entries = visitor.page.getByRole('navigation').last().getByRole('link')
      for (const width of [360, 390]) {
        await visitor.page.setViewportSize({ width, height: 640 })
        for (const entry of await entries.all()) {
          // where one is, it is bold
          await entry.click()
          const words = await visitor.page.evaluate(brokenWords, 'nav')
          if (words.length > 0) faults.push(`${lang} at ${width}: ${words.join(', ')}`)
        }
      }
      await visitor.close()
    }
    expect(faults).toEqual([])
  },
)

test.each(Object.entries(screens))(
  'no word of a screen of the %s breaks, and everything fits, with the longest texts, at any width',
  { tags: 'whole' },
  async (user, paths) => {
    const visitor = await journeys.signedIn(user, { lang: 'ger' })
    const { page } = visitor
    const faults: string[] = []
    for (const path of paths) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await visitor.networkIdle()
      faults.push(...(await faultsAtAnyWidth(visitor)).map(fault => `${path} ${fault}`))
    }
    expect(faults).toEqual([])
    visitor.expectNoPageErrors()
  },
)

/** On which sides a line of tabs says that there are more. */
const fadesOf = (tabs: Locator) =>
  tabs.evaluate(line => ['data-before', 'data-after'].filter(side => line.hasAttribute(side)))

test('tabs without room fade where there are more, and never the one with the focus', { tags: 'whole' }, async () => {
  const visitor = await journeys.signedIn('admin', devices.phone)
  const { page } = visitor
  await page.goto('/admin/invoicing')
  // the parts of what is to be billed, below the views
  const tabs = page.getByRole('tablist').last()
  const fade = async (...sides: string[]) => {
    await expect.poll(() => fadesOf(tabs)).toEqual(sides)
  }
  await fade('data-after')
  await tabs.getByRole('tab').first().focus()
  for (let pressed = 0; pressed < 2; pressed++) await page.keyboard.press('ArrowRight')
  await fade('data-before', 'data-after')
  const room = await tabs.evaluate(line => {
    const [box, tab] = [line, document.activeElement].map(element => element!.getBoundingClientRect())
    return Math.min(tab!.left - box!.left, box!.right - tab!.right)
  })
  expect(room).toBeGreaterThan(38)
  await page.keyboard.press('End')
  await fade('data-before')
  await page.setViewportSize(devices.desk.viewport)
  await fade()
  visitor.expectNoPageErrors()
})

/** Text that breaks, is cut off or lies beside the screen, at each width; `closely` also text that covers something else. */
async function faultsAtAnyWidth({ page }: Visitor, { closely = false } = {}): Promise<string[]> {
  const wrong: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const words = await page.evaluate(brokenWords, 'main, [role="dialog"]')
    const faults = [
      ...words.map(word => `broken: ${word}`),
      ...(await overflowing(page)),
      ...(await page.evaluate(wideTables)),
    ]
    // what somebody entered may end in an ellipsis
    if (closely) faults.push(...(await clippedOrOverlapping(page, '\\w')).filter(fault => !fault.startsWith('cut off')))
    wrong.push(...faults.map(fault => `at ${width}: ${fault}`))
  }
  return wrong
}

test(
  'every screen and dialog has room for the longest names, at every width, in four languages',
  { tags: 'whole', timeout: 3_600_000 },
  async () => {
    await giveLongestNames(journeys.portal)
    const wrong: string[] = []
    for (const tour of toured) {
      await prepare(journeys.portal, tour)
      await Promise.all(
        languageCodes.map(async lang => {
          const visitor = await journeys.signedIn(accountIn(tour.user, lang), { lang, reducedMotion: 'reduce' })
          await visitor.page.goto('/')
          await walkTour(visitor, await tour.stops(visitor), {
            lang,
            inspect: () => faultsAtAnyWidth(visitor, { closely: true }),
            report: (stop, faults) => wrong.push(...faults.map(fault => `${tour.name} ${stop.name}, ${lang} ${fault}`)),
          })
          await visitor.close()
        }),
      )
    }
    expect(wrong).toEqual([])
  },
)
