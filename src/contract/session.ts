import { z } from 'zod'
import { roles } from '#domain/people/account.ts'
import { linkKinds } from '#domain/people/mail.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { appShown, factors, offered, passkeyAdded, passkeyShown, passkeyWanted, recoveryCodes } from './factors.ts'
import { rows } from './list.ts'
import { verbatim } from './readInput.ts'
import { id, inputId, moment, typedText } from './wire.ts'

const lang = z.enum(['dut', 'fre', 'eng', 'ger'])

/** Absent in a portal that can send no messages (docs/product/messages.md "E-mail"). */
const mail = { sendsMail: z.literal(true).optional() }

/** The signed-in account. `seq_id` is the customer of a `user`. */
const profile = z.object({
  isAuthenticated: z.literal(true),
  username: z.string(),
  fullname: z.string(),
  type: z.enum(roles),
  lang,
  lang_iso: z.enum(['nl', 'fr', 'en', 'de']),
  seq_id: id.nullable(),
  /** Set for an administrator with access to the warehouse only; absent otherwise. */
  warehouse: z.literal(true).optional(),
  /** Absent where no public register of vehicles can be asked (docs/product/vehicles.md "Vehicle by plate"). */
  vehicleRegister: z.literal(true).optional(),
  ...mail,
})
export type Profile = z.output<typeof profile>

/**
 * The step that a sign-in awaits after the password: a second factor, a new password that only the owner of the account knows, or the
 * addition of a second factor, since the site or the operator requires one.
 */
const awaits = z.enum(['factor', 'password', 'enrolment'])
export type Awaits = z.output<typeof awaits>

/** The ways of a second step: those that the account has, or those that can be added. */
const methods = z.enum(['passkey', 'app', 'code'])
export type Method = z.output<typeof methods>

/** A sign-in that is not complete: `step` is shown with what it awaits. `known` are names that a guesser of its password tries first. */
const step = z.object({
  isAuthenticated: z.literal(false),
  awaits,
  step: z.string(),
  username: z.string(),
  known: z.array(z.string()).max(5),
  methods: z.array(methods).max(3),
})
export type Step = z.output<typeof step>
export const profileOrStep = z.discriminatedUnion('isAuthenticated', [profile, step])
/** How a sign-in goes on after a factor was added, and the recovery codes that came with it. */
const enrolled = recoveryCodes.extend({ next: profileOrStep })

/** The token after `#` in the link of a message. */
const token = z.string().min(1).max(100)

/** Why a password is refused. */
export const passwordFailures = ['account.password_weak', 'account.password_guessable'] as const

export const users = feature('users', {
  authenticate: call({
    path: '/users/authenticate',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({ username: z.string().min(1).max(200), password: verbatim(z.string().min(1).max(1000)) }),
    output: profileOrStep,
    failures: ['login.wrong', 'login.too_many', 'login.locked'],
    summary: 'Signs in. The new session is in a cookie. A sign-in that awaits something has no session yet.',
  }),
  newpassword: call({
    path: '/users/newpassword',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({ step: token, password: verbatim(z.string().max(1000)) }),
    output: profileOrStep,
    failures: ['login.expired', 'login.wrong', ...passwordFailures, 'account.password_known'],
    summary: 'Sets the password that a sign-in step requires, and continues the sign-in.',
  }),
  factor: call({
    path: '/users/factor',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({ step: token, code: z.string().min(1).max(40) }),
    output: profileOrStep,
    failures: ['login.expired', 'login.wrong', 'factor.wrong', 'login.too_many', 'login.locked'],
    summary:
      'Goes on with a sign-in that awaits a second factor, by a code of the authenticator app or a recovery code.',
  }),
  askpasskey: call({
    path: '/users/askpasskey',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({ step: token.optional() }),
    output: passkeyWanted,
    failures: ['login.expired'],
    summary:
      'Answers what a passkey has to sign: one of the sign-in that awaits a second factor, or any without a step.',
  }),
  passkey: call({
    path: '/users/passkey',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({ step: token.optional(), response: passkeyShown }),
    output: profileOrStep,
    failures: ['login.expired', 'login.wrong', 'factor.wrong'],
    summary: 'Signs in with a passkey, or goes on with a sign-in that awaits a second factor.',
  }),
  offer: call({
    path: '/users/offer',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({ step: token }),
    output: offered,
    failures: ['login.expired'],
    summary: 'Returns the enrolment options of a second factor during sign-in.',
  }),
  enrolapp: call({
    path: '/users/enrolapp',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: appShown.extend({ step: token }),
    output: enrolled,
    failures: ['login.expired', 'login.wrong', 'factor.wrong', 'login.too_many', 'login.locked'],
    summary: 'Enrols an authenticator app during sign-in and continues.',
  }),
  enrolpasskey: call({
    path: '/users/enrolpasskey',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: passkeyAdded.extend({ step: token }),
    output: enrolled,
    failures: ['login.expired', 'login.wrong', 'factor.wrong'],
    summary: 'Enrols a passkey during sign-in and continues.',
  }),
  loginstate: call({
    path: '/users/loginstate',
    scope: 'read',
    workKind: 'scan',
    who: 'anyone',
    input: noInput,
    output: z.discriminatedUnion('isAuthenticated', [
      profile,
      z.object({ isAuthenticated: z.literal(false), ...mail }),
    ]),
    summary: 'Answers who is signed in, if anybody.',
  }),
  logout: call({
    path: '/users/logout',
    scope: null,
    who: 'anyone',
    input: noInput,
    output: z.object({
      /** Where the browser ends the session at the provider that began this one (docs/product/accounts.md "Single sign-on"). */
      next: z.string().optional(),
    }),
    summary: 'Signs out and ends the session.',
  }),
  language: call({
    path: '/users/language',
    scope: null,
    who: roles,
    warehouse: true,
    input: z.object({ lang }),
    output: profile,
    summary: 'Changes the language of the account.',
  }),
  password: call({
    path: '/users/password',
    scope: null,
    workKind: 'signIn',
    who: roles,
    warehouse: true,
    input: z.object({ password: verbatim(z.string().min(1).max(1000)), wanted: verbatim(z.string().max(1000)) }),
    output: profile,
    failures: ['account.password_wrong', ...passwordFailures, 'login.too_many', 'login.locked'],
    summary: 'Changes the password of the caller. Other sessions of the account end; this one gets a new token.',
  }),
  forgotten: call({
    path: '/users/forgotten',
    scope: null,
    who: 'anyone',
    input: z.object({ username: typedText(200).pipe(z.string().min(1)) }),
    output: z.object({}),
    failures: ['mail.off'],
    summary:
      'Sends the link to a new password to whoever has this username or e-mail address. The answer is the same when nobody does.',
  }),
  link: call({
    path: '/users/link',
    scope: null,
    who: 'anyone',
    input: z.object({ token }),
    output: z.object({ kind: z.enum(linkKinds), username: z.string(), fullname: z.string(), until: moment }),
    failures: ['link.invalid'],
    summary: 'Answers whose password the token of a link sets, and until when.',
  }),
  setpassword: call({
    path: '/users/setpassword',
    scope: null,
    who: 'anyone',
    input: z.object({ token, password: verbatim(z.string().max(1000)) }),
    output: z.object({ username: z.string() }),
    failures: ['link.invalid', ...passwordFailures],
    summary: 'Sets the password of an account by the token of a link, once, and ends its sessions.',
  }),
})

/** A session of the caller's account. */
const session = z.object({
  _id: id,
  /** `Firefox, Windows`; empty when the browser did not say. */
  device: z.string(),
  /** The internet address that it began from; empty when that is not known. */
  address: z.string(),
  began: moment,
  seen: moment,
  /** The one that asks. */
  present: z.boolean(),
})
export type OwnSession = z.output<typeof session>

const sessionAnswers: AnswerName[] = ['account.sessions']
const factorAnswers: AnswerName[] = ['account.factors']

export const account = feature('account', {
  sessions: call({
    path: '/account/sessions',
    scope: null,
    who: roles,
    warehouse: true,
    input: noInput,
    output: rows(session),
    summary: 'Lists the sessions of the caller, the present one first.',
  }),
  endsession: call({
    path: '/account/endsession',
    scope: null,
    who: roles,
    warehouse: true,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing'],
    invalidates: sessionAnswers,
    summary: 'Ends a session of the caller.',
  }),
  endothers: call({
    path: '/account/endothers',
    scope: null,
    who: roles,
    warehouse: true,
    input: noInput,
    output: z.object({}),
    invalidates: sessionAnswers,
    summary: 'Ends all sessions of the caller but the present one. Their devices are no longer known.',
  }),
  askpasskey: call({
    path: '/account/askpasskey',
    scope: null,
    who: roles,
    warehouse: true,
    input: z.object({
      /** Without the password, the passkey has to verify its owner. */
      alone: z.boolean().default(true),
    }),
    output: passkeyWanted,
    failures: ['account.no_factor'],
    summary: 'Answers what a passkey of the caller has to sign, to show again who the caller is.',
  }),
  confirm: call({
    path: '/account/confirm',
    scope: null,
    workKind: 'signIn',
    who: roles,
    warehouse: true,
    input: z
      .object({
        password: verbatim(z.string().min(1).max(1000)).optional(),
        /** Of the authenticator app, or a recovery code: where the account has a second factor and no passkey is shown. */
        code: z.string().min(1).max(40).optional(),
        passkey: passkeyShown.optional(),
      })
      .refine(({ password, passkey }) => password !== undefined || passkey !== undefined, { path: ['password'] }),
    output: z.object({}),
    failures: ['account.password_wrong', 'factor.missing', 'factor.wrong', 'login.too_many', 'login.locked'],
    summary:
      'Shows again who the caller is: by the password, with a second factor where the account has one, or by a passkey alone. For a quarter of an hour the session may then do what `session.stale` refuses.',
  }),
  factors: call({
    path: '/account/factors',
    scope: null,
    who: roles,
    warehouse: true,
    input: noInput,
    output: factors,
    summary:
      'Answers the passkeys, the authenticator app and the recovery codes of the caller, and whether single sign-on signs the caller in.',
  }),
  offer: call({
    path: '/account/offer',
    scope: null,
    who: roles,
    warehouse: true,
    input: noInput,
    output: offered,
    failures: ['session.stale'],
    summary: 'Answers what a new passkey or authenticator app of the caller is made from.',
  }),
  addapp: call({
    path: '/account/addapp',
    scope: null,
    workKind: 'signIn',
    who: roles,
    warehouse: true,
    input: appShown,
    output: recoveryCodes,
    failures: ['session.stale', 'factor.wrong', 'login.too_many', 'login.locked'],
    invalidates: factorAnswers,
    summary: 'Adds an authenticator app, in the place of the one before. The first factor comes with recovery codes.',
  }),
  removeapp: call({
    path: '/account/removeapp',
    scope: null,
    who: roles,
    warehouse: true,
    input: noInput,
    output: z.object({}),
    failures: ['session.stale', 'account.no_factor', 'account.factor_needed'],
    invalidates: factorAnswers,
    summary: 'Removes the authenticator app of the caller. Removing the last factor deletes the recovery codes.',
  }),
  addpasskey: call({
    path: '/account/addpasskey',
    scope: null,
    workKind: 'signIn',
    who: roles,
    warehouse: true,
    input: passkeyAdded,
    output: recoveryCodes,
    failures: ['session.stale', 'factor.wrong', 'account.too_many_passkeys'],
    invalidates: factorAnswers,
    summary: 'Adds a passkey. The first factor comes with recovery codes.',
  }),
  removepasskey: call({
    path: '/account/removepasskey',
    scope: null,
    who: roles,
    warehouse: true,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['session.stale', 'record.missing', 'account.factor_needed'],
    invalidates: factorAnswers,
    summary: 'Removes a passkey of the caller. Removing the last factor deletes the recovery codes.',
  }),
  renewcodes: call({
    path: '/account/renewcodes',
    scope: null,
    workKind: 'signIn',
    who: roles,
    warehouse: true,
    input: noInput,
    output: recoveryCodes,
    failures: ['session.stale', 'account.no_factor'],
    invalidates: factorAnswers,
    summary: 'Makes new recovery codes. Those before no longer work.',
  }),
})
