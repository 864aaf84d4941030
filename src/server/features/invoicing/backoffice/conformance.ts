/** The tests that every implementation of the back office port must pass. */
import { describe, expect, test } from 'vitest'
import type { BackOffice, SentDocument } from './port.ts'

export type BackOfficeFixture = {
  readonly office: BackOffice
  /** A new document, as the portal makes it. */
  document(change?: Partial<SentDocument>): Promise<SentDocument>
  /** The references that the back office has for this key, read from its books and not with `book`. */
  booked(key: string): Promise<string[]>
}

/** Retries as the outbox does, until the document is booked. */
async function bookWithRetries(office: BackOffice, document: SentDocument): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      return await office.book(document, AbortSignal.timeout(10_000))
    } catch {
      // tried again
    }
  }
  throw new Error('it was never booked')
}

/** `open` is called for each test; what it opens is closed by the caller. */
export function backOfficeConforms(name: string, open: () => Promise<BackOfficeFixture>): void {
  describe(`${name}, as a back office,`, () => {
    test('books a document and returns its reference', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      const reference = await bookWithRetries(office, sent)
      expect(reference).not.toBe('')
      expect(await booked(sent.key)).toEqual([reference])
    })

    test('books a document that is sent again once, with the same reference', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      const references = new Set<string>()
      for (let nth = 0; nth < 10; nth++) references.add(await bookWithRetries(office, sent))
      expect(await booked(sent.key)).toEqual([...references])
      expect(references.size).toBe(1)
    })

    test('books a document that is sent twenty times at once, once', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      const references = await Promise.all(Array.from({ length: 20 }, () => bookWithRetries(office, sent)))
      expect(new Set(references).size).toBe(1)
      expect(await booked(sent.key)).toEqual([references[0]])
    })

    test('keeps documents apart, however alike they are', async () => {
      const { office, document, booked } = await open()
      const [one, other] = [await document(), await document()]
      const references = [await bookWithRetries(office, one), await bookWithRetries(office, other)]
      expect(new Set(references).size).toBe(2)
      expect([await booked(one.key), await booked(other.key)]).toEqual(references.map(reference => [reference]))
    })

    test('takes a document without lines, and one of a storage without vehicle', async () => {
      const { office, document, booked } = await open()
      for (const change of [
        { lines: [], amount_excl: 0 },
        { reason: 'storage', license_plate: null },
      ] as const) {
        const sent = await document(change)
        const reference = await bookWithRetries(office, sent)
        expect(await booked(sent.key)).toEqual([reference])
      }
    })

    test('does nothing when it is aborted, and books when it is asked again', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      await expect(office.book(sent, AbortSignal.abort())).rejects.toThrow()
      const reference = await bookWithRetries(office, sent)
      expect(await booked(sent.key)).toEqual([reference])
    })
  })
}
