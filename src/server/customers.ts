import { Failure } from '#domain/failure.ts'
import type { Who } from './handler.ts'

/**
 * The customer that a call is about: a customer's account its own, an administrator the one named, if any (SPEC §6). Another
 * customer named by a customer's account is as missing as one that does not exist.
 */
export function customerOf(who: Who, asked: number | undefined): number | null {
  if (who.type !== 'user') return asked ?? null
  if (asked !== undefined && asked !== who.customer) throw new Failure('record.missing')
  return who.customer
}
