/** A hand terminal: a browser with its own profile, behind a network that can be made to fail. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { encodeBarcode } from '#domain/warehouse/barcode.ts'
import { operations } from '#contract/operations.ts'
import { chromiumFlags, chromiumProgram } from '../e2e/browser.ts'
import { keyIntervals, suffixDelays, suffixes, typeSlowly } from '../e2e/scanner.ts'

export type Network = {
  readonly url: string
  /** Refuses every connection. */
  down: boolean
  /** Drops every nth answer to scans, beginning with the first, after they were applied; 0 for none. */
  loseEvery: number
  /** Removes the ids of scans on the way, for a negative control. */
  stripScanIds: boolean
  /** Called before scans are passed on. */
  before: (() => Promise<void>) | null
  /** The number of dropped answers. */
  readonly lost: number
  close(): Promise<void>
}

/** A proxy in front of the portal that can be made to fail. */
export async function openNetwork(target: string): Promise<Network> {
  const to = new URL(target)
  let lostAnswers = 0
  let answers = 0
  const server = createServer((incoming, outgoing) => {
    if (network.down) return void incoming.socket.destroy()
    const scans = incoming.url === operations.markscan.path
    const pass = async (body: Buffer): Promise<void> => {
      if (scans) await network.before?.()
      const sent = scans && network.stripScanIds ? withoutIds(body) : body
      const { hostname: host, port } = to
      const { method, url: path } = incoming
      const headers = { ...incoming.headers, ...(sent.length > 0 && { 'content-length': String(sent.length) }) }
      const upstream = request({ host, port, method, path, headers }, reply => {
        if (network.down || (scans && network.loseEvery > 0 && answers++ % network.loseEvery === 0)) {
          reply.resume().on('end', () => {
            lostAnswers++
            incoming.socket.destroy()
          })
          return
        }
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      })
      upstream.on('error', () => incoming.socket.destroy())
      outgoing.on('close', () => upstream.destroy())
      upstream.end(sent)
    }
    const chunks: Buffer[] = []
    incoming.on('data', (piece: Buffer) => chunks.push(piece))
    incoming.on('end', () => void pass(Buffer.concat(chunks)).catch(() => incoming.socket.destroy()))
  }).listen(0, 'localhost')
  await once(server, 'listening')
  let down = false
  const network: Network = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    get down() {
      return down
    },
    set down(value) {
      down = value
      if (down) server.closeAllConnections()
    },
    loseEvery: 0,
    stripScanIds: false,
    before: null,
    get lost() {
      return lostAnswers
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return network
}

function withoutIds(body: Buffer): Buffer {
  const request = JSON.parse(body.toString()) as { tyres?: { scanId?: string }[] }
  for (const scan of request.tyres ?? []) delete scan.scanId
  return Buffer.from(JSON.stringify(request))
}

/** A scan as the device stores it. */
export type Kept = {
  scanId: string
  tyreId: number | null
  state: string
  outcome: string
  reason: { kind: string } | null
}

export type Device = Awaited<ReturnType<typeof openDevice>>

/** Opens the intake of an account with a profile; the device's clock is `hoursBehind`. */
export async function openDevice({
  disk,
  network,
  username,
  type,
  hoursBehind = 0,
}: {
  disk: string
  network: Network
  username: string
  type: 'to_stock'
  hoursBehind?: number
}) {
  const flags = [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${disk}`,
    ...chromiumFlags,
    'about:blank',
  ]
  const program: ChildProcess = spawn(chromiumProgram, flags, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  const ended = once(program, 'exit')
  // the program may be a script that starts the browser: all of its group ends, or the storage stays open
  const end = (signal: NodeJS.Signals): boolean => program.pid !== undefined && process.kill(-program.pid, signal)
  const browser: Browser = await chromium.connectOverCDP(await endpointOf(program))
  const [context] = browser.contexts()
  if (!context) throw new Error('the browser has no window')
  const page: Page = await context.newPage()
  page.setDefaultTimeout(60_000)
  if (hoursBehind > 0) await page.clock.install({ time: Date.now() - hoursBehind * 3_600_000 })
  const keyboard: CDPSession = await context.newCDPSession(page)
  let pressed = 0
  const sentAll = page.getByText('Everything is sent').first()
  const shown = async () => JSON.stringify((await page.locator('body').innerText()).slice(0, 1000))

  const device = {
    page,
    async open(): Promise<void> {
      await page.goto(`${network.url}/admin/intake?type=${type}`)
      const login = page.locator('input[autocomplete="username"]')
      await login.or(page.getByRole('navigation').first()).first().waitFor()
      if (await login.isVisible()) {
        await login.fill(username)
        await page.locator('input[type="password"]').fill('wheelhouse')
        await page.keyboard.press('Enter')
        await page.getByRole('navigation').first().waitFor()
      }
      await page.request.post(`${network.url}/users/language`, { data: { lang: 'eng' } })
      await page.goto(`${network.url}/admin/intake?type=${type}`)
      await device.waitForText(/tyres left/)
    },
    /** Types labels as a scanner does, until each has its card. Returns how many had to be scanned again because they had none. */
    async scan(tyres: readonly number[]): Promise<number> {
      let again = 0
      for (let from = 0; from < tyres.length; from += 25) {
        let left = tyres.slice(from, from + 25)
        const storedIds = new Set((await device.storedScans()).map(({ scanId }) => scanId))
        for (let tries = 0; left.length > 0; tries++) {
          if (tries === 10)
            throw new Error(`no card for the tyres ${left.join(', ')}; the screen says ${await shown()}`)
          if (tries > 0) again += left.length
          for (const tyre of left) await device.typeLabel(tyre)
          await page
            .locator('article')
            .first()
            .getByText(`Tyre ${left.at(-1)}`)
            .waitFor({ timeout: 3000 })
            .catch(() => {})
          const cards = (await device.storedScans())
            .filter(({ scanId }) => !storedIds.has(scanId))
            .map(({ tyreId }) => tyreId)
          left = left.filter(tyre => !cards.includes(tyre))
        }
      }
      return again
    },
    /** Sends a label's key events like different scanners: at another speed, with Enter or Tab sooner or later. */
    async typeLabel(tyre: number): Promise<void> {
      const [pace = 10, after = 0] = [
        keyIntervals[pressed % keyIntervals.length],
        suffixDelays[pressed % suffixDelays.length],
      ]
      const suffix = suffixes[pressed % suffixes.length] ?? 'Enter'
      pressed++
      await typeSlowly(keyboard, encodeBarcode({ tyre, site: 1 }), { pace, after, suffix })
    },
    /** Waits for a text. @throws Error with the text that is shown instead */
    async waitForText(text: string | RegExp): Promise<void> {
      const seen = page.getByText(text).first().waitFor()
      await seen.catch(async (error: Error) => {
        const waiting = (await device.storedScans()).filter(({ state }) => state === 'waiting').length
        const instead = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ').slice(0, 600)
        throw new Error(
          `'${String(text)}' is not seen at ${page.url()} with ${waiting} scans waiting, but: ${instead}`,
          {
            cause: error,
          },
        )
      })
    },
    /** The scans in its storage. */
    storedScans: (): Promise<Kept[]> =>
      page.evaluate(
        () =>
          new Promise<Kept[]>((resolve, reject) => {
            const opening = indexedDB.open('wheelhouse.scans', 1)
            opening.addEventListener('error', () => reject(opening.error))
            opening.addEventListener('success', () => {
              const asking = opening.result.transaction('scan').objectStore('scan').getAll()
              asking.addEventListener('error', () => reject(asking.error))
              asking.addEventListener('success', () => {
                opening.result.close()
                resolve(
                  (asking.result as Kept[]).map(({ scanId, tyreId, state, outcome, reason }) => ({
                    scanId,
                    tyreId,
                    state,
                    outcome,
                    reason,
                  })),
                )
              })
            })
          }),
      ),
    /** Presses 'Send now' until nothing waits. */
    async sendAll(): Promise<void> {
      for (let tries = 0; tries < 600; tries++) {
        if (await sentAll.isVisible()) return
        await page
          .getByRole('button', { name: 'Send now' })
          .click({ timeout: 1000 })
          .catch(() => {})
        await new Promise(resolve => setTimeout(resolve, 150))
      }
      throw new Error('scans are still waiting')
    },
    /** Kills the browser. */
    async kill(): Promise<void> {
      end('SIGKILL')
      await ended
      await browser.close().catch(() => {})
    },
    async close(): Promise<void> {
      await browser.close().catch(() => {})
      end('SIGTERM')
      await ended
    },
  }
  return device
}

/** The debugging address of a browser that was just started. */
async function endpointOf(program: ChildProcess): Promise<string> {
  if (!program.stderr) throw new Error('the browser has no stderr')
  for await (const output of createInterface(program.stderr)) {
    const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
    if (address) return address
  }
  throw new Error('the browser did not start')
}
