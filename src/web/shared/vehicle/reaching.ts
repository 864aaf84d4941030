/** Which tyres of the fleet reach their limit this season, and when (docs/wear.md). */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Answer } from '#contract/call.ts'
import { fleet as calls } from '#contract/fleet.ts'
import { tyres as tyreCalls } from '#contract/tyres.ts'
import type { WearForecast } from '#domain/wear.ts'
import { ask, keyOf, useAnswer } from '../api.ts'
import { ofCustomer, useActing } from '../session.ts'

/** Between which days nine of ten such tyres wear down to a limit, in mm; `now`: it is there already. */
export type Reach = (WearForecast & { readonly limit: number }) | 'now'

/** The tyres; none until they are asked for, and as long as they are on their way. */
export function useReaching({ asked }: { asked: boolean }) {
  const answer = useAnswer(calls.reaching, ofCustomer(useActing()), { enabled: asked })
  const tyres = useMemo(() => new Set(asked ? answer.data?.tyres : []), [asked, answer.data])
  return {
    tyres,
    isPending: asked && answer.isPending,
    failed: asked && answer.isError && !answer.data ? answer : null,
  }
}

/** For how many tyres the server forecasts at once. */
const most = 50
/** A forecast changes with a reading, which is told, and with the day. */
const staleTime = 600_000

/** When each of these tyres, which reach their limit this season, does so. */
export function useReaches(tyres: ReadonlySet<number>) {
  const ids = [...tyres].toSorted((a, b) => a - b)
  const asked = ids.length > 0
  const answer = useQuery({
    queryKey: [...keyOf(tyreCalls.forecast, { tyres: ids }), 'all'],
    queryFn: async ({ signal }) => {
      const found: Answer<typeof tyreCalls.forecast>[] = []
      for (let at = 0; at < ids.length; at += most) {
        // oxlint-disable-next-line no-await-in-loop -- a forecast takes the server's processor: one part after the other
        found.push(await ask(tyreCalls.forecast, { tyres: ids.slice(at, at + most) }, { signal }))
      }
      return found.flat()
    },
    enabled: asked,
    staleTime,
    placeholderData: previous => previous,
  })
  const reaches = useMemo(() => {
    const forecasts = new Map(answer.data?.map(forecast => [forecast.tyre, forecast]))
    return new Map(
      (answer.data ? [...tyres] : []).flatMap((tyre): [number, Reach][] => {
        const forecast = forecasts.get(tyre)
        if (!forecast) return [[tyre, 'now']]
        const { limit, from, until } = forecast
        return from !== null && until !== null ? [[tyre, { limit, from, until }]] : []
      }),
    )
  }, [tyres, answer.data])
  return {
    reaches,
    isPending: asked && answer.isPending,
    failed: asked && answer.isError && !answer.data ? answer : null,
  }
}
