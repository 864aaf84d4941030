/** Secrets that the portal encrypts with a key that is in no database and no backup (docs/operations.md "Configure"). */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Secrets = {
  /** Whether the key is persistent and the same on every node, so that encrypted values can be stored. */
  readonly isPersistent: boolean
  /** A fingerprint of a text that nobody can reverse by trying texts, in hex. */
  fingerprint(text: string): string
  /** Encrypts for `purpose`, such as the row that it is kept in: it opens for the same purpose only. */
  encrypt(text: string, purpose: string): Buffer
  /** @throws Error when it was encrypted with another key or for another purpose, or was changed */
  decrypt(sealed: Buffer, purpose: string): string
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Secrets under a key of any form, or under one that this process makes up and that is gone when it ends. */
export function openSecrets(key: string | null): Secrets {
  const source = key ?? randomBytes(32)
  const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', source, '', `wheelhouse ${use}`, 32))
  const forFingerprints = derive('fingerprint')
  const forSeals = derive('seal')
  return {
    isPersistent: key !== null,
    fingerprint: text => createHmac('sha256', forFingerprints).update(text).digest('hex'),
    encrypt(text, purpose) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, forSeals, nonce).setAAD(Buffer.from(purpose))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    decrypt(sealed, purpose) {
      const decipher = createDecipheriv(algorithm, forSeals, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** A shorter key could be guessed. */
export const minKeyLength = 32

/**
 * The key of a portal that keeps its own database: in a file beside it that only its user can read, made at the first start. It gets
 * its name when it is on the disk: a power cut leaves no empty one.
 * @throws Error when the file has no key in it: a new key could not decrypt the secrets
 */
export function keyBesideData(directory: string): string {
  const file = join(directory, 'secret-key')
  if (!existsSync(file)) {
    const unfinished = `${file}.unfinished`
    writeFileSync(unfinished, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    chmodSync(unfinished, 0o600)
    renameSync(unfinished, file)
  }
  const key = readFileSync(file, 'utf8').trim()
  if (key.length < minKeyLength)
    throw new Error(
      `${file} holds no key of ${minKeyLength} characters or more. Put the right one back; without it nobody's authenticator app works, so remove the file only when nobody has one.`,
    )
  return key
}
