/** Tokens of sessions and links: whoever has one may act, so the database knows its hash only. */
import { createHash, randomBytes } from 'node:crypto'

/** A new token, 256 bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
