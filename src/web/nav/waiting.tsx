/** How much waits behind an entry of the navigation. */
import { notices } from '#contract/notices.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { useJobs, useToClearUp } from '../locations/jobs.ts'
import type { Path } from '../screens.ts'
import { useAnswer } from '../shared/api.ts'
import { pollInterval } from '../shared/session.ts'
import { useTranslation } from '../ui/texts.ts'
import classes from './shell.module.css'

export function Waiting({ path }: { path: Path }) {
  if (path === '/admin/clearup') return <ToClearUp />
  if (path === '/admin/jobs') return <Jobs />
  return path === '/notices' ? <Unread /> : null
}

function ToClearUp() {
  const { toClearUp = 0 } = useToClearUp()
  return <Count count={toClearUp} />
}

/** As much as the numbers of its screen together. */
function Jobs() {
  const { waves = 0, counts = 0, toClearUp = 0 } = useJobs()
  return <Count count={waves + counts + toClearUp} />
}

/** How many notices are unread. */
function Unread() {
  const { data } = useAnswer(notices.list, {}, { refetchInterval: pollInterval, muted: true })
  return <Count count={data?.unread ?? 0} />
}

function Count({ count }: { count: number }) {
  const { i18n } = useTranslation()
  return count === 0 ? null : <span className={classes.count}>{formatNumber(count, i18n.language)}</span>
}
