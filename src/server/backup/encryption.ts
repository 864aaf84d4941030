/** Backups that are encrypted with a passphrase, as files of age (docs/operations.md "Automatic backups"). */
import { Duplex, PassThrough, Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import type { BackupFile } from './storage.ts'

/** The passphrase of a backup (BACKUP_KEY); `null`: it is not encrypted. */
export type Passphrase = string | null

/** Of scrypt, by its logarithm: a guess takes 64 MiB of memory. */
const workFactor = 16

const header = 'age-encryption.org/v1'

/** Whether a file is one of age. @throws the error of the file */
export async function isEncrypted(file: BackupFile): Promise<boolean> {
  const pieces: Buffer[] = []
  for await (const piece of await file.read(header.length)) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('latin1') === header
}

/** Encrypts what flows through it. */
export function encryption(passphrase: Passphrase): Duplex {
  if (passphrase === null) return new PassThrough()
  return through(plain => {
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    encrypter.setScryptWorkFactor(workFactor)
    return encrypter.encrypt(plain)
  })
}

/** Decrypts a stream. Its error is that of the source, or says that the passphrase is another one or the file was changed. */
export function decryption(source: Readable, passphrase: string): Readable {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const decrypted = through(encrypted => decrypter.decrypt(encrypted))
  source.on('error', error => decrypted.destroy(error))
  return source.pipe(decrypted)
}

/** A stream of Node around work on a stream of the web, which begins when the first bytes are there. */
function through(work: (input: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>): Duplex {
  return Duplex.from(async function* (input: AsyncIterable<Buffer>) {
    const output = await work(Readable.toWeb(Readable.from(input)) as ReadableStream<Uint8Array>)
    for await (const piece of Readable.fromWeb(output as Parameters<typeof Readable.fromWeb>[0])) yield piece
  })
}
