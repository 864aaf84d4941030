import { useTranslation } from '../../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { wallClock } from '#domain/texts/date.ts'
import { handledTyres } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { useNames } from '../names.ts'
import { useSeesSite, useSite } from '../../shared/session.ts'
import { useOperationStatusLabel, useOperationTypeLabel } from '../../shared/trade.tsx'
import type { SheetColumns } from '../../shared/workbook.ts'

/** Operations as the columns of a workbook (docs/product/files.md "Exports"), a line for each; days are those of the site's calendar. */
export function useOperationSheet(): SheetColumns<Operation> {
  const { t } = useTranslation(['operations', 'vehicles'])
  const { time_zone: timeZone } = useSite()
  const seesSite = useSeesSite()
  const typeOf = useOperationTypeLabel()
  const statusOf = useOperationStatusLabel()
  const names = useNames()
  const dayOf = (moment: string | null) => moment && wallClock({ now: new Date(moment), timeZone }).date
  return [
    { header: t('operations:columns.number'), number: operation => operation._id },
    { header: t('vehicles:license_plate'), text: ({ vehicle }) => formatPlate(vehicle.license_plate) },
    seesSite && { header: t('vehicles:customer'), text: ({ user }) => user.companyname },
    { header: t('operations:columns.operation'), text: ({ type }) => typeOf(type) },
    { header: t('operations:columns.status'), text: statusOf },
    { header: t('operations:columns.tyres'), number: operation => handledTyres(operation).length },
    { header: t('operations:services'), text: ({ services }) => services.map(names.service).join(', ') },
    {
      header: t('operations:transport'),
      text: ({ transport }) => (transport === null ? null : names.transport(transport)),
    },
    { header: t('operations:deliveryDate'), day: ({ deliveryDate }) => deliveryDate },
    { header: t('operations:createdOn'), day: ({ created }) => dayOf(created) },
    { header: t('operations:submittedOn'), day: ({ submitted }) => dayOf(submitted) },
    { header: t('operations:handledOn'), day: ({ handledAt }) => dayOf(handledAt) },
    { header: t('operations:remarks'), text: ({ remarks }) => remarks },
  ]
}
