/** Which tyres of the fleet reach their limit this season (docs/wear.md). */
import { useMemo } from 'react'
import { fleet as calls } from '#contract/fleet.ts'
import { useAnswer } from '../api.ts'
import { ofCustomer, useActing } from '../session.ts'

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
