/**
 * Renders the first screen of a page (docs/decisions/0076), in a process of its own: it knows no secret and no database, and what a screen asks for it
 * gets as the answers to the page's own request. A screen that is not there in time is left to the browser, which makes it from the
 * same code.
 */
import { fork, type ChildProcess } from 'node:child_process'
import type { PageAnswer } from '#contract/firstLoad.ts'
import type { FromRenderer, PrerenderJob, RendererRequest, ToRenderer } from '#contract/prerender.ts'
import { openFairQueue, type Requester } from '../fairQueue.ts'

/** Answers a screen's request as the signed-in account. */
export type AnswerRequest = (request: RendererRequest) => Promise<{ status: number; text: string }>

/** A screen, and the answers that it was made of, unless they are too long to be sent with the page. */
export type Prerendered = { readonly html: string; readonly answers: readonly PageAnswer[] }

export type Prerender = {
  /**
   * The screen of a page; `null` when it is not there in time, can't be rendered without a browser, or shows too much of what it asks for.
   * Immediately `null` while the process starts, while too many pages wait, and for a screen that was too large within the last half hour.
   * `requester` is the account whose page it is: accounts take turns, as their calls do (docs/decisions/0032).
   */
  render(
    screen: Omit<PrerenderJob, 'job'>,
    requester: Requester,
    answer: AnswerRequest,
  ): Promise<Prerendered | null> | null
  close(): void
}

/** A screen that takes so many times as long as its page waits ends with its process. */
const hangFactor = 10
/** How many pages may queue. In a longer queue a browser would render its screen sooner by itself. */
const maxWaiting = { maxPerAccount: 2, maxPerSite: 4, total: 8 }
/** Without a page for this long the process ends, and gives its memory back. */
const idleMs = 30 * 60_000
const memoryLimitMb = 160
/** The most characters of answers that are sent with a page. */
const maxAnswers = 500_000
/** An answer with more takes longer to read than its page may wait. */
const maxAnswer = 2_000_000
/** For so long an account's screen that shows so much is left to the browser, in ms. */
const skippedMs = 30 * 60_000
const maxSkipped = 1000

const unanswered = { status: 503, text: '' } as const

type Job = PrerenderJob & {
  readonly account: string
  /** The account and the address, without what it asks for. */
  readonly screen: string
  readonly answer: AnswerRequest
  readonly answers: PageAnswer[]
  /** Resolves once the page waits for its screen no longer. */
  readonly over: Promise<void>
  isOver: boolean
  readonly settle: (html: string | null) => void
}

/** A page whose screen is being made. */
type Turn = { readonly job: Job; readonly release: () => void; isLong: boolean }

/** `program` is the built renderer; `log` is told of screens that can't be rendered; a page waits for its screen for `wait` ms. */
export function openPrerender(
  program: string,
  { log, wait, hang = wait * hangFactor }: { log: (problem: string) => void; wait: number; hang?: number },
): Prerender {
  const turns = openFairQueue({
    kinds: { page: { maxTotal: 1, timeoutMs: wait } },
    siteShare: 1,
    accountShare: 1,
    maxWaiting,
  })
  let renderer: ChildProcess | null = null
  let isReady = false
  let running: Turn | null = null
  let jobs = 0
  let timer: NodeJS.Timeout | undefined
  const waiting = new Set<Job>()
  /** Until when screens of accounts are left to the browser, the first noted first. */
  const skipped = new Map<string, number>()

  const skip = (job: Job): void => {
    skipped.set(job.screen, Date.now() + skippedMs)
    const [first] = skipped.keys()
    if (skipped.size > maxSkipped && first !== undefined) skipped.delete(first)
    job.settle(null)
  }

  const start = (): void => {
    const started = fork(program, {
      // it works for every account
      env: { NODE_ENV: 'production' },
      execArgv: [`--max-old-space-size=${memoryLimitMb}`, '--max-semi-space-size=8'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    renderer = started
    // an idle process keeps no portal from ending
    started.unref()
    started.channel?.unref()
    started.on('message', (message: FromRenderer) => onMessage(message))
    started.on('error', error => log(String(error)))
    started.once('exit', () => {
      if (renderer === started) stop()
    })
  }

  const stop = (): void => {
    const ended = renderer
    renderer = null
    isReady = false
    clearTimeout(timer)
    ended?.kill('SIGKILL')
    for (const job of waiting) job.settle(null)
    endTurn(null)
  }

  const send = (message: ToRenderer): void => {
    if (renderer?.connected) renderer.send(message, () => {})
  }

  const onMessage = (message: FromRenderer): void => {
    if ('ready' in message) {
      isReady = true
      return restUntilAsked()
    }
    // of one that was given up with its process
    if (!running || message.job !== running.job.job) return
    const { job } = running
    if ('request' in message) return void forward(job, message)
    if (message.problem !== undefined && !job.isOver) log(`${job.url}: ${message.problem}`)
    restUntilAsked()
    endTurn(message.html)
  }

  const forward = async (job: Job, { request, ...call }: RendererRequest & { request: number }) => {
    const { answer, answers } = job
    const { status, text } = await Promise.race([
      answer(call).catch(() => unanswered),
      // its process is for others now
      job.over.then(() => unanswered),
    ])
    if (text.length > maxAnswer) {
      skip(job)
      return send({ request, status: 413, text: '' })
    }
    if (status === 200 && call.method === 'POST') answers.push({ path: call.path, body: call.body ?? '', text })
    send({ request, status, text })
  }

  const restUntilAsked = (): void => {
    clearTimeout(timer)
    timer = setTimeout(stop, idleMs).unref()
  }

  const begin = (entry: Job, release: () => void): void => {
    if (entry.isOver || !isReady) {
      entry.settle(null)
      return release()
    }
    const turn: Turn = { job: entry, release, isLong: false }
    running = turn
    clearTimeout(timer)
    timer = setTimeout(stop, hang).unref()
    setTimeout(() => {
      turn.isLong = true
      shareTurn()
    }, wait / 4).unref()
    const { job, url, language, texts, phone, secure, nonce } = entry
    send({ job, url, language, texts, phone, secure, nonce })
  }

  const takeTurn = async (job: Job, requester: Requester): Promise<void> => {
    const release = await turns.acquire('page', requester, () => job.isOver).catch(() => null)
    waiting.delete(job)
    if (release) begin(job, release)
    else job.settle(null)
  }

  const endTurn = (html: string | null): void => {
    const ended = running
    running = null
    ended?.job.settle(html)
    ended?.release()
  }

  /** A page whose answers take long keeps nobody else's from theirs: they wait in the queue of its own account's calls. */
  const shareTurn = (): void => {
    if (!running?.isLong) return
    const { account } = running.job
    if ([...waiting].some(job => job.account !== account)) running.job.settle(null)
  }

  return {
    render(screen, requester, answer) {
      if (!renderer) start()
      const account = `${requester.site} ${requester.account}`
      const name = `${account} ${screen.url.split('?', 1)[0]}`
      const isSkipped = (skipped.get(name) ?? 0) > Date.now()
      if (!isReady || isSkipped || isFull(requester)) return null
      return new Promise(resolve => {
        const answers: PageAnswer[] = []
        const { promise: over, resolve: end } = Promise.withResolvers<void>()
        const giveUp = setTimeout(() => job.settle(null), wait)
        const job: Job = {
          ...screen,
          account,
          screen: name,
          job: ++jobs,
          answer,
          answers,
          over,
          isOver: false,
          settle(html) {
            clearTimeout(giveUp)
            waiting.delete(job)
            job.isOver = true
            end()
            const length = answers.reduce((sum, { text }) => sum + text.length, 0)
            resolve(html === null ? null : { html, answers: length > maxAnswers ? [] : answers })
          },
        }
        waiting.add(job)
        void takeTurn(job, requester)
        shareTurn()
      })
    },
    close: stop,
  }

  function isFull(requester: Requester): boolean {
    try {
      turns.rejectIfFull('page', requester)
      return false
    } catch {
      return true
    }
  }
}
