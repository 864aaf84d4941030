import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { Answer, Call, RawInput } from '#contract/call.ts'
import { ask, keyOf, type Refused } from './api.ts'

type Paging<C extends Call> = {
  /** The field of the input that names the last row of the page before. */
  after: string
  /** The id of the last row of a page; `null` when there is no page after it. */
  lastOf: (page: Answer<C>) => number | null | undefined
  enabled?: boolean
  /** Shows the pages of the input before while those of another one load. */
  keep?: boolean
}

/** The answer to a call that gives its rows page by page: all pages that were asked for. */
export function usePages<C extends Call>(
  call: C,
  input: RawInput<C>,
  { after, lastOf, enabled = true, keep = false }: Paging<C>,
) {
  return useInfiniteQuery<Answer<C>, Refused, InfiniteData<Answer<C>>, QueryKey, number | null>({
    queryKey: [...keyOf(call, input), 'pages'],
    queryFn: ({ pageParam, signal }) => {
      const page = { ...(input as object), ...(pageParam !== null && { [after]: pageParam }) }
      return ask(call, page as RawInput<C>, { signal })
    },
    initialPageParam: null,
    getNextPageParam: lastOf,
    enabled,
    ...(keep && { placeholderData: previous => previous }),
  })
}
