/** What every back office must keep to, whatever stands behind it: run for each implementation by its test. */
import { describe, expect, test } from 'vitest'
import type { BackOffice, SentDocument } from './port.ts'

export type OfficeInTest = {
  readonly office: BackOffice
  /** A document that was never sent, as the portal makes it. */
  document(change?: Partial<SentDocument>): Promise<SentDocument>
  /** The references under which the back office has this key: looked up in its books, not asked of `book`. */
  booked(key: string): Promise<string[]>
}

/** Asks as the outbox does: again and again, until it is booked. */
async function insist(office: BackOffice, document: SentDocument): Promise<string> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      return await office.book(document, AbortSignal.timeout(10_000))
    } catch {
      // asked again
    }
  }
  throw new Error('it was never booked')
}

/** `open` is called for each test; what it opens is closed by the caller. */
export function backOfficeConforms(name: string, open: () => Promise<OfficeInTest>): void {
  describe(`${name}, as a back office,`, () => {
    test('books a document and says under which reference', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      const reference = await insist(office, sent)
      expect(reference).not.toBe('')
      expect(await booked(sent.key)).toEqual([reference])
    })

    test('books what comes again under its key once, under the same reference', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      const references = new Set<string>()
      for (let nth = 0; nth < 10; nth++) references.add(await insist(office, sent))
      expect(await booked(sent.key)).toEqual([...references])
      expect(references.size).toBe(1)
    })

    test('books what comes twenty times at once, once', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      const references = await Promise.all(Array.from({ length: 20 }, () => insist(office, sent)))
      expect(new Set(references).size).toBe(1)
      expect(await booked(sent.key)).toEqual([references[0]])
    })

    test('keeps documents apart, however alike they are', async () => {
      const { office, document, booked } = await open()
      const [one, other] = [await document(), await document()]
      const references = [await insist(office, one), await insist(office, other)]
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
        const reference = await insist(office, sent)
        expect(await booked(sent.key)).toEqual([reference])
      }
    })

    test('does nothing once it is told to stop, and does it when asked again', async () => {
      const { office, document, booked } = await open()
      const sent = await document()
      await expect(office.book(sent, AbortSignal.abort())).rejects.toThrow()
      const reference = await insist(office, sent)
      expect(await booked(sent.key)).toEqual([reference])
    })
  })
}
