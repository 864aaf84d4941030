/** Prepares a warehouse screen so that it opens without a network next time. */
import { counts } from '#contract/counts.ts'
import { locations } from '#contract/locations.ts'
import { operations } from '#contract/operations.ts'
import { type Profile, users } from '#contract/session.ts'
import { waves } from '#contract/waves.ts'
import { wheels } from '#contract/wheels.ts'
import type { SiteConfig } from '#contract/wire.ts'
import { i18n } from '../i18n.ts'
import { answerTo, keyOf, queryClient } from '../shared/api.ts'
import { isLost } from '../shared/connection.ts'
import { scanSender } from './scanSender.ts'
import { keepAnswers } from '../shared/offline/kept.ts'
import { registerWorker, type Version } from '../shared/offline/version.ts'

/** The delay after a screen was opened, in ms: its own answers come first. */
const afterMs = 2000

let registered: Promise<Version | null> | undefined
let latest: { who: Profile; config: SiteConfig } | undefined

/** Keeps files, texts and answers on this device for the signed-in account. */
export async function openOffline(who: Profile, config: SiteConfig): Promise<void> {
  if (latest?.who.username === who.username) return
  latest = { who, config }
  registered ??= new Promise(resolve => setTimeout(resolve, afterMs)).then(() => registerWorker(unsent))
  const version = await registered
  if (!version || !isSignedIn(who)) return void (latest = undefined)
  keepAnswers(who.username)
  askAhead(who)
  version.speak(i18n.language)
}

i18n.on('languageChanged', language => void registered?.then(version => version?.speak(language)))

/** Whether that takes place in a session of this account: it may have signed out meanwhile. */
function isSignedIn({ username }: Profile): boolean {
  const session = queryClient.getQueryData<Profile>(keyOf(users.loginstate, {}))
  return session?.isAuthenticated === true && session.username === username
}

/** The number of unsent scans of the signed-in account. */
function unsent(): number {
  if (!latest) return 0
  const { who, config } = latest
  return [scanSender(config, who), scanSender(config, who, 'counts')]
    .flatMap(({ queue }) => queue.snapshot().history)
    .filter(({ state }) => state === 'waiting' || state === 'open').length
}

/** Fetches the first answers of these screens ahead, though not all of them have been opened yet. */
function askAhead(who: Profile): void {
  if (isLost()) return
  void queryClient.prefetchQuery(answerTo(operations.admin, { status: 'submitted' }, { muted: true }))
  void queryClient.prefetchQuery(answerTo(locations.all, {}))
  if (!who.warehouse) return
  void queryClient.prefetchQuery(answerTo(waves.all, {}))
  void queryClient.prefetchQuery(answerTo(counts.all, {}))
  void queryClient.prefetchQuery(answerTo(counts.next, {}))
  void queryClient.prefetchQuery(answerTo(wheels.tally, {}))
}
