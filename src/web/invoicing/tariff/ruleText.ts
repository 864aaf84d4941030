/** Rules of the tariff in words. */
import { useTranslation } from '../../ui/texts.ts'
import type { TariffRule } from '#contract/tariff.ts'
import { addDays } from '#domain/texts/date.ts'
import { formatNumber, moneyIn } from '#domain/texts/number.ts'
import { lastDayOfGrace } from '#domain/money/tariff.ts'
import { formatDate } from '../../shared/format.ts'

type Season = Pick<TariffRule, 'per' | 'since' | 'grace_days' | 'price_excl'>

/** How rules are described. */
export function useRuleText() {
  const { t, i18n } = useTranslation('tariff')
  const money = moneyIn(i18n.language)
  const unitOf = (rule: Pick<TariffRule, 'per' | 'mode' | 'period'>) => {
    const unit = t(`per.${rule.per}`)
    switch (rule.mode) {
      case 'per_day':
        return t('perDay', { unit })
      case 'per_period':
        return t('perPeriod', { unit, count: rule.period ?? 1 })
      case 'per_season':
        return t('perSeason', { unit })
      default:
        return t('perUnit', { unit })
    }
  }
  return {
    name: (rule: TariffRule) =>
      [
        rule.service?.name ?? t(`kind.${rule.kind}`),
        rule.size_class && t(`size.${rule.size_class}`),
        rule.after_days !== null && t('after', { count: rule.after_days }),
      ]
        .filter(Boolean)
        .join(' · '),
    days: ({ since, until }: TariffRule) =>
      until === null
        ? t('since', { since: formatDate(since) })
        : t('between', { since: formatDate(since), until: formatDate(until) }),
    price: (rule: Pick<TariffRule, 'per' | 'mode' | 'period' | 'grace_days' | 'price_excl' | 'vat_rate'>) =>
      [
        `${money.format(rule.price_excl)} ${unitOf(rule)}`,
        rule.grace_days > 0 && t('grace', { count: rule.grace_days }),
        rule.vat_rate !== null && `${formatNumber(rule.vat_rate, i18n.language)} %`,
      ]
        .filter(Boolean)
        .join(' · '),
    /** The price of a season, by an example. */
    season: ({ per, since, grace_days: graceDays, price_excl }: Season) => {
      const price = money.format(price_excl)
      const last = lastDayOfGrace({ since, graceDays })
      // the day on which something comes is not stored: what came the day before begins in the season
      const came = formatDate(addDays(since, -2))
      return [
        graceDays > 0
          ? t('example.grace', { came, last: formatDate(last), next: formatDate(addDays(last, 1)), price })
          : t('example.noGrace', { since: formatDate(since), price }),
        per === 'vehicle' ? t('example.vehicle', { price }) : t('example.once', { unit: t(`per.${per}`) }),
      ].join(' ')
    },
  }
}
