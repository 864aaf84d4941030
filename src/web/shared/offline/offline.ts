/** What a screen of the warehouse does so that it opens without a network next time. */
import { counts } from '#contract/counts.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import type { Profile } from '#contract/session.ts'
import { waves } from '#contract/waves.ts'
import { wheels } from '#contract/wheels.ts'
import type { SiteConfig } from '#contract/wire.ts'
import { i18n } from '../../i18n.ts'
import { answerTo, queryClient } from '../api.ts'
import { isLost } from '../connection.ts'
import { scanSender } from '../scanning/scanSender.ts'
import { keepAnswers } from './kept.ts'
import { registerWorker, type Version } from './version.ts'

/** How long after a screen was opened, in ms: what it shows comes first. */
const afterMs = 2000

let version: Promise<Version | null> | undefined

/** Keeps files, texts and answers on this device for whoever is signed in. Once for a page. */
export function openOffline(who: Profile, config: SiteConfig): void {
  version ??= begin(who, config)
}

async function begin(who: Profile, config: SiteConfig): Promise<Version | null> {
  await new Promise(resolve => setTimeout(resolve, afterMs))
  const senders = [scanSender(config, who), scanSender(config, who, 'counts')]
  const unsent = () =>
    senders
      .flatMap(({ queue }) => queue.snapshot().history)
      .filter(({ state }) => state === 'waiting' || state === 'open').length
  const registered = await registerWorker(unsent)
  if (!registered) return null
  keepAnswers(who.username)
  askAhead(who)
  registered.speak(i18n.language)
  i18n.on('languageChanged', language => registered.speak(language))
  return registered
}

/** What these screens begin with, though nobody has opened all of them yet. */
function askAhead(who: Profile): void {
  if (isLost()) return
  void queryClient.prefetchQuery(answerTo(operations.admin, { status: 'submitted' }, { muted: true }))
  void queryClient.prefetchQuery(answerTo(locations.all, {}))
  if (!who.warehouse) return
  void queryClient.prefetchQuery(answerTo(waves.all, {}))
  void queryClient.prefetchQuery(answerTo(counts.all, {}))
  void queryClient.prefetchQuery(answerTo(wheels.tally, {}))
}
