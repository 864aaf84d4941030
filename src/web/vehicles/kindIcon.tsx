import {
  IconBus,
  IconCar,
  IconCarSuv,
  IconCaravan,
  IconMotorbike,
  IconQuestionMark,
  IconTir,
  IconTractor,
  IconTruck,
  IconTruckDelivery,
  type TablerIcon,
} from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import { type VehicleKind, vehicleKind } from '#domain/vehicles/vehicle.ts'

const icons = {
  car: IconCar,
  suv: IconCarSuv,
  van: IconTruckDelivery,
  truck: IconTruck,
  trailer: IconTir,
  caravan: IconCaravan,
  bus: IconBus,
  tractor: IconTractor,
  motorcycle: IconMotorbike,
  unknown: IconQuestionMark,
} as const satisfies Record<VehicleKind | 'unknown', TablerIcon>

/** The kind of a vehicle as a sign; a word that means none gets a question mark. */
export function KindIcon({ type, size = 22 }: { type: string; size?: number }) {
  const { t } = useTranslation(['vehicles', 'common'])
  const kind = vehicleKind(type)
  const name = kind === 'unknown' ? type || t('common:unknown') : t(`vehicles:kind.${kind}`)
  const Icon = icons[kind]
  return (
    <span title={name}>
      <Icon size={size} stroke={1.6} role="img" aria-label={name} />
    </span>
  )
}
