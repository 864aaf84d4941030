/** Single sign-on by the OpenID Connect provider of a site (docs/product/accounts.md "Single sign-on"). */
import { z } from 'zod'
import { issuerFrom } from '#domain/people/signOn.ts'
import { type AnswerName, call, feature, noInput } from './call.ts'
import { profileOrStep } from './session.ts'
import { verbatim } from './readInput.ts'
import { id, inputId, typedText } from './wire.ts'

export const signOnLimits = { name: 60, issuer: 500, clientId: 200, clientSecret: 500, claim: 100 } as const

/** The provider of a site, without its secret. */
const provider = z.object({
  /** On the button of the login page. */
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_secret: z.boolean(),
  claim: z.string(),
  /** The customer whose accounts are made on demand, and what it is called; null: none are made. */
  seq_id: id.nullable(),
  customer: z.string().nullable(),
})
export type SignOnProvider = z.output<typeof provider>

const filled = (max: number) => typedText(max).pipe(z.string().min(1))

/** The provider of a site as an administrator enters it. */
const signOnForm = z.object({
  name: filled(signOnLimits.name),
  issuer: typedText(signOnLimits.issuer)
    .transform(issuerFrom)
    .pipe(z.url({ protocol: /^https?$/ })),
  client_id: filled(signOnLimits.clientId),
  /** Left out, it stays as it is, as long as the issuer is the same; empty for a client without one. */
  client_secret: verbatim(z.string().max(signOnLimits.clientSecret)).optional(),
  claim: typedText(signOnLimits.claim).pipe(z.string().regex(/^[\w.:/-]+$/)),
  /** The customer whose accounts are made on demand; left out, none are. */
  seq_id: inputId.optional(),
})
export type SignOnForm = z.input<typeof signOnForm>

/** Why a provider can't be asked. */
const providerFailures = ['signOn.address', 'signOn.unreachable', 'signOn.unusable'] as const
const changed: AnswerName[] = ['signOn.settings', 'site.gsc']

export const signOn = feature('signOn', {
  begin: call({
    path: '/signon/begin',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({
      /** The person must sign in at the provider again, even if signed in there. */
      fresh: z.boolean().optional(),
      /** Links the signed-in account to the person who signs in at the provider. Needs a fresh sign-in. */
      link: z.boolean().optional(),
    }),
    output: z.object({ url: z.string() }),
    failures: ['site.unknown', 'session.missing', 'session.stale', 'signOn.off', 'signOn.client', ...providerFailures],
    summary:
      "Begins a sign-in by the site's provider, or the linking of the caller's account to it. Answers where the browser has to go.",
  }),
  finish: call({
    path: '/signon/finish',
    scope: null,
    workKind: 'signIn',
    who: 'anyone',
    input: z.object({
      /** The query of the address to which the provider sent the browser back. */
      answer: z.string().min(1).max(8000),
    }),
    output: profileOrStep,
    failures: [
      'site.unknown',
      'signOn.off',
      'signOn.expired',
      'signOn.declined',
      'signOn.failed',
      'signOn.client',
      'signOn.claim',
      'signOn.no_account',
      'signOn.linked',
      'signOn.other_account',
      'login.wrong',
      ...providerFailures,
    ],
    summary: 'Goes on with a sign-in that comes back from the provider, once, in the browser that began it.',
  }),
  settings: call({
    path: '/signon/settings',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: z.object({
      provider: provider.nullable(),
      /** Whether the portal can keep the secret of a client. */
      available: z.boolean(),
      /** The addresses to register at the provider, to which it sends browsers after a sign-in and after a sign-out. */
      redirect: z.string(),
      afterSignOut: z.string(),
    }),
    summary: 'Answers the provider of the site, and what has to be registered there.',
  }),
  save: call({
    path: '/signon/save',
    scope: null,
    workKind: 'signIn',
    who: ['admin'],
    warehouse: false,
    input: signOnForm,
    output: provider,
    failures: ['session.stale', 'record.missing', 'signOn.key', 'signOn.client', ...providerFailures],
    invalidates: changed,
    summary: 'Saves the provider of the site, once it has answered as one.',
  }),
  remove: call({
    path: '/signon/remove',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: noInput,
    output: z.object({}),
    failures: ['session.stale', 'record.missing', 'signOn.off'],
    invalidates: changed,
    summary: 'Removes the provider of the site. Accounts stay.',
  }),
  unlink: call({
    path: '/signon/unlink',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['session.stale', 'record.missing'],
    invalidates: ['customers.accounts', 'account.factors'],
    summary: 'Takes the link to somebody at the provider from an account: whoever comes with its name next has it.',
  }),
})
