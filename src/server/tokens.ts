/** Tokens of sessions and links. A token alone lets its holder act, so the database knows its hash only. */
import { hash, randomBytes } from 'node:crypto'

/** A new token, 256 bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')
