import { useState } from 'react'
import { notify } from '../ui/notify.ts'
import { messageOf } from './api.ts'

/** A task that takes a while, such as creating a file: whether it is running, and a function to start it. Failures show in a toast. */
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
