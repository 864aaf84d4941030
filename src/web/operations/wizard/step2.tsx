/** Step 2: which service, for which tyres of the vehicle. */
import { Alert, Paper, Text, Title, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from '../../ui/texts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { type OfferedType, offeredTypes } from '#domain/tyres/tyre.ts'
import { isMissing } from '../../shared/api.ts'
import { MissingVehicle } from '../../vehicles/missingVehicle.tsx'
import { OtherCustomer, useIsOtherCustomer } from '../../customers/otherCustomer.tsx'
import { TextLink } from '../../ui/link.tsx'
import { Failed } from '../../shared/screen.tsx'
import { OperationTypeIcon } from '../../shared/trade.tsx'
import { useVehicle } from '../../vehicles/useVehicle.ts'
import { VehicleLine } from '../../vehicles/vehicleLine.tsx'
import { Frame } from './frame.tsx'
import { PickTyres } from './pickTyres.tsx'
import { isServiceOpen, shownFor } from '../selection.ts'
import classes from './wizard.module.css'

export function Step2() {
  const { t } = useTranslation('wizard')
  const search = useSearch({ from: '/wizard/step2' })
  const handed = useLocation({ select: location => location.state.flt_id })
  const id = search.flt_id ?? handed
  return (
    <Frame step={2}>
      {id === undefined ? (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {t('noVehicle')} <TextLink to="/wizard/step1">{t('pickVehicle')}</TextLink>
        </Alert>
      ) : (
        <Vehicle key={id} id={id} type={search.type} />
      )}
    </Frame>
  )
}

function Vehicle({ id, type: requested }: { id: number; type: OfferedType | undefined }) {
  const { t } = useTranslation('wizard')
  const navigate = useNavigate()
  const answer = useVehicle(id)
  const vehicle = answer.data
  const ofOther = useIsOtherCustomer(vehicle)
  const open = vehicle ? offeredTypes.filter(candidate => isServiceOpen(candidate, vehicle.tyres)) : []
  const type = requested ?? (open.length === 1 ? open[0] : undefined)
  if (isMissing(answer.error) && !vehicle) return <MissingVehicle />
  if (answer.isError && !vehicle) return <Failed error={answer.error} retry={answer.refetch} />
  // The steps that follow look for the operation among those of the customer acted for.
  if (vehicle && ofOther) {
    return (
      <>
        <VehicleHead vehicle={vehicle} />
        <OtherCustomer vehicle={vehicle} />
      </>
    )
  }

  const pick = (next: OfferedType) =>
    void navigate({
      to: '/wizard/step2',
      search: { flt_id: id, type: next },
      state: { flt_id: id },
      replace: true,
      resetScroll: false,
    })
  return (
    <>
      <VehicleHead vehicle={vehicle} />
      <section aria-labelledby="pick-service">
        <Title order={2} id="pick-service" mb="xs">
          {t('pickService')}
        </Title>
        <div className={classes.servicesPick}>
          {offeredTypes.map(candidate => (
            <UnstyledButton
              key={candidate}
              className={classes.service}
              aria-pressed={candidate === type}
              disabled={!vehicle || !isServiceOpen(candidate, vehicle.tyres)}
              onClick={() => pick(candidate)}
            >
              <OperationTypeIcon type={candidate} size={34} />
              <span>
                {t(`service.${candidate}`)}
                {vehicle && (
                  <small className={classes.why}>
                    {t(isServiceOpen(candidate, vehicle.tyres) ? `serviceHint.${candidate}` : 'noneInStock')}
                  </small>
                )}
              </span>
            </UnstyledButton>
          ))}
        </div>
      </section>
      {vehicle && type && isServiceOpen(type, vehicle.tyres) && (
        // the initial selection depends on the tyres on offer
        <PickTyres key={`${type} ${shownFor(type, vehicle.tyres).length > 0}`} vehicle={vehicle} type={type} />
      )}
    </>
  )
}

function VehicleHead({ vehicle }: { vehicle: Vehicle | undefined }) {
  const { t } = useTranslation('wizard')
  return (
    <Paper className={classes.vehicle} aria-busy={!vehicle}>
      {vehicle ? (
        <>
          <VehicleLine vehicle={vehicle} />
          <TextLink to="/wizard/step1" search={{ plate: vehicle.license_plate }} size="sm">
            {t('otherVehicle')}
          </TextLink>
        </>
      ) : (
        <Text c="dimmed" role="status">
          {t('loadingVehicle')}
        </Text>
      )}
    </Paper>
  )
}
