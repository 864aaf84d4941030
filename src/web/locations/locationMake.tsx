/** Creates locations in bulk: names by pattern, several nested levels, with a preview. */
import { Alert, Text, TextInput } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import { locations as calls, type Location } from '#contract/locations.ts'
import {
  isCarrier,
  maxCapacity,
  countLocations,
  kindsBelow,
  type Level,
  type LocationKind,
  maxLocationsAtOnce,
  expandNames,
  childPath,
} from '#domain/warehouse/location.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { locationName } from '../shared/format.ts'
import { messageOf, useCall } from '../shared/api.ts'
import { useContractForm } from '../shared/form/useContractForm.ts'
import { Form, FormActions } from '../ui/form/form.tsx'
import { lossOf } from '../ui/form/loss.ts'
import type { DialogControls } from '../ui/form/formDialog.tsx'
import { NumberField, useComplaint } from '../ui/form/numberField.tsx'
import { Unbroken } from '../ui/unbroken.tsx'
import classes from './locations.module.css'
import type { Tree } from './locationTree.ts'

/** How many of the places are named in the preview, from its beginning. */
const previewedCount = 3
const examples: Record<LocationKind, readonly [string, string] | string> = {
  site: 'Gent',
  zone: ['A', 'C'],
  rack: ['01', '20'],
  shelf: ['1', '4'],
  place: ['01', '12'],
  cart: ['K1', 'K6'],
  lane: ['L1', 'L4'],
}

type MakeLocationsProps = { dialog: DialogControls; parent: Location | null; tree: Tree }

/** A pattern for each kind, and how many tyres fit on each location of the last level. */
type Fields = Record<LocationKind, string> & { capacity: number | string }
const empty: Fields = { site: '', zone: '', rack: '', shelf: '', place: '', cart: '', lane: '', capacity: 4 }

export function MakeLocations({ dialog, parent, tree }: MakeLocationsProps) {
  const { t, i18n } = useTranslation(['locations', 'common'])
  const kinds = kindsBelow(parent?.kind ?? null)
  const make = useCall(calls.make, {
    doing: 'locations:making',
    done: ({ made: count }) => t('locations:made', { count: count }),
  })
  const complaint = useComplaint()
  const there = new Set((tree.below.get(parent?._id ?? null) ?? []).map(({ name }) => name.toLowerCase()))
  const tooMany = (count: number) =>
    t('locations:tooMany', {
      count: formatNumber(count, i18n.language),
      most: formatNumber(maxLocationsAtOnce, i18n.language),
    })

  function errorAt(kind: LocationKind, { patterns, wrong, levels, needsSite }: Plan): string | undefined {
    if (wrong.has(kind)) return t('locations:patternWrong')
    const taken = (levels[0]?.names ?? []).filter(name => there.has(name.toLowerCase()))
    if (taken.length > 0 && patterns[0]?.kind === kind)
      return t('locations:taken', { names: taken.slice(0, 10).join(', ') })
    return needsSite && kind === 'site' ? t('locations:siteNeeded') : undefined
  }
  const form = useContractForm({
    initial: empty,
    input: values => ({
      parent: parent?._id ?? null,
      levels: planOf(values, parent).patterns,
      capacity: Number(values.capacity),
    }),
    loss: values => (planOf(values, parent).patterns.length > 0 ? lossOf(empty, values) : 'nothing'),
    liveErrors(values) {
      const plan = planOf(values, parent)
      return {
        ...Object.fromEntries(kinds.map(kind => [kind, errorAt(kind, plan)])),
        capacity:
          values.capacity === ''
            ? t('locations:required')
            : complaint({ min: 0, max: maxCapacity, value: values.capacity }),
      }
    },
    rules(values) {
      const { levels, count, mixed } = planOf(values, parent)
      return {
        levels: mixed
          ? t('locations:oneCarrier')
          : levels.length === 0
            ? t('locations:previewNone')
            : count > maxLocationsAtOnce
              ? tooMany(count)
              : undefined,
      }
    },
    dialog,
  })
  const { levels, wrong, needsSite, count, mixed } = planOf(form.values, parent)
  const exampleOf = (kind: LocationKind) => {
    const example = examples[kind]
    return typeof example === 'string' ? example : t('locations:range', { from: example[0], to: example[1] })
  }
  const places = levels.reduce((product, { names }) => product * names.length, levels.length > 0 ? 1 : 0)
  return (
    <Form
      form={form}
      onSubmit={async wish => {
        await make.mutateAsync(wish)
        dialog.close()
      }}
      className={classes.form}
    >
      <Text size="sm">
        {parent ? (
          <Unbroken part={locationName(parent)}>{t('locations:makeIn', { place: locationName(parent) })}</Unbroken>
        ) : (
          t('locations:makeTop')
        )}{' '}
        {t('locations:makeText')}
      </Text>
      <div className={classes.levels}>
        {kinds.map((kind, nth) => (
          <TextInput
            key={kind}
            {...form.text(kind)}
            label={t(`locations:kinds.${kind}`)}
            placeholder={t('locations:example', { example: exampleOf(kind) })}
            maxLength={500}
            spellCheck={false}
            {...(nth === 0 && { 'data-autofocus': true })}
          />
        ))}
        <NumberField
          {...form.number('capacity')}
          label={t('locations:capacity')}
          description={t('locations:capacityMake')}
          min={0}
          max={maxCapacity}
        />
      </div>
      <div className={classes.preview} role="status">
        {mixed ? (
          <Text size="sm" c="var(--mantine-color-red-text)">
            {t('locations:oneCarrier')}
          </Text>
        ) : levels.length === 0 || wrong.size > 0 || needsSite ? (
          <Text size="sm" c="dimmed">
            {t('locations:previewNone')}
          </Text>
        ) : count > maxLocationsAtOnce ? (
          <Text size="sm" c="var(--mantine-color-red-text)">
            {tooMany(count)}
          </Text>
        ) : (
          <>
            <Text size="sm" fw={600}>
              {t('locations:preview', { count, places: formatNumber(places, i18n.language) })}
            </Text>
            <Text size="sm" c="dimmed" className={classes.paths}>
              {sample(levels, parent).join('  ·  ')}
            </Text>
          </>
        )}
      </div>
      {form.refused && form.isAsRefused('levels') && (
        <Alert color="red" role="alert">
          {messageOf(form.refused)}
        </Alert>
      )}
      <FormActions form={form} dialog={dialog} submit={t('locations:makeNow')} disabled={!form.valid} />
    </Form>
  )
}

type Plan = ReturnType<typeof planOf>

/** The locations that the patterns describe, below `parent`. */
function planOf(fields: Fields, parent: Location | null) {
  const patterns = kindsBelow(parent?.kind ?? null).flatMap(kind => {
    const pattern = fields[kind].trim()
    return pattern === '' ? [] : [{ kind, pattern }]
  })
  const named = patterns.map(({ kind, pattern }) => ({ kind, names: expandNames(pattern, kind) }))
  const levels: Level[] = named.map(({ kind, names }) => ({ kind, names: names ?? [] }))
  return {
    patterns,
    levels,
    /** The kinds with an invalid pattern. */
    wrong: new Set(named.filter(({ names }) => names === null).map(({ kind }) => kind)),
    /** Carts or lanes lie in the parent itself: beside them nothing else is made at once. */
    mixed: levels.length > 1 && levels.some(({ kind }) => isCarrier(kind)),
    needsSite: parent === null && patterns.length > 0 && patterns[0]?.kind !== 'site',
    count: countLocations(levels),
  }
}

/** The first few new locations, and the last, named as on the rack. */
function sample(levels: readonly Level[], parent: Location | null): string[] {
  const named = parent ? levels : levels.slice(1)
  if (named.length === 0) return [...(levels[0]?.names ?? [])].slice(0, previewedCount)
  const pathOf = (nths: readonly (string | undefined)[]) =>
    nths.reduce<string>((path, name) => childPath(path, name ?? ''), parent?.stock_rack ?? '')
  const way = named.slice(0, -1).map(({ names }) => names[0])
  const last = named.at(-1)?.names ?? []
  const begin = last.slice(0, previewedCount).map(name => pathOf([...way, name]))
  const end = pathOf(named.map(({ names }) => names.at(-1)))
  return begin.includes(end) ? begin : [...begin, '…', end]
}
