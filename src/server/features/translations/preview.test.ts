/** The preview of a message in the dictionary (docs/product/sites.md "Dictionary"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { languageCodes, languages } from '#domain/people/account.ts'
import { mailKinds, mailsWith } from '#domain/people/mail.ts'
import { placeholdersOf } from '#domain/texts/translation.ts'
import { locale } from '#contract/translations.ts'
import { flat, shippedTexts, translate } from '../../texts/texts.ts'
import { world, type World } from '../../testing/world.ts'
import { exampleMail } from '../mail/example.ts'

const now = new Date('2026-11-20T10:00:00Z')
let at: World
beforeAll(async () => {
  at = await world({ now })
})
afterAll(() => at.close())
beforeEach(() => at.query('delete from translation'))

const preview = (input: object) =>
  at.ask(locale.preview, at.who.superuser, {
    language: 'eng',
    namespace: 'mail',
    key: 'reset.text',
    value: 'Nothing',
    ...input,
  })

test('is the whole message, with the text as it was typed', async () => {
  const value = 'Kies <b>nu</b> een wachtwoord voor {{username}}.'
  const { answer } = await preview({ language: 'dut', value })
  expect(answer).toMatchObject({
    kind: 'reset',
    subject: 'Een nieuw wachtwoord voor Peeters Tyres',
    lost: [],
    unknown: [],
  })
  expect(answer.text).toContain('Dag Jo Peeters,\n\nKies <b>nu</b> een wachtwoord voor jo.peeters.')
  expect(answer.text).toContain('https://tyres.example.com/password#example')
  expect(answer.text).toContain('20/11/2026 10:30')
  expect(answer.html).toContain('Kies &lt;b&gt;nu&lt;/b&gt; een wachtwoord voor jo.peeters.')
  expect(answer.html).toContain('<html lang="nl">')
})

test('sends and stores nothing, and nobody else gets the text', async () => {
  const before = translate('eng', 'mail', 'reset.subject')
  const { answer } = await preview({ key: 'reset.subject', value: 'Unsaved' })
  expect(answer.subject).toBe('Unsaved')
  expect(translate('eng', 'mail', 'reset.subject')).toBe(before)
  for (const table of ['mail', 'account_link', 'translation', 'missing_text'])
    expect(await at.query(`select from ${table}`), table).toEqual([])
})

test('has the other texts as the dictionary has them', async () => {
  const hello = { language: 'eng', namespace: 'mail', key: 'hello', value: 'Good morning {{name}}!' } as const
  await at.ask(locale.new, at.who.superuser, hello)
  const { answer } = await preview({ value: 'Choose one.' })
  expect(answer.text).toMatch(/^Good morning Jo Peeters!\n\nChoose one\.\n\n/)
})

test('names the placeholders that saving would refuse', async () => {
  const text = { language: 'fre', namespace: 'mail', key: 'invitation.text' } as const
  const wrong = { ...text, value: 'Bienvenue chez {{sit}}, {{username}}.' }
  const { answer } = await preview(wrong)
  expect(answer).toMatchObject({ lost: ['{{site}}'], unknown: ['{{sit}}'] })
  expect(answer.text).toContain('Bienvenue chez {{sit}}, jo.peeters.')
  const { refusal } = await at.ask(locale.new, at.who.superuser, wrong)
  expect(refusal).toMatchObject({ code: 'translation.placeholders', params: { placeholders: answer.lost } })
  // the one of a plural form may leave out its number
  expect((await preview({ key: 'notices.subject_one', value: 'One notice from {{site}}' })).answer).toMatchObject({
    subject: 'One notice from Peeters Tyres',
    lost: [],
  })
})

test('shows each kind of message that a text is part of', async () => {
  const where = { key: 'where.device', value: 'On {{device}}.' }
  expect((await preview(where)).answer.kind).toBe('passwordChanged')
  const { answer } = await preview({ ...where, kind: 'locked' })
  expect(answer).toMatchObject({ kind: 'locked', subject: 'Too many wrong passwords' })
  expect(answer.text).toContain('On Firefox, Windows.')
})

test.each([
  ['a text of screens', { namespace: 'common', key: 'cancel' }],
  ['a text of the screen of notices', { namespace: 'notices', key: 'settings.title' }],
  ['a group of texts', { key: 'invitation' }],
  ['no text of a message', { key: 'nothing.text' }],
  ['no text at all', { key: '__proto__.text' }],
  ['another kind of message', { kind: 'invitation' }],
])('of %s does not exist', async (_, input) => {
  expect((await preview(input)).refusal.code).toBe('record.missing')
})

describe.each(languageCodes)('in %s', language => {
  const texts = (['mail', 'notices'] as const).flatMap(namespace =>
    flat(shippedTexts(languages[language], namespace) ?? {}).map(([key, text]) => ({ namespace, key, text })),
  )

  test('every text of a message stands in each of its messages', async () => {
    const seen = texts.filter(text => mailsWith(text).length > 0)
    expect(seen.length).toBeGreaterThan(70)
    for (const { namespace, key, text } of seen)
      for (const kind of mailsWith({ namespace, key })) {
        const value = ['Typed', ...placeholdersOf(text).map(name => `{{${name}}}`)].join(' ')
        const { subject, text: plain, html } = await exampleMail(kind, { language, namespace, key, value }, now)
        const all = `${subject}\n${plain}`
        expect(all, `${namespace}:${key} in ${kind}`).toMatch(/\bTyped\b/)
        expect(html, `${namespace}:${key} in ${kind}`).toMatch(/\bTyped\b/)
        expect(all, `${namespace}:${key} in ${kind}`).not.toMatch(/\{\{|undefined|null|NaN/)
      }
  })

  test('no other text of these files stands in a message', async () => {
    for (const { namespace, key } of texts.filter(({ namespace }) => namespace === 'mail'))
      expect(mailsWith({ namespace, key }), key).not.toEqual([])
  })

  test('every message has all its values', async () => {
    for (const kind of mailKinds) {
      const text = { language, namespace: 'mail', key: 'hello', value: 'Typed' }
      const { subject, text: plain, html } = await exampleMail(kind, text, now)
      for (const part of [subject, plain, html]) expect(part, kind).not.toMatch(/\{\{|undefined|mail\.|notices\./)
    }
  })
})
