/** The filters of a fleet's vehicles, besides words. */
import { Select } from '@mantine/core'
import { useTranslation } from '../../ui/texts.ts'
import { verdictWishes } from '#domain/tyres/tread.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { formatDepth } from '../../shared/format.ts'
import { useSite } from '../../shared/session.ts'
import { GroupChoice } from '../groupChoice.tsx'
import { depthChoices } from '../depths/depthChoices.ts'
import { setWishes, type VehicleWish } from '#domain/vehicles/vehicleFilter.ts'
import type { Chip } from '../../ui/listLine.tsx'

type FiltersProps = { wish: VehicleWish; change: (change: Partial<VehicleWish>) => void }

const memberOf = <T extends string>(values: readonly T[], name: string | null): T | null =>
  values.find(value => value === name) ?? null

export function Filters({ wish, change }: FiltersProps) {
  const { t, i18n } = useTranslation(['fleet', 'tyres', 'common'])
  const { allowProfileDepth } = useSite()
  const common = { comboboxProps: { withinPortal: false }, clearable: true }
  return (
    <>
      <GroupChoice value={wish.group} onChange={group => change({ group })} />
      <Select
        {...common}
        label={t('fleet:setsWanted')}
        placeholder={t('fleet:anySets')}
        data={setWishes.map(value => ({ value, label: t(`fleet:setWish.${value}`) }))}
        value={wish.sets}
        onChange={name => change({ sets: memberOf(setWishes, name) })}
      />
      <Select
        {...common}
        label={t('tyres:columns.season')}
        placeholder={t('tyres:anySeason')}
        data={seasons.map(value => ({ value, label: t(`tyres:season.${value}`) }))}
        value={wish.season}
        onChange={name => change({ season: memberOf(seasons, name) })}
      />
      {allowProfileDepth && (
        <>
          <Select
            {...common}
            label={t('tyres:maximumDepth')}
            placeholder={t('tyres:anyDepth')}
            data={depthChoices(wish.depth).map(value => ({
              value: String(value),
              label: t('common:mm', { depth: formatDepth(value, i18n.language) }),
            }))}
            value={wish.depth === null ? null : String(wish.depth)}
            onChange={depth => change({ depth: depth === null ? null : Number(depth) })}
          />
          <Select
            {...common}
            label={t('tyres:verdict')}
            placeholder={t('tyres:anyVerdict')}
            data={verdictWishes.map(value => ({ value, label: t(`tyres:verdictOf.${value}`) }))}
            value={wish.verdict}
            onChange={name => change({ verdict: memberOf(verdictWishes, name) })}
          />
        </>
      )}
    </>
  )
}

/** The filters that are set. */
export function useChips(wish: VehicleWish, change: FiltersProps['change']): (Chip | false)[] {
  const { t, i18n } = useTranslation(['fleet', 'tyres'])
  const { allowProfileDepth } = useSite()
  const { group, sets, season, depth, verdict } = wish
  return [
    group !== null && { key: 'group', label: group, clear: () => change({ group: null }) },
    sets !== null && { key: 'sets', label: t(`fleet:setWish.${sets}`), clear: () => change({ sets: null }) },
    season !== null && { key: 'season', label: t(`tyres:season.${season}`), clear: () => change({ season: null }) },
    allowProfileDepth &&
      depth !== null && {
        key: 'depth',
        label: t('tyres:upTo', { depth: formatDepth(depth, i18n.language) }),
        clear: () => change({ depth: null }),
      },
    allowProfileDepth &&
      verdict !== null && {
        key: 'verdict',
        label: t(`tyres:verdictOf.${verdict}`),
        clear: () => change({ verdict: null }),
      },
  ]
}
