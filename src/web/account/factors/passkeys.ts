/** Passkeys in the browser: availability, creation and use. */
import type { z } from 'zod'
import type { PasskeyMade, passkeyOffered, PasskeyShown, passkeyWanted } from '#contract/factors.ts'
import { i18n, say } from '../../i18n.ts'

/** Whether this browser has passkeys, at this address: they need https, but on the machine itself. */
export const hasPasskeys = (): boolean => window.isSecureContext && typeof PublicKeyCredential === 'function'

/** Loaded on first use, with the texts of its failures: most users never need it. */
async function library() {
  const [parts] = await Promise.all([import('@simplewebauthn/browser'), i18n.loadNamespaces('factors')])
  return parts
}

/** Asks for a passkey. @throws Error in the language of the page when its owner shows none */
export async function showPasskey(wanted: z.output<typeof passkeyWanted>): Promise<PasskeyShown> {
  const { startAuthentication } = await library()
  return startAuthentication({ optionsJSON: wanted as Parameters<typeof startAuthentication>[0]['optionsJSON'] }).catch(
    () => {
      throw new Error(say('factors:passkeyNotShown'))
    },
  )
}

/** Has a passkey made. @throws Error in the language of the page when none was made */
export async function makePasskey(offered: z.output<typeof passkeyOffered>): Promise<PasskeyMade> {
  const { startRegistration, WebAuthnError } = await library()
  const optionsJSON = offered as Parameters<typeof startRegistration>[0]['optionsJSON']
  const { response, ...credential } = await startRegistration({ optionsJSON }).catch(error => {
    const isRegistered = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
    throw new Error(say(isRegistered ? 'factors:passkeyKnown' : 'factors:passkeyNotMade'))
  })
  return { ...credential, type: 'public-key', response: { ...response, transports: response.transports ?? [] } }
}
