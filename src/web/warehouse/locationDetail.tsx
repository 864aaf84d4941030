/** One location: how full it is, what lies there, and what can be done with it. */
import { Button, Checkbox, Group, NumberInput, Text, TextInput, Title } from '@mantine/core'
import { IconPencil, IconPlus, IconPrinter, IconTransfer, IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelsAtOnce, locations as calls, tyresShown, type Location } from '#contract/locations.ts'
import { capacityMost, fillOf, isLocationName, kindsBelow, nameMost } from '#domain/location.ts'
import { ask, Refused, useAnswer, useCall } from '../shared/api.ts'
import { useExtra } from '../shared/session.ts'
import { barredWhen } from '../ui/barred.ts'
import { Choice } from '../ui/choice.tsx'
import { FormDialog, type DialogControls, useEntered } from '../ui/form/formDialog.tsx'
import { confirmFirst } from '../ui/confirm.tsx'
import { Empty, Failed, Placeholders } from '../shared/screen.tsx'
import { formatDate } from '../shared/format.ts'
import { useRemembered } from '../shared/hooks.ts'
import { openLabels } from '../shared/operation/labels.ts'
import { VehiclePlate } from '../shared/vehicle/vehiclePlate.tsx'
import { Fill } from './locationRows.tsx'
import classes from './locations.module.css'
import { labelledIn, totalsAt, type Tree } from './locationTree.ts'

type LocationDetailProps = {
  location: Location
  tree: Tree
  moving: readonly number[]
  setMoving: (tyres: readonly number[]) => void
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
  const totals = totalsAt(tree, _id)
  const name = stock_rack || stock_site_name
  const labels = labelledIn(tree, _id)

  async function removeIt() {
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
      // Told in a toast; it is still there.
    }
  }
  return (
    <>
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Title order={2} className={classes.title}>
            {name}
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
        {kindsBelow(kind).length > 0 && (
          <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
            {t('addInside')}
          </Button>
        )}
        <Button variant="default" leftSection={<IconPencil size={18} aria-hidden />} onClick={() => setDialog('edit')}>
          {t('edit')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => setDialog('labels')}
        >
          {t('labels')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={18} aria-hidden />}
          loading={remove.isPending}
          onClick={() => void removeIt()}
        >
          {t('remove')}
        </Button>
      </Group>
      {totals.tyres > 0 ? (
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
        {({ cancel, close }) => <PrintLocations ids={labels} name={name} leave={cancel} done={close} />}
      </FormDialog>
    </>
  )
}

function TyresThere({ location, moving, setMoving }: Pick<LocationDetailProps, 'location' | 'moving' | 'setMoving'>) {
  const { t } = useTranslation(['locations', 'common'])
  const { data, error, refetch } = useAnswer(calls.tyres, { _id: location._id })
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  if (!data) return error ? <Failed error={error} retry={refetch} /> : <Placeholders rows={4} height={52} />
  if (data.length === 0) return <Empty text={t('locations:noTyres')} />
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
            setMoving([...new Set([...moving, ...here])])
            setTicked(new Set())
          }}
        >
          {t('locations:move')}
        </Button>
      </Group>
      <ul className={classes.tyres}>
        {data.map(tyre => (
          <li key={tyre.db_id} data-moving={moving.includes(tyre.db_id) || undefined}>
            <Checkbox
              aria-label={t('locations:tick', { position: tyre.position, plate: tyre.license_plate })}
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
                {[
                  tyre.stock_rack !== location.stock_rack && tyre.stock_rack,
                  tyre.tyre_set,
                  tyre.companyname,
                  formatDate(tyre.status_date),
                  t('locations:tyreNumber', { id: tyre.db_id }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
          </li>
        ))}
      </ul>
      {data.length === tyresShown && (
        <Text size="sm" c="dimmed">
          {t('locations:moreTyres', { count: tyresShown })}
        </Text>
      )}
    </>
  )
}

type EditLocationProps = { dialog: DialogControls; location: Location; tree: Tree }

function EditLocation({ dialog, location, tree }: EditLocationProps) {
  const { t } = useTranslation(['locations', 'common'])
  const { kind, name, _id } = location
  const holds = tree.below.has(_id)
  const first = firstWalk(tree, _id)
  const [form, setForm] = useState<{ name: string; capacity: number | ''; walk: number | '' }>({
    name,
    capacity: holds ? '' : location.capacity,
    walk: first ?? '',
  })
  const [refused, setRefused] = useState<string | null>(null)
  const save = useCall(calls.edit, { doing: 'locations:saving', done: 'common:performed' })
  const typed = form.name.trim()
  const wrong = !isLocationName(typed, kind)
  const asked = {
    ...(typed !== name && { name: typed }),
    ...(form.capacity !== '' && (holds || form.capacity !== location.capacity) && { capacity: form.capacity }),
    ...(form.walk !== '' && form.walk !== first && { walk: form.walk }),
  }
  const changed = Object.keys(asked).length > 0
  useEntered(changed, dialog.setDirty)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (wrong) return
    if (!changed) return dialog.close()
    try {
      await save.mutateAsync({ _id, ...asked })
      dialog.close()
    } catch (error) {
      setRefused(error instanceof Refused ? error.code : null)
    }
  }
  return (
    <form onSubmit={event => void submit(event)} className={classes.form}>
      <TextInput
        label={t('locations:name')}
        value={form.name}
        onChange={event => {
          setRefused(null)
          setForm({ ...form, name: event.currentTarget.value })
        }}
        maxLength={nameMost}
        error={
          wrong ? t('locations:nameWrong') : refused === 'location.name_taken' ? t('locations:nameTaken') : undefined
        }
        required
        data-autofocus
      />
      <NumberInput
        label={t('locations:capacity')}
        description={t(holds ? 'locations:capacityOfAll' : 'locations:capacityText')}
        value={form.capacity}
        onChange={value => {
          setRefused(null)
          setForm({ ...form, capacity: typeof value === 'number' ? value : '' })
        }}
        error={refused === 'location.full' ? t('locations:capacityLow') : undefined}
        min={0}
        max={capacityMost}
        allowDecimal={false}
        allowNegative={false}
      />
      {first !== null && (
        <NumberInput
          label={t('locations:walk')}
          description={t(holds ? 'locations:walkOfAll' : 'locations:walkText')}
          value={form.walk}
          onChange={value => setForm({ ...form, walk: typeof value === 'number' ? value : '' })}
          min={0}
          max={1_000_000_000}
          allowDecimal={false}
          allowNegative={false}
        />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={dialog.cancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={wrong}>
          {t('locations:save')}
        </Button>
      </Group>
    </form>
  )
}

/** Where people first come past a branch; `null` where no tyre can lie. */
function firstWalk(tree: Tree, id: number): number | null {
  const walks = labelledIn(tree, id).flatMap(at => {
    const location = tree.byId.get(at)
    return location && location.capacity > 0 ? location.walk : []
  })
  return walks[0] ?? null
}

type PrintLocationsProps = { ids: readonly number[]; name: string; leave: () => void; done: () => void }

/** The report is the one that was last chosen on this device, as for the labels of tyres (SPEC §9). */
function PrintLocations({ ids, name, leave, done }: PrintLocationsProps) {
  const { t } = useTranslation(['locations', 'common'])
  const { labelReports } = useExtra()
  const [remembered, remember] = useRemembered<number | null>('labelReport', null)
  const [busy, setBusy] = useState(false)
  const report = labelReports.find(({ rpt_number }) => rpt_number === remembered) ?? labelReports[0]
  const tooMany = ids.length > labelsAtOnce

  async function print() {
    if (!report) return
    setBusy(true)
    const asked = { locations: [...ids], report_id: report.rpt_number }
    const refused = await openLabels(options => ask(calls.labels, asked, options), { count: ids.length, name })
    setBusy(false)
    if (refused === null) done()
  }
  return (
    <div className={classes.form}>
      <Text size="sm">
        {t(tooMany ? 'locations:tooManyLabels' : 'locations:labelsOf', { count: ids.length, most: labelsAtOnce })}
      </Text>
      {report ? (
        <Choice
          label={t('locations:labelReport')}
          data={labelReports.map(one => ({ value: String(one.rpt_number), label: one.rpt_name }))}
          value={String(report.rpt_number)}
          onChange={chosen => chosen && remember(Number(chosen))}
        />
      ) : (
        <Text size="sm" c="dimmed">
          {t('locations:noLabelReport')}
        </Text>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={leave}>
          {t('common:cancel')}
        </Button>
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          loading={busy}
          onClick={() => void print()}
          data-autofocus
          {...barredWhen(!report || tooMany)}
        >
          {t('locations:labels')}
        </Button>
      </Group>
    </div>
  )
}
