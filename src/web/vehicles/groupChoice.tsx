/** Chooses a group of vehicles; nothing where the fleet has none. */
import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { useFleet } from '../shared/session.ts'
import { groupsOf } from '#domain/vehicles/vehicleFilter.ts'

type GroupChoiceProps = {
  value: string | null
  onChange: (group: string | null) => void
}

export function GroupChoice({ value, onChange }: GroupChoiceProps) {
  const { t, i18n } = useTranslation('vehicles')
  const { data: fleet } = useFleet()
  const groups = useMemo(() => groupsOf(fleet ?? [], i18n.language), [fleet, i18n.language])
  // an address may name one that no vehicle has any more
  const offered = value === null || groups.includes(value) ? groups : [value, ...groups]
  if (offered.length === 0) return null
  return (
    <Select
      label={t('cost_centre')}
      placeholder={t('anyGroup')}
      data={offered}
      value={value}
      onChange={onChange}
      comboboxProps={{ withinPortal: false }}
      searchable
      clearable
    />
  )
}
