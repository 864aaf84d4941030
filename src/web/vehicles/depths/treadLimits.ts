/** The limits of tread depths as screens need them: of a vehicle at this site, today (docs/product/tyres.md "Tread depth"). */
import { useCallback } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import type { Tyre, Vehicle } from '#contract/wire.ts'
import { countryOf } from '#domain/operations/closedDays.ts'
import { sourceNames, treadLimits, type TreadCase, type TreadLimits } from '#domain/tyres/tread.ts'
import { classOf } from '#domain/tyres/tyreLaw.ts'
import { vehicleKind } from '#domain/vehicles/vehicle.ts'
import { formatDepth } from '../../shared/format.ts'
import { useToday } from '../../shared/hooks.ts'
import { useSite } from '../../shared/session.ts'

/** The facts that decide the limits of a vehicle's tyres. */
export type Judged = Pick<Vehicle, 'type' | 'min_tread_summer' | 'min_tread_winter'>

/** How to judge the tyres of a vehicle today; it changes with the day and the site. */
export function useTreadCase(): (vehicle: Judged) => TreadCase {
  const site = useSite()
  const date = useToday()
  return useCallback(
    (vehicle: Judged) => ({
      country: countryOf(site.time_zone),
      kind: vehicleKind(vehicle.type),
      date,
      site,
      customer: { summer: vehicle.min_tread_summer, winter: vehicle.min_tread_winter },
    }),
    [site, date],
  )
}

/** The limits of a tyre, and why they are so in words, with the names of the sources. */
export function useTreadLimits(vehicle: Judged): {
  limitsOf: (tyre: Pick<Tyre, 'season'>) => TreadLimits
  why: (limits: TreadLimits) => string
} {
  const { t, i18n } = useTranslation('fleet')
  const judged = useTreadCase()(vehicle)
  const limitsOf = ({ season }: Pick<Tyre, 'season'>) => treadLimits(season, judged)
  function why(limits: TreadLimits): string {
    const [legal, wanted] = [formatDepth(limits.legal, i18n.language), formatDepth(limits.wanted, i18n.language)]
    const country = judged.country && new Intl.DisplayNames(i18n.language, { type: 'region' }).of(judged.country)
    const vehicleClass = classOf(judged.kind)
    const rule =
      limits.verified && country && vehicleClass
        ? t(limits.winter ? 'treadWhy.winter' : 'treadWhy.law', {
            legal,
            country,
            vehicle: t(`vehicleClass.${vehicleClass}`),
            sources: sourceNames(limits.law).join(', '),
          })
        : t('treadWhy.unverified', { legal })
    return limits.by === 'law' ? rule : `${t(`treadWhy.${limits.by}`, { wanted })} ${rule}`
  }
  return { limitsOf, why }
}
