/** Factors used with a password, or instead of one: passkeys, an authenticator app, recovery codes (docs/decisions/0034). */
import { z } from 'zod'
import { id, moment, typedText } from './wire.ts'

/** Bytes in the form that browsers use for passkeys. */
const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/)

/** How the device of a passkey is reached, such as `internal` or `usb`. */
const transports = z.array(z.string().max(40)).max(10)

/** Browsers send `rawId`, which is the same, and more; nothing of it is used. */
const credential = { id: base64url(1400), type: z.literal('public-key') }

/** A browser's answer after creating a passkey, as `RegistrationResponseJSON` of Web Authentication says. */
const passkeyMade = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(10_000),
    transports: transports.default([]),
  }),
})
export type PasskeyMade = z.output<typeof passkeyMade>

/** A browser's signature with a passkey, as `AuthenticationResponseJSON` of Web Authentication says. */
export const passkeyShown = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(2000),
    userHandle: base64url(200).nullish(),
  }),
})
export type PasskeyShown = z.output<typeof passkeyShown>

const named = z.object({ id: z.string(), type: z.literal('public-key'), transports: transports.optional() })
const verification = z.enum(['required', 'preferred', 'discouraged'])

/** The challenge that a browser signs with a passkey, as `PublicKeyCredentialRequestOptionsJSON` says. */
export const passkeyWanted = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  allowCredentials: z.array(named).max(20).optional(),
  userVerification: verification,
})

/** The options from which a browser creates a passkey, as `PublicKeyCredentialCreationOptionsJSON` says. */
export const passkeyOffered = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })).max(20),
  timeout: z.number(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(named).max(20),
  authenticatorSelection: z.object({
    residentKey: verification,
    requireResidentKey: z.boolean(),
    userVerification: verification,
  }),
  extensions: z.object({ credProps: z.boolean() }).optional(),
  hints: z.array(z.string()).max(5).optional(),
})

/** A new authenticator app: its seed as text and as the address that a QR code shows, and `sealed`, which is sent back with a code. */
const appOffered = z.object({ seed: z.string(), address: z.string(), sealed: z.string() })
export type AppOffered = z.output<typeof appOffered>

/** The code of an app for a new one. */
export const appShown = z.object({ sealed: z.string().min(1).max(400), code: z.string().max(20) })

/** The factors that can be added: no app in a portal without SECRET_KEY. */
export const offered = z.object({ app: appOffered.nullable(), passkey: passkeyOffered })
export type Offered = z.output<typeof offered>

/** The most passkeys of an account. */
export const maxPasskeys = 10

/** A new passkey, and what its owner calls it. */
export const passkeyAdded = z.object({ name: typedText(100).pipe(z.string().min(1)), response: passkeyMade })
export type PasskeyAdded = z.output<typeof passkeyAdded>

/**
 * The factors of an account. `codes` are the unused ones. `needed`: the site or the operator requires a second factor. `sign_on`: the
 * account is linked to a person at the site's provider of single sign-on.
 */
export const factors = z.object({
  passkeys: z.array(z.object({ _id: id, name: z.string(), created: moment, used: moment.nullable() })).max(maxPasskeys),
  app: z.object({ created: moment, used: moment.nullable() }).nullable(),
  codes: z.number().int(),
  needed: z.boolean(),
  sign_on: z.boolean(),
})
export type Factors = z.output<typeof factors>

/** New recovery codes, shown this once; none when the account had some. */
export const recoveryCodes = z.object({ codes: z.array(z.string()).max(10) })
