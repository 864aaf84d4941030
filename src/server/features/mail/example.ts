/** A message about nobody, made as those that are sent: how a text of the dictionary looks in it (docs/product/sites.md "Dictionary"). */
import { type Language, languages } from '#domain/people/account.ts'
import { formatMoment } from '#domain/texts/date.ts'
import { hasLink, linkMinutes, linkPath, type MailKind, tellsWhere } from '#domain/people/mail.ts'
import { type NoticeFacts, noticeKinds, unsubscribePath } from '#domain/people/notice.ts'
import { documentTypes } from '#domain/site.ts'
import { operationTypes } from '#domain/tyres/tyre.ts'
import { type Override, type Translate, translateUnsaved } from '../../texts/texts.ts'
import { noticeLine } from '../notices/words.ts'
import { viewLines } from './viewLines.ts'
import { compose, type Message } from './compose.ts'

const portal = 'https://tyres.example.com'
const reader = { username: 'jo.peeters', fullname: 'Jo Peeters', email: 'jo.peeters@example.com' }

/** A number for which a language uses this plural form; without a form, several. */
function countFor(form: string | undefined, language: Language): number {
  if (form === 'zero') return 0
  const rules = new Intl.PluralRules(languages[language])
  return [2, 1, 1_000_000].find(count => form === undefined || rules.select(count) === form) ?? 2
}

const pluralForm = /_(zero|one|two|few|many|other)$/

type Example = { readonly kind: (typeof noticeKinds)[number]; readonly facts: NoticeFacts }

const moved: Example = { kind: 'dayChanged', facts: { from: '2026-11-25', to: '2026-11-27' } }

/** The notice that a text of notices is about (`text.done.to_stock`). */
function noticeWith(key: string, tyre_count: number): Example {
  const [, kind, what] = key.split('.')
  return {
    kind: noticeKinds.find(candidate => candidate === kind) ?? 'done',
    facts: {
      ...moved.facts,
      tyre_count,
      depth: 1.6,
      type: operationTypes.find(type => type === what),
      document: documentTypes.find(type => type === what),
    },
  }
}

/** The facts that only a message of this kind has. */
function factsOf(kind: MailKind, { now, count }: { now: Date; count: number }): Record<string, unknown> {
  if (tellsWhere.includes(kind)) return { address: '192.0.2.17', device: 'Firefox, Windows' }
  if (kind === 'backupLate')
    return {
      latest: `${formatMoment(now.toISOString(), 'UTC').slice(0, -3)} UTC`,
      problem: "ENOENT: no such file or directory, stat '/backups'",
    }
  if (kind === 'webhookDisabled') return { host: 'erp.example.com' }
  if (kind === 'paper') return { title: 'R-2026-00012' }
  if (kind === 'view') return { count, view: 'Winter, below 4 mm' }
  return kind === 'notices' ? { count } : {}
}

/** The notices of a message; the first is the one that the text is about. */
function noticesWith({ namespace, key }: Override, count: number) {
  const first = noticeWith(namespace === 'notices' ? key.replace(pluralForm, '') : 'text.done.to_stock', count)
  return (namespace === 'notices' ? [first, moved] : [first, moved].slice(0, count)).map(({ kind, facts }) => ({
    kind,
    license_plate: '1-ABC-234',
    customer: '',
    ofAdmin: false,
    facts: JSON.stringify(facts),
  }))
}

/** The lines of a view with so many rows; of a text about others, with so many that have no room. */
function viewLinesOf({ key }: Override, scope: { count: number; lang: Language; texts: Translate }): string[] {
  const rows = ['1-ABC-234 · Volvo V60']
  if (key === 'view.none') return viewLines([], { ...scope, count: 0 })
  return viewLines(rows, key.startsWith('view.more') ? { ...scope, count: scope.count + 1 } : scope)
}

/** A message of a kind, with this text in place of the one in effect. Nothing is sent. */
export async function exampleMail(kind: MailKind, text: Override, now: Date): Promise<Message> {
  const { language: lang, namespace, key } = text
  const texts = await translateUnsaved(text)
  const count = countFor(pluralForm.exec(key)?.[1], lang)
  const notices = noticesWith(text, count)
  return compose(
    {
      ...reader,
      kind,
      lang,
      facts: factsOf(kind, { now, count: namespace === 'notices' ? notices.length : count }),
      created: now.toISOString(),
      site: kind === 'backupLate' ? 'Wheelhouse' : 'Peeters Tyres',
      timeZone: 'UTC',
      replyTo: null,
      logo: null,
      link: `${portal}${hasLink(kind) ? `${linkPath}#example` : ''}`,
      until: hasLink(kind) ? new Date(now.getTime() + linkMinutes[kind] * 60_000) : null,
      ...(kind === 'view' && {
        lines: viewLinesOf(text, { count, lang, texts }),
        unsubscribe: `${portal}${unsubscribePath}#example`,
      }),
      ...(kind === 'notices' && {
        link: `${portal}/notices`,
        lines: notices.map(notice => noticeLine(notice, lang, texts)),
        unsubscribe: `${portal}${unsubscribePath}#example`,
      }),
    },
    texts,
  )
}
