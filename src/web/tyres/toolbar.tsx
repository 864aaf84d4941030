/** The tools above the tyre list: its filters and its exports. */
import { MultiSelect, Select, Switch } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { isHotel } from '#domain/site.ts'
import { verdictWishes } from '#domain/tyres/tread.ts'
import { seasons, type TyreStatus, tyreStatuses } from '#domain/tyres/tyre.ts'
import { useSite } from '../shared/session.ts'
import { tabLines } from '#domain/texts/cell.ts'
import { copyText } from '../ui/copy.ts'
import { useCsv } from '../shared/csvButton.tsx'
import { FilterField } from '../ui/filterField.tsx'
import type { Chip, ListAction } from '../ui/listLine.tsx'
import { formatDepth } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { depthChoices } from '../vehicles/depths/depthChoices.ts'
import { useWorkbook } from '../shared/workbookButton.tsx'
import { statusesShown } from '#domain/texts/listFilter.ts'
import { cellsOf, type Column, type TyreRow } from './rows.ts'
import { tyreSheet } from './sheet.ts'
import classes from './tyres.module.css'
import type { ViewProps } from './view.ts'

type FilterProps = { value: string; settle: (filter: string) => void; ofSite: boolean }

/** The filter; its hint names the searched fields, which are more for the vehicles of a whole site. */
export function Filter({ value, settle, ofSite }: FilterProps) {
  const { t } = useTranslation('tyres')
  const { mode } = useSite()
  const fields = [
    t('hint.plate'),
    mode !== 'hotelonly' && t('hint.number'),
    ...(ofSite ? [t('hint.brand'), t('hint.customer')] : []),
    t('hint.driver'),
    t('hint.set'),
    !ofSite && t('hint.position'),
    t('hint.description'),
    t('hint.rack'),
    t('hint.id'),
  ].filter(Boolean)
  return (
    <FilterField
      label={t('filter')}
      placeholder={fields.join(', ')}
      short={`${fields.slice(0, 3).join(', ')} …`}
      value={value}
      settle={settle}
      className={classes.filter}
    />
  )
}

/** The statuses that are shown. */
export function Statuses({ view, change }: ViewProps) {
  const { t } = useTranslation(['tyres', 'common'])
  const { there, wanted } = statusesShown(view.statuses, useSite(), view.waste)
  return (
    <MultiSelect
      label={t('tyres:statuses')}
      placeholder={wanted.length === 0 ? t('tyres:anyStatus') : ''}
      data={there.map(status => ({ value: status, label: t(`common:tyreStatus.${status}`) }))}
      value={wanted}
      onChange={chosen => change({ statuses: tyreStatuses.filter(status => chosen.includes(status)) })}
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      clearable
      className={classes.statuses}
    />
  )
}

/** The filters that are set, besides words and statuses. */
export function useChips({ view, change }: ViewProps, ofSite: boolean): (Chip | false)[] {
  const { t, i18n } = useTranslation(['tyres', 'common'])
  const { allowProfileDepth } = useSite()
  const { seasons: chosen, depth, verdict, long, waste } = view
  return [
    ...chosen.map(season => ({
      key: season,
      label: t(`tyres:season.${season}`),
      clear: () => change({ seasons: chosen.filter(other => other !== season) }),
    })),
    allowProfileDepth &&
      depth !== null && {
        key: 'depth',
        label: t('tyres:upTo', { depth: formatDepth(depth, i18n.language) }),
        clear: () => change({ depth: null }),
      },
    allowProfileDepth &&
      !ofSite &&
      verdict !== null && {
        key: 'verdict',
        label: t(`tyres:verdictOf.${verdict}`),
        clear: () => change({ verdict: null }),
      },
    !ofSite && long && { key: 'long', label: t('tyres:longStored'), clear: () => change({ long: false }) },
    waste && { key: 'waste', label: t('tyres:showWaste'), clear: () => change({ waste: false }) },
  ]
}

/** Of which season the tyres are, and how much tread they have at most, where the site shows it. */
export function SeasonAndDepth({ view, change }: ViewProps) {
  const { t, i18n } = useTranslation(['tyres', 'common'])
  const { allowProfileDepth } = useSite()
  const { depth } = view
  // An address may say another one.
  const offered = depthChoices(depth)
  return (
    <>
      <MultiSelect
        label={t('tyres:columns.season')}
        placeholder={view.seasons.length === 0 ? t('tyres:anySeason') : ''}
        data={seasons.map(season => ({ value: season, label: t(`tyres:season.${season}`) }))}
        value={[...view.seasons]}
        onChange={chosen => change({ seasons: seasons.filter(season => chosen.includes(season)) })}
        comboboxProps={{ withinPortal: false }}
        withScrollArea={false}
        clearable
      />
      {allowProfileDepth && (
        <Select
          label={t('tyres:maximumDepth')}
          placeholder={t('tyres:anyDepth')}
          data={offered.map(option => ({
            value: String(option),
            label: t('common:mm', { depth: formatDepth(option, i18n.language) }),
          }))}
          value={depth === null ? null : String(depth)}
          onChange={chosen => change({ depth: chosen === null ? null : Number(chosen) })}
          comboboxProps={{ withinPortal: false }}
          clearable
        />
      )}
    </>
  )
}

/** Whether waste is shown, too, where the site has it. */
export function Waste({ view, change }: ViewProps) {
  const { t } = useTranslation('tyres')
  const { showWasteTyres } = useSite()
  if (!showWasteTyres) return null
  return (
    <Switch
      label={t('showWaste')}
      checked={view.waste}
      onChange={event => {
        const { checked: waste } = event.currentTarget
        const others = view.statuses.filter(status => status !== 'waste')
        // Without a chosen status all are shown, waste too.
        change({ waste, statuses: waste && others.length > 0 ? [...others, 'waste'] : others })
      }}
    />
  )
}

/** The verdict on the depth of tyres where the site shows it, and whether they are in stock for longer than two seasons. */
export function VerdictAndAge({ view, change }: ViewProps) {
  const { t } = useTranslation('tyres')
  const { allowProfileDepth, mode } = useSite()
  return (
    <>
      {allowProfileDepth && (
        <Select
          label={t('verdict')}
          placeholder={t('anyVerdict')}
          data={verdictWishes.map(value => ({ value, label: t(`verdictOf.${value}`) }))}
          value={view.verdict}
          onChange={chosen => change({ verdict: verdictWishes.find(verdict => verdict === chosen) ?? null })}
          comboboxProps={{ withinPortal: false }}
          clearable
        />
      )}
      {isHotel(mode) && (
        <Switch
          label={t('longStored')}
          checked={view.long}
          onChange={event => change({ long: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

/** Copy and Export, and All columns in the menu: the rows of the list on all its pages, a line per tyre. */
export function useExports(
  rows: readonly TyreRow[],
  { ofSite }: { ofSite: boolean },
): { actions: ListAction[]; more: ListAction[] } {
  const { t, i18n } = useTranslation(['tyres', 'vehicles', 'common'])
  const { allowProfileDepth, mode } = useSite()
  const today = useToday()
  const words = {
    heading: (column: Column) => t(`tyres:columns.${column}`),
    status: (status: TyreStatus) => t(`common:tyreStatus.${status}`),
    setless: t('common:tyre.setless'),
  }
  const shown = { withDepth: allowProfileDepth }
  /** To paste into a sheet, which reads numbers as its language writes them. */
  const copied = () => cellsOf(rows, { ...words, depth: depth => formatDepth(depth, i18n.language) }, shown)
  const headings = {
    id: t('tyres:detail.id'),
    plate: t('tyres:columns.plate'),
    customer: t('vehicles:customer'),
    number: t('vehicles:number'),
    brand: t('vehicles:brand'),
    vehicle: t('common:tyre.vehicle'),
    driver: t('vehicles:driverLegend'),
    set: t('tyres:columns.set'),
    position: t('tyres:columns.position'),
    description: t('tyres:columns.description'),
    season: t('tyres:columns.season'),
    depth: t('tyres:columns.depth'),
    depthDate: t('tyres:columns.depthDate'),
    status: t('tyres:columns.status'),
    statusDate: t('tyres:columns.statusDate'),
    site: t('tyres:detail.site'),
    rack: t('tyres:columns.rack'),
    rims: t('tyres:detail.rims'),
    bolts: t('tyres:detail.bolts'),
    hubcaps: t('tyres:detail.hubcaps'),
  }
  const sheet = tyreSheet(
    {
      heading: column => headings[column],
      status: status => t(`common:tyreStatus.${status}`),
      season: season => {
        const knownSeason = seasons.find(candidate => candidate === season)
        return knownSeason ? t(`tyres:season.${knownSeason}`) : (season ?? '')
      },
      rims: rims => (rims ? t(`tyres:detail.${rims}`) : t('common:no')),
      yesNo: is => (is ? t('common:yes') : t('common:no')),
    },
    { mode, ofSite, withDepth: allowProfileDepth },
  )
  const file = `${t('tyres:fileName')}-${today}`
  const disabled = rows.length === 0
  const copy: ListAction = {
    label: t('tyres:copy'),
    icon: IconCopy,
    disabled,
    run: () => copyText(tabLines(copied()), t('tyres:copied')),
  }
  const csv = useCsv({ file, cells: () => cellsOf(rows, words, shown), disabled })
  const workbook = useWorkbook({
    title: t('tyres:title'),
    file,
    columns: sheet,
    rows,
    children: t('tyres:allColumns'),
  })
  return { actions: [copy, csv], more: [workbook] }
}
