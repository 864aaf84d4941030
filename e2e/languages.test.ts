/** Every screen in the other languages, on a phone: no missing text, no error, and everything fits. */
import { beforeAll, expect, test } from 'vitest'
import { type Language, languageCodes } from '#domain/account.ts'
import { sayCases } from '../src/server/testing/cases.ts'
import { screens, shareJourneys } from './browser.ts'
import { accountIn, addAccounts, misfits } from './look.ts'
import { prepare, type Tour, walk } from './tour.ts'
import { toured, whole } from './tours.ts'

const journeys = shareJourneys()
beforeAll(() => addAccounts(journeys.portal))

let tried = 0
sayCases('Screens in other languages', () => ({ tried }))

/** Everything that is wrong in a tour in one language, by stop. */
async function inspect(tour: Tour, lang: Language): Promise<string[]> {
  const visitor = await journeys.visit({ ...screens.phone, reducedMotion: 'reduce' })
  await visitor.signIn(accountIn(tour.user, lang), lang)
  // with `TOUR=whole` the dialogs too
  const stops = (await tour.stops(visitor)).filter(({ steps }) => whole || steps.length === 0)
  const found: string[] = []
  await walk(visitor, stops, {
    lang,
    look: ({ page }) => misfits(page),
    tell: (stop, wrong) => {
      tried++
      found.push(...wrong.map(what => `${tour.name} ${stop.name}, ${lang}: ${what}`))
    },
  })
  await visitor.close()
  return found
}

test('every screen speaks four languages, without a missing text, and everything fits on a phone', async () => {
  const wrong: string[] = []
  for (const tour of toured) {
    await prepare(journeys.portal, tour)
    const found = await Promise.all(languageCodes.filter(lang => lang !== 'eng').map(lang => inspect(tour, lang)))
    wrong.push(...found.flat())
  }
  expect(wrong).toEqual([])
})
