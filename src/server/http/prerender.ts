/**
 * Renders the first screen of a page (docs/decisions/0076), in a process of its own: it knows no secret and no database, and what a screen asks for it
 * gets as the answers to the page's own request. A screen that is not there in time is left to the browser, which makes it from the
 * same code.
 */
import { fork, type ChildProcess } from 'node:child_process'
import type { PageAnswer } from '#contract/firstLoad.ts'
import type { FromRenderer, PrerenderJob, RendererRequest, ToRenderer } from '#contract/prerender.ts'

/** Answers a request of a screen as whoever is signed in. */
export type AnswerRequest = (request: RendererRequest) => Promise<{ status: number; text: string }>

/** A screen, and the answers that it was made of, unless they are too long to be sent with the page. */
export type Prerendered = { readonly html: string; readonly answers: readonly PageAnswer[] }

export type Prerender = {
  /**
   * The screen of a page; `null` when it is not there in time, can't be rendered without a browser, or shows too much of what it asks for.
   * Immediately `null` while the process starts, while eight pages wait, and for a screen that was too large within the last half hour.
   * `whose` names the account.
   */
  render(screen: Omit<PrerenderJob, 'job'>, whose: string, answer: AnswerRequest): Promise<Prerendered | null> | null
  close(): void
}

/** A screen that takes so many times as long as its page waits ends with its process. */
const hangFactor = 10
/** How many pages may queue. In a longer queue a browser would render its screen sooner by itself. */
const maxWaiting = 8
/** Without a page for this long the process ends, and gives its memory back. */
const idleMs = 30 * 60_000
const memoryLimitMb = 160
/** What answers may have, in characters, to be sent with the page. */
const maxAnswers = 500_000
/** An answer with more takes longer to read than its page may wait. */
const maxAnswer = 2_000_000
/** For so long an account's screen that shows so much is left to the browser, in ms. */
const skippedMs = 30 * 60_000
const maxSkipped = 1000

type Job = PrerenderJob & {
  /** The account and the address, without what it asks for. */
  readonly screen: string
  readonly answer: AnswerRequest
  readonly answers: PageAnswer[]
  readonly settle: (html: string | null) => void
}

/** `program` is the built renderer; `log` is told of screens that can't be rendered; a page waits for its screen for `wait` ms. */
export function openPrerender(
  program: string,
  { log, wait, hang = wait * hangFactor }: { log: (problem: string) => void; wait: number; hang?: number },
): Prerender {
  let renderer: ChildProcess | null = null
  let isReady = false
  let running: Job | null = null
  let jobs = 0
  let timer: NodeJS.Timeout | undefined
  const waiting: Job[] = []
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
    for (const job of [running, ...waiting.splice(0)]) job?.settle(null)
    running = null
  }

  const send = (message: ToRenderer): void => {
    if (renderer?.connected) renderer.send(message, () => {})
  }

  const onMessage = (message: FromRenderer): void => {
    if ('ready' in message) {
      isReady = true
      return next()
    }
    // of one that was given up with its process
    if (message.job !== running?.job) return
    if ('request' in message) return void forward(running, message)
    if (message.problem !== undefined) log(`${running.url}: ${message.problem}`)
    running.settle(message.html)
    next()
  }

  const forward = async (job: Job, { request, ...asked }: RendererRequest & { request: number }) => {
    const { answer, answers } = job
    const { status, text } = await answer(asked).catch(() => ({ status: 503, text: '' }))
    if (text.length > maxAnswer) {
      skip(job)
      return send({ request, status: 413, text: '' })
    }
    if (status === 200 && asked.method === 'POST') answers.push({ path: asked.path, body: asked.body ?? '', text })
    send({ request, status, text })
  }

  const next = (): void => {
    clearTimeout(timer)
    running = waiting.shift() ?? null
    timer = setTimeout(stop, running ? hang : idleMs).unref()
    if (!running) return
    const { job, url, language, texts, phone, secure, nonce } = running
    send({ job, url, language, texts, phone, secure, nonce })
  }

  return {
    render(screen, whose, answer) {
      if (!renderer) start()
      const name = `${whose} ${screen.url.split('?', 1)[0]}`
      const isSkipped = (skipped.get(name) ?? 0) > Date.now()
      if (!isReady || isSkipped || waiting.length >= maxWaiting) return null
      return new Promise(resolve => {
        const answers: PageAnswer[] = []
        const job: Job = {
          ...screen,
          screen: name,
          job: ++jobs,
          answer,
          answers,
          settle(html) {
            clearTimeout(giveUp)
            const length = answers.reduce((sum, { text }) => sum + text.length, 0)
            resolve(html === null ? null : { html, answers: length > maxAnswers ? [] : answers })
          },
        }
        const giveUp = setTimeout(() => {
          if (waiting.includes(job)) waiting.splice(waiting.indexOf(job), 1)
          resolve(null)
        }, wait)
        waiting.push(job)
        if (!running) next()
      })
    },
    close: stop,
  }
}
