/** The open work of the warehouse, for the list of jobs and the number in the navigation. */
import { counts } from '#contract/counts.ts'
import { waves } from '#contract/waves.ts'
import { wheels } from '#contract/wheels.ts'
import { countedJobs } from '#domain/warehouse/clearUp.ts'
import { useAnswer } from '../shared/api.ts'
import { pollInterval } from '../shared/session.ts'

/** How much there is to clear up, of all kinds; `undefined` while that is not known. */
export function useToClearUp() {
  const { data, dataUpdatedAt } = useAnswer(wheels.tally, {}, { refetchInterval: pollInterval })
  return { toClearUp: data && countedJobs(data), answeredAt: dataUpdatedAt }
}

/** The open waves and counts too, and how old the oldest of the answers is. */
export function useJobs() {
  const waveList = useAnswer(waves.all, {}, { refetchInterval: pollInterval })
  const countList = useAnswer(counts.all, {}, { refetchInterval: pollInterval })
  const { toClearUp, answeredAt } = useToClearUp()
  return {
    waves: waveList.data?.waves.length,
    counts: countList.data?.filter(({ ended }) => ended === null).length,
    toClearUp,
    answeredAt: Math.min(waveList.dataUpdatedAt, countList.dataUpdatedAt, answeredAt),
  }
}
