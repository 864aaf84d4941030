/** Which tyres of the fleet reach their limit this season, and when (docs/wear.md). */
import { useMemo } from 'react'
import { fleet as calls } from '#contract/fleet.ts'
import type { WearForecast } from '#domain/tyres/wear.ts'
import { useAnswer } from '../../shared/api.ts'
import { ofCustomer, useActing } from '../../shared/session.ts'

/** Between which days nine of ten such tyres wear down to a limit, in mm; `now`: it is there already. */
export type Reach = (WearForecast & { readonly limit: number }) | 'now'

/** The tyres that reach a limit, and when; empty until `enabled`, and while loading. */
export function useReaching({ enabled }: { enabled: boolean }) {
  const answer = useAnswer(calls.reaching, ofCustomer(useActing()), { enabled })
  const tyres = useMemo(() => {
    const data = enabled ? answer.data : undefined
    const estimates = new Map(data?.estimates.map(estimate => [estimate.tyre, estimate]))
    return new Map(data?.tyres.map((tyre): [number, Reach] => [tyre, estimates.get(tyre) ?? 'now']))
  }, [enabled, answer.data])
  return {
    tyres,
    isPending: enabled && answer.isPending,
    failed: enabled && answer.isError && !answer.data ? answer : null,
  }
}
