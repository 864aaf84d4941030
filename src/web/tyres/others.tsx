/** How many tyres of other statuses the filter finds, and a button that lists them, too. */
import { Button, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { RawInput } from '#contract/call.ts'
import { fleet as calls, vehiclesPerPage } from '#contract/fleet.ts'
import type { TyreStatus } from '#domain/tyres/tyre.ts'
import { useAnswer } from '../shared/api.ts'
import { useSite } from '../shared/session.ts'
import { rowsOf, shownOf, type TyreRow, type Wanted } from './rows.ts'

type OthersProps = {
  rows: readonly TyreRow[]
  /** There are more than these. */
  more?: boolean
  show: (rows: readonly TyreRow[]) => void
}

export function Others({ rows, more = false, show }: OthersProps) {
  const { t } = useTranslation('tyres')
  if (rows.length === 0) return null
  const { length: count } = rows
  return (
    <Text size="sm" mb="xs" role="status">
      {more ? t('othersAtLeast', { count }) : t('others', { count })}{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => show(rows)}>
        {t('showOthers')}
      </Button>
    </Text>
  )
}

type SiteOthersProps = {
  input: RawInput<typeof calls.fetch>
  wanted: Omit<Wanted, 'statuses'>
  statuses: readonly TyreStatus[]
  show: OthersProps['show']
}

/** The list of a whole site has only the requested rows: this asks the server once more. */
export function SiteOthers({ input, wanted, statuses, show }: SiteOthersProps) {
  const { i18n } = useTranslation()
  const { language } = i18n
  const { mode } = useSite()
  const { data: fleet } = useAnswer(calls.fetch, input, { enabled: statuses.length > 0 })
  const rows = useMemo(
    () => shownOf(rowsOf(fleet ?? [], { language, ofSite: true, mode }), { ...wanted, statuses, searched: true }),
    [fleet, language, mode, wanted, statuses],
  )
  return <Others rows={rows} more={fleet?.length === vehiclesPerPage} show={show} />
}
