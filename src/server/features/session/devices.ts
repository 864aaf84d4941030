/** Browsers in which somebody signed in before: they are not held out by what others try (docs/decisions/0033). */
import { hashToken, newToken } from '../../tokens.ts'
import type { Context } from '../handler.ts'
import { enqueueMail } from '../mail/enqueue.ts'
import { deviceOf, isOurs, noteDevice } from './devices.sql.ts'

type Asking = Pick<Context<unknown, 'anyone'>, 'tx' | 'now' | 'who' | 'request'>

const hashOf = ({ device }: Asking['request']): Buffer | null =>
  device === null || device.length > 100 ? null : hashToken(device)

/** The hash of the browser that asks, when the account signed in with it before. */
export async function knownDevice(
  { tx, now, request }: Pick<Asking, 'tx' | 'now' | 'request'>,
  account: number,
): Promise<Buffer | null> {
  const hash = hashOf(request)
  return hash && (await tx.maybe(deviceOf, { hash, account, now })) ? hash : null
}

/** Notes that the account signed in with the browser that asks. Its owner gets a message when it is another one than before. */
export async function rememberDevice(context: Asking, account: number): Promise<void> {
  const { tx, now, request } = context
  // a token that the portal did not make could stand in somebody else's browser, too
  const hash = hashOf(request)
  const isKnown = hash !== null && (await tx.one(isOurs, { hash })).known
  const token = isKnown ? (request.device as string) : newToken()
  const { added, others } = await tx.one(noteDevice, { hash: hashToken(token), account, now })
  request.setDevice(token)
  if (added && others > 0) await enqueueMail(context, account, 'newDevice')
}
