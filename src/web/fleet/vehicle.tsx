/** The vehicle screen (SPEC §2 "Vehicle detail"). */
import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { fleet as calls } from '#contract/fleet.ts'
import { formatPlate } from '#domain/plate.ts'
import { answerTo } from '../api.ts'
import { useFleet } from '../session.ts'
import { Failed, Placeholders, Screen } from '../ui/screen.tsx'
import { VehicleView } from '../ui/vehicle/VehicleView.tsx'

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
  const { data: fleet } = useFleet()
  // The fleet shows the vehicle at once; the server says what has become of it since.
  const answer = useQuery({
    ...answerTo(calls.vehicle, { flt_id: id }),
    staleTime: 0,
    placeholderData: () => fleet?.find(vehicle => vehicle.flt_id === id),
  })
  const vehicle = answer.data
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
      ) : answer.isError ? (
        <Failed error={answer.error} retry={answer.refetch} />
      ) : (
        <Placeholders rows={8} />
      )}
    </Screen>
  )
}
