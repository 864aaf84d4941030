/** The vehicle screen (docs/product/vehicles.md "Vehicle screen"). */
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../ui/texts.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { Failed, Placeholders, Screen } from '../../shared/screen.tsx'
import { isMissing } from '../../shared/api.ts'
import { MissingVehicle } from '../missingVehicle.tsx'
import { useNoteRecent } from '../recent.ts'
import { useVehicle } from '../useVehicle.ts'
import { VehicleView } from '../vehicleView.tsx'

export function VehicleDetail() {
  const { t } = useTranslation('fleet')
  const search = useSearch({ from: '/fleet/vehicle' })
  const handed = useLocation({ select: location => location.state.id })
  const id = search.id ?? handed
  if (id !== undefined) return <Vehicle key={id} id={id} />
  return (
    <Screen title={t('vehicle')} actions={<AllVehicles />}>
      <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {t('noVehicle')}
      </Alert>
    </Screen>
  )
}

function AllVehicles() {
  const { t } = useTranslation('fleet')
  return (
    <Button component={Link} to="/fleet" variant="subtle" leftSection={<IconArrowLeft size={18} aria-hidden />}>
      {t('allVehicles')}
    </Button>
  )
}

function Vehicle({ id }: { id: number }) {
  const { t } = useTranslation('fleet')
  const navigate = useNavigate()
  const { tab = 'tyres' } = useSearch({ from: '/fleet/vehicle' })
  const answer = useVehicle(id)
  const vehicle = answer.data
  useNoteRecent(id)
  return (
    <Screen
      title={vehicle ? t('vehicleWhich', { plate: formatPlate(vehicle.license_plate) }) : t('vehicle')}
      actions={<AllVehicles />}
    >
      {vehicle ? (
        <VehicleView
          vehicle={vehicle}
          tab={tab}
          setTab={next =>
            void navigate({
              to: '/fleet/vehicle',
              search: { id, ...(next !== 'tyres' && { tab: next }) },
              state: { id },
              replace: true,
              resetScroll: false,
            })
          }
          onRemoved={() => void navigate({ to: '/fleet', replace: true })}
        />
      ) : isMissing(answer.error) ? (
        <MissingVehicle />
      ) : answer.isError ? (
        <Failed error={answer.error} retry={answer.refetch} />
      ) : (
        <Placeholders rows={8} />
      )}
    </Screen>
  )
}
