/**
 * A portal below a path of another site (`https://example.com/tyres/`) can't work: its addresses, cookies and service worker begin at the root of its
 * host. A proxy may cut the path off, so only the browser knows. The page says so in words, in place of staying empty.
 */
import type { FastifyRequest } from 'fastify'
import { languages } from '#domain/people/account.ts'
import { escapeHtml } from '#domain/texts/html.ts'
import { translate } from '../texts/texts.ts'
import { acceptedLanguage } from './admit.ts'

const id = 'sub-path'

/** Runs in the page. `served` is the path that the server was asked for; below an unknown one, files that are missing are a sign, too. */
const script = (served: string, isKnown: boolean): string => `(served => {
const refuse = () => { const words = document.getElementById('${id}'); stop(); document.body.replaceChildren(words.content) }
if (location.pathname !== served && location.pathname.endsWith(served)) return refuse()
${isKnown ? '' : `addEventListener('error', ({ target }) => target instanceof Element && target.matches('script, link') && refuse(), true)`}
})(${JSON.stringify(served).replaceAll('<', '\\u003c')})`

/** The beginning of a page's body. The words are in a template: until they are needed they are no text of the page. */
export function subPathNotice(request: FastifyRequest, nonce: string, isKnown: boolean): string {
  const [path = ''] = request.url.split('?', 1)
  const language = acceptedLanguage(request)
  const words = escapeHtml(translate(language, 'login', 'subPath'))
  return `<template id="${id}"><p lang="${languages[language]}">${words}</p></template><script nonce="${nonce}">${script(path, isKnown)}</script>`
}
