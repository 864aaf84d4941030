import { useTranslation } from '../ui/texts.ts'
import type { Vehicle } from '#contract/wire.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import { tyreStatuses } from '#domain/tyres/tyre.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { useSeesSite, useSite } from '../shared/session.ts'
import type { SheetColumns } from '../shared/workbook.ts'

/** A list of vehicles as the columns of a workbook (docs/product/files.md "Exports"): a number for each status that tyres can be shown in. */
export function useVehicleSheet(): SheetColumns<Vehicle> {
  const { t } = useTranslation(['vehicles', 'fleet', 'common'])
  const { mode, showWasteTyres } = useSite()
  const seesSite = useSeesSite()
  return [
    { header: t('vehicles:license_plate'), text: vehicle => formatPlate(vehicle.license_plate) },
    seesSite && { header: t('vehicles:customer'), text: vehicle => vehicle.customer_name },
    mode !== 'hotelonly' && { header: t('vehicles:number'), text: vehicle => vehicle.number },
    { header: t('vehicles:brand'), text: vehicle => vehicle.brand },
    { header: t('vehicles:description'), text: vehicle => vehicle.description },
    {
      header: t('vehicles:type'),
      text: ({ type }) => {
        const kind = vehicleKind(type)
        return kind === 'unknown' ? type : t(`vehicles:kind.${kind}`)
      },
    },
    { header: t('vehicles:chassis_number'), text: vehicle => vehicle.chassis_number },
    { header: t('vehicles:cost_centre'), text: vehicle => vehicle.cost_centre },
    { header: t('vehicles:yearly_distance'), number: vehicle => vehicle.yearly_distance },
    { header: t('vehicles:contract_end'), day: vehicle => vehicle.contract_end },
    { header: t('vehicles:former_plates'), text: vehicle => vehicle.former_plates.map(formatPlate).join(', ') },
    { header: t('vehicles:configuration'), text: vehicle => vehicle.configuration },
    { header: t('vehicles:driverLegend'), text: vehicle => vehicle.driver_name },
    { header: t('fleet:tyres'), number: ({ tyres }) => tyres.length },
    ...tyreStatuses
      .filter(status => status !== 'waste' || showWasteTyres)
      .map(status => ({
        header: t(`common:tyreStatus.${status}`),
        number: ({ tyres }: Vehicle) => tyres.filter(tyre => tyre.tyre_status === status).length,
      })),
  ]
}
