/** A backup that somebody else reads lets nobody in: its secrets are hashed or encrypted (docs/security.md "How"). */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customers } from '#contract/customers.ts'
import { account, users } from '#contract/session.ts'
import { signOn } from '#contract/signOn.ts'
import { tokens } from '#contract/tokens.ts'
import { webhooks } from '#contract/webhooks.ts'
import { sendNextMail } from '../features/mail/outbox.ts'
import { smtpTransport } from '../features/mail/transport.ts'
import { openOutbound } from '../outbound/outbound.ts'
import { openSecrets } from '../secrets.ts'
import { startMailServer, type MailServer } from '../testing/mailServer.ts'
import { clientId, clientSecret, startProvider, type TestProvider } from '../testing/provider.ts'
import { password, world, type World } from '../testing/world.ts'
import { readArchive } from './archive.ts'
import { openFile } from './files.ts'
import { takeBackup } from './takeBackup.ts'

const key = 'a key that is long enough to be one, at least here'
let at: World
let provider: TestProvider
let mailServer: MailServer
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'wheelhouse-secrets-'))
beforeAll(async () => {
  provider = await startProvider(['http://home.test'])
  mailServer = await startMailServer()
  at = await world({
    served: () => ({
      sendsMail: true,
      secrets: openSecrets(key),
      outbound: openOutbound({ allowPrivate: true }),
    }),
  })
})
afterAll(async () => {
  await at.close()
  await provider.close()
  await mailServer.close()
  fs.rmSync(directory, { recursive: true })
})

/** Everything that lets somebody in or that the portal keeps for others, by what it is. */
async function makeSecrets(): Promise<Map<string, string | Buffer>> {
  const secrets = new Map<string, string | Buffer>([
    ['the key', key],
    ['a password', password],
  ])
  const signedIn = await at.ask(users.authenticate, at.who.anonymous, { username: 'admin', password })
  const cookies = [signedIn.headers['set-cookie'] ?? []].flat().map(text => String(text).split(';')[0] ?? '')
  for (const cookie of cookies) secrets.set(`the cookie ${cookie.split('=')[0]}`, cookie.slice(cookie.indexOf('=') + 1))
  const admin = { ...at.who.admin, cookie: cookies.join('; ') }

  const { answer: offered } = await at.ask(account.offer, admin, {})
  const { seed, sealed } = offered.app ?? { seed: '', sealed: '' }
  const code = TOTP.generate({ secret: Secret.fromBase32(seed), timestamp: at.clock.now.getTime() })
  const { answer: added } = await at.ask(account.addapp, admin, { sealed, code })
  secrets.set('a seed', seed).set('the bytes of a seed', Buffer.from(Secret.fromBase32(seed).bytes))
  for (const [nth, recovery] of added.codes.entries())
    secrets.set(`recovery code ${nth}`, recovery).set(`recovery code ${nth} as hashed`, recovery.replace('-', ''))

  const reset = await at.ask(customers.resetpassword, admin, { _id: at.who.b.account })
  secrets.set('a first password', reset.answer.password ?? '')
  const token = await at.ask(tokens.make, admin, { name: 'Reader', scopes: ['read'], days: 30 })
  secrets.set('an access token', token.answer.token)
  const url = 'http://127.0.0.1:9/hook'
  const hook = await at.ask(webhooks.save, admin, { url, kinds: ['tyre.received'], enabled: true })
  const ofHook = hook.answer.secret ?? ''
  secrets
    .set('of a webhook', ofHook)
    .set('the bytes of a webhook', Buffer.from(ofHook.slice('whsec_'.length), 'base64'))
  const saved = await at.ask(signOn.save, admin, {
    name: 'Company',
    issuer: provider.issuer,
    client_id: clientId,
    client_secret: clientSecret,
    claim: 'preferred_username',
  })
  expect(saved.status, saved.text).toBe(200)
  secrets.set('of a client', clientSecret)

  const invited = { username: 'invited', type: 'admin', email: 'invited@home.test', invite: true } as const
  await at.ask(customers.saveaccount, admin, invited)
  const transport = smtpTransport({ url: mailServer.url, from: 'portal@example.org' })
  const sending = { transport, publicUrl: 'http://home.test', clock: () => at.clock.now }
  while (await sendNextMail(at.database, sending));
  transport.close()
  const link = mailServer.taken.map(mail => /\/password#([\w-]{43})/.exec(mail.text ?? '')?.[1]).find(Boolean)
  secrets.set('a link', link ?? '')
  return secrets
}

let nth = 0
/** All rows of a new backup, as text. */
async function backUp(): Promise<string> {
  const file = openFile(path.join(directory, `${(nth += 1)}.tar.gz`))
  await takeBackup(at.adminUrl, file, { now: at.clock.now })
  const rows: string[] = []
  for await (const chunk of readArchive(file)) if ('rows' in chunk) rows.push(chunk.rows.toString())
  return rows.join('')
}

/** Which secrets stand in a text, as they are or as bytes in hexadecimal or base64. */
const secretsIn = (text: string, secrets: ReadonlyMap<string, string | Buffer>): string[] =>
  [...secrets].flatMap(([name, secret]) => {
    const bytes = Buffer.from(secret)
    const forms = [bytes.toString('hex'), bytes.toString('base64'), ...(typeof secret === 'string' ? [secret] : [])]
    return forms.some(form => text.includes(form)) ? [name] : []
  })

test('a backup has no password, seed, code, token or secret of others in the clear', async () => {
  const secrets = await makeSecrets()
  expect([...secrets].filter(([, secret]) => secret.length < 8)).toEqual([])
  const backup = await backUp()
  // what they belong to is there
  for (const secret of ['invited@home.test', 'Reader', 'http://127.0.0.1:9/hook', provider.issuer])
    expect(backup).toContain(secret)
  expect(secretsIn(backup, secrets)).toEqual([])

  // and one that somebody wrote into a row is found in each form
  const seed = String(secrets.get('a seed'))
  await at.query('update account set fullname = $1 where id = $2', [seed, at.who.a.account])
  await at.query('update totp set seed = $1', [secrets.get('the bytes of a seed')])
  expect(secretsIn(await backUp(), secrets)).toEqual(['a seed', 'the bytes of a seed'])
})
