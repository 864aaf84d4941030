/**
 * How long a page takes until one can read it and use its first row, against a floor: the page's own final HTML and CSS as a file, without
 * scripts. The floor is what the browser itself needs for so much content.
 */
import fs from 'node:fs'
import http, { type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Page } from 'playwright-core'

const built = path.join(import.meta.dirname, '..', 'dist', 'web')

/** A page as it stands: its address in the portal, its HTML and CSS, and how much text it has. */
export type Copy = { readonly html: string; readonly css: string; readonly text: number }

/** Copies the page that is open, without its scripts and without what it would fetch ahead. */
export async function copyOf(page: Page): Promise<Copy> {
  return page.evaluate(() => {
    const css = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules].map(rule => rule.cssText)).join('\n')
    const root = document.documentElement.cloneNode(true) as HTMLElement
    const gone = 'script, style, link, template, noscript, meta[http-equiv], meta[name^="wheelhouse"]'
    for (const element of root.querySelectorAll(gone)) element.remove()
    const styles = document.createElement('link')
    Object.assign(styles, { rel: 'stylesheet', href: '/copy.css' })
    root.querySelector('head')?.append(styles)
    const body = root.querySelector('body')
    return { html: `<!doctype html>${root.outerHTML}`, css, text: body?.textContent.length ?? 0 }
  })
}

export type Floor = { readonly origin: string; show(copy: Copy): void; close(): Promise<void> }

/** Serves copies, compressed no worse than the portal's own files, with the portal's fonts and pictures. */
export async function openFloor(): Promise<Floor> {
  let copy: Copy = { html: '', css: '', text: 0 }
  const server = http.createServer((request, response) => {
    const [name = '/'] = (request.url ?? '/').split('?', 1)
    const send = (type: string, body: string | Buffer, headers: OutgoingHttpHeaders = {}) =>
      response.writeHead(200, { 'content-type': type, ...headers }).end(body)
    if (name === '/copy.css') return send('text/css; charset=utf-8', copy.css)
    if (!name.startsWith('/assets/')) return send('text/html; charset=utf-8', copy.html)
    const file = path.join(built, path.normalize(name))
    const type = { '.woff2': 'font/woff2', '.svg': 'image/svg+xml' }[path.extname(file)]
    return type && fs.existsSync(file) ? send(type, fs.readFileSync(file)) : response.writeHead(404).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    show: shown => void (copy = shown),
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/**
 * Opens an address and answers after how many ms nine tenths of so much text stood there, and what `usable` names could be clicked: it is what
 * a finger in its middle hits.
 */
export async function timeToUse(
  page: Page,
  url: string,
  { usable, text }: { usable: string; text: number },
): Promise<number> {
  await page.addInitScript(
    ([wanted, least]) => {
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- runs in the page, where nothing else is
      const isHit = (element: Element | null): boolean => {
        if (!element) return false
        const { left, top, width, height } = element.getBoundingClientRect()
        const hit = document.elementFromPoint(left + Math.min(width / 2, 40), top + Math.min(height / 2, 20))
        return hit !== null && (element.contains(hit) || hit.contains(element))
      }
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- as above
      const lengthOf = (elements: Iterable<Element>) =>
        [...elements].reduce((sum, { textContent }) => sum + textContent.length, 0)
      const look = () => {
        const enough =
          lengthOf(document.querySelectorAll('body')) -
            lengthOf(document.querySelectorAll('body :is(style, script, template, noscript)')) >=
          least
        if (!enough || !isHit(document.querySelector(wanted))) return void requestAnimationFrame(look)
        // the frame that shows it
        requestAnimationFrame(() => setTimeout(() => Object.assign(window, { usable: performance.now() })))
      }
      requestAnimationFrame(look)
    },
    [usable, text * 0.9] as const,
  )
  await page.goto(url)
  await page.waitForFunction(() => 'usable' in window)
  return page.evaluate(() => (window as unknown as { usable: number }).usable)
}
