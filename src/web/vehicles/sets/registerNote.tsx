/** Looks the plate of a form up in the public vehicle register, fills empty fields, and reports the result. */
import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { fleet as calls } from '#contract/fleet.ts'
import { formatDate } from '#domain/texts/date.ts'
import { isDutchPlate, normalizePlate } from '#domain/vehicles/plate.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import type { Form } from '../../ui/form/useForm.ts'
import { useDebounced } from '../../ui/hooks.ts'
import { useAnswer } from '../../shared/api.ts'
import { useExtra } from '../../shared/session.ts'
import { filledIn, nothingRegistered, type VehicleForm } from '../form.ts'

/** The pause in typing before the plate is looked up, in ms. */
const typingPauseMs = 400

export function RegisterNote({ form }: { form: Pick<Form<VehicleForm>, 'values' | 'set'> }) {
  const { t } = useTranslation('vehicles')
  const plate = useDebounced(normalizePlate(form.values.license_plate), typingPauseMs)
  const isDutch = isDutchPlate(plate)
  // a register that fails is no failure of the screen: the form is filled in by hand
  const { data, isError } = useAnswer(
    calls.registered,
    { license_plate: plate },
    { enabled: isDutch, staleTime: Infinity, muted: true },
  )
  const state = isError ? 'unavailable' : data?.state
  const vehicle = state === 'found' && isDutch ? data?.vehicle : undefined
  const { vehicleTypes } = useExtra()
  const before = useRef(nothingRegistered)
  const { set } = form
  useEffect(() => {
    // what it said of another plate stays until this one is answered, or can't be
    if (isDutch && state === undefined) return
    const kind = vehicle?.type ?? null
    // a site may call a kind by a word of its own
    const type =
      kind && (vehicleTypes.find(({ vet_description: word }) => vehicleKind(word) === kind)?.vet_description ?? kind)
    const registered = vehicle
      ? { brand: vehicle.brand, description: vehicle.description, type: type ?? '' }
      : nothingRegistered
    const last = before.current
    before.current = registered
    set(now => filledIn(now, last, registered))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only what the register says fills fields
  }, [isDutch, state, data])

  if (!isDutch || state === undefined || state === 'off') return null
  return (
    <Text size="xs" c="dimmed" mt={4} role="status">
      {vehicle
        ? [
            `${t('register.found')} ${vehicle.brand} ${vehicle.description}`.trim(),
            vehicle.type && t(`kind.${vehicle.type}`),
            vehicle.first_admission && t('register.admitted', { date: formatDate(vehicle.first_admission) }),
            vehicle.wheel_count && t('picture.wheels', { count: vehicle.wheel_count }),
          ]
            .filter(Boolean)
            .join(' · ')
        : t(state === 'unavailable' ? 'register.unavailable' : 'register.unknown')}
    </Text>
  )
}
