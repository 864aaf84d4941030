/** Access tokens: a program makes the calls of the portal with one (docs/product/accounts.md "Access tokens"). */
import { z } from 'zod'
import { tokenLifetimes, tokenScopes } from '#domain/people/token.ts'
import { type AnswerName, call, feature } from './call.ts'
import { rows } from './list.ts'
import { id, inputId, moment, typedText } from './wire.ts'

/** `lost`: it was restored from a backup, and those hold no token that works. */
const states = z.enum(['usable', 'expired', 'lost'])

const token = z.object({
  _id: id,
  name: z.string(),
  /** Its last characters. */
  ending: z.string(),
  scopes: z.array(z.enum(tokenScopes)).max(tokenScopes.length),
  made: moment,
  /** Who made it; null when it was somebody whom the site does not know. */
  by: z.string().nullable(),
  expires: moment.nullable(),
  used: moment.nullable(),
  state: states,
})
export type AccessToken = z.output<typeof token>

const wanted = z.object({
  name: typedText(100).pipe(z.string().min(1)),
  scopes: z.array(z.enum(tokenScopes)).min(1).max(tokenScopes.length),
  /** For how many days; null: until it is revoked. */
  days: z.literal(tokenLifetimes),
})
export type WantedToken = z.input<typeof wanted>

/** `token` is answered this once. */
const newToken = z.object({ _id: id, token: z.string() })

const ownTokens: AnswerName[] = ['tokens.own']
const siteTokens: AnswerName[] = ['tokens.site']

export const tokens = feature('tokens', {
  own: call({
    path: '/tokens/own',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({}),
    output: rows(token),
    summary: 'Lists the access tokens of the caller that were not revoked, newest first.',
  }),
  make: call({
    path: '/tokens/make',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: wanted,
    output: newToken,
    failures: ['session.stale', 'token.scope_refused', 'token.too_many'],
    invalidates: ownTokens,
    summary: 'Makes an access token of the caller. It is answered this once; only its hash is stored.',
  }),
  revoke: call({
    path: '/tokens/revoke',
    scope: null,
    who: ['user', 'admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing'],
    invalidates: ownTokens,
    summary: 'Revokes an access token of the caller, for ever.',
  }),
  site: call({
    path: '/tokens/site',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({}),
    output: rows(token),
    summary: 'Lists the access tokens of the site itself that were not revoked, newest first.',
  }),
  makesite: call({
    path: '/tokens/makesite',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: wanted,
    output: newToken,
    failures: ['session.stale', 'record.missing', 'token.too_many'],
    invalidates: siteTokens,
    summary: 'Makes an access token of the site, which acts as an administrator of its own. It is answered this once.',
  }),
  revokesite: call({
    path: '/tokens/revokesite',
    scope: null,
    who: ['admin'],
    warehouse: false,
    input: z.object({ _id: inputId }),
    output: z.object({ _id: id }),
    failures: ['record.missing'],
    invalidates: siteTokens,
    summary: 'Revokes an access token of the site, for ever.',
  }),
})
