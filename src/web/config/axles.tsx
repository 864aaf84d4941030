/** The axles and separators of a configuration from the front, to be built by keyboard and by touch alike. */
import { ActionIcon, Button, Group, Text, UnstyledButton } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconMinus,
  IconPlus,
  IconSeparatorHorizontal,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { type AxleMark, axleMarks, markNames } from '../vehicles/diagram/axleMarks.ts'
import {
  type AxleRow,
  problemOf,
  movable,
  moved,
  numberOf,
  type Side,
  wheelsOn,
  withAxle,
  withSeparator,
} from './axleDraft.ts'
import classes from './vehicleConfigs.module.css'

/** Where a button of a row is found; without a row, the one that adds an axle. */
const button = (row: AxleRow | undefined, does: string) =>
  row ? `[data-row="${row.key}"] [data-does="${does}"]:not(:disabled)` : '[data-add-axle]:not(:disabled)'

type AxlesProps = {
  rows: readonly AxleRow[]
  change: (rows: AxleRow[]) => void
  /** Vehicles use these wheels, so they can't be added, removed or moved. */
  fixed: boolean
  problem: ReturnType<typeof problemOf>
  tried: boolean
  most: number
}

export function Axles({ rows, change, fixed, problem, tried, most }: AxlesProps) {
  const { t } = useTranslation(['config', 'common'])
  const list = useRef<HTMLOListElement>(null)
  const [announcement, setAnnouncement] = useState('')
  /** The button that gets the focus after the list was rendered; the first enabled one. */
  const next = useRef<string[] | null>(null)
  useEffect(() => {
    const wanted = next.current
    if (!wanted) return
    next.current = null
    const frame = list.current?.parentElement
    const target = wanted.map(selector => frame?.querySelector<HTMLElement>(selector)).find(button => button)
    target?.focus({ preventScroll: true })
    target?.scrollIntoView({ block: 'nearest' })
  })
  const nameOf = (row: AxleRow) =>
    row.type === 'axle' ? t('vehicleConfigs.axle', { number: numberOf(rows, row) }) : t('vehicleConfigs.separator')

  function move(row: AxleRow, by: -1 | 1) {
    const ways = by < 0 ? (['up', 'down'] as const) : (['down', 'up'] as const)
    const after = moved(rows, row, by)
    next.current = ways.map(way => button(row, way))
    setAnnouncement(
      t('vehicleConfigs.moved', { what: nameOf(row), place: after.indexOf(row) + 1, total: after.length }),
    )
    change(after)
  }
  function remove(row: AxleRow) {
    const at = rows.indexOf(row)
    const after = rows.toSpliced(at, 1)
    next.current = [button(after[at] ?? after.at(-1), 'remove'), '[data-add-axle]']
    setAnnouncement(t('vehicleConfigs.taken', { what: nameOf(row) }))
    change(after)
  }
  function add(after: AxleRow[]) {
    const added = after.find(({ key }) => !rows.some(row => row.key === key))
    if (added) next.current = [`[data-row="${added.key}"] [data-does="more"]:not(:disabled)`, button(added, 'up')]
    change(after)
  }
  const replace = (row: AxleRow, by: Partial<AxleRow>) =>
    change(rows.map(each => (each.key === row.key ? { ...each, ...by } : each)))
  const full = rows.length >= most
  const shown = problem && (tried || problem.key !== rows.at(-1)?.key) ? problem : null
  return (
    <fieldset className={classes.axles}>
      <legend>{t('vehicleConfigs.axles')}</legend>
      <ol ref={list}>
        {rows.map(row => {
          const name = nameOf(row)
          const wrong = shown?.key === row.key
          return (
            <li key={row.key} data-row={row.key} data-type={row.type} data-wrong={wrong || undefined}>
              <div role="group" aria-label={name} className={classes.axleRow}>
                <Text component="span" size="sm" fw={600} className={classes.axleName}>
                  {row.type === 'separator' && <IconSeparatorHorizontal size={18} stroke={1.6} aria-hidden />} {name}
                </Text>
                <Group gap={0} wrap="nowrap" className={classes.moves}>
                  <RowButton
                    does="up"
                    icon={IconChevronUp}
                    label={t('vehicleConfigs.up', { what: name })}
                    disabled={!movable(rows, row, -1, fixed)}
                    run={() => move(row, -1)}
                  />
                  <RowButton
                    does="down"
                    icon={IconChevronDown}
                    label={t('vehicleConfigs.down', { what: name })}
                    disabled={!movable(rows, row, 1, fixed)}
                    run={() => move(row, 1)}
                  />
                  <RowButton
                    does="remove"
                    icon={IconTrash}
                    label={t('removeWhich', { name })}
                    disabled={fixed && row.type === 'axle'}
                    run={() => remove(row)}
                  />
                </Group>
                {row.type === 'axle' ? (
                  <>
                    <div className={classes.steppers}>
                      {(['left', 'right'] as const).map(side => (
                        <Wheels
                          key={side}
                          side={side}
                          row={row}
                          name={name}
                          fixed={fixed}
                          change={wheels => replace(row, { [side]: wheels })}
                        />
                      ))}
                    </div>
                    <div className={classes.marks}>
                      {markNames.map(mark => (
                        <Mark key={mark} mark={mark} on={row[mark]} change={on => replace(row, { [mark]: on })} />
                      ))}
                    </div>
                  </>
                ) : (
                  <Text size="xs" c="dimmed" className={classes.separatorHint}>
                    {t('vehicleConfigs.separatorHint')}
                  </Text>
                )}
              </div>
              {wrong && (
                <Text size="xs" className={classes.wrong} role="alert" tabIndex={-1} data-invalid-part>
                  {t('vehicleConfigs.complaint.place')}
                </Text>
              )}
            </li>
          )
        })}
      </ol>
      {shown && shown.key === null && (
        <Text size="xs" className={classes.wrong} role="alert" tabIndex={-1} data-invalid-part>
          {shown.why === 'axles.none'
            ? t('vehicleConfigs.complaint.none')
            : t('common:complaint.tooLarge', { limit: most })}
        </Text>
      )}
      <Group gap="xs" mt="xs">
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={fixed || full}
          onClick={() => add(withAxle(rows))}
          data-add-axle
        >
          {t('vehicleConfigs.addAxle')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconSeparatorHorizontal size={16} aria-hidden />}
          disabled={full || rows.length === 0 || (fixed && rows.length < 2)}
          onClick={() => add(withSeparator(rows, { axleFollows: !fixed }))}
        >
          {t('vehicleConfigs.addSeparator')}
        </Button>
      </Group>
      <span className="wh-hidden" role="status">
        {announcement}
      </span>
    </fieldset>
  )
}

type RowButtonProps = { does: string; icon: TablerIcon; label: string; disabled: boolean; run: () => void }

function RowButton({ does, icon: Icon, label, disabled, run }: RowButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={disabled} onClick={run} data-does={does}>
      <Icon size={18} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}

type WheelsProps = { side: Side; row: AxleRow; name: string; fixed: boolean; change: (wheels: number) => void }

/** The wheels of one side: one less, how many there are, one more. */
function Wheels({ side, row, name, fixed, change }: WheelsProps) {
  const { t } = useTranslation('config')
  const { least, most } = wheelsOn(row, side)
  const wheels = row[side]
  const what = t(`vehicleConfigs.wheels.${side}`, { axle: name })
  return (
    <div className={classes.stepper} role="group" aria-label={what}>
      <span className={classes.side} aria-hidden>
        {t(`vehicleConfigs.side.${side}`)}
      </span>
      <ActionIcon
        variant="default"
        aria-label={t('vehicleConfigs.fewer', { what })}
        disabled={fixed || wheels <= least}
        onClick={() => change(wheels - 1)}
      >
        <IconMinus size={16} aria-hidden />
      </ActionIcon>
      <output className={classes.wheels} aria-live="polite">
        {wheels}
      </output>
      <ActionIcon
        variant="default"
        aria-label={t('vehicleConfigs.more', { what })}
        disabled={fixed || wheels >= most}
        onClick={() => change(wheels + 1)}
        data-does="more"
      >
        <IconPlus size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

function Mark({ mark, on, change }: { mark: AxleMark; on: boolean; change: (on: boolean) => void }) {
  const { t } = useTranslation('vehicles')
  const Icon = axleMarks[mark]
  return (
    <UnstyledButton className={classes.mark} aria-pressed={on} onClick={() => change(!on)}>
      <Icon size={16} stroke={1.7} aria-hidden />
      {t(`mark.${mark}`)}
    </UnstyledButton>
  )
}
