import { z } from 'zod'
import { roles } from '#domain/account.ts'
import { linkKinds } from '#domain/mail.ts'
import { call, feature } from './call.ts'
import { moment, typedText } from './wire.ts'

const lang = z.enum(['dut', 'fre', 'eng', 'ger'])

/** Absent in a portal that can send no messages (docs/product.md "E-mail"). */
const mail = { sendsMail: z.literal(true).optional() }

/** Who is signed in. `seq_id` is the customer of a `user`. */
const profile = z.object({
  isAuthenticated: z.literal(true),
  username: z.string(),
  fullname: z.string(),
  type: z.enum(roles),
  lang,
  lang_iso: z.enum(['nl', 'fr', 'en', 'de']),
  seq_id: z.number().int().nullable(),
  ...mail,
})
export type Profile = z.output<typeof profile>

const nothing = z.unknown().transform(() => ({}))

/** What stands behind `#` in the link of a message. */
const token = z.string().min(1).max(100)

export const users = feature('users', {
  authenticate: call({
    path: '/users/authenticate',
    turn: 'signIn',
    who: 'anyone',
    input: z.object({ username: z.string().min(1).max(200), password: z.string().min(1).max(1000) }),
    output: profile,
    failures: ['login.wrong', 'login.too_many'],
    summary: 'Signs in. The new session is in a cookie.',
  }),
  loginstate: call({
    path: '/users/loginstate',
    turn: 'scan',
    who: 'anyone',
    input: nothing,
    output: z.discriminatedUnion('isAuthenticated', [
      profile,
      z.object({ isAuthenticated: z.literal(false), ...mail }),
    ]),
    summary: 'Answers who is signed in, if anybody.',
  }),
  logout: call({
    path: '/users/logout',
    who: 'anyone',
    input: nothing,
    output: z.object({}),
    summary: 'Signs out and ends the session.',
  }),
  language: call({
    path: '/users/language',
    who: roles,
    input: z.object({ lang }),
    output: profile,
    summary: 'Changes the language of the account.',
  }),
  password: call({
    path: '/users/password',
    turn: 'signIn',
    who: roles,
    input: z.object({ password: z.string().min(1).max(1000), wanted: z.string().max(1000) }),
    output: profile,
    failures: ['account.password_wrong', 'account.password_weak', 'login.too_many'],
    summary: 'Changes the password of the caller. Other sessions of the account end; this one gets a new token.',
  }),
  forgotten: call({
    path: '/users/forgotten',
    who: 'anyone',
    input: z.object({ username: typedText(200).pipe(z.string().min(1)) }),
    output: z.object({}),
    failures: ['mail.off'],
    summary:
      'Sends the link to a new password to whoever has this username or e-mail address. The answer is the same when nobody does.',
  }),
  link: call({
    path: '/users/link',
    who: 'anyone',
    input: z.object({ token }),
    output: z.object({ kind: z.enum(linkKinds), username: z.string(), fullname: z.string(), until: moment }),
    failures: ['link.invalid'],
    summary: 'Answers whose password the token of a link sets, and until when.',
  }),
  setpassword: call({
    path: '/users/setpassword',
    who: 'anyone',
    input: z.object({ token, password: z.string().max(1000) }),
    output: z.object({ username: z.string() }),
    failures: ['link.invalid', 'account.password_weak'],
    summary: 'Sets the password of an account by the token of a link, once, and ends its sessions.',
  }),
})
