import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import { formatNumber } from '#domain/texts/number.ts'
import { asksForDelivery, asksForParts } from '#domain/operations/operation.ts'
import { formatDate, formatMoment } from '../shared/format.ts'
import { useSite } from '../shared/session.ts'
import classes from './card.module.css'
import { useServiceName } from './services.tsx'
import { useTransportName } from './transportName.ts'

/** The details of an operation's request, read-only. */
export function OperationFacts({ operation }: { operation: Operation }) {
  const { t, i18n } = useTranslation(['operations', 'common'])
  const { time_zone: zone } = useSite()
  const nameOf = useServiceName()
  const transportName = useTransportName()
  const recall = asksForDelivery(operation.type)
  const storage = asksForParts(operation.type)
  const parts = [operation.withBolts && t('operations:bolts'), operation.withHubcaps && t('operations:hubcaps')].filter(
    Boolean,
  )
  const facts: [string, string | false | null][] = [
    [t('operations:services'), operation.services.map(nameOf).join(', ')],
    [
      t(storage ? 'operations:arrivalDate' : 'operations:deliveryDate'),
      (recall || storage) && formatDate(operation.deliveryDate),
    ],
    [t('operations:transport'), operation.transport !== null && transportName(operation.transport)],
    [t('operations:rims'), storage && t(`common:rims.${operation.withRims ?? 'none'}`)],
    [t('operations:with'), storage && parts.join(', ')],
    [
      t('operations:tachometer'),
      operation.tachometer !== null && t('common:km', { distance: formatNumber(operation.tachometer, i18n.language) }),
    ],
    [t('operations:survival.label'), operation.wornTyres && t(`operations:survival.${operation.wornTyres}`)],
    [t('operations:remarks'), operation.remarks],
    [t('operations:submittedOn'), operation.submitted && formatMoment(operation.submitted, zone)],
    [t('operations:handledOn'), operation.handledAt && formatMoment(operation.handledAt, zone)],
  ]
  return (
    <dl className={classes.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
