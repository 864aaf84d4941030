import { Badge, Group, Text } from '@mantine/core'
import { useTranslation } from '../ui/texts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatDate } from '#domain/texts/date.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { CopyButton } from '../ui/copyButton.tsx'
import { useWho } from '../shared/session.ts'
import { Plate } from '../shared/trade.tsx'

/** A vehicle in one line: plate, brand, description, kind, driver; for an administrator also whose it is. `copies`: the plate by a click. */
export function VehicleLine({ vehicle, copies = false }: { vehicle: Vehicle; copies?: boolean }) {
  const { t } = useTranslation('vehicles')
  const who = useWho()
  const kind = vehicleKind(vehicle.type)
  const facts = [
    kind === 'unknown' ? vehicle.type : t(`kind.${kind}`),
    vehicle.driver_name || t('noDriver'),
    who.type === 'admin' && vehicle.customer_name,
    copies &&
      vehicle.former_plates.length > 0 &&
      t('formerly', { plates: vehicle.former_plates.map(formatPlate).join(', ') }),
  ]
  return (
    <>
      <Group gap={4} wrap="nowrap">
        <Plate plate={vehicle.license_plate} size="lg" />
        {copies && <CopyButton text={formatPlate(vehicle.license_plate)} />}
      </Group>
      <div style={{ flex: 1, minWidth: 'min(100%, 14rem)', overflowWrap: 'anywhere' }}>
        <Text fw={600} component="div">
          {vehicle.brand} {vehicle.description}{' '}
          {vehicle.left_on !== null && (
            <Badge variant="light" color="gray" data-left>
              {t('leftOn', { date: formatDate(vehicle.left_on) })}
            </Badge>
          )}
        </Text>
        <Text size="sm" c="dimmed">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </div>
    </>
  )
}
