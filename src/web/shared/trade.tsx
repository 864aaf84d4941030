/** The trade's words as small pieces: statuses, kinds of operation, plates. */
import { Badge, type MantineColor, ThemeIcon } from '@mantine/core'
import {
  IconCar,
  IconCircleCheck,
  IconCircleX,
  IconHelpHexagon,
  IconPackageExport,
  IconPackageImport,
  IconPencil,
  IconRecycle,
  IconSend,
  IconUser,
  IconWheel,
  type TablerIcon,
} from '@tabler/icons-react'
import { Children, Fragment, type ReactNode, useCallback } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { OperationStatus } from '#domain/operations/operation.ts'
import { formatPlate } from '#domain/vehicles/plate.ts'
import type { OperationType, TyreStatus } from '#domain/tyres/tyre.ts'
import classes from './trade.module.css'

type Look = { color: MantineColor; icon: TablerIcon }

const operationLooks = {
  pending: { color: 'orange', icon: IconPencil },
  submitted: { color: 'petrol', icon: IconSend },
  confirmed: { color: 'green', icon: IconCircleCheck },
  cancelled: { color: 'gray', icon: IconCircleX },
} as const satisfies Record<OperationStatus, Look>

/** How each status of a tyre looks, here and in counts. */
export const tyreLooks = {
  in_stock: { color: 'petrol', icon: IconPackageImport },
  at_customer: { color: 'grape', icon: IconUser },
  on_vehicle: { color: 'indigo', icon: IconCar },
  on_spare: { color: 'cyan', icon: IconWheel },
  waste: { color: 'gray', icon: IconRecycle },
} as const satisfies Record<TyreStatus, Look>

const typeLooks = {
  to_stock: { color: 'petrol', icon: IconPackageImport },
  to_customer: { color: 'grape', icon: IconPackageExport },
  to_waste: { color: 'orange', icon: IconRecycle },
  to_spare: { color: 'cyan', icon: IconWheel },
} as const satisfies Record<OperationType, Look>

type NamedTyre = { readonly db_id: number; readonly position: string }

/**
 * The name of the box that selects a tyre. A vehicle can have two sets with the same positions and the same description: the number of the
 * tyre tells them apart.
 */
export function useTyreSelectName(): (tyre: NamedTyre, plate: string) => string {
  const { t } = useTranslation()
  return useCallback(
    ({ db_id, position }, plate) => t('tyre.selectOne', { position, plate: formatPlate(plate), tyre: db_id }),
    [t],
  )
}

type NamedOperation = { readonly _id: number; readonly vehicle: { readonly license_plate: string } }

/** A name that tells an operation from every other on a screen: a vehicle can have two of a type. */
export function useOperationName(): (operation: NamedOperation) => string {
  const { t } = useTranslation('operations')
  return ({ _id, vehicle }) => t('numbered', { plate: formatPlate(vehicle.license_plate), number: _id })
}

type OperationState = { readonly status: OperationStatus; readonly type: OperationType }

/** The status of an operation in words; of a confirmed one, where its tyres are now. */
export function useOperationStatusLabel(): (operation: OperationState) => string {
  const { t } = useTranslation()
  return ({ status, type }) => (status === 'confirmed' ? t(`finishedAs.${type}`) : t(`operationStatus.${status}`))
}

/** The status of an operation or of a tyre. Never by colour alone: the icon and the word say it too. */
export function StatusBadge(props: { operation: OperationState } | { tyre: TyreStatus }) {
  const { t } = useTranslation()
  const statusOf = useOperationStatusLabel()
  const look: Look =
    'operation' in props ? operationLooks[props.operation.status] : (tyreLooks[props.tyre] ?? unknownLook)
  const text =
    'operation' in props
      ? statusOf(props.operation)
      : props.tyre in tyreLooks
        ? t(`tyreStatus.${props.tyre}`)
        : t('unknown')
  return (
    <Badge className={classes.badge} color={look.color} leftSection={<look.icon size={13} aria-hidden />}>
      {text}
    </Badge>
  )
}
/** Anything else is unknown. */
const unknownLook: Look = { color: 'gray', icon: IconHelpHexagon }

/** The sign of a kind of operation; decoration beside its word. */
export function OperationTypeIcon({ type, size = 28 }: { type: OperationType; size?: number }) {
  const { color, icon: Icon } = typeLooks[type]
  return (
    <ThemeIcon variant="light" color={color} size={size} radius="sm" aria-hidden>
      <Icon size={Math.round(size * 0.64)} stroke={1.7} />
    </ThemeIcon>
  )
}

/** Storage, Recall, Disposal, Spare in the language of the page. */
export function useOperationTypeLabel(): (type: OperationType) => string {
  const { t } = useTranslation()
  return type => t(`operationType.${type}`)
}

/** The name of a place. It stays on one line: half of it is the name of another place. */
export const Rack = ({ name }: { name: string | null }) => <span className={classes.rack}>{name}</span>

/** Facts in one line, with a dot between those that there are. */
export const Dotted = ({ children }: { children: ReactNode }) =>
  Children.toArray(children)
    .filter(fact => fact !== '')
    .map((fact, nth) => (nth > 0 ? [' · ', fact] : fact))

/** A licence plate that looks like one. Copies and reads as the bare characters with dashes. */
export function Plate({ plate, size = 'md' }: { plate: string; size?: 'sm' | 'md' | 'lg' }) {
  return (
    <span className={classes.plate} data-size={size} translate="no">
      {formatPlate(plate)}
    </span>
  )
}

/** So many plates are named in a question. */
export const platesNamed = 5

/** The subject of a question: plates, and beside them their owner or a detail. */
export function Subject({ plates, children }: { plates: readonly string[]; children?: ReactNode }) {
  const different = [...new Set(plates)]
  return (
    <div className={classes.subject}>
      {different.slice(0, platesNamed).map(plate => (
        <Fragment key={plate}>
          <Plate plate={plate} size="sm" />{' '}
        </Fragment>
      ))}
      {different.length > platesNamed && '… '}
      {children}
    </div>
  )
}

/** Which operation a question is about: the vehicle and the customer. */
export const subjectOf = ({ vehicle, user }: OperationSubject): ReactNode => (
  <Subject plates={[vehicle.license_plate]}>{user.companyname}</Subject>
)
type OperationSubject = { vehicle: { license_plate: string }; user: { companyname: string } }
