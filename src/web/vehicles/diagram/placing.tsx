/** Assigns the chosen articles to the positions of the vehicle. */
import { ActionIcon, Button, Group, Text, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from '../../ui/texts.ts'
import type { Vehicle, VehicleConfig } from '#contract/wire.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { Empty } from '../../shared/screen.tsx'
import { type Chosen, type Placed, positionsFor, takenIn } from './adding.ts'
import classes from './addTyres.module.css'
import { ConfigurationPicture } from './configurationPicture.tsx'

type ChosenProps = {
  chosen: readonly Chosen[]
  placed: Placed
  active: string | null
  activate: (key: string) => void
  drop: (key: string) => void
}

/** The chosen articles with their positions. The picture below belongs to the one that is marked. */
export function ChosenArticles({ chosen, placed, active, activate, drop }: ChosenProps) {
  const { t } = useTranslation('tyres')
  if (chosen.length === 0) return <Empty text={t('add.chooseFirst')} />
  return (
    <ul className={classes.chosen} aria-label={t('add.chosen')}>
      {chosen.map(choice => {
        const positions = positionsFor(placed, choice.key)
        return (
          <li key={choice.key} className={classes.chosenOne} data-active={choice.key === active || undefined}>
            <UnstyledButton
              className={classes.chosenText}
              aria-pressed={choice.key === active}
              onClick={() => activate(choice.key)}
            >
              <span>{choice.description}</span>
              <span className={classes.chosenPositions}>
                {positions.length === 0 ? t('add.noPositions') : positions.join(', ')}
              </span>
            </UnstyledButton>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('add.drop', { article: choice.description })}
              onClick={() => drop(choice.key)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}

type PositionsProps = {
  config: VehicleConfig
  vehicle: Vehicle
  chosen: readonly Chosen[]
  placed: Placed
  active: string
  set: string | null
  place: (positions: readonly string[]) => void
}

export function Positions({ config, vehicle, chosen, placed, active, set, place }: PositionsProps) {
  const { t } = useTranslation('tyres')
  const positions = positionsOf(config.axles)
  const taken = new Set(takenIn(vehicle.tyres, set, positions))
  const free = positions.filter(position => !taken.has(position))
  const mine = positionsFor(placed, active)
  const isMine = (some: readonly string[]) => some.length > 0 && some.every(position => mine.includes(position))
  const axles = [...Map.groupBy(free, position => Number.parseInt(position, 10))]
  const ids = new Map<string, number>(positions.map((position, at) => [position, at + 1]))
  return (
    <>
      <Group gap={6} role="group" aria-label={t('add.pickPositions')} className={classes.quick}>
        <Button
          size="compact-sm"
          variant={isMine(free) ? 'light' : 'default'}
          aria-pressed={isMine(free)}
          disabled={free.length === 0}
          onClick={() => place(free)}
        >
          {t('add.allPositions', { count: free.length })}
        </Button>
        {axles.map(([axle, some]) => (
          <Button
            key={axle}
            size="compact-sm"
            variant={isMine(some) ? 'light' : 'default'}
            aria-pressed={isMine(some)}
            onClick={() => place(some)}
          >
            {t('add.axle', { axle, count: some.length })}
          </Button>
        ))}
      </Group>
      <ConfigurationPicture
        config={config}
        tyres={positions.map(position => {
          const key = placed.get(position)
          const there = chosen.find(choice => choice.key === key)
          return {
            id: ids.get(position) ?? 0,
            position,
            set,
            description: there?.description ?? t('add.free'),
            state:
              key === active
                ? 'selected'
                : key !== undefined
                  ? 'preselected'
                  : taken.has(position)
                    ? 'blocked'
                    : 'free',
            reason: taken.has(position) ? t('add.taken') : undefined,
          }
        })}
        pick={some => place(positions.filter(position => some.includes(ids.get(position) ?? 0)))}
      />
      {chosen.length > 1 && (
        <Text size="xs" c="dimmed" ta="center">
          {t('add.others')}
        </Text>
      )}
    </>
  )
}
