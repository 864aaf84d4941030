/**
 * Vehicles whose plate contains the typed text, so that nobody adds one that exists or has to type a whole plate; before anything is typed those
 * opened last. A whole set is recalled or stored from here, on one sheet.
 */
import { Text, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import type { Vehicle } from '#contract/wire.ts'
import { useAnswer } from '../../shared/api.ts'
import { useFleet, useSeesSite } from '../../shared/session.ts'
import { useRecentVehicles } from '../../vehicles/recent.ts'
import { SetRequests } from '../../vehicles/sets/setRequests.tsx'
import { VehicleLine } from '../../vehicles/vehicleLine.tsx'
import { holdingPlate, mostSuggested, shortestSuggested } from './plates.ts'
import classes from './wizard.module.css'

/** The pause in typing, in ms, before the server answers an administrator who acts for no customer. */
const typingPauseMs = 200

function useHolding(plate: string): readonly Vehicle[] {
  const seesSite = useSeesSite()
  const fleet = useFleet()
  const [searched] = useDebouncedValue(plate, typingPauseMs)
  const enough = plate.length >= shortestSuggested
  const { data } = useAnswer(
    calls.fetch,
    { search: searched },
    { enabled: seesSite && enough && searched !== '', muted: true },
  )
  if (!enough) return []
  return holdingPlate((seesSite ? data : fleet.data) ?? [], plate).slice(0, mostSuggested)
}

/** The vehicles opened last on this device, of the loaded fleet. */
function useRecent(): readonly Vehicle[] {
  const recent = useRecentVehicles()
  const { data = [] } = useFleet()
  return recent.flatMap(id => data.find(({ flt_id }) => flt_id === id) ?? []).slice(0, mostSuggested)
}

/** Nothing where no plate holds the text. `plate`: without dashes, in capitals. */
export function Suggestions({ plate }: { plate: string }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate()
  const heading = useId()
  const holding = useHolding(plate)
  const recent = useRecent()
  const vehicles = plate === '' ? recent : holding
  return (
    <div role="status">
      {vehicles.length > 0 && (
        <section aria-labelledby={heading}>
          <Text id={heading} size="sm" fw={600} mb={6}>
            {t(plate === '' ? 'recent' : 'suggested')}
          </Text>
          <ul className={classes.picks}>
            {vehicles.map(vehicle => (
              <li key={vehicle.flt_id} className={classes.suggestion}>
                <UnstyledButton
                  className={classes.suggested}
                  onClick={() =>
                    void navigate({
                      to: '/wizard/step2',
                      search: { flt_id: vehicle.flt_id },
                      state: { flt_id: vehicle.flt_id },
                    })
                  }
                >
                  <VehicleLine vehicle={vehicle} />
                </UnstyledButton>
                <SetRequests vehicle={vehicle} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
