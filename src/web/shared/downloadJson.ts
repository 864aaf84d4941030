import { useMutation } from '@tanstack/react-query'
import type { RawInput, Call } from '#contract/call.ts'
import { ask, messageOf } from './api.ts'
import { saveFile } from '../ui/download.ts'
import { notify } from '../ui/notify.ts'

/** Downloads the answer of a call as a JSON file, for the person it describes (docs/promises.md "Personal data"). */
export function useJsonDownload<C extends Call>(call: C, { name, done }: { name: string; done: string }) {
  return useMutation({
    mutationFn: (input: RawInput<C>) => ask(call, input),
    onSuccess: data => {
      saveFile(`${JSON.stringify(data, null, 2)}\n`, { name: `${name}.json`, type: 'application/json' })
      notify.success(done)
    },
    onError: error => notify.error(messageOf(error)),
  })
}
