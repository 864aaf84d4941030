import { useState } from 'react'
import { notify } from '../ui/notify.ts'
import { messageOf } from './api.ts'

/** Something that takes a while, such as a file that is made: whether it is under way, and how it is begun. What fails is told in a toast. */
export function useTask(wordsOf: (error: unknown) => string = messageOf) {
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      notify.error(wordsOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
