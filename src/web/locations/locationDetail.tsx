/** One location: its occupancy, its tyres, and its actions. */
import { Button, Checkbox, Group, Text, Title, Tooltip } from '@mantine/core'
import { IconPencil, IconPlus, IconPrinter, IconTransfer, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { maxLabels, locations as calls, maxTyresListed, type Location } from '#contract/locations.ts'
import { fillOf, isRemovable, kindsBelow } from '#domain/warehouse/location.ts'
import { ask, useAnswer, useCall } from '../shared/api.ts'
import { useExtra, useIsWarehouseOnly } from '../shared/session.ts'
import { ariaDisabledWhen } from '../ui/ariaDisabled.ts'
import { Choice } from '../ui/select.tsx'
import { type DialogControls, FormDialog } from '../ui/form/formDialog.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { formatDate, locationName } from '../shared/format.ts'
import { useRemembered } from '../shared/hooks.ts'
import { openLabels } from '../labels/labels.ts'
import { VehiclePlate } from '../vehicles/vehiclePlate.tsx'
import { EditLocation } from './locationEdit.tsx'
import { Fill } from './locationRows.tsx'
import { Dotted, Rack, useTyreSelectName } from '../shared/trade.tsx'
import classes from './locations.module.css'
import { labelledIn, totalsAt, type Tree } from './locationTree.ts'

type Place = Pick<Location, 'stock_site_name' | 'stock_rack'>
/** The tyres that are on their way to another place, and where each lies. */
export type Moving = ReadonlyMap<number, Place>

export const isSamePlace = (first: Place, other: Place): boolean =>
  first.stock_rack === other.stock_rack && first.stock_site_name === other.stock_site_name

type LocationDetailProps = {
  location: Location
  tree: Tree
  moving: Moving
  setMoving: (moving: Moving) => void
  /** Opens the form that makes locations in this one. */
  add: () => void
  /** It is gone. */
  left: () => void
}

export function LocationDetail({ location, tree, moving, setMoving, add, left }: LocationDetailProps) {
  const { t } = useTranslation('locations')
  const [dialog, setDialog] = useState<'edit' | 'labels' | null>(null)
  const remove = useCall(calls.remove, { doing: 'locations:removing', done: 'common:performed' })
  const { _id, kind, stock_rack, stock_site_name } = location
  const ofWarehouse = useIsWarehouseOnly()
  const totals = totalsAt(tree, _id)
  const name = locationName(location)
  const labels = labelledIn(tree, _id)

  const removable = isRemovable(totals)
  async function removeIt() {
    if (!removable) return
    const sure = await confirmFirst({
      title: t('removeQuestion'),
      text: t('removeText', { place: name, count: totals.places }),
      confirm: t('remove'),
      danger: true,
    })
    if (!sure) return
    try {
      await remove.mutateAsync({ _id })
      left()
    } catch {
      // Shown in a toast; it is still there.
    }
  }
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Title order={2} className={classes.title}>
            {stock_rack ? <Rack name={stock_rack} /> : name}
          </Title>
          <Text size="sm" c="dimmed">
            {[
              t(`kind.${kind}`),
              stock_rack && stock_site_name,
              totals.places > 1 && t('places', { count: totals.places }),
            ]
              .filter(Boolean)
              .join(' · ')}
            {location.capacity > 0 && ` · ${t('walkAt', { walk: location.walk })}`}
          </Text>
        </div>
        <Fill {...totals} fill={fillOf(totals)} />
      </Group>
      <Group gap="xs" my="sm" className={classes.deeds}>
        {!ofWarehouse && kindsBelow(kind).length > 0 && (
          <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
            {t('addInside')}
          </Button>
        )}
        {!ofWarehouse && (
          <Button
            variant="default"
            leftSection={<IconPencil size={18} aria-hidden />}
            onClick={() => setDialog('edit')}
          >
            {t('edit')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => setDialog('labels')}
        >
          {t('labels')}
        </Button>
        {!ofWarehouse && (
          <Tooltip label={t('removeNot')} disabled={removable}>
            <Button
              variant="default"
              leftSection={<IconTrash size={18} aria-hidden />}
              loading={remove.isPending}
              onClick={() => void removeIt()}
              aria-description={removable ? undefined : t('removeNot')}
              {...ariaDisabledWhen(!removable)}
            >
              {t('remove')}
            </Button>
          </Tooltip>
        )}
      </Group>
      {totals.tyre_count + totals.coming > 0 ? (
        <TyresThere location={location} moving={moving} setMoving={setMoving} />
      ) : (
        <Empty text={t('noTyres')} />
      )}
      <FormDialog
        opened={dialog === 'edit'}
        onClose={() => setDialog(null)}
        title={t('editTitle', { place: name })}
        lost={t('unsaved')}
      >
        {form => <EditLocation dialog={form} location={location} tree={tree} />}
      </FormDialog>
      <FormDialog opened={dialog === 'labels'} onClose={() => setDialog(null)} title={t('labels')} lost="">
        {controls => <PrintLocations ids={labels} name={name} dialog={controls} />}
      </FormDialog>
    </>
  )
}

function TyresThere({ location, moving, setMoving }: Pick<LocationDetailProps, 'location' | 'moving' | 'setMoving'>) {
  const { t } = useTranslation(['locations', 'common'])
  const { data, error, refetch } = useAnswer(calls.tyres, { _id: location._id })
  const nameOf = useTyreSelectName()
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Placeholders rows={4} height={52} />
  if (data.length === 0) return <Empty text={t('locations:noTyres')} />
  const comingText = (coming: 'placed' | 'planned' | null) =>
    coming && t(coming === 'placed' ? 'locations:isPlaced' : 'locations:isPlanned')
  const here = data.filter(({ db_id }) => ticked.has(db_id)).map(({ db_id }) => db_id)
  return (
    <>
      <Group justify="space-between" gap="xs" mih={36}>
        <Checkbox
          label={t('common:tyres', { count: data.length })}
          checked={here.length === data.length}
          indeterminate={here.length > 0 && here.length < data.length}
          onChange={() => setTicked(new Set(here.length === data.length ? [] : data.map(({ db_id }) => db_id)))}
        />
        <Button
          size="compact-md"
          variant="light"
          leftSection={<IconTransfer size={16} aria-hidden />}
          disabled={here.length === 0}
          onClick={() => {
            const { stock_site_name } = location
            const lifted = data.filter(({ db_id }) => ticked.has(db_id))
            setMoving(
              new Map([
                ...moving,
                ...lifted.map(wheel => [wheel.db_id, { stock_site_name, stock_rack: wheel.stock_rack }] as const),
              ]),
            )
            setTicked(new Set())
          }}
        >
          {t('locations:move')}
        </Button>
      </Group>
      <ul className={classes.tyres}>
        {data.map(tyre => (
          <li key={tyre.db_id} data-moving={moving.has(tyre.db_id) || undefined} data-coming={tyre.coming ?? undefined}>
            <Checkbox
              aria-label={nameOf(tyre, tyre.license_plate)}
              checked={ticked.has(tyre.db_id)}
              onChange={() =>
                setTicked(
                  new Set(here.includes(tyre.db_id) ? here.filter(id => id !== tyre.db_id) : [...here, tyre.db_id]),
                )
              }
            />
            <VehiclePlate id={tyre.flt_id} plate={tyre.license_plate} />
            <strong className={classes.position}>{tyre.position}</strong>
            <span className={classes.said}>
              {tyre.description}
              <small>
                <Dotted>
                  {tyre.stock_rack !== location.stock_rack && <Rack name={tyre.stock_rack} />}
                  {tyre.tyre_set}
                  {tyre.companyname}
                  {comingText(tyre.coming) ?? formatDate(tyre.status_date)}
                  {t('locations:tyreNumber', { id: tyre.db_id })}
                </Dotted>
              </small>
            </span>
          </li>
        ))}
      </ul>
      {data.length === maxTyresListed && (
        <Text size="sm" c="dimmed">
          {t('locations:moreTyres', { count: maxTyresListed })}
        </Text>
      )}
    </>
  )
}

type PrintLocationsProps = { ids: readonly number[]; name: string; dialog: DialogControls }

/** The report is the one that was last chosen on this device, as for the labels of tyres. */
function PrintLocations({ ids, name, dialog }: PrintLocationsProps) {
  const { t } = useTranslation(['locations', 'common'])
  const { labelReports } = useExtra()
  const [remembered, remember] = useRemembered<number | null>('labelReport', null)
  const [busy, setBusy] = useState(false)
  const report = labelReports.find(({ rpt_number }) => rpt_number === remembered) ?? labelReports[0]
  const tooMany = ids.length > maxLabels

  async function print() {
    if (!report) return
    setBusy(true)
    const input = { locations: [...ids], report_id: report.rpt_number }
    const refused = await openLabels(options => ask(calls.labels, input, options), { count: ids.length, name })
    setBusy(false)
    if (refused === null) dialog.close()
  }
  return (
    <div className={classes.form}>
      <Text size="sm">
        {t(tooMany ? 'locations:tooManyLabels' : 'locations:labelsOf', { count: ids.length, most: maxLabels })}
      </Text>
      {report ? (
        <Choice
          label={t('locations:labelReport')}
          data={labelReports.map(reportType => ({ value: String(reportType.rpt_number), label: reportType.rpt_name }))}
          value={String(report.rpt_number)}
          onChange={chosen => chosen && remember(Number(chosen))}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('locations:noLabelReport')}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={dialog.cancel}>
          {t('common:cancel')}
        </Button>
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          loading={busy}
          onClick={() => void print()}
          data-autofocus
          {...ariaDisabledWhen(!report || tooMany)}
        >
          {t('locations:labels')}
        </Button>
      </Group>
    </div>
  )
}
