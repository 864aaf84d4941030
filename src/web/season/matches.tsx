/** Sets that are moved before tyres are bought: from which vehicle to which, and how many tyres that saves (docs/product/season.md "Buying list"). */
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconRecycle, IconTransfer } from '@tabler/icons-react'
import { useState } from 'react'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import type { Match } from '#domain/season/matching.ts'
import { sizeIn } from '#domain/tyres/fitness.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { useTranslation } from '../ui/texts.ts'
import { MoveTyres } from '../vehicles/moving/moveTyres.tsx'

type SpareSet = { readonly vehicle: Vehicle; readonly tyres: readonly Tyre[] }
type MatchesProps = { matches: readonly Match<SpareSet, Vehicle>[]; saved: number }

export function Matches({ matches, saved }: MatchesProps) {
  const { t } = useTranslation(['season', 'fleet'])
  const [moving, setMoving] = useState<Match<SpareSet, Vehicle> | null>(null)
  return (
    <Alert
      color="green"
      icon={<IconRecycle aria-hidden />}
      title={t('season:buying.saved', { count: saved, moves: matches.length })}
      mb="sm"
      data-saved={saved}
    >
      <Stack gap={6}>
        {matches.map(match => (
          <Group key={match.set.tyres[0]?.db_id} justify="space-between" gap="xs">
            <Text size="sm">
              {[
                `${formatPlate(match.set.vehicle.license_plate)} → ${formatPlate(match.vehicle.license_plate)}`,
                match.set.tyres[0]?.tyre_set,
                match.set.tyres[0] && sizeIn(match.set.tyres[0].description),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Text>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconTransfer size={16} aria-hidden />}
              onClick={() => setMoving(match)}
            >
              {t('season:buying.move')}
            </Button>
          </Group>
        ))}
      </Stack>
      <FormDialog
        opened={moving !== null}
        onClose={() => setMoving(null)}
        title={t('fleet:move.title')}
        size="lg"
        lost={t('fleet:dialogLost')}
      >
        {dialog =>
          moving && (
            <MoveTyres
              tyres={moving.set.tyres}
              from={moving.set.vehicle}
              proposed={moving.vehicle.flt_id}
              onMoved={dialog.close}
            />
          )
        }
      </FormDialog>
    </Alert>
  )
}
