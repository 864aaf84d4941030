/** An authenticator with passkeys, as a browser would ask it: what it makes and signs follows Web Authentication, level 3. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Buffer): string => bytes.toString('base64url')

/** The head of a piece of CBOR: its kind, and a number or the size of what follows. */
const head = (kind: number, size: number): Buffer =>
  size < 24
    ? Buffer.from([(kind << 5) | size])
    : size < 256
      ? Buffer.from([(kind << 5) | 24, size])
      : Buffer.from([(kind << 5) | 25, size >> 8, size & 255])

/** CBOR (RFC 8949) of what a passkey is made of: small numbers, bytes, texts and maps. */
function cbor(value: number | string | Buffer | Map<unknown, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...value].flatMap(([key, entry]) => [cbor(key as number), cbor(entry as number)])
  return Buffer.concat([head(5, value.size), ...entries])
}

const flags = { present: 1, verified: 4, withKey: 64 }

export type Asked = {
  readonly challenge: string
  /** Where the browser is. */
  readonly origin: string
  /** Whether the owner showed a fingerprint or a number. */
  readonly verified?: boolean
  /** How often it was used, for authenticators that count. */
  readonly counter?: number
}

/** A passkey of one host. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #key: KeyObject
  readonly #publicKey: Buffer
  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    )
  }

  /** The browser's message for a new passkey. */
  make({ challenge, origin, verified = true }: Asked) {
    const id = Buffer.concat([Buffer.from([0, this.id.length]), this.id])
    const key = Buffer.concat([Buffer.alloc(16), id, this.#publicKey])
    const authData = Buffer.concat([this.#about(origin, (verified ? flags.verified : 0) | flags.withKey, 0), key])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ])
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', challenge, origin)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
    }
  }

  /** The browser's message for a passkey that is shown. */
  show({ challenge, origin, verified = true, counter = 0 }: Asked) {
    const client = clientData('webauthn.get', challenge, origin)
    const about = this.#about(origin, verified ? flags.verified : 0, counter)
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(about),
        signature: base64url(sign('sha256', Buffer.concat([about, sha256(client)]), this.#key)),
      },
    }
  }

  #named() {
    return { id: base64url(this.id), type: 'public-key' as const }
  }

  #about(origin: string, more: number, counter: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags.present | more]), count])
  }
}

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
