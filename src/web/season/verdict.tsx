/** The verdict on a set for the season: its name and its badge. */
import { Badge } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { type ChangeSeason, type ChangeVerdict, changeVerdicts } from '#domain/season/seasonChange.ts'
import { useSite } from '../shared/session.ts'

const withoutDepth = ['missing'] as const

/** Where depths are hidden, only the verdict that there is no set remains. */
export function useOfferedVerdicts(): readonly ChangeVerdict[] {
  const { allowProfileDepth } = useSite()
  return allowProfileDepth ? changeVerdicts : withoutDepth
}

const colours = { missing: 'red', replace: 'orange', unknown: 'gray', fine: 'gray' } as const satisfies Record<
  ChangeVerdict,
  string
>

/** The name of a verdict; "no tyres" names the season for which there are none. */
export function useVerdictName() {
  const { t } = useTranslation('season')
  return (verdict: ChangeVerdict, to: ChangeSeason) =>
    verdict === 'missing' ? t(`missing.${to}`) : t(`verdictOf.${verdict}`)
}

/** Nothing where the site hides the verdict. */
export function VerdictBadge({ verdict, to }: { verdict: ChangeVerdict; to: ChangeSeason }) {
  const verdictName = useVerdictName()
  return (
    useOfferedVerdicts().includes(verdict) && (
      <Badge color={colours[verdict]} variant="light">
        {verdictName(verdict, to)}
      </Badge>
    )
  )
}
