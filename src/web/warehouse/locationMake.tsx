/** Makes locations in bulk: names by pattern, several levels one within the other, with what it will be before it is. */
import { Alert, Button, Group, NumberInput, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { locations as calls, type Location } from '#contract/locations.ts'
import {
  capacityMost,
  countOf,
  kindsBelow,
  type Level,
  type LocationKind,
  madeAtOnce,
  namesOf,
  pathBelow,
} from '#domain/location.ts'
import { Refused, useCall } from '../shared/api.ts'
import { type DialogControls, useEntered } from '../ui/form/formDialog.tsx'
import classes from './locations.module.css'
import type { Tree } from './locationTree.ts'

/** How many of the places are named in the preview, from its beginning. */
const previewed = 3
const examples: Record<LocationKind, readonly [string, string] | string> = {
  site: 'Gent',
  zone: ['A', 'C'],
  rack: ['01', '20'],
  shelf: ['1', '4'],
  place: ['01', '12'],
}

type MakeLocationsProps = { dialog: DialogControls; parent: Location | null; tree: Tree }

export function MakeLocations({ dialog, parent, tree }: MakeLocationsProps) {
  const { t, i18n } = useTranslation(['locations', 'common'])
  const kinds = kindsBelow(parent?.kind ?? null)
  const [patterns, setPatterns] = useState<Partial<Record<LocationKind, string>>>({})
  const [capacity, setCapacity] = useState<number | ''>(4)
  const [refused, setRefused] = useState<string | null>(null)
  const make = useCall(calls.make, {
    doing: 'locations:making',
    done: ({ made }) => t('locations:made', { count: made }),
  })

  const asked = kinds.flatMap(kind => {
    const pattern = patterns[kind]?.trim() ?? ''
    return pattern === '' ? [] : [{ kind, pattern }]
  })
  const named = asked.map(({ kind, pattern }) => ({ kind, pattern, names: namesOf(pattern, kind) }))
  const wrong = new Set(named.filter(({ names }) => names === null).map(({ kind }) => kind))
  const levels: Level[] = named.map(({ kind, names }) => ({ kind, names: names ?? [] }))
  const count = countOf(levels)
  const tops = levels[0]?.names ?? []
  const there = new Set((tree.below.get(parent?._id ?? null) ?? []).map(({ name }) => name.toLowerCase()))
  const taken = tops.filter(name => there.has(name.toLowerCase()))
  const needsSite = parent === null && asked.length > 0 && asked[0]?.kind !== 'site'
  const ready =
    levels.length > 0 && wrong.size === 0 && taken.length === 0 && !needsSite && count <= madeAtOnce && capacity !== ''
  useEntered(asked.length > 0, dialog.setDirty)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!ready) return
    try {
      await make.mutateAsync({ parent: parent?._id ?? null, levels: asked, capacity })
      dialog.close()
    } catch (error) {
      setRefused(error instanceof Refused ? error.message : null)
    }
  }
  const exampleOf = (kind: LocationKind) => {
    const example = examples[kind]
    return typeof example === 'string' ? example : t('locations:range', { from: example[0], to: example[1] })
  }
  const number = new Intl.NumberFormat(i18n.language)
  const places = levels.reduce((product, { names }) => product * names.length, levels.length > 0 ? 1 : 0)
  return (
    <form onSubmit={event => void submit(event)} className={classes.form}>
      <Text size="sm">
        {parent
          ? t('locations:makeIn', { place: parent.stock_rack || parent.stock_site_name })
          : t('locations:makeTop')}{' '}
        {t('locations:makeText')}
      </Text>
      <div className={classes.levels}>
        {kinds.map((kind, nth) => (
          <TextInput
            key={kind}
            label={t(`locations:kinds.${kind}`)}
            placeholder={t('locations:example', { example: exampleOf(kind) })}
            value={patterns[kind] ?? ''}
            onChange={event => {
              setRefused(null)
              setPatterns({ ...patterns, [kind]: event.currentTarget.value })
            }}
            error={
              wrong.has(kind)
                ? t('locations:patternWrong')
                : taken.length > 0 && asked[0]?.kind === kind
                  ? t('locations:taken', { names: taken.slice(0, 10).join(', ') })
                  : needsSite && kind === 'site'
                    ? t('locations:siteNeeded')
                    : undefined
            }
            maxLength={500}
            autoComplete="off"
            spellCheck={false}
            {...(nth === 0 && { 'data-autofocus': true })}
          />
        ))}
        <NumberInput
          label={t('locations:capacity')}
          description={t('locations:capacityMake')}
          value={capacity}
          onChange={value => setCapacity(typeof value === 'number' ? value : '')}
          error={capacity === '' ? t('locations:required') : undefined}
          min={0}
          max={capacityMost}
          allowDecimal={false}
          allowNegative={false}
        />
      </div>
      <div className={classes.preview} role="status">
        {levels.length === 0 || wrong.size > 0 || needsSite ? (
          <Text size="sm" c="dimmed">
            {t('locations:previewNone')}
          </Text>
        ) : count > madeAtOnce ? (
          <Text size="sm" c="var(--mantine-color-red-text)">
            {t('locations:tooMany', { count: number.format(count), most: number.format(madeAtOnce) })}
          </Text>
        ) : (
          <>
            <Text size="sm" fw={600}>
              {t('locations:preview', { count, places: number.format(places) })}
            </Text>
            <Text size="sm" c="dimmed" className={classes.paths}>
              {sample(levels, parent).join('  ·  ')}
            </Text>
          </>
        )}
      </div>
      {refused !== null && (
        <Alert color="red" role="alert">
          {refused}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={dialog.cancel}>
          {t('common:cancel')}
        </Button>
        <Button type="submit" loading={make.isPending} disabled={!ready}>
          {t('locations:makeNow')}
        </Button>
      </Group>
    </form>
  )
}

/** The first few of what is made, and the last, as they are read on the rack. */
function sample(levels: readonly Level[], parent: Location | null): string[] {
  const named = parent ? levels : levels.slice(1)
  if (named.length === 0) return [...(levels[0]?.names ?? [])].slice(0, previewed)
  const pathOf = (nths: readonly (string | undefined)[]) =>
    nths.reduce<string>((path, name) => pathBelow(path, name ?? ''), parent?.stock_rack ?? '')
  const way = named.slice(0, -1).map(({ names }) => names[0])
  const last = named.at(-1)?.names ?? []
  const begin = last.slice(0, previewed).map(name => pathOf([...way, name]))
  const end = pathOf(named.map(({ names }) => names.at(-1)))
  return begin.includes(end) ? begin : [...begin, '…', end]
}
