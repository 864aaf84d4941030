/** Gives a location another name, capacity or place on the walk. */
import { Text, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { locations as calls, type Location } from '#contract/locations.ts'
import {
  isCarrier,
  isLocationName,
  maxCapacity,
  maxClass,
  maxLocationNameLength,
  placeTakes,
} from '#domain/warehouse/location.ts'
import { useCall } from '../shared/api.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Choice } from '../ui/select.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { NumberField, useComplaint } from '../ui/form/numberField.tsx'
import classes from './locations.module.css'
import { labelledIn, type Tree } from './locationTree.ts'

type EditLocationProps = { dialog: DialogControls; location: Location; tree: Tree }
/** The highest number in the walk. */
const maxWalk = 1_000_000_000
type Limit = (typeof limits)[number]
type Fields = { name: string; capacity: number | string; walk: number | string; takes: string } & Record<
  Limit,
  number | string
>
const limits = ['maxDiameter', 'maxWidth', 'maxWeight'] as const
const largest = { maxDiameter: maxClass.size, maxWidth: maxClass.size, maxWeight: maxClass.weight } as const

export function EditLocation({ dialog, location, tree }: EditLocationProps) {
  const { t } = useTranslation(['locations', 'common'])
  const { kind, _id } = location
  const complaint = useComplaint()
  const holds = tree.below.has(_id)
  const first = firstWalk(tree, _id)
  const save = useCall(calls.edit, { doing: 'locations:saving', done: 'common:performed' })
  const form = useContractForm({
    initial: {
      name: location.name,
      capacity: holds ? '' : location.capacity,
      walk: first ?? '',
      maxDiameter: location.maxDiameter ?? '',
      maxWidth: location.maxWidth ?? '',
      maxWeight: location.maxWeight ?? '',
      takes: location.takes ?? '',
    } as Fields,
    // Only changes are sent; an emptied number keeps its value.
    input: ({ name, capacity, walk, takes, ...classed }, initial) => ({
      _id,
      ...(name.trim() !== initial.name && { name: name.trim() }),
      ...(typeof capacity === 'number' && capacity !== initial.capacity && { capacity }),
      ...(typeof walk === 'number' && walk !== initial.walk && { walk }),
      ...Object.fromEntries(
        limits
          .filter(limit => classed[limit] !== initial[limit])
          .map(limit => [limit, typeof classed[limit] === 'number' ? classed[limit] : null]),
      ),
      ...(takes !== initial.takes && { takes: placeTakes.find(candidate => candidate === takes) ?? null }),
    }),
    liveErrors: ({ name, capacity, walk, ...classed }) => ({
      name: isLocationName(name.trim(), kind) ? undefined : t('locations:nameWrong'),
      capacity: complaint({ min: 0, max: maxCapacity, value: capacity }),
      walk: complaint({ min: 0, max: maxWalk, value: walk }),
      ...Object.fromEntries(
        limits.map(limit => [limit, complaint({ min: 1, max: largest[limit], value: classed[limit] })]),
      ),
    }),
    dialog,
  })
  const isRefused = (code: 'location.name_taken' | 'location.too_small', field: keyof Fields) =>
    form.refused?.code === code && form.isAsRefused(field)
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        if (form.dirty) await save.mutateAsync(wish)
        dialog.close()
      }}
      className={classes.form}
    >
      <TextInput
        {...form.text('name')}
        label={t('locations:name')}
        maxLength={maxLocationNameLength}
        error={form.error('name') ?? (isRefused('location.name_taken', 'name') ? t('locations:nameTaken') : undefined)}
        required
        data-autofocus
      />
      <NumberField
        {...form.number('capacity')}
        label={t('locations:capacity')}
        description={t(holds ? 'locations:capacityOfAll' : 'locations:capacityText')}
        error={
          form.error('capacity') ??
          (isRefused('location.too_small', 'capacity') ? t('locations:capacityLow') : undefined)
        }
        min={0}
        max={maxCapacity}
      />
      {first !== null && (
        <NumberField
          {...form.number('walk')}
          label={t('locations:walk')}
          description={t(holds ? 'locations:walkOfAll' : 'locations:walkText')}
          min={0}
          max={maxWalk}
        />
      )}
      {!isCarrier(kind) && (
        <>
          <Text size="sm" c="dimmed">
            {t('locations:class.text')}
          </Text>
          {limits.map(limit => (
            <NumberField
              key={limit}
              {...form.number(limit)}
              label={t(`locations:class.${limit}`)}
              min={1}
              max={largest[limit]}
            />
          ))}
          <Choice
            {...form.choice('takes')}
            label={t('locations:class.takes')}
            data={[
              { value: '', label: t('locations:class.any') },
              ...placeTakes.map(value => ({ value, label: t(`locations:class.${value}`) })),
            ]}
          />
        </>
      )}
      <FormActions form={form} dialog={dialog} submit={t('locations:save')} disabled={!form.valid} />
    </Form>
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
