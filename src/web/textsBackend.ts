/** Where texts come from. While the server does not answer, they are waited for instead of given up. */
import type { ReadCallback } from 'i18next'
import Backend from 'i18next-http-backend'
import { checkConnection, isLost } from './shared/connection.ts'

/**
 * Waits for the texts of a screen until the server is back: i18next itself gives up after some seconds, shows keys for good and reports each of them
 * as missing.
 */
export class TextsBackend extends Backend {
  override read(language: string, namespace: string, callback: ReadCallback): void {
    super.read(language, namespace, (error, texts) => {
      // cache a missing file as empty, so that it is not requested again
      const tryAgain = async () => {
        await checkConnection()
        callback(error, texts)
      }
      if (error && texts === true) void tryAgain()
      else callback(error, texts)
    })
  }

  override create(languages: string[], namespace: string, key: string, fallback: string): void {
    if (!isLost()) super.create?.(languages, namespace, key, fallback)
  }
}
