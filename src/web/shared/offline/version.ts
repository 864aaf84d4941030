/**
 * The service worker as a page sees it (docs/decisions/0072): registered once the screen is there, and exchanged for that of a new
 * version when nothing waits and nobody is in the middle of something.
 */
import { manifestPath, workerPath, type WorkerMessage } from '#contract/offline.ts'
import { untouchedMs } from '../../ui/attention.ts'
import { onConnection, isLost } from '../connection.ts'
import { isAnythingUnsaved } from '../unsaved.ts'
import { mayReload } from './rules.ts'

/** How often a page checks for a new version, in ms; it also checks when the connection is back. */
const lookEveryMs = 30 * 60_000
/** How often a page asks itself whether it may take one, in ms. */
const askEveryMs = 10_000

/** The pages that the worker is for. */
const scope = '/admin/'

const send = (worker: ServiceWorker | null, message: WorkerMessage) => worker?.postMessage(message)

/** Which build a worker is of. */
const buildOf = (worker: ServiceWorker): Promise<string> =>
  new Promise(resolve => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', ({ data }: MessageEvent<string>) => resolve(data))
    port1.start()
    worker.postMessage({ kind: 'build' } satisfies WorkerMessage, [port2])
  })

/** Whether this page began with the script of another build. */
const isOfOther = (build: string): boolean =>
  document.querySelector<HTMLScriptElement>('script[type="module"]')?.src !== new URL(build, location.origin).href

/** The dialogs that a page comes back to by its address are no work that would be lost. */
const openWork = '[role="dialog"]:not([data-kept-by-address]), [data-scan-card]'

function isTyping(): boolean {
  const { activeElement: field } = document
  return (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) && field.value !== ''
}

export type Version = {
  /** The language that the texts of these screens are kept in. */
  speak(language: string): void
}

/**
 * Registers the service worker. `unsent`: the number of unsent scans of the signed-in account. Without https there is none, and the portal works all
 * the same.
 */
export async function registerWorker(unsent: () => number): Promise<Version | null> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return null
  try {
    const registered = navigator.serviceWorker.register(workerPath, { scope, updateViaCache: 'none' })
    // a browser configured without workers resolves without one
    const registration = (await registered) as ServiceWorkerRegistration | undefined
    if (!registration) return null
    offerInstallation()
    keepUpToDate(registration, unsent)
    const { active } = await activeIn(registration)
    return { speak: language => send(registration.active ?? active, { kind: 'texts', language }) }
  } catch {
    // refused by the browser (a private window, a policy): the portal works as without one
    return null
  }
}

async function activeIn(registration: ServiceWorkerRegistration): Promise<{ active: ServiceWorker }> {
  const { active, installing, waiting } = registration
  if (active) return { active }
  const worker = installing ?? waiting
  if (!worker) throw new Error('the registration has no worker')
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('the worker could not be installed'))
    })
  })
  return { active: worker }
}

/** From these screens on, a browser may put the portal on the home screen. */
function offerInstallation(): void {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = manifestPath
  document.head.append(link)
}

function keepUpToDate(registration: ServiceWorkerRegistration, unsent: () => number): void {
  const look = () => void registration.update().catch(() => {})
  let taken: ServiceWorker | null = null
  // A browser may replace the worker minutes after it was asked, when the user is back on the page: the reload waits until they have left.
  const take = () => {
    if (!isLeftAlone(unsent())) return
    if (taken?.state === 'activated') {
      void begin(taken)
      taken = null
    }
    const { waiting, active } = registration
    if (!waiting || !active) return
    if (taken !== waiting) waiting.addEventListener('statechange', take)
    taken = waiting
    send(waiting, { kind: 'take' })
  }
  setInterval(look, lookEveryMs)
  setInterval(take, askEveryMs)
  onConnection(() => isLost() || look())
}

/** Reloads the page for the version whose worker has taken over, unless it has that version already. */
async function begin(worker: ServiceWorker): Promise<void> {
  if (isOfOther(await buildOf(worker))) location.reload()
}

const isLeftAlone = (unsent: number): boolean =>
  mayReload({
    unsent,
    isOpen: document.querySelector(openWork) !== null || isTyping(),
    isUnsaved: isAnythingUnsaved(),
    isLost: isLost(),
    untouchedMs: untouchedMs(),
    isVisible: document.visibilityState === 'visible',
  })
