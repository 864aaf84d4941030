/** A message as its reader gets it: in their language, with the name and logo of their site, as text and as HTML. */
import sharp from 'sharp'
import type { Language } from '#domain/people/account.ts'
import { formatMoment } from '#domain/texts/date.ts'
import { hasLink, type MailKind } from '#domain/people/mail.ts'
import { languages } from '#domain/people/account.ts'
import { escapeHtml } from '#domain/texts/html.ts'
import { type Translate, translate } from '../../texts/texts.ts'

/** A paper as its reader gets it: what it is, and its file. */
export type Attachment = { readonly title: string; readonly filename: string; readonly content: Buffer }
/** Which paper of whom: `document`, `receipt` or `reminder` by its id, of this customer alone. */
export type AskedPaper = {
  readonly site: number
  readonly customer: number
  readonly account: number
  readonly lang: Language
  readonly portal: URL
  readonly document?: number
  readonly receipt?: number
  readonly reminder?: number
}

/** Which view is sent to whom, in which language. */
export type AskedView = {
  readonly site: number
  readonly customer: number
  readonly account: number
  readonly view: number
  readonly lang: Language
  readonly now: Date
}
/** A view as its reader gets it: how many rows, the first of them, and where it opens in the portal. */
export type SeenView = {
  readonly name: string
  readonly count: number
  readonly lines: readonly string[]
  /** Path and search. */
  readonly path: string
  /** The key that unsubscribes from these messages. */
  readonly key: string
}

export type Message = {
  readonly to: { readonly name: string; readonly address: string }
  readonly from: string
  readonly replyTo: string | null
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The logo in the HTML, `cid:logo`. */
  readonly logo: Buffer | null
  readonly attachment?: Attachment
  /** Where such messages end without a sign-in; absent for those that nobody can do without. */
  readonly unsubscribe?: string
}

export type ToCompose = {
  readonly kind: MailKind
  readonly facts: Readonly<Record<string, unknown>>
  /** When it happened. */
  readonly created: string
  readonly username: string
  readonly fullname: string
  readonly email: string
  readonly lang: Language
  /** The name of the site; the portal's own for a superuser. */
  readonly site: string
  readonly timeZone: string
  readonly replyTo: string | null
  readonly logo: Buffer | null
  /** Where to go: the link that the message is about, or the portal. */
  readonly link: string
  /** Until when the link can be used. */
  readonly until: Date | null
  /** The listed events or rows, a line each. */
  readonly lines?: readonly string[]
  readonly unsubscribe?: string
}

/** The logo as a file that every reader of mail can draw, not larger than it is shown; `null` for one that can't be drawn. */
const drawable = (logo: Buffer): Promise<Buffer | null> =>
  sharp(logo)
    .resize({ width: 320, height: 120, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
    .catch(() => null)

const paragraph = (text: string, style = ''): string => `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`

const list = (lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<ul style="margin:0 0 16px;padding-left:20px">${lines.map(line => `<li style="margin:0 0 6px">${escapeHtml(line)}</li>`).join('')}</ul>`

/** Makes a message, of the texts in effect unless it is to show others. */
export async function compose(about: ToCompose, texts: Translate = translate): Promise<Message> {
  const { kind, lang, site, timeZone, link, until, lines = [], unsubscribe } = about
  const t = (key: string, more: Record<string, unknown> = {}): string => texts(lang, 'mail', key, { ...facts, ...more })
  const facts = {
    ...about.facts,
    site,
    username: about.username,
    name: about.fullname || about.username,
    at: formatMoment(about.created, timeZone),
  }
  const subject = t(`${kind}.subject`)
  const where = ['device', 'address'].flatMap(fact =>
    typeof about.facts[fact] === 'string' ? [t(`where.${fact}`, { [fact]: about.facts[fact] })] : [],
  )
  const paragraphs = [t('hello'), t(`${kind}.text`), ...where]
  const button = t(hasLink(kind) ? `${kind}.button` : 'open')
  const after = [
    until ? t('until', { until: formatMoment(until, timeZone).slice(0, -3) }) : '',
    t(`${kind}.ignore`),
  ].filter(Boolean)
  const logo = about.logo && (await drawable(about.logo))
  return {
    to: { name: about.fullname || about.username, address: about.email },
    from: site,
    replyTo: about.replyTo,
    subject,
    text: [
      ...paragraphs,
      ...(lines.length > 0 ? [lines.map(line => `- ${line}`).join('\n')] : []),
      `${button}:\n${link}`,
      ...after,
      ...(unsubscribe ? [`${t(`${kind}.unsubscribe`)}:\n${unsubscribe}`] : []),
      site,
    ].join('\n\n'),
    html: page({
      lang,
      subject,
      site,
      paragraphs,
      lines,
      button,
      link,
      after,
      ending: unsubscribe ? { text: t(`${kind}.unsubscribe`), link: unsubscribe } : null,
      hasLogo: logo !== null,
    }),
    logo,
    ...(unsubscribe && { unsubscribe }),
  }
}

type Page = {
  lang: Language
  subject: string
  site: string
  paragraphs: readonly string[]
  lines: readonly string[]
  button: string
  link: string
  after: readonly string[]
  ending: { text: string; link: string } | null
  hasLogo: boolean
}

/** Styles stand at each element: readers of mail drop sheets. */
function page({ lang, subject, site, paragraphs, lines, button, link, after, ending, hasLogo }: Page): string {
  const head = hasLogo
    ? `<img src="cid:logo" alt="${escapeHtml(site)}" style="display:block;max-width:160px;max-height:60px;border:0">`
    : `<strong style="font-size:18px">${escapeHtml(site)}</strong>`
  return `<!doctype html>
<html lang="${languages[lang]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f1f3f5;color:#212529;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto;padding:28px 24px;background:#ffffff;border-radius:8px">
<div style="margin:0 0 24px">${head}</div>
${paragraphs.map(text => paragraph(text)).join('\n')}
${list(lines)}
<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#1864ab;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button)}</a></p>
${paragraph(link, 'font-size:13px;color:#495057;word-break:break-all')}
${after.map(text => paragraph(text, 'font-size:14px;color:#495057')).join('\n')}
${ending ? `<p style="margin:0;font-size:14px"><a href="${escapeHtml(ending.link)}" style="color:#495057">${escapeHtml(ending.text)}</a></p>` : ''}
</div></body></html>
`
}
